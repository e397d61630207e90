import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '#domain/engines/migrations.ts'
import { grantService } from '#domain/engines/service-role.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { migrateQueueOf } from '#workers/queue-stores.ts'
import { underLock } from '../../scripts/lock.mjs'
import { type Postgres, startPostgres } from '../../scripts/postgres.mjs'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the test server's `postgres` database. */
    postgres: string
    /** The same for the role that serves. */
    serving: string
    /** Name of the migrated database that the workers copy. */
    template: string
    /** Beginning of the names of this run's databases. */
    databases: string
  }
}

/** State folder of the tests: never the one that `npm start` keeps. */
const home = path.resolve('.weather-test')
const lock = path.join(home, 'tests.lock')
/** Runs that share the server hold one connection of this name each; the last to leave stops it. */
const RUN = 'weather test run'

/** Starts the tests' PostgreSQL, or joins that of another run, and sees that the migrated template stands. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const template = `template_${fingerprintOf('migrations', 'domain/places', 'domain/engines/service-role.ts', 'workers')}`
  const databases = `test_${process.pid}_`
  const { server, run } = await underLock(lock, async () => {
    const server = await startPostgres(home, { durable: false })
    const run = new pg.Client({ connectionString: server.url('postgres'), application_name: RUN })
    run.on('error', () => {})
    await run.connect()
    if (await isAlone(run)) await dropDatabases(run, `(test|template)_`, template)
    await makeTemplate(run, server, template)
    return { server, run }
  })
  project.provide('postgres', server.url('postgres'))
  project.provide('serving', server.serving('postgres'))
  project.provide('template', template)
  project.provide('databases', databases)
  return async () => {
    await dropDatabases(run, databases)
    await underLock(lock, async () => {
      const last = await isAlone(run)
      await run.end()
      if (last) await server.stop()
    })
  }
}

async function isAlone(run: pg.Client): Promise<boolean> {
  const others = await run.query('SELECT FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()', [RUN])
  return others.rowCount === 0
}

/** Migrates a draft, fills in the places, and renames it: a template that was cut short is never copied. */
async function makeTemplate(run: pg.Client, { url, serving }: Pick<Postgres, 'url' | 'serving'>, template: string): Promise<void> {
  const made = await run.query('SELECT FROM pg_database WHERE datname = $1', [template])
  if (made.rowCount) return
  const draft = `draft_of_${template}`
  await run.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
  await run.query(`CREATE DATABASE ${draft}`)
  await migrate(url(draft), 'migrations')
  await migrateQueueOf(url(draft))
  await grantService(url(draft), serving(draft))
  const pool = new pg.Pool({ connectionString: url(draft), max: 1 })
  await seedPlaces(pool)
  await pool.end()
  await run.query(`ALTER DATABASE ${draft} RENAME TO ${template}`)
}

async function dropDatabases(run: pg.Client, beginning: string, kept = ''): Promise<void> {
  const { rows } = await run.query<{ datname: string }>('SELECT datname FROM pg_database WHERE datname ~ $1 AND datname <> $2', [
    `^${beginning}`,
    kept,
  ])
  for (const { datname } of rows) await run.query(`DROP DATABASE ${datname} WITH (FORCE)`)
}

/** Short hash of some files, and of every file of some folders: what they make is another template when they change. */
function fingerprintOf(...places: string[]): string {
  const hash = createHash('sha256')
  const within = (folder: string) => (readdirSync(folder, { recursive: true }) as string[]).map((name) => path.join(folder, name))
  const files = places.flatMap((place) => (statSync(place).isFile() ? [place] : within(place)))
  for (const file of files.filter((name) => statSync(name).isFile()).sort()) hash.update(file).update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}
