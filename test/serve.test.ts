import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { openLog } from '#domain/engines/log.ts'
import { openCollector } from '#test/support/collector.ts'
import { redisIsHere, startRedis } from '#test/support/redis.ts'
import { openQueue } from '#workers/queue.ts'
import { prepare } from '../scripts/prepare.mjs'

describe('the server', () => {
  let home: string
  let env: Record<string, string>
  beforeAll(async () => {
    await prepare({ bundled: ['server'] })
    // The file does not exist yet.
    home = path.join(await mkdtemp(path.join(tmpdir(), 'weather-serve-')), 'api-1')
    env = {
      WEATHER_HOME: home,
      DATABASE_URL: await freshDatabase('serve'),
      WEATHER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      WEATHER_OPERATOR_KEY: 'wo_a-key-of-the-operator',
      WEATHER_SAMPLE: '1',
      PORT: '0',
      LOG_LEVEL: 'error',
    }
  })

  it('shows readiness in a file for its owner only, removes it when it stops, and sends traces to the configured address', async () => {
    const collector = await openCollector()
    const server = serve({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }, '--migrate')
    const ready = await readyOf(server)
    const file = path.join(home, 'ready.json')
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(ready)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(ready).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/),
      graphql_url: `${ready.base_url}/graphql`,
      sign_in_url: expect.stringMatching(/^http:\/\/localhost:\d+\/app\/sign-in#[\w-]{43}$/),
      console_url: `${ready.base_url.replace('127.0.0.1', 'localhost')}/app`,
      pid: server.pid,
      token: expect.stringMatching(/^wt_\w{36}$/),
      team_id: expect.any(String),
      operator_key: env.WEATHER_OPERATOR_KEY,
      sample: {
        address: expect.any(String),
        window_start: expect.stringMatching(DATE),
        window_end: expect.stringMatching(DATE),
        radius_miles: expect.any(Number),
        latitude: expect.any(Number),
        longitude: expect.any(Number),
        storm_date: expect.stringMatching(DATE),
      },
    })
    const account = await fetch(`${ready.base_url}/api/v1/account`, { headers: { authorization: `Bearer ${ready.token}` } })
    expect(account.status).toBe(200)
    expect(await stopped(server)).toBe(0)
    expect(existsSync(file)).toBe(false)
    expect(collector.spans.map(({ name }) => name)).toContain('GET account.show')
    await collector.close()
  })

  it('names the port that another program uses, and stops when the program that started it exits, however that happens', async () => {
    const first = serve(env)
    const ready = await readyOf(first)
    const second = serve({ ...env, PORT: new URL(ready.base_url).port, WEATHER_HOME: path.join(home, 'second') })
    const printed = text(second)
    expect((await once(second, 'exit'))[0]).toBe(2)
    expect(await printed).toContain(`PORT ${new URL(ready.base_url).port} is in use`)
    const exit = once(first, 'exit')
    first.disconnect()
    expect((await exit)[0]).toBe(0)
  })

  it.runIf(redisIsHere)('takes no job if its port is in use', async () => {
    const redis = await startRedis()
    const url = await freshDatabase('ports')
    const queue = await openQueue({ database_direct_url: url, redis_url: redis.url }, openLog('silent'))
    await queue.add([{ name: 'report.generate', payload: { report_id: randomUUID() } }])
    const other = createServer().listen(0, 'localhost')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const settings = { ...env, DATABASE_URL: url, REDIS_URL: redis.url, METRICS_HOST: 'localhost', METRICS_PORT: String(port) }
    for (let start = 0; start < 2; start++) {
      const server = serve({ ...settings, WEATHER_HOME: path.join(home, 'ports') }, '--roles=worker')
      const printed = text(server)
      expect((await once(server, 'exit'))[0]).toBe(2)
      expect(await printed).toContain(`METRICS_PORT ${port} is in use`)
    }
    expect((await queue.depths()).find(({ name }) => name === 'report.generate')?.counts).toEqual({ waiting: 1, active: 0, delayed: 0 })
    await queue.close()
    await redis.stop()
    other.close()
  })

  it('started four times at once makes one sample for one team with one token, which all of them know', async () => {
    const url = await freshDatabase('four')
    const own = (nth: number) => ({ ...env, DATABASE_URL: url, WEATHER_HOME: path.join(home, `not/there/yet-${nth}`) })
    const servers = [0, 1, 2, 3].map((nth) => serve(own(nth), '--roles=api'))
    const ready = await Promise.all(servers.map(readyOf))
    expect(new Set(ready.map(({ token }) => token)).size).toBe(1)
    for (const { base_url, token } of ready)
      expect((await fetch(`${base_url}/api/v1/account`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM teams) AS teams, (SELECT count(*)::int FROM tokens) AS tokens, (SELECT count(*)::int FROM properties) AS properties,
              (SELECT count(*)::int FROM territories) AS territories, (SELECT count(*)::int FROM integrations) AS integrations`,
    )
    await client.end()
    expect(rows).toEqual([{ teams: 1, tokens: 1, properties: 1, territories: 1, integrations: 1 }])
    expect(await Promise.all(servers.map(stopped))).toEqual([0, 0, 0, 0])
  })

  it("makes missing folders, starts when the agencies' files are stored in a bucket, and leaves the file of its replacement", async () => {
    const folders = { WEATHER_HOME: path.join(home, 'var/lib/weather/api-1'), WEATHER_BLOBS: path.join(home, 'var/lib/blobs') }
    const bucket = { ARCHIVE_FILES: 's3://weather/files?endpoint=http://127.0.0.1:1&region=us-east-1' }
    const server = serve({ ...env, ...folders, ...bucket, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' })
    await readyOf(server)
    for (const folder of Object.values(folders)) expect((await stat(folder)).isDirectory()).toBe(true)
    const file = path.join(folders.WEATHER_HOME, 'ready.json')
    expect(JSON.parse(await readFile(file, 'utf8')).pid).toBe(server.pid)
    // The process that takes its place writes the file before this one stops.
    await writeFile(file, JSON.stringify({ pid: 1 }))
    expect(await stopped(server)).toBe(0)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ pid: 1 })
  })

  it('says how many migrations it applied, also if there were none', async () => {
    const settings = { ...env, DATABASE_URL: await freshDatabase('serve_migrated', 'template0'), LOG_LEVEL: 'info' }
    const migrationsOf = async () => {
      const server = serve(settings, '--migrate', '--roles=none')
      const [words, [code]] = await Promise.all([text(server, 'stdout'), once(server, 'exit')])
      expect(code, words).toBe(0)
      return JSON.parse(words)
    }
    expect(await migrationsOf()).toMatchObject({ msg: 'the database is migrated', migrations: expect.toSatisfy((count) => count > 0) })
    expect(await migrationsOf()).toMatchObject({ msg: 'the database is migrated', migrations: 0 })
  }, 120_000)

  // These two run at once: the first waits for half a minute.
  it.concurrent('ends within half a minute although an upload goes on, and logs that it is cut off', async () => {
    const server = serve({ ...env, LOG_LEVEL: 'warn', WEATHER_HOME: path.join(path.dirname(home), 'cut-off') })
    const { base_url, operator_key } = await readyOf(server)
    const output = text(server, 'stdout')
    const upload = fetch(`${base_url}/operator/archive/storm-events?file_name=StormEvents_details_d2019.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator_key}`, 'content-type': 'text/csv' },
      body: new ReadableStream({ start: (body) => body.enqueue(Buffer.from('BEGIN_YEARMONTH')) }),
      duplex: 'half',
    } as RequestInit)
    upload.catch(() => {})
    await pause(2000)
    expect(await stopped(server)).toBe(1)
    await expect(upload).rejects.toThrow()
    expect(await output).toContain('the stop took too long: open requests are cut off')
  })

  it.concurrent('states in one sentence why it cannot start, without a stack trace or a password', async () => {
    const file = path.join(home, 'a-file')
    await writeFile(file, '')
    const other = Object.assign(new URL(env.DATABASE_URL as string), { pathname: '/postgres' }).href
    const withoutRole = Object.assign(new URL(env.DATABASE_URL as string), { username: 'nobody_yet', password: 's3cret' }).href
    const cases: [settings: Record<string, string>, status: number, said: string | RegExp, ...args: string[]][] = [
      [{ WEATHER_HOME: path.join(file, 'home') }, 2, 'home cannot be written to: a file exists where a folder is needed'],
      [{ WEATHER_BLOBS: '/proc/weather/blobs' }, 2, 'WEATHER_BLOBS /proc/weather/blobs cannot be written to: '],
      [{ HOST: '192.0.2.1', PORT: '4711' }, 2, 'HOST 192.0.2.1 cannot be listened on: this machine has no such address'],
      [
        { METRICS_HOST: '192.0.2.1', METRICS_PORT: '4712' },
        2,
        'METRICS_HOST 192.0.2.1 cannot be listened on: this machine has no such address',
      ],
      [
        { DATABASE_URL: 'postgresql://weather:s3cret@127.0.0.1:1/weather' },
        1,
        'The database of DATABASE_URL (127.0.0.1:1/weather) cannot be used: nothing listens there.',
      ],
      [
        { DATABASE_DIRECT_URL: 'postgresql://weather:s3cret@127.0.0.1:1/weather' },
        1,
        'The database of DATABASE_DIRECT_URL (127.0.0.1:1/weather) cannot be used: nothing listens there.',
      ],
      [
        { DATABASE_MIGRATE_URL: 'postgresql://weather:s3cret@127.0.0.1:1/weather' },
        1,
        'The database of DATABASE_MIGRATE_URL (127.0.0.1:1/weather) cannot be used: nothing listens there.',
        '--migrate',
        '--roles=none',
      ],
      // Migrating the other one would end well, and leave the one that serves as it was.
      [
        { DATABASE_MIGRATE_URL: other },
        2,
        /DATABASE_MIGRATE_URL leads to the database postgres, and DATABASE_URL to \w+: both must/,
        '--migrate',
        '--roles=none',
      ],
      [
        { DATABASE_MIGRATE_URL: other, DATABASE_URL: withoutRole },
        2,
        /DATABASE_MIGRATE_URL leads to the database postgres, and DATABASE_URL to \w+: both must/,
        '--migrate',
        '--roles=none',
      ],
      [
        { DATABASE_DIRECT_URL: other },
        2,
        /DATABASE_DIRECT_URL leads to the database postgres, and DATABASE_URL to \w+: both must/,
        '--migrate',
        '--roles=none',
      ],
      [{ DATABASE_DIRECT_URL: other }, 2, /DATABASE_DIRECT_URL leads to the database postgres, and DATABASE_URL to \w+: both must/],
      [
        {
          DATABASE_URL: 'mysql://weather:s3cret@127.0.0.1/weather',
          REDIS_URL: 'redis://:s3cret@127.0.0.1:99999',
          WEATHER_SECRET_KEY: 'c2hvcnQ=',
        },
        2,
        /DATABASE_URL must be a URL.*REDIS_URL must be a URL beginning with redis:\/\/ or rediss:\/\/.*WEATHER_SECRET_KEY must be 32 bytes in base64/s,
      ],
      [{ BASEMAP: file }, 2, 'a-file cannot be used: It is not a PMTiles file'],
      [{ WEATHER_CERTIFICATE: path.join(home, 'no.pem') }, 2, /WEATHER_CERTIFICATE .*cannot be read/],
    ]
    for (const [settings, status, message, ...args] of cases) {
      const server = serve({ ...env, WEATHER_HOME: path.join(home, 'sentences'), ...settings }, ...args)
      const [words, [code]] = await Promise.all([text(server), once(server, 'exit')])
      const saying = message instanceof RegExp ? expect.stringMatching(message) : expect.stringContaining(message)
      expect({ settings, code, words }).toEqual({ settings, code: status, words: saying })
      expect(words, JSON.stringify(settings)).not.toMatch(/^\s+at |s3cret|node:internal/m)
      expect(words.trim().split('\n').length, words).toBeLessThanOrEqual(2 + Object.keys(settings).length)
    }
  }, 300_000)
})

const DATE = /^\d{4}-\d\d-\d\d$/

function serve(env: Record<string, string>, ...args: string[]): ChildProcess {
  const server = spawn(process.execPath, ['dist/serve.js', ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  server.stdout?.on('data', (part) => process.stdout.write(part))
  return server
}

/** Returns the server's message when it is ready; throws an error with its output if it exits first. */
async function readyOf(server: ChildProcess) {
  const printed = text(server)
  const ended = once(server, 'exit').then(async ([code]) => {
    throw new Error(`the server ended with ${code}: ${await printed}`)
  })
  const [{ serving }] = await Promise.race([once(server, 'message'), ended])
  ended.catch(() => {})
  return serving
}

async function stopped(server: ChildProcess): Promise<number> {
  const exit = once(server, 'exit')
  server.kill('SIGTERM')
  return (await exit)[0]
}

async function text(server: ChildProcess, stream: 'stdout' | 'stderr' = 'stderr'): Promise<string> {
  let all = ''
  for await (const part of server[stream] ?? []) all += part
  return all
}

async function freshDatabase(name: string, template = inject('template')): Promise<string> {
  const database = `${inject('databases')}${name}`
  const client = new pg.Client({ connectionString: inject('postgres') })
  await client.connect()
  await client.query(`CREATE DATABASE ${database} TEMPLATE ${template}`)
  await client.end()
  return inject('postgres').replace(/postgres$/, database)
}
