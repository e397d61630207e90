import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { ignoreLostConnections } from '#domain/engines/pool.ts'

/** The database server that all arms of a run share, ours and the peers'. */
export interface Server {
  /** 'PostgreSQL 15.18, PostGIS 3.3.2' */
  label: string
  postgis: boolean
  /** Makes an empty database; with a name, opens that of a kept folder as an earlier run left it, which stays. */
  database(name?: string): Promise<Database>
  folder(): Promise<string>
  /** CPU milliseconds that the server has used since its start; null if the system does not report them. */
  cpuMs(): number | null
  close(): Promise<void>
}

export interface Database {
  url: string
  pool: pg.Pool
  /** Ends the pool and drops the database; a kept database is not dropped. */
  drop(): Promise<void>
}

/**
 * A private server in a temporary folder: the system's PostgreSQL if it has PostGIS, which peers need; else the
 * packaged one, and the peers are skipped.
 * @param kept a folder that stays with its contents for the next run
 * @param buffers shared_buffers of the system's PostgreSQL
 */
export async function openServer(kept?: string, buffers = SETTINGS.shared_buffers): Promise<Server> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'weather-bench-'))
  const home = path.resolve(kept ?? scratch)
  mkdirSync(home, { recursive: true })
  const system = systemBinaries()
  const started = system ? await startSystem(system.bin, path.join(home, 'data'), buffers) : await startPackaged(home)
  const { rows } = await withClient(started.url('postgres'), (client) => client.query<{ server_version: string }>('SHOW server_version'))
  const postgis = system?.postgis ?? null
  const admin = (sql: string) => withClient(started.url('postgres'), (client) => client.query(sql))
  const exists = async (name: string) => (await admin(`SELECT FROM pg_database WHERE datname = '${name}'`)).rows.length > 0
  const make = (name: string) => admin(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`)
  const open = (name: string): Database => {
    const url = started.url(name)
    const pool = new pg.Pool({ connectionString: url, max: POOL })
    ignoreLostConnections(pool)
    const drop = async () => {
      await pool.end()
      await admin(`DROP DATABASE ${name} WITH (FORCE)`)
    }
    return { url, pool, drop }
  }
  if (!(await exists(TEMPLATE))) await migrateTemplate(started.url)
  let made = 0
  return {
    label: [`PostgreSQL ${rows[0]?.server_version.split(' ')[0]}`, postgis ? `PostGIS ${postgis}` : 'no PostGIS'].join(', '),
    postgis: postgis !== null,
    cpuMs: () => cpuOfTree(started.pid()),
    folder: async () => mkdtempSync(path.join(scratch, 'bench-')),
    async database(name) {
      if (name !== undefined) {
        if (!(await exists(name))) await make(name)
        const database = open(name)
        return { ...database, drop: () => database.pool.end() }
      }
      const own = `bench_${++made}`
      // Left by an earlier run in the same folder, which was cut short.
      await admin(`DROP DATABASE IF EXISTS ${own}`)
      await make(own)
      return open(own)
    },
    async close() {
      await started.stop()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

const TEMPLATE = 'weather_template'
/** Like the service's own pool. */
const POOL = 8
const SYSTEM_POSTGRES = '/usr/lib/postgresql'
const SUPERUSER = 'bench'
/**
 * The memory of a small machine, and no JIT compilation of plans, whose cost varies from run to run; the same for
 * every arm. Writes survive a crash, as in production.
 */
const SETTINGS = {
  shared_buffers: '512MB',
  work_mem: '32MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
  jit: 'off',
  random_page_cost: '1.1',
  effective_cache_size: '2GB',
  effective_io_concurrency: '32',
}

/** The newest PostgreSQL of the system, if PostGIS is installed for it. */
function systemBinaries(): { bin: string; postgis: string } | null {
  if (!existsSync(SYSTEM_POSTGRES)) return null
  for (const version of readdirSync(SYSTEM_POSTGRES).sort((a, b) => Number(b) - Number(a))) {
    const bin = path.join(SYSTEM_POSTGRES, version, 'bin')
    const control = `/usr/share/postgresql/${version}/extension/postgis.control`
    if (!existsSync(path.join(bin, 'initdb')) || !existsSync(control)) continue
    return { bin, postgis: /default_version = '([^']+)'/.exec(readFileSync(control, 'utf8'))?.[1] ?? 'unknown' }
  }
  return null
}

interface Started {
  url(database: string): string
  pid(): number
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root: a user namespace then gives it a user of its own. */
async function startSystem(bin: string, data: string, buffers: string): Promise<Started> {
  const as = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : []
  const run = (program: string, ...args: string[]) => {
    const [command, ...rest] = [...as, path.join(bin, program), ...args] as [string, ...string[]]
    execFileSync(command, rest, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      cwd: '/',
    })
  }
  if (!existsSync(data)) run('initdb', '-D', data, '-U', SUPERUSER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync')
  const port = await freePort()
  const settings = {
    ...SETTINGS,
    shared_buffers: buffers,
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
  }
  const options = Object.entries(settings)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ')
  run('pg_ctl', 'start', '--wait', '-D', data, '-l', `${data}.log`, '-o', options)
  return {
    url: (database) => `postgresql://${SUPERUSER}@127.0.0.1:${port}/${database}`,
    pid: () => Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    stop: async () => run('pg_ctl', 'stop', '-m', 'fast', '-D', data),
  }
}

async function startPackaged(folder: string): Promise<Started> {
  const { startPostgres } = await import('../../scripts/postgres.mjs')
  const server = await startPostgres(folder, { durable: true })
  const pidFile = path.join(folder, 'postgres/data/postmaster.pid')
  for (const [name, value] of Object.entries(SETTINGS).filter(([name]) => name !== 'shared_buffers')) {
    await withClient(server.url('postgres'), (client) => client.query(`ALTER SYSTEM SET ${name} = '${value}'`))
  }
  await withClient(server.url('postgres'), (client) => client.query('SELECT pg_reload_conf()'))
  return { url: server.url, stop: server.stop, pid: () => Number(readFileSync(pidFile, 'utf8').split('\n')[0]) }
}

/** The service's schema, created once; every bench copies it. */
async function migrateTemplate(url: Started['url']): Promise<void> {
  await withClient(url('postgres'), (client) => client.query(`CREATE DATABASE ${TEMPLATE}`))
  const folder = path.resolve('migrations')
  const steps = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  await withClient(url(TEMPLATE), async (client) => {
    for (const step of steps) await client.query(readFileSync(path.join(folder, step, 'migration.sql'), 'utf8'))
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** For a process and its children, including those that have exited. */
export function cpuOfTree(pid: number): number | null {
  if (process.platform !== 'linux') return null
  const tick = ticksPerSecond()
  let ticks = 0
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const fields = statOf(entry)
    if (!fields || (Number(entry) !== pid && Number(fields[1]) !== pid)) continue
    // After the name: state, parent ... utime, stime (12th, 13th), and for the postmaster the time of its exited children (14th, 15th).
    ticks += Number(fields[11]) + Number(fields[12]) + (Number(entry) === pid ? Number(fields[13]) + Number(fields[14]) : 0)
  }
  return (ticks / tick) * 1000
}

function statOf(pid: string): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

/** Linux counts CPU time in ticks whose length only the system knows. */
let ticks: number | undefined
function ticksPerSecond(): number {
  ticks ??= Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100
  return ticks
}
