import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type SecretRing, secretKey } from '#domain/kernel/secret-ring.ts'
import { prepare } from '../../scripts/prepare.mjs'
import { freePort } from './free-port.ts'

/** The service as processes on one database, started from its bundle. Two processes of one role can run side by side. */
export interface Processes {
  /** Address of the first API process. */
  base_url: string
  /** Addresses of both API processes. */
  base_urls: [string, string]
  /** Folder of documents, shared by all processes. */
  blobs: string
  /** Runs a query of the test on the database that the processes share; it sees the rows of every team. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  start(role: 'api' | 'worker', how?: How): ChildProcess
  /** Kills a process (SIGKILL). */
  kill(process: ChildProcess): Promise<void>
  /** Asks a process to stop; returns its exit status, and how many milliseconds it took. */
  stop(process: ChildProcess): Promise<{ code: number | null; ms: number }>
  /** Runs the service's program until it exits, as for migrations; returns its exit status. */
  run(...args: string[]): Promise<number | null>
  /** Resolves once every started API process reports that it is ready. */
  ready(): Promise<void>
  /** All output of the processes. */
  log(): Promise<string>
  close(): Promise<void>
}

/** How one process differs from the others. */
interface How {
  /** 1: the second of the API's two addresses. */
  nth?: 0 | 1
  args?: string[]
  env?: Record<string, string>
  /** A program that starts the process, with arguments of its own. */
  under?: string[]
}

/** A busy machine takes half a minute to start a process. */
const READY_WITHIN_MS = 180_000
/** All processes of a test, and the test itself, encrypt with this key. */
export const SECRET_KEYS: SecretRing = [secretKey(null, Buffer.alloc(32, 7))]

/** @param url of a database, which the caller has to migrate */
export async function openProcesses(url: string, settings: Record<string, string> = {}): Promise<Processes> {
  await prepare({ bundled: ['server'] })
  const home = await mkdtemp(path.join(os.tmpdir(), 'weather-processes-'))
  const blobs = path.join(home, 'blobs')
  const ports = [await freePort(), await freePort()] as const
  const base_urls: [string, string] = [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`]
  // Shows rows of every team: without this setting row-level security shows none, and a test that no row is left would always pass.
  const pool = new pg.Pool({ connectionString: url, max: 4, options: '-c app.scope=system' })
  pool.on('error', () => {})
  const running = new Map<ChildProcess, string | null>()
  const logFile = openSync(path.join(home, 'log'), 'a')
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    WEATHER_SECRET_KEY: SECRET_KEYS[0].bytes.toString('base64'),
    WEATHER_BLOBS: blobs,
    HOST: '127.0.0.1',
    BASE_URL: base_urls[0],
    RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const launch = (args: string[], own: Record<string, string> & { WEATHER_HOME: string }, under: string[] = []) => {
    mkdirSync(own.WEATHER_HOME, { recursive: true })
    const [command, ...rest] = [
      ...under,
      process.execPath,
      '--enable-source-maps',
      '--max-semi-space-size=32',
      'dist/serve.js',
      ...args,
    ] as [string, ...string[]]
    return spawn(command, rest, { env: { ...env, ...own }, stdio: ['ignore', logFile, logFile] })
  }
  await mkdir(blobs, { recursive: true })
  return {
    base_url: base_urls[0],
    base_urls,
    blobs: env.WEATHER_BLOBS,
    async query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]) {
      return (await pool.query<Row>(text, values)).rows
    },
    start(role, { nth = 0, args = [], env: own = {}, under } = {}) {
      const started = launch(
        [`--roles=${role}`, ...args],
        { WEATHER_HOME: path.join(home, `${role}-${nth}`), PORT: String(ports[nth]), ...own },
        under,
      )
      running.set(started, role === 'api' ? base_urls[nth] : null)
      started.once('exit', () => running.delete(started))
      return started
    },
    async kill(process) {
      await end(process, 'SIGKILL')
    },
    async stop(process) {
      const startedAt = performance.now()
      await end(process, 'SIGTERM')
      return { code: process.exitCode, ms: performance.now() - startedAt }
    },
    async run(...args) {
      const [code] = await once(launch(args, { WEATHER_HOME: path.join(home, 'once') }), 'exit')
      return code
    },
    async ready() {
      await Promise.all([...running.values()].map((base_url) => base_url && answers(base_url)))
    },
    log: () => readFile(path.join(home, 'log'), 'utf8'),
    async close() {
      await Promise.all([...running.keys()].map((process) => end(process, 'SIGKILL')))
      if (!pool.ended) await pool.end()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function answers(base_url: string): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS
  while (Date.now() < until) {
    const answer = await fetch(`${base_url}/readyz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((later) => setTimeout(later, 100))
  }
  throw new Error('the API was not ready in time')
}

async function end(process: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return
  const exit = once(process, 'exit')
  process.kill(signal)
  await exit
}
