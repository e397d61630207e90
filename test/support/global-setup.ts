import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { underLock } from '../../scripts/lock.mjs'
import { startPostgres } from '../../scripts/postgres.mjs'
import { makeTemplate, templateName } from './template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the test server's `postgres` database. */
    postgres: string
    /** The same for the role that the service connects as. */
    serving: string
    /** Name of the migrated database that the workers copy. */
    template: string
    /** Prefix of the names of this run's databases. */
    databases: string
  }
}

/** State folder of the tests: never the one that `npm start` uses. */
const home = path.resolve('.weather-test')
const lock = path.join(home, 'tests.lock')
/** Each run that shares the server has one connection with this name; the last run to leave stops the server. */
const RUN = 'weather test run'

/** Starts the tests' PostgreSQL, or joins the one of another run, and makes sure that the migrated template exists. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const template = templateName()
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

async function dropDatabases(run: pg.Client, beginning: string, kept = ''): Promise<void> {
  const { rows } = await run.query<{ datname: string }>('SELECT datname FROM pg_database WHERE datname ~ $1 AND datname <> $2', [
    `^${beginning}`,
    kept,
  ])
  for (const { datname } of rows) await run.query(`DROP DATABASE ${datname} WITH (FORCE)`)
}
