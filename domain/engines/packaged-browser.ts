import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** A program to start, with what its environment must say beside ours. */
export interface BrowserProgram {
  executablePath: string
  env: Record<string, string>
}

const PROGRAM = 'chromium'
/** It took 2 to 6 s. */
const UNPACK_DEADLINE_MS = 60_000
/** Libraries that the browser loads and a bare machine lacks; the package brings them. */
const LIBRARIES = ['libnss3.so', 'libnspr4.so', 'libexpat.so.1']
const LIBRARY_FOLDERS = ['/usr/lib/x86_64-linux-gnu', '/lib/x86_64-linux-gnu', '/usr/lib64', '/usr/lib']

/**
 * The browser that ships inside its npm package, unpacked into the state folder at first use. Its own list of arguments
 * is left: a single process cannot hold two isolated pages, and it turns guards off.
 * @param uid the user who is to run it; null for the service's own
 * @throws Error where the package has none for this machine
 */
export async function packagedBrowser(home: string, uid: number | null = null): Promise<BrowserProgram> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`No browser is installed, and the packaged one does not run on ${process.platform} ${process.arch}.`)
  // Found at use: an install that has a browser of its own may leave the package out.
  const module = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const shelf = uid === null || (await everybodyReaches(home)) ? path.join(home, 'browser') : await sharedShelf()
  const folder = path.join(shelf, versionOf(module))
  const executablePath = path.join(folder, PROGRAM)
  if (!existsSync(folder)) await unpack(module, folder)
  // A copy of an earlier version is its owner's alone.
  else if (uid !== null) await chmod(executablePath, 0o755)
  const env = { FONTCONFIG_FILE: path.join(folder, 'fonts.conf') }
  return hasLibraries() ? { executablePath, env } : { executablePath, env: { ...env, LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib') } }
}

function versionOf(module: string): string {
  const said = readFileSync(path.join(path.dirname(module), '..', 'package.json'), 'utf8')
  const { version }: { version: string } = JSON.parse(said)
  return version
}

/** For an install whose state folder is closed to others, as that of root is. */
const SHARED_SHELF = '/var/tmp/weather-browser'

/** @throws Error where another user made it, who could put a program of theirs into it */
async function sharedShelf(): Promise<string> {
  await mkdir(SHARED_SHELF, { mode: 0o755 }).catch(() => {})
  const { uid, mode } = await lstat(SHARED_SHELF)
  if (uid !== process.getuid?.() || mode & 0o022) throw new Error(`${SHARED_SHELF} is not ours alone: remove it.`)
  await chmod(SHARED_SHELF, 0o755)
  return SHARED_SHELF
}

/** Whether every folder on the way lets everybody through. */
async function everybodyReaches(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  return (mode & 0o001) !== 0 && (folder === path.dirname(folder) || everybodyReaches(path.dirname(folder)))
}

/** Whole or not at all: a process that dies leaves a draft that nobody uses, and of two at once the first is kept. */
async function unpack(module: string, folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true })
  const draft = await mkdtemp(path.join(path.dirname(folder), 'draft-'))
  try {
    await unpackInto(module, draft)
    const fonts = path.join(draft, 'fonts.conf')
    await writeFile(fonts, fontsOf(folder))
    // The browser may run as another user, who reads all of it; the package gives the program to its owner alone.
    await Promise.all([chmod(fonts, 0o644), ...[path.join(draft, PROGRAM), draft, path.dirname(folder)].map((one) => chmod(one, 0o755))])
    await rename(draft, folder)
  } catch (fault) {
    if (!existsSync(folder)) throw fault
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * In a process of its own, for the package is configured by the environment: it unpacks into the temporary folder, and brings
 * libraries only where it takes itself to be on Lambda.
 */
async function unpackInto(module: string, folder: string): Promise<void> {
  const script = `import chromium from ${JSON.stringify(pathToFileURL(module).href)}; process.umask(0o022); await chromium.executablePath()`
  const env = { PATH: process.env.PATH, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env, timeout: UNPACK_DEADLINE_MS })
}

/** The machine's own fonts where it has some, and the package's for footers and figures of fixed width. */
const fontsOf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`

const hasLibraries = () => LIBRARIES.every((name) => LIBRARY_FOLDERS.some((folder) => existsSync(path.join(folder, name))))
