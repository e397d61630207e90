import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.mjs'
import { giveToOwner } from '../../scripts/postgres-programs.mjs'
import { waitUntil } from './wait-until.ts'

/** A PostgreSQL server for one test file, which can be killed without harm to other tests. */
export interface OwnPostgres {
  /** Makes an empty database: its address for the owner, and for the role that serves, which the migrations create. */
  url: string
  serving: string
  /** Kills it as a power cut would. */
  kill(): Promise<void>
  /** Starts it again on the same port, with all data that it had written. */
  start(): Promise<void>
  /** Freezes every process of the server, with all its connections. */
  freeze(): Promise<void>
  /**
   * Makes a second server. A synchronous one has applied every commit before the commit is confirmed, so that a read
   * there finds it; otherwise it applies commits soon after. This server is unavailable for a moment meanwhile.
   */
  openStandby(how?: { synchronous: boolean; applied?: boolean }): Promise<Standby>
  /** Stops it for good. */
  stop(): Promise<void>
}

/** A server that follows another one until it is promoted. */
export interface Standby {
  port: number
  /** For the owner, and for the role that serves. */
  url: string
  serving: string
  /** Kills it as a power cut would. */
  kill(): Promise<void>
  /** Starts it again on the same port, as a follower. */
  start(): Promise<void>
  /** Freezes every process of it; lets them continue. */
  freeze(): Promise<void>
  thaw(): void
  /** Resolves once it accepts writes. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** @param options durable: false if no data has to survive a power cut */
export async function openPostgres(options = { durable: true }): Promise<OwnPostgres> {
  const home = await mkdtemp(path.join(tmpdir(), 'weather-own-postgres-'))
  let server = await startPostgres(home, options)
  const url = await server.database('weather')
  const data = await dataOf(url)
  const frozen: number[] = []
  const start = async () => {
    server = await startPostgres(home, options)
    if ((await server.database('weather')) !== url) throw new Error('PostgreSQL came back on another port')
  }
  return {
    url,
    serving: server.serving('weather'),
    async kill() {
      process.kill(await postmasterOf(data), 'SIGKILL')
    },
    start,
    async freeze() {
      frozen.push(...(await freezeAll(data)))
    },
    async openStandby({ synchronous, applied = false } = { synchronous: true }) {
      await server.stop()
      const copy = await copyOf(home, url)
      await start()
      const standby = await follow(copy, url, options)
      if (!synchronous) return standby
      // A role's setting takes precedence over the server's start options.
      if (applied) await query(url, 'ALTER ROLE ALL SET synchronous_commit = remote_apply')
      await query(url, "ALTER SYSTEM SET synchronous_standby_names = '*'")
      await query(url, 'SELECT pg_reload_conf()')
      await waitUntil(async () => (await query(url, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 1)
      return standby
    },
    async stop() {
      if (frozen.length > 0) for (const pid of frozen) signal(pid, 'SIGKILL')
      else await server.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** A copy of the server's state in another folder; a server that starts there follows the first. */
async function copyOf(home: string, url: string): Promise<string> {
  const copy = `${home}-standby`
  const copied = promisify(execFile)
  await copied('cp', ['-a', home, copy])
  // If root may not run a server in its own folder, the files are in another one.
  const described = path.join(copy, 'postgres/server.json')
  const server = JSON.parse(await readFile(described, 'utf8'))
  const standbyFolder = server.elsewhere && `${server.elsewhere}-standby`
  if (standbyFolder) await copied('cp', ['-a', server.elsewhere, standbyFolder])
  // It needs a socket folder of its own: in the first's it would find the first.
  await writeFile(described, JSON.stringify({ ...server, elsewhere: standbyFolder, port: 0 }))
  const data = path.join(standbyFolder ?? path.join(copy, 'postgres'), 'data')
  const { port, username, password } = new URL(url)
  const primary = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`
  await appendFile(path.join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
  await writeFile(path.join(data, 'standby.signal'), '')
  giveToOwner(path.join(data, 'standby.signal'))
  return copy
}

async function follow(home: string, url: string, options: { durable: boolean }): Promise<Standby> {
  let server = await startPostgres(home, options)
  const database = new URL(url).pathname.slice(1)
  const own = server.url(database)
  const data = await dataOf(own)
  let frozen: number[] = []
  const thaw = () => {
    for (const pid of frozen) signal(pid, 'SIGCONT')
    frozen = []
  }
  return {
    port: Number(new URL(own).port),
    url: own,
    serving: server.serving(database),
    async kill() {
      process.kill(await postmasterOf(data), 'SIGKILL')
    },
    async start() {
      server = await startPostgres(home, options)
    },
    async freeze() {
      frozen = await freezeAll(data)
    },
    thaw,
    async promote() {
      await query(own, 'SELECT pg_promote(true, 30)')
    },
    async stop() {
      thaw()
      await server.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Freezes every process of a server from now on. */
async function freezeAll(data: string): Promise<number[]> {
  // The first process is stopped before it can start another.
  const first = await postmasterOf(data)
  process.kill(first, 'SIGSTOP')
  const all = [first, ...(await childrenOf(first))]
  for (const pid of all) signal(pid, 'SIGSTOP')
  return all
}

const postmasterOf = async (data: string) => Number((await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const parents = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  return pids.filter((_, nth) => Number(parents[nth]?.replace(/.*\) /, '').split(' ')[1]) === parent)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has exited by itself.
  }
}

async function query(connectionString: string, text: string): Promise<object[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function dataOf(url: string): Promise<string> {
  const [row] = (await query(url, 'SHOW data_directory')) as { data_directory: string }[]
  return row?.data_directory as string
}
