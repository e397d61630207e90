import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { type RedisServer, redisIsHere, startRedis } from './redis.ts'
import { waitUntil } from './wait-until.ts'

/** Three sentinels that watch a Redis master and its replica, all on loopback. */
export interface Sentinels {
  /** Address at which a service reaches the sentinels. */
  url: string
  /** The server that is the master now. */
  master(): Promise<RedisServer>
  /** Kills one sentinel (SIGKILL). */
  killSentinel(nth: 0 | 1 | 2): Promise<void>
  stop(): Promise<void>
}

export const sentinelsAreHere = redisIsHere && spawnSync('redis-sentinel', ['--version']).status === 0
if (!sentinelsAreHere) console.log('skipped: no redis-sentinel')

const MASTER = 'weather'
/** Milliseconds after which a silent master counts as down. */
const DOWN_AFTER_MS = 1000

/** @param settings of both servers */
export async function startSentinels(settings: Record<string, string> = {}): Promise<Sentinels> {
  const first = await startRedis(settings)
  const { port } = new URL(first.url)
  const second = await startRedis({ ...settings, replicaof: `127.0.0.1 ${port}` })
  const servers = [first, second]
  await waitUntil(async () => (await infoOf(first)).includes('state=online'))
  const folder = await mkdtemp(path.join(tmpdir(), 'weather-sentinels-'))
  const started = await Promise.all([0, 1, 2].map((nth) => startSentinel(path.join(folder, `${nth}.conf`), Number(port))))
  const ask = async () => {
    for (const at of started) {
      const answer = await withRedis(at.port, (redis) => redis.call('SENTINEL', 'get-master-addr-by-name', MASTER)).catch(() => null)
      if (Array.isArray(answer)) return Number(answer[1])
    }
    throw new Error('no sentinel answers')
  }
  // Each sentinel must know the others and the replica before a fault.
  for (const { port: at } of started)
    await waitUntil(async () => /slaves=1,sentinels=3/.test(String(await withRedis(at, (redis) => redis.call('INFO', 'sentinel')))))
  return {
    url: `redis+sentinel://${started.map(({ port: at }) => `127.0.0.1:${at}`).join(',')}/${MASTER}/0`,
    async master() {
      const at = await ask()
      return servers.find(({ url }) => Number(new URL(url).port) === at) as RedisServer
    },
    killSentinel: (nth) => end(started[nth]?.process as ChildProcess),
    async stop() {
      await Promise.all(started.map(({ process }) => end(process)))
      await Promise.all(servers.map((server) => server.stop()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startSentinel(file: string, master_port: number): Promise<{ process: ChildProcess; port: number }> {
  const started = await launchSentinel(file, master_port)
  await waitUntil(async () => (await withRedis(started.port, (redis) => redis.ping()).catch(() => null)) === 'PONG')
  return started
}

/**
 * Starts a sentinel that may not respond yet.
 * @param file of its settings, which it writes
 * @param tls its files by Redis' names: it then speaks TLS alone, to the master too
 */
export async function launchSentinel(file: string, master_port: number, tls: Record<string, string> = {}) {
  const port = await freePort()
  const files = Object.entries(tls).map(([name, value]) => `${name} ${value}`)
  const lines = [
    ...(files.length > 0 ? ['port 0', `tls-port ${port}`, 'tls-replication yes', 'tls-auth-clients no', ...files] : [`port ${port}`]),
    'bind 127.0.0.1',
    `sentinel monitor ${MASTER} 127.0.0.1 ${master_port} 2`,
    `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER} 5000`,
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  const server = spawn('redis-sentinel', [file], { stdio: 'ignore' })
  return { process: server, port, stop: () => end(server) }
}

const infoOf = async ({ url }: RedisServer) => withRedis(Number(new URL(url).port), (redis) => redis.info('replication'))

async function withRedis<Answer>(port: number, ask: (redis: Redis) => Promise<Answer>): Promise<Answer> {
  const redis = new Redis({ host: '127.0.0.1', port, lazyConnect: true, retryStrategy: () => null, enableReadyCheck: false })
  redis.on('error', () => {})
  try {
    await redis.connect()
    return await ask(redis)
  } finally {
    redis.disconnect()
  }
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = once(server, 'exit')
  server.kill('SIGKILL')
  await exit
}
