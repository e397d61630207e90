import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { renameDurably, replaceDurably } from './durable-file.mjs'
import { underLock } from './lock.mjs'
import { giveToOwner, placeFor, run } from './postgres-programs.mjs'

/**
 * @typedef {object} Postgres
 * @property {(database: string) => string} url URL of a database of this server
 * @property {(name: string) => Promise<string>} database URL of a database, which is created if missing
 * @property {(database: string) => string} serving URL of a database for the serving role, which owns nothing
 * @property {boolean} started false if it was running already
 * @property {() => Promise<void>} stop stops the server, even if another process started it
 */

/**
 * Starts the PostgreSQL that comes with the packages, or joins the one that runs in this state folder.
 * It listens only on the loopback address, on a free port, and requires a password that is stored in the folder.
 * @param {string} home state folder
 * @param {{ durable: boolean }} options durable: false trades safety in a power cut for speed, for tests
 * @returns {Promise<Postgres>}
 */
export async function startPostgres(home, { durable }) {
  const folder = path.join(path.resolve(home), 'postgres')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return underLock(path.join(folder, 'lock'), async () => {
    const server = readServer(folder) ?? { elsewhere: externalFolder(folder), password: randomBytes(24).toString('hex'), port: 0 }
    const place = server.elsewhere ?? folder
    const storedPort = server.port
    const started = !(await joins(place, server))
    if (started) server.port = await freePort(storedPort)
    if (server.port !== storedPort) writeServer(folder, server)
    if (started) await launch(place, server, durable)
    return {
      url: (database) => addressOf(server, database),
      database: (name) => makeDatabase(server, name),
      serving: (database) => addressOf({ ...server, role: SERVING, password: servingPassword(server) }, database),
      started,
      stop: () => stopServer(place, server),
    }
  })
}

/** Names of the role that owns everything, and of the serving role, which a migration creates. */
const ROLE = 'weather'
const SERVING = 'weather_service'
/** The small pool of each process and the queue's connections stay well below this. Several test runs share one server. */
const MAX_CONNECTIONS = 300
/** Recovery after a crash replays the WAL: half a second after a kill, longer after hours of writing. */
const START_WITHIN_S = 60
/** The remains of a killed server are gone in well under a second. */
const ENDED_WITHIN_MS = 10_000
const STOP_WITHIN_MS = 30_000
const POLL_MS = 20

/**
 * Joins the server that runs in a folder, if there is one. One that does not respond yet, because it recovers, stops or has too little
 * CPU, is waited for: no other can start there. Its own port counts, whatever an earlier start stored.
 */
async function joins(place, server) {
  if (await isResponding(server)) return true
  for (const deadline = Date.now() + START_WITHIN_S * 1000; ; await pause(POLL_MS)) {
    const running = runningServer(path.join(place, 'data'))
    if (!running) return false
    if (await isResponding({ ...server, port: running.port })) {
      server.port = running.port
      return true
    }
    if (Date.now() > deadline) throw new Error(`PostgreSQL (process ${running.pid}) runs in ${place}, but does not respond`)
  }
}

async function launch(place, server, durable) {
  const data = path.join(place, 'data')
  if (!existsSync(data)) await initialise(place, data, server.password)
  const settings = {
    port: server.port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: MAX_CONNECTIONS,
    timezone: 'UTC',
    // The log contains the fault but not the values of the row, which may be personal data.
    log_error_verbosity: 'terse',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const options = Object.entries(settings)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ')
  const log = path.join(place, 'postgres.log')
  dropStalePid(data)
  for (const deadline = Date.now() + ENDED_WITHIN_MS; ; await pause(POLL_MS)) {
    const { code, printed } = await run(place, 'pg_ctl', [
      'start',
      '-w',
      '-t',
      String(START_WITHIN_S),
      '-D',
      data,
      '-l',
      log,
      '-o',
      options,
    ])
    if (code === 0 && (await isResponding(server))) return
    // Child processes of a killed server end a moment later. Until then they hold shared memory that the next server needs.
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not start: ${printed()}\nIts log is ${log}`)
  }
}

/** Creates the data folder under another name and then renames it, so that an incomplete one is never used. */
async function initialise(place, data, password) {
  const draft = `${data}.draft`
  const passwordFile = `${data}.password`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  for (const made of [draft, passwordFile]) giveToOwner(made)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const { code, printed } = await run(place, 'initdb', [
    '-D',
    draft,
    '-U',
    ROLE,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    ...locale,
  ])
  rmSync(passwordFile, { force: true })
  if (code !== 0) throw new Error(`PostgreSQL's data folder could not be created: ${printed()}`)
  renameDurably(draft, data)
}

/**
 * Removes the pid file of a killed server if its process id now belongs to another program, to another server of PostgreSQL, or to a
 * zombie as in a container. PostgreSQL would mistake that process for itself and refuse to start.
 */
function dropStalePid(data) {
  if (process.platform === 'linux' && !runningServer(data)) rmSync(pidFileOf(data), { force: true })
}

/** Returns the process id and the port of the server that runs in a data folder; null if none does, and on systems without /proc. */
function runningServer(data) {
  try {
    const [pid, , , port] = readFileSync(pidFileOf(data), 'utf8').split('\n').map(Number)
    const isServer = /^\d+ \(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return isServer && isWorkingIn(pid, data) ? { pid, port } : null
  } catch (fault) {
    if (fault.code === 'ENOENT' || fault.code === 'ESRCH') return null
    throw fault
  }
}

/** Whether a process of PostgreSQL works in its server's data folder, as they all do. One that cannot be read may. */
function isWorkingIn(pid, data) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
  } catch (fault) {
    if (fault.code === 'EACCES') return true
    throw fault
  }
}

const pidFileOf = (data) => path.join(data, 'postmaster.pid')
const readPid = (data) => Number(readFileSync(pidFileOf(data), 'utf8').split('\n')[0])

async function stopServer(place, server) {
  if (!(await isResponding(server))) return
  const data = path.join(place, 'data')
  const pid = readPid(data)
  // SIGINT: PostgreSQL's fast shutdown, which ends sessions and writes a checkpoint.
  process.kill(pid, 'SIGINT')
  for (const deadline = Date.now() + STOP_WITHIN_MS; existsSync(pidFileOf(data)); await pause(POLL_MS)) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL (process ${pid}) did not stop`)
  }
}

/** Only a response counts: after a kill the pid file still claims that the server runs. */
async function isResponding(server) {
  if (!server.port) return false
  try {
    await withClient(addressOf(server, 'postgres'), () => {})
    return true
  } catch {
    return false
  }
}

async function makeDatabase(server, name) {
  await withClient(addressOf(server, 'postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (!rowCount) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  })
  return addressOf(server, name)
}

/** The server is on this machine, so one that has not responded after two seconds is not running. */
const ANSWER_WITHIN_MS = 2000

async function withClient(connectionString, work) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_WITHIN_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Derived from the owner's stored password; the owner's cannot be derived from it. */
const servingPassword = ({ password }) => createHmac('sha256', password).update(SERVING).digest('hex')

const addressOf = ({ role = ROLE, ...server }, database) => `postgresql://${role}:${server.password}@127.0.0.1:${server.port}/${database}`

/** Returns the requested port, which clients of the last start still use; a free one if it is in use or none is requested. */
function freePort(requested) {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', (fault) => (requested ? resolve(freePort(0)) : reject(fault)))
    probe.listen(requested, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
      probe.close(() => resolve(port))
    })
  })
}

/** The folder outside the state folder for the server's files, if they must be outside; otherwise null. */
function externalFolder(folder) {
  const place = placeFor(folder)
  return place === folder ? null : place
}

const fileOf = (folder) => path.join(folder, 'server.json')

/** Returns what an earlier start wrote; null before the first start, and if files stored elsewhere are gone, for example with their container. */
function readServer(folder) {
  if (!existsSync(fileOf(folder))) return null
  const server = JSON.parse(readFileSync(fileOf(folder), 'utf8'))
  if (!server.elsewhere || existsSync(server.elsewhere)) return server
  console.error(`The database of ${folder} was in ${server.elsewhere}, which is gone: it begins empty.`)
  return null
}

/** Without the password in this file, the data folder would be of no use. */
function writeServer(folder, server) {
  replaceDurably(fileOf(folder), JSON.stringify(server), giveToOwner)
}
