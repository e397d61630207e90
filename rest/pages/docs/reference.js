import { init } from '/docs/redoc.js'

const dark = matchMedia('(prefers-color-scheme: dark)')

/** The reference takes its colours from a class of the page; the reader's system chooses. */
function colour() {
  document.documentElement.classList.toggle('dark', dark.matches)
  document.documentElement.classList.toggle('light', !dark.matches)
}

colour()
dark.addEventListener('change', colour)
const description = await (await fetch('/docs/openapi.json')).json()
init(
  description,
  { disableTelemetry: true, router: 'hash', hideLoading: true, requiredPropsFirst: true },
  document.getElementById('reference'),
)
