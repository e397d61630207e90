import puppeteer, { type Browser } from 'puppeteer-core'
import { browserProgram } from '#domain/engines/browser.ts'

/** Switches off the browser's own updates and look-ups, which would leave the machine. */
const QUIET = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-pings',
]

/** Opens a browser as readers of our pages have it, with scripts and network. */
export async function openReader(home: string): Promise<Browser> {
  const { executablePath, env } = await browserProgram({ browser_path: process.env.PUPPETEER_EXECUTABLE_PATH ?? null, home })
  return puppeteer.launch({ executablePath, env: { ...process.env, ...env }, args: QUIET, headless: true })
}
