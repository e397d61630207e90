import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'

/** A Redis server for the tests on loopback, configured like production: with an append-only log, and without eviction. */
export interface RedisServer {
  url: string
  /** Kills it (SIGKILL). Its log stays. */
  kill(): Promise<void>
  /** Kills it and deletes its data. */
  lose(): Promise<void>
  /** Freezes it: it does not respond, and keeps its connections. */
  freeze(): void
  /** Lets it continue after a freeze. */
  thaw(): void
  /** Starts it again on the same port with the data that is left; a running server continues. */
  start(): Promise<void>
  /** Stops it for good. */
  stop(): Promise<void>
}

/** Whether this machine has a Redis server for the tests; prints a message once if not. */
export const redisIsHere = spawnSync('redis-server', ['--version']).status === 0
if (!redisIsHere) console.log('skipped: no redis-server')

/** @param settings besides those of a production server */
export async function startRedis(settings: Record<string, string> = {}): Promise<RedisServer> {
  const port = await freePort()
  const folder = await mkdtemp(path.join(tmpdir(), 'weather-redis-'))
  let server = await launch(port, folder, settings)
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exit = once(server, 'exit')
    server.kill('SIGKILL')
    await exit
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async lose() {
      await kill()
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder)
    },
    async start() {
      if (server.exitCode === null && server.signalCode === null) return
      server = await launch(port, folder, settings)
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function launch(port: number, folder: string, own: Record<string, string>): Promise<ChildProcess> {
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
    ...own,
  }
  const server = spawn(
    'redis-server',
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
  )
  await hears(server, 'Ready to accept connections')
  return server
}

function hears(server: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.stdout?.on('data', (chunk) => String(chunk).includes(words) && resolve())
    server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
  })
}
