import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.mjs'

/** A PostgreSQL server of one test file's own, which may be killed without harm to anybody else. */
export interface OwnPostgres {
  /** An empty database, made now. */
  url: string
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Starts it again on the same port, with all that it had written. */
  start(): Promise<void>
  /** Ends it for good. */
  stop(): Promise<void>
}

export async function openPostgres(): Promise<OwnPostgres> {
  const home = await mkdtemp(path.join(tmpdir(), 'weather-own-postgres-'))
  let server = await startPostgres(home, { durable: true })
  const url = await server.database('weather')
  const data = await dataOf(url)
  return {
    url,
    async kill() {
      const pid = (await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]
      process.kill(Number(pid), 'SIGKILL')
    },
    async start() {
      server = await startPostgres(home, { durable: true })
      if ((await server.database('weather')) !== url) throw new Error('PostgreSQL came back on another port')
    },
    async stop() {
      await server.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function dataOf(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
  await client.end()
  return rows[0]?.data_directory as string
}
