import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { configFor } from '#domain/config.ts'
import { prepare } from '../../scripts/prepare.mjs'
import { type NotedBrowser, notedBrowser } from './browser.ts'
import { type OwnPostgres, openPostgres } from './own-postgres.ts'
import { blankPrinter } from './printer.ts'
import { openProcesses, type Processes, SECRET_KEY } from './processes.ts'
import { type RedisServer, startRedis } from './redis.ts'
import type { World } from './world.ts'

/** The processes of the production shape, as docker-compose.yml has them. */
const shape = {
  'api-1': { role: 'api', nth: 0, args: [] },
  'api-2': { role: 'api', nth: 1, args: [] },
  worker: { role: 'worker', nth: 0, args: [] },
  documents: { role: 'worker', nth: 1, args: ['--jobs=report.render'] },
} as const

export type Name = keyof typeof shape
export const names = Object.keys(shape) as Name[]

/** Two API and two worker processes, one of them for documents, on one PostgreSQL and one Redis: all of it the test's own. */
export interface Shape extends Processes {
  /** The test's own App on the same database, to make teams with and to look into. */
  world: Pick<World, 'app' | 'clock'>
  postgres: OwnPostgres | null
  redis: RedisServer
  browser: NotedBrowser
  /** The process that bears the name now. */
  process(name: Name): ChildProcess
  /** Starts the process of that name, anew where it has ended. One that gives up by itself is started again, as a supervisor does. */
  begin(name: Name, env?: Record<string, string>): ChildProcess
}

const RESTART_AFTER_MS = 1000

/** Networks that receivers of the tests lie in. */
export const NETWORKS = '127.0.0.0/8'
export const OPERATOR_KEY = 'wo_operator-of-the-shape-0000'

/**
 * Starts servers, migrates once, starts the processes and waits until they answer.
 * @param url of an empty database; without one, of a PostgreSQL server made for this
 */
export async function openShape(settings: Record<string, string> = {}, url?: string): Promise<Shape> {
  // A bundle that cannot be made must not leave servers behind.
  await prepare({ bundled: 'server' })
  const postgres = url ? null : await openPostgres()
  const redis = await startRedis()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'weather-shape-'))
  const browser = await notedBrowser(folder)
  const database_url = postgres?.url ?? (url as string)
  const processes = await openProcesses(database_url, {
    REDIS_URL: redis.url,
    PUPPETEER_EXECUTABLE_PATH: browser.program,
    WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
    WEATHER_OPERATOR_KEY: OPERATOR_KEY,
    ...settings,
  })
  if ((await processes.run('--migrate', '--roles=none')) !== 0) throw new Error(`the migration failed:\n${await processes.log()}`)
  const app = await openTestApp(processes, database_url)
  const running = new Map<Name, ChildProcess>()
  let closed = false
  const opened: Shape = {
    ...processes,
    world: { app, clock: app.clock as World['clock'] },
    postgres,
    redis,
    browser,
    process: (name) => running.get(name) as ChildProcess,
    begin(name, env) {
      const { role, nth, args } = shape[name]
      const started = processes.start(role, { nth, args: [...args], env })
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
      await redis.stop()
      await postgres?.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  for (const name of names) opened.begin(name)
  await opened.ready()
  return opened
}

/** An App in the test's process, whose keys are the processes'. It prints nothing. */
export function openTestApp({ base_url, blobs }: Pick<Processes, 'base_url' | 'blobs'>, database_url: string): Promise<App> {
  const config = configFor({
    database_url,
    base_url,
    blobs,
    secret_key: SECRET_KEY,
    operator_key: OPERATOR_KEY,
    webhook_allowed_networks: [NETWORKS],
    database_pool: 6,
  })
  return openApp(config, { printer: blankPrinter })
}
