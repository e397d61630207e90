// Draws docs/console.png: the console over the made-up storm day, as whoever signs in by the link of `npm start` sees a report there.
// It needs that service running, a browser, and no other use of its link: npm run console:picture

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import puppeteer from 'puppeteer-core'
import { root } from '../../scripts/root.mjs'

const BROWSERS = [process.env.PUPPETEER_EXECUTABLE_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome']
const SIZE = { width: 1280, height: 820 }
/** The map draws itself in after its first look. */
const DRAWN_MS = 2500

const { base_url, token, sample, sign_in_url, console_url } = JSON.parse(readFileSync(path.join(root, '.weather', 'ready.json'), 'utf8'))
const api = async (method, at, body) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${base_url}/api/v1${at}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${method} ${at} answered ${answer.status}`)
  return (await answer.json()).data
}

const { address, window_start, window_end } = sample
const { id } = await api('POST', '/reports', { address, window_start, window_end, radius_miles: 10, date_of_loss: '2025-05-28' })
for (let tries = 0; (await api('GET', `/reports/${id}`)).status === 'pending'; tries++) {
  if (tries > 100) throw new Error('the report is not complete')
  await new Promise((resolve) => setTimeout(resolve, 100))
}

// Maps need WebGL: without a graphics card it is drawn by the processor.
const args = ['--no-sandbox', '--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader']
const browser = await puppeteer.launch({ executablePath: BROWSERS.find((one) => one && existsSync(one)), args })
try {
  const page = await browser.newPage()
  await page.setViewport(SIZE)
  await page.goto(sign_in_url)
  await (await page.waitForSelector('::-p-aria([name="Sign in"])')).click()
  await page.waitForFunction(() => location.pathname.endsWith('/inbox'))
  await page.goto(`${console_url}/reports/${id}`)
  await page.waitForSelector('.records tbody tr')
  await new Promise((resolve) => setTimeout(resolve, DRAWN_MS))
  await page.screenshot({ path: path.join(root, 'docs', 'console.png') })
} finally {
  await browser.close()
}
