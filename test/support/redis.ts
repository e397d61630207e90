import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A Redis server of the tests' own, on loopback. */
export interface RedisServer {
  url: string
  stop(): Promise<void>
}

/** Whether this machine has a Redis server to test with; says so once where it has none. */
export const redisIsHere = spawnSync('redis-server', ['--version']).status === 0
if (!redisIsHere) console.log('skipped: no redis-server')

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  const folder = await mkdtemp(path.join(tmpdir(), 'weather-redis-'))
  const server = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--maxmemory-policy',
    'noeviction',
  ])
  await hears(server, 'Ready to accept connections')
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const gone = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGKILL')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function hears(server: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.stdout?.on('data', (chunk) => String(chunk).includes(words) && resolve())
    server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
  })
}
