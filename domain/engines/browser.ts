import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { Browser } from 'puppeteer-core'
import { allowedModes, type Confinement, type ConfinementMode, fallbackReason, serviceIsRoot } from '#domain/engines/browser-confinement.ts'
import { dropBrowserFolder, makeBrowserFolder } from '#domain/engines/browser-folder.ts'
import { pipeTransport } from '#domain/engines/browser-pipe.ts'
import { type BrowserProgram, packagedBrowser } from '#domain/engines/packaged-browser.ts'
import type { Config } from '#domain/kernel/config.ts'
import { present } from '#domain/kernel/present.ts'

export type BrowserSettings = Pick<Config, 'browser_ws' | 'browser_path' | 'browser_sandbox' | 'browser_uid' | 'browser_memory_mb' | 'home'>

export interface OpenBrowser {
  browser: Browser
  /** Id of its main process and its process group; null if it runs elsewhere. */
  pid: number | null
  /** Null if it runs elsewhere. */
  confinement: Confinement | null
  /** Kills all its processes at once, hanging ones too; only disconnects from a browser that runs elsewhere. */
  end(): void
  /** Asks it to exit and waits for it; kills it after a deadline. */
  close(): Promise<void>
}

/** Where distributions install a browser. */
const INSTALLED = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** The browser must make no connections of its own: updates, look-ups, hints, reports. */
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
const CLOSE_DEADLINE_MS = 5_000
/** The first lines of output explain why a browser does not start. */
const OUTPUT_MAX_CHARS = 16_384
/** For the wrapper scripts with which distributions start their browsers. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Opens the configured browser, else an installed one, else the packaged one, in the strictest confinement that settings
 * and machine allow.
 * @throws Error that explains what to do if no browser can be started
 */
export async function openBrowser(settings: BrowserSettings): Promise<OpenBrowser> {
  if (settings.browser_ws) return connectTo(settings.browser_ws)
  let because: string | null = null
  for (const mode of allowedModes(settings)) {
    const started = await start(settings, mode)
    if (!('output' in started)) return { ...started, confinement: { ...mode, service_is_root: serviceIsRoot(), because } }
    const reason = fallbackReason(started.output)
    if (reason === null) refuse(started.output)
    because ??= reason
  }
  refuse(
    settings.browser_sandbox === 'on'
      ? `it cannot make its sandbox here, and BROWSER_SANDBOX=on does not allow printing without it (${because}).`
      : `${because}.`,
  )
}

async function connectTo(browserWSEndpoint: string): Promise<OpenBrowser> {
  const { default: puppeteer } = await import('puppeteer-core')
  const browser = await puppeteer.connect({ browserWSEndpoint })
  return { browser, pid: null, confinement: null, end: () => void browser.disconnect(), close: () => browser.disconnect() }
}

/** Starts a browser; if it does not start, returns its output. */
async function start(settings: BrowserSettings, mode: ConfinementMode): Promise<Omit<OpenBrowser, 'confinement'> | { output: string }> {
  const { default: puppeteer } = await import('puppeteer-core')
  const program = await browserProgram(settings, mode.uid).catch((fault: Error) => refuse(fault.message, fault))
  const folder = await makeBrowserFolder(mode.uid)
  const flags = [...QUIET, ...(mode.sandboxed ? [] : ['--no-sandbox']), '--remote-debugging-pipe']
  const args = puppeteer.defaultArgs({ browser: 'chrome', headless: true, userDataDir: `${folder}/profile`, args: flags })
  const child = spawnBounded(program, args, folder, mode.uid, Math.floor(settings.browser_memory_mb / 2))
  const { stdio } = child as unknown as { stdio: [null, null, Readable, Writable, Readable] }
  let output = ''
  stdio[2].on('data', (text) => {
    if (output.length < OUTPUT_MAX_CHARS) output += text
  })
  const end = () => endGroup(child)
  // A browser that hangs does not notice that its pipes are closed: it would outlive a stop that cuts off its document.
  process.once('exit', end)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (fault) => resolve(fault.message))
    child.once('exit', () => resolve(''))
  })
  const cleanedUp = ended.then(async (fault) => {
    end()
    process.off('exit', end)
    await dropBrowserFolder(folder)
    return { output: `${fault}${output}`.trim() || 'it exited without output' }
  })
  const launchTimer = setTimeout(() => {
    output = `it did not answer within ${LAUNCH_DEADLINE_MS / 1000} s`
    end()
  }, LAUNCH_DEADLINE_MS)
  const connected = puppeteer.connect({ transport: pipeTransport(stdio[3], stdio[4]) })
  // The browser's exit carries the reason; a failed connection does not.
  connected.catch(end)
  const browser = await Promise.race([connected.catch(() => cleanedUp), cleanedUp])
  clearTimeout(launchTimer)
  if ('output' in browser) return browser
  const close = async () => {
    const killTimer = setTimeout(end, CLOSE_DEADLINE_MS)
    await Promise.race([browser.close().catch(() => {}), cleanedUp])
    await cleanedUp
    clearTimeout(killTimer)
  }
  return { browser, pid: present(child.pid), end, close }
}

/**
 * Starts the browser, as another user if one is given, with its own environment and folder and nothing of the service's. Limits the
 * writable memory of each process: `ulimit -d` does not count the address space, which Chromium reserves by the terabyte.
 */
function spawnBounded(
  { executablePath, env }: BrowserProgram,
  args: string[],
  folder: string,
  uid: number | null,
  data_mb: number,
): ChildProcess {
  const bounded = 'ulimit -c 0; ulimit -d "$1"; shift; exec "$@"'
  return spawn('/bin/sh', ['-c', bounded, 'sh', String(data_mb * 1024), executablePath, ...args], {
    ...(uid !== null && { uid, gid: uid }),
    cwd: '/',
    env: { PATH: SYSTEM_PATH, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8', ...env },
    // Its own process group: a signal from the terminal does not interrupt a document being printed, and all of it can be killed together.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has already exited.
  }
}

function refuse(why: string, cause?: unknown): never {
  const library = /shared libraries: ([^:]+):/.exec(why)?.[1]
  const message = library
    ? `The browser needs ${library}, which this machine lacks.`
    : `The browser did not start: ${why.split('\n', 1)[0]}`
  throw new Error(`${message} ${WHAT_TO_DO}`, { cause })
}

/** Returns the program to start. @param uid user who must be able to read it; null: the service's own */
export async function browserProgram(
  { browser_path, home }: Pick<BrowserSettings, 'browser_path' | 'home'>,
  uid: number | null = null,
): Promise<BrowserProgram> {
  const installed = browser_path ?? INSTALLED.find((file) => existsSync(file))
  return installed ? { executablePath: installed, env: {} } : packagedBrowser(home, uid)
}

const WHAT_TO_DO =
  "Install Chromium from the system's packages, or name a browser with PUPPETEER_EXECUTABLE_PATH or a running one with BROWSER_WS."
