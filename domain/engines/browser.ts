import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Browser } from 'puppeteer'
import type { Config } from '#domain/config.ts'
import { type BrowserProgram, packagedBrowser } from '#domain/engines/packaged-browser.ts'

type Settings = Pick<Config, 'browser_ws' | 'browser_path' | 'home'>

/** Where distributions put a browser. */
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** Nothing of the browser's own may go out: updates, look-ups, hints, reports. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-default-apps',
  '--disable-extensions',
  '--no-first-run',
  '--no-pings',
  '--dns-prefetch-disable',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--mute-audio',
  '--font-render-hinting=none',
  '--host-resolver-rules=MAP * ~NOTFOUND',
]
const LAUNCH_DEADLINE_MS = 30_000
const VERSION_DEADLINE_MS = 5_000

/**
 * The configured browser, else an installed one, else the packaged one.
 * @throws Error that says what to do where none can be had
 */
export async function openBrowser(settings: Settings): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer')
  if (settings.browser_ws) return puppeteer.connect({ browserWSEndpoint: settings.browser_ws })
  const program = await browserProgram(settings).catch((fault: Error) => refuse(fault.message, fault))
  const { executablePath, env } = program
  try {
    // Chromium cannot make its own sandbox as root or where user namespaces are barred; the documents are ours, scriptless and offline.
    return await puppeteer.launch({
      executablePath,
      env: { ...process.env, ...env },
      args: [...QUIET, '--no-sandbox'],
      headless: true,
      timeout: LAUNCH_DEADLINE_MS,
      // Spoken to over a pipe, the browser ends with the process that started it, however that ends.
      pipe: true,
      // A stop lets the document that is being printed come out: the service closes the browser after its workers, not the signal.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
  } catch (fault) {
    refuse(await whyNot(program, fault as Error), fault)
  }
}

function refuse(why: string, cause: unknown): never {
  const library = /shared libraries: ([^:]+):/.exec(why)?.[1]
  const said = library ? `The browser needs ${library}, which this machine lacks.` : `The browser did not start: ${why}`
  throw new Error(`${said} ${WHAT_TO_DO}`, { cause })
}

/** The program to start. */
export async function browserProgram({ browser_path, home }: Pick<Settings, 'browser_path' | 'home'>): Promise<BrowserProgram> {
  const installed = browser_path ?? INSTALLED.find((file) => existsSync(file))
  return installed ? { executablePath: installed, env: {} } : packagedBrowser(home)
}

/** What the program says when it is asked for no more than its version, for over a pipe nothing is heard of why it ended; else the fault. */
async function whyNot({ executablePath, env }: BrowserProgram, { message }: Error): Promise<string> {
  const asked = { env: { ...process.env, ...env }, timeout: VERSION_DEADLINE_MS }
  const said = await new Promise<string>((resolve) => {
    execFile(executablePath, ['--version'], asked, (fault, _stdout, stderr) => resolve(fault ? stderr.trim() || fault.message : message))
  })
  return said.split('\n', 1)[0] as string
}

const WHAT_TO_DO =
  "Install Chromium from the system's packages, or name a browser with PUPPETEER_EXECUTABLE_PATH or a running one with BROWSER_WS."
