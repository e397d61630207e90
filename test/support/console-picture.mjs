// Draws the pictures of the guide (the README shows one of them): the console over the made-up storm day, as a user sees it who signs in by
// the link of `npm start`, and the first page of a document. It needs that service running, a browser, poppler's pdftoppm, and an unused
// link: npm run console:picture

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import puppeteer from 'puppeteer-core'
import { root } from '../../scripts/root.mjs'

const BROWSERS = [process.env.PUPPETEER_EXECUTABLE_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome']
const SIZE = { width: 1280, height: 820 }
/** The map continues to draw after it first appears. */
const DRAWN_MS = 2500
/** Dots an inch: a Letter page is then 918 pixels wide, and its small print is still readable. */
const PAGE_DPI = 108

const home = path.resolve(root, process.env.WEATHER_HOME || '.weather')
const { base_url, token, sample, sign_in_url, console_url } = JSON.parse(readFileSync(path.join(home, 'ready.json'), 'utf8'))
const get = (at) => fetch(`${base_url}/api/v1${at}`, { headers: { authorization: `Bearer ${token}` } })
const api = async (method, at, body) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${base_url}/api/v1${at}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${method} ${at} answered ${answer.status}`)
  return (await answer.json()).data
}
const pictureOf = (name) => path.join(root, 'rest/pages/docs/pictures', name)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function until(found) {
  for (let tries = 0; tries < 300; tries++) {
    const value = await found()
    if (value) return value
    await pause(100)
  }
  throw new Error('it did not come in time')
}

const { address, window_start, window_end } = sample
const DAY = '2025-05-28'
const { id } = await api('POST', '/reports', { address, window_start, window_end, radius_miles: 10, date_of_loss: DAY })
await until(async () => (await api('GET', `/reports/${id}`)).status === 'complete')

/** What to draw: the place in the console, the text that shows it is ready, how often to zoom the map in, and the height of the picture. */
const pictures = {
  inbox: { at: '/inbox', ready: 'tbody tr' },
  report: { at: `/reports/${id}`, ready: '.records tbody tr' },
  // Just after the hail over Frisco.
  storm: { at: `/storms?day=${DAY}&at=${DAY}T23:55:00Z`, ready: '.map-canvas[data-ready]', nearer: 1, height: 1000 },
}

// Maps need WebGL. Without a graphics card the processor draws it.
const args = ['--no-sandbox', '--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader']
const browser = await puppeteer.launch({ executablePath: BROWSERS.find((one) => one && existsSync(one)), args })
try {
  const page = await browser.newPage()
  await page.setViewport(SIZE)
  await page.goto(sign_in_url)
  await (await page.waitForSelector('::-p-aria([name="Sign in"])')).click()
  await page.waitForFunction(() => location.pathname.endsWith('/inbox'))
  for (const [name, { at, ready, nearer = 0, height = SIZE.height }] of Object.entries(pictures)) {
    await page.setViewport({ ...SIZE, height })
    await page.goto(console_url + at)
    await page.waitForSelector(ready)
    for (let steps = 0; steps < nearer; steps++) await (await page.waitForSelector('::-p-aria([name="Zoom in"])')).click()
    await pause(DRAWN_MS)
    await page.screenshot({ path: pictureOf(`${name}.png`) })
  }
} finally {
  await browser.close()
}

const printed = await until(async () => {
  const answer = await get(`/reports/${id}/pdf`)
  return answer.status === 200 && Buffer.from(await answer.arrayBuffer())
})
const folder = mkdtempSync(path.join(os.tmpdir(), 'weather-picture-'))
writeFileSync(path.join(folder, 'report.pdf'), printed)
execFileSync('pdftoppm', [
  '-png',
  '-singlefile',
  '-r',
  String(PAGE_DPI),
  '-f',
  '1',
  '-l',
  '1',
  path.join(folder, 'report.pdf'),
  pictureOf('document'),
])
rmSync(folder, { recursive: true })
