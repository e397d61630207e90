import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { prepare } from '../../scripts/prepare.mjs'

/** The service as processes on one database, started from its bundle: two of a role can run side by side. */
export interface Processes {
  base_url: string
  /** A query of the test's own, on the database that the processes share. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  start(role: 'api' | 'worker', ...args: string[]): ChildProcess
  /** Ends a process without a word to it. */
  kill(process: ChildProcess): Promise<void>
  /** Resolves once the API answers that it is ready. */
  ready(): Promise<void>
  close(): Promise<void>
}

const READY_WITHIN_MS = 30_000

/** @param url of an empty, migrated database */
export async function openProcesses(url: string, settings: Record<string, string> = {}): Promise<Processes> {
  await prepare({ bundled: 'server' })
  const home = await mkdtemp(path.join(os.tmpdir(), 'weather-processes-'))
  const port = await freePort()
  const base_url = `http://127.0.0.1:${port}`
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  const running = new Set<ChildProcess>()
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    WEATHER_HOME: home,
    WEATHER_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: base_url,
    RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'error',
    ...settings,
  }
  return {
    base_url,
    async query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]) {
      return (await pool.query<Row>(text, values)).rows
    },
    start(role, ...args) {
      const started = spawn(process.execPath, ['dist/serve.js', `--roles=${role}`, ...args], { env, stdio: ['ignore', 'ignore', 'ignore'] })
      running.add(started)
      started.once('exit', () => running.delete(started))
      return started
    },
    kill: (process) => end(process, 'SIGKILL'),
    async ready() {
      const until = Date.now() + READY_WITHIN_MS
      while (Date.now() < until) {
        const answer = await fetch(`${base_url}/readyz`).catch(() => null)
        if (answer?.ok) return
        await new Promise((later) => setTimeout(later, 100))
      }
      throw new Error('the API was not ready in time')
    },
    async close() {
      await Promise.all([...running].map((process) => end(process, 'SIGKILL')))
      await pool.end()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function end(process: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return
  const exit = once(process, 'exit')
  process.kill(signal)
  await exit
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  await new Promise((closed) => probe.close(closed))
  return port
}
