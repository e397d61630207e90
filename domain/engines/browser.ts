import { existsSync } from 'node:fs'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'puppeteer'
import type { Config } from '#domain/config.ts'

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
/** Unpacking the packaged browser took 2 to 6 s; a lock older than this was left by a process that died. */
const UNPACK_DEADLINE_MS = 60_000
const LOCK_POLL_MS = 200

/** The configured browser, else an installed one, else the packaged one. */
export async function openBrowser(settings: Settings): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer')
  if (settings.browser_ws) return puppeteer.connect({ browserWSEndpoint: settings.browser_ws })
  const { executablePath, args } = await browserProgram(settings)
  // Chromium cannot make its own sandbox as root or where user namespaces are barred; the documents are ours, scriptless and offline.
  return puppeteer.launch({
    executablePath,
    args: [...new Set([...args, ...QUIET, '--no-sandbox'])],
    headless: true,
    timeout: LAUNCH_DEADLINE_MS,
    // A stop lets the document that is being printed come out: the service closes the browser after its workers, not the signal.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
}

/** The program to start, with the arguments that it cannot do without. */
export async function browserProgram({
  browser_path,
  home,
}: Pick<Settings, 'browser_path' | 'home'>): Promise<{ executablePath: string; args: string[] }> {
  const installed = browser_path ?? INSTALLED.find((file) => existsSync(file))
  return installed ? { executablePath: installed, args: [] } : packagedBrowser(home)
}

/** Unpacks the browser that ships inside its npm package into the state folder, once, whichever process is first. */
async function packagedBrowser(home: string): Promise<{ executablePath: string; args: string[] }> {
  const folder = path.join(home, 'browser')
  await mkdir(folder, { recursive: true })
  return alone(path.join(folder, 'unpacking'), async () => {
    // The package unpacks into the temporary folder, and brings the system libraries that a bare machine lacks only where it takes itself to be on Lambda.
    const before = { TMPDIR: process.env.TMPDIR, AWS_EXECUTION_ENV: process.env.AWS_EXECUTION_ENV }
    process.env.TMPDIR = folder
    if (!hasBrowserLibraries()) process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x'
    try {
      const { default: chromium } = await import('@sparticuz/chromium')
      return { executablePath: await chromium.executablePath(), args: chromium.args }
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
  })
}

function hasBrowserLibraries(): boolean {
  return ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib'].some((folder) =>
    existsSync(path.join(folder, 'libnss3.so')),
  )
}

async function alone<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + UNPACK_DEADLINE_MS
  while (!(await claim(lock))) {
    if (Date.now() > until) throw new Error('another process is still unpacking the browser')
    await pause(LOCK_POLL_MS)
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function claim(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx')).close()
    return true
  } catch {
    const age = Date.now() - ((await stat(lock).catch(() => null))?.mtimeMs ?? Date.now())
    if (age > UNPACK_DEADLINE_MS) await rm(lock, { force: true })
    return false
  }
}
