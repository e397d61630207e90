const dark = matchMedia('(prefers-color-scheme: dark)')

/** The reference takes its colours from a class of the page; the reader's system chooses. */
function colour() {
  document.documentElement.classList.toggle('dark', dark.matches)
  document.documentElement.classList.toggle('light', !dark.matches)
}

colour()
dark.addEventListener('change', colour)
try {
  const [{ init }, description] = await Promise.all([import('/docs/redoc.js'), fetch('/docs/openapi.json').then((answer) => answer.json())])
  init(
    description,
    { disableTelemetry: true, router: 'hash', hideLoading: true, requiredPropsFirst: true },
    document.getElementById('reference'),
  )
} catch {
  document.querySelector('.wait').textContent = 'The API reference could not be loaded: reload the page, or read openapi.json.'
}
