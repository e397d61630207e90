import puppeteer, { type Browser } from 'puppeteer-core'
import { browserProgram } from '#domain/engines/browser.ts'

/** Quiet about everything of its own: updates and look-ups would leave the machine. */
const QUIET = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-pings',
]

/** A browser as a reader of our pages has one, scripts and network included. */
export async function openReader(home: string): Promise<Browser> {
  const { executablePath, env } = await browserProgram({ browser_path: process.env.PUPPETEER_EXECUTABLE_PATH ?? null, home })
  return puppeteer.launch({ executablePath, env: { ...process.env, ...env }, args: QUIET, headless: true })
}
