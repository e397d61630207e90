import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** A program to start, with further environment variables that it needs. */
export interface BrowserProgram {
  executablePath: string
  env: Record<string, string>
}

const PROGRAM = 'chromium'
/** Measured: 2 to 6 s. */
const UNPACK_DEADLINE_MS = 60_000
/** Libraries that the browser needs and a bare machine lacks; the package contains them. */
const LIBRARIES = ['libnss3.so', 'libnspr4.so', 'libexpat.so.1']
const LIBRARY_FOLDERS = ['/usr/lib/x86_64-linux-gnu', '/lib/x86_64-linux-gnu', '/usr/lib64', '/usr/lib']

/**
 * Returns the browser from its npm package, unpacked into the state folder at first use. The package's list of arguments
 * is not used: its single process cannot isolate two pages, and it disables protections.
 * @param uid user who runs it; null: the service's own
 * @throws Error if the package has no browser for this machine
 */
export async function packagedBrowser(home: string, uid: number | null = null): Promise<BrowserProgram> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`No browser is installed, and the packaged one does not run on ${process.platform} ${process.arch}.`)
  // Resolved at use: an install with its own browser may omit the package.
  const module = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const cacheFolder = uid === null || (await isReachableByAll(home)) ? path.join(home, 'browser') : await sharedFolder()
  const folder = path.join(cacheFolder, versionOf(module))
  const executablePath = path.join(folder, PROGRAM)
  if (!existsSync(folder)) await unpack(module, folder)
  // Earlier versions made the program executable only for its owner.
  else if (uid !== null) await chmod(executablePath, 0o755)
  const env = { FONTCONFIG_FILE: path.join(folder, 'fonts.conf') }
  return hasLibraries() ? { executablePath, env } : { executablePath, env: { ...env, LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib') } }
}

function versionOf(module: string): string {
  const json = readFileSync(path.join(path.dirname(module), '..', 'package.json'), 'utf8')
  const { version }: { version: string } = JSON.parse(json)
  return version
}

/** For an install whose state folder is closed to other users, such as that of root. */
const SHARED_FOLDER = '/var/tmp/weather-browser'

/** @throws Error if another user owns the folder or can write to it, and so could replace the program */
async function sharedFolder(): Promise<string> {
  await mkdir(SHARED_FOLDER, { mode: 0o755 }).catch(() => {})
  const { uid, mode } = await lstat(SHARED_FOLDER)
  if (uid !== process.getuid?.() || mode & 0o022) throw new Error(`another user owns ${SHARED_FOLDER} or can write to it: remove it.`)
  await chmod(SHARED_FOLDER, 0o755)
  return SHARED_FOLDER
}

/** Whether every folder on the path can be entered by everybody. */
async function isReachableByAll(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  return (mode & 0o001) !== 0 && (folder === path.dirname(folder) || isReachableByAll(path.dirname(folder)))
}

/** Unpacks atomically: a process that dies leaves an unused draft, and of two at once the first is kept. */
async function unpack(module: string, folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true })
  const draft = await mkdtemp(path.join(path.dirname(folder), 'draft-'))
  try {
    await unpackInto(module, draft)
    const fonts = path.join(draft, 'fonts.conf')
    await writeFile(fonts, fontsOf(folder))
    // The browser may run as another user, who must read all of it; the package makes the program executable only for its owner.
    await Promise.all([chmod(fonts, 0o644), ...[path.join(draft, PROGRAM), draft, path.dirname(folder)].map((one) => chmod(one, 0o755))])
    await rename(draft, folder)
  } catch (fault) {
    if (!existsSync(folder)) throw fault
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * Runs in a separate process, because environment variables configure the package: it unpacks into the temporary folder, and
 * includes libraries only if it believes that it runs on Lambda.
 */
async function unpackInto(module: string, folder: string): Promise<void> {
  const script = `import chromium from ${JSON.stringify(pathToFileURL(module).href)}; process.umask(0o022); await chromium.executablePath()`
  const env = { PATH: process.env.PATH, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env, timeout: UNPACK_DEADLINE_MS })
}

/** The machine's own fonts, if any, and the package's fonts for footers and fixed-width figures. */
const fontsOf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`

const hasLibraries = () => LIBRARIES.every((name) => LIBRARY_FOLDERS.some((folder) => existsSync(path.join(folder, name))))
