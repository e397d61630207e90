import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { configFor } from '#test/support/config-for.ts'
import { builtJobs } from '#workers/jobs.ts'
import { prepare } from '../../scripts/prepare.mjs'
import { type NotedBrowser, notedBrowser } from './browser.ts'
import { type Link, openLink } from './link.ts'
import { type OwnPostgres, openPostgres, type Standby } from './own-postgres.ts'
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts'
import { blankPrinter } from './printer.ts'
import { openProcesses, type Processes, SECRET_KEYS } from './processes.ts'
import { type RedisServer, startRedis } from './redis.ts'
import type { World } from './world.ts'

/** The processes of the production shape, as docker-compose.yml has them, and one more worker that a test may start. */
const shape = {
  'api-1': { role: 'api', nth: 0, args: [] },
  'api-2': { role: 'api', nth: 1, args: [] },
  worker: { role: 'worker', nth: 0, args: [] },
  documents: { role: 'worker', nth: 1, args: ['--jobs=report.render'] },
  'worker-2': { role: 'worker', nth: 0, args: [] },
} as const

export type Name = keyof typeof shape
export const names = ['api-1', 'api-2', 'worker', 'documents'] as const satisfies Name[]

/** Two API and two worker processes, one of them for documents, on one PostgreSQL and one Redis that belong to the test. */
export interface Shape extends Processes {
  /** The test's own App on the same database, for making teams and for looking at rows. */
  world: Pick<World, 'app' | 'clock'>
  postgres: OwnPostgres | null
  redis: RedisServer
  /** The pooler between the processes and PostgreSQL, if there is one. */
  pooler: PgBouncer | null
  browser: NotedBrowser
  /** Each process's links to PostgreSQL and Redis, if they can be cut. */
  links: Partial<Record<Name, Links>>
  /** The stand-by, if there is one. */
  standby: Standby | null
  /** Promotes the stand-by in place of a frozen server: new connections go to it, and so does the test itself at once. */
  failOver(): Promise<void>
  /** The running process with that name. */
  process(name: Name): ChildProcess
  /** Starts the process with that name, again if it has exited. A process that exits by itself is restarted, as a supervisor does. */
  begin(name: Name, env?: Record<string, string>): ChildProcess
}

/** The jobs of a worker if documents have a process of their own. */
export const BUT_DOCUMENTS = `--jobs=${builtJobs.filter((name) => name !== 'report.render').join(',')}`

/** The links of one process. */
export interface Links {
  postgres: Link
  redis: Link
}

const RESTART_AFTER_MS = 1000

/** With WEATHER_TEST_FLEET=1 shapes have a pooler and a stand-by for reads, unless the test itself chooses what is between. */
const WHOLE = process.env.WEATHER_TEST_FLEET === '1'

/** The networks that contain the tests' receivers. */
export const NETWORKS = '127.0.0.0/8'
export const OPERATOR_KEY = 'wo_operator-of-the-shape-0000'

/**
 * Starts the servers, migrates once, starts the processes and waits until they respond.
 * @param url of an empty database; by default a PostgreSQL server is made for it
 * @param how linked: every process reaches PostgreSQL and Redis over links of its own; followed: a stand-by also
 * has every commit; apart: workers leave documents to their own process, whose browser runs at low priority;
 * pooled: processes reach PostgreSQL through PgBouncer in transaction mode; replicated: a stand-by has every commit
 * soon after and serves reads
 */
export async function openShape(
  settings: Record<string, string> = {},
  url?: string,
  how: Partial<Record<'linked' | 'followed' | 'apart' | 'pooled' | 'replicated', boolean>> = {},
): Promise<Shape> {
  const { linked = false, followed = false, apart = false } = how
  const { pooled = WHOLE && !linked && !followed, replicated = WHOLE && !followed } = how
  // If the bundle cannot be made, no servers must be left behind.
  await prepare({ bundled: ['server'] })
  const postgres = url ? null : await openPostgres()
  const standby = (followed || replicated) && postgres ? await postgres.openStandby({ synchronous: followed }) : null
  const redis = await startRedis()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'weather-shape-'))
  const browser = await notedBrowser(folder, { yielding: apart })
  const database_url = postgres?.url ?? (url as string)
  const testLink = await openLink(portOf(database_url))
  const links: Shape['links'] = linked ? await linksOf(database_url, redis.url) : {}
  const processes = await openProcesses(through(database_url, testLink), {
    DATABASE_URL: database_url,
    ...(postgres && { DATABASE_URL: postgres.serving, DATABASE_MIGRATE_URL: postgres.url }),
    REDIS_URL: redis.url,
    ...(replicated && standby && { DATABASE_REPLICA_URL: standby.serving }),
    PUPPETEER_EXECUTABLE_PATH: browser.program,
    WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
    WEATHER_OPERATOR_KEY: OPERATOR_KEY,
    ...settings,
  })
  if ((await processes.run('--migrate', '--roles=none')) !== 0) throw new Error(`the migration failed:\n${await processes.log()}`)
  // The migrations create the role that serves, and the pooler admits only that role.
  const pooler = pooled && postgres ? await startPgBouncer(postgres.serving) : null
  const app = await openTestApp(processes, through(database_url, testLink))
  const running = new Map<Name, ChildProcess>()
  let closed = false
  const opened: Shape = {
    ...processes,
    world: { app, clock: app.clock as World['clock'] },
    postgres,
    redis,
    pooler,
    browser,
    links,
    standby,
    async failOver() {
      await standby?.promote()
      testLink.turn(standby?.port as number)
      for (const link of Object.values(links)) link.postgres.mend(standby?.port)
    },
    process: (name) => running.get(name) as ChildProcess,
    begin(name, env) {
      const { role, nth, args } = shape[name]
      const leaving = apart && role === 'worker' && args.length === 0 ? [BUT_DOCUMENTS] : []
      const own = links[name] && throughLinks(postgres?.serving ?? database_url, redis.url, links[name])
      const through = pooler && postgres && { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: postgres.serving }
      const started = processes.start(role, { nth, args: [...args, ...leaving], env: { ...own, ...through, ...env } })
      running.set(name, started)
      started.once('exit', (code) => {
        if (code && running.get(name) === started) setTimeout(() => !closed && opened.begin(name, env), RESTART_AFTER_MS)
      })
      return started
    },
    async close() {
      closed = true
      await processes.close()
      await closeApp(app)
      await testLink.close()
      for (const link of Object.values(links)) await Promise.all([link.postgres.close(), link.redis.close()])
      await redis.stop()
      await pooler?.stop()
      await standby?.stop()
      await postgres?.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  for (const name of names) opened.begin(name)
  await opened.ready()
  return opened
}

const portOf = (url: string) => Number(new URL(url).port)
const through = (url: string, link: Link) => url.replace(`:${portOf(url)}`, `:${link.port}`)

async function linksOf(database_url: string, redis_url: string): Promise<Record<Name, Links>> {
  const each = (Object.keys(shape) as Name[]).map(async (name) => {
    return [name, { postgres: await openLink(portOf(database_url)), redis: await openLink(portOf(redis_url)) }] as const
  })
  return Object.fromEntries(await Promise.all(each)) as Record<Name, Links>
}

const throughLinks = (database_url: string, redis_url: string, { postgres, redis }: Links) => ({
  DATABASE_URL: through(database_url, postgres),
  REDIS_URL: through(redis_url, redis),
})

/** An App in the test's process with the keys of the processes. It prints nothing. */
export function openTestApp({ base_url, blobs }: Pick<Processes, 'base_url' | 'blobs'>, database_url: string): Promise<App> {
  const config = configFor({
    database_url,
    base_url,
    blobs,
    secret_keys: SECRET_KEYS,
    operator_key: OPERATOR_KEY,
    webhook_allowed_networks: [NETWORKS],
    database_pool: 6,
  })
  return openApp(config, { printer: blankPrinter })
}
