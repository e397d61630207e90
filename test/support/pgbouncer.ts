import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** PgBouncer in transaction mode before one database, on loopback. */
export interface PgBouncer {
  /** Address of the database through the pooler. */
  url: string
  /** Number of transactions that have passed through it. */
  transactions(): Promise<number>
  /** Kills it (SIGKILL), and all connections with it. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Stops it for good. */
  stop(): Promise<void>
}

/** Whether this machine has PgBouncer for the tests; prints a message once if not. */
export const pgBouncerIsHere = spawnSync('pgbouncer', ['--version']).status === 0
if (!pgBouncerIsHere) console.log('skipped: no pgbouncer')

/** It does not run as root: this user owns nothing on any machine. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
const STARTED_WITHIN_MS = 10_000

/**
 * @param direct_url of the database itself, for the one role that may connect
 * @param sessions how many server sessions all clients share: fewer than they have connections
 */
export async function startPgBouncer(direct_url: string, sessions = 8): Promise<PgBouncer> {
  const { hostname, port: server_port, username, password, pathname } = new URL(direct_url)
  const folder = await mkdtemp(path.join(tmpdir(), 'weather-pgbouncer-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const users = path.join(folder, 'users.txt')
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`)
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    stats_users: username,
    pool_mode: 'transaction',
    default_pool_size: sessions,
    max_client_conn: 200,
    query_wait_timeout: 15,
    server_login_retry: 1,
  }
  const file = path.join(folder, 'pgbouncer.ini')
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  await writeFile(file, `[databases]\n* = host=${hostname} port=${server_port}\n[pgbouncer]\n${lines.join('\n')}\n`)
  let server: ChildProcess | null = null
  const start = async () => {
    server = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...NOBODY })
    await listening(port)
  }
  const kill = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const exit = once(server, 'exit')
    server.kill('SIGKILL')
    await exit
  }
  await start()
  const addressOf = (database: string) => `postgresql://${username}:${password}@127.0.0.1:${port}/${database}`
  return {
    url: addressOf(pathname.slice(1)),
    transactions: () => countTransactions(addressOf('pgbouncer')),
    kill,
    start,
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** @param console address of the database at which PgBouncer reports about itself */
async function countTransactions(console: string): Promise<number> {
  const client = new pg.Client({ connectionString: console })
  await client.connect()
  try {
    const { rows } = await client.query<{ database: string; total_xact_count: string }>('SHOW STATS')
    return rows.filter(({ database }) => database !== 'pgbouncer').reduce((sum, row) => sum + Number(row.total_xact_count), 0)
  } finally {
    await client.end()
  }
}

async function listening(port: number): Promise<void> {
  for (const giveUp = Date.now() + STARTED_WITHIN_MS; Date.now() < giveUp; await pause(20)) {
    const socket = connect(port, '127.0.0.1')
    const reached = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (reached) return
  }
  throw new Error('pgbouncer did not start')
}
