import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { prepare } from '../scripts/prepare.mjs'

describe('the server', () => {
  let home: string
  let env: Record<string, string>
  beforeAll(async () => {
    await prepare({ bundled: 'server' })
    home = await mkdtemp(path.join(tmpdir(), 'weather-serve-'))
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

  it('says when it is ready, to its owner only, and takes that back when it stops', async () => {
    const server = serve(env, '--migrate')
    const ready = await readyOf(server)
    const file = path.join(home, 'ready.json')
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(ready)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(ready).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/),
      graphql_url: `${ready.base_url}/graphql`,
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
  })

  it('stops when the program that started it is gone, however it went', async () => {
    const server = serve(env)
    await readyOf(server)
    const exit = once(server, 'exit')
    server.disconnect()
    expect((await exit)[0]).toBe(0)
  })

  it('names the port that another program holds', async () => {
    const first = serve(env)
    const ready = await readyOf(first)
    const second = serve({ ...env, PORT: new URL(ready.base_url).port, WEATHER_HOME: path.join(home, 'second') })
    const printed = text(second)
    expect((await once(second, 'exit'))[0]).toBe(2)
    expect(await printed).toContain(`PORT ${new URL(ready.base_url).port} is in use`)
    expect(await stopped(first)).toBe(0)
  })
})

const DATE = /^\d{4}-\d\d-\d\d$/

function serve(env: Record<string, string>, ...args: string[]): ChildProcess {
  return spawn(process.execPath, ['dist/serve.js', ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
}

/** What the server says when it serves; a fault with what it printed where it ended first. */
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

async function text(server: ChildProcess): Promise<string> {
  let all = ''
  for await (const part of server.stderr ?? []) all += part
  return all
}

async function freshDatabase(name: string): Promise<string> {
  const database = `${inject('databases')}${name}`
  const client = new pg.Client({ connectionString: inject('postgres') })
  await client.connect()
  await client.query(`CREATE DATABASE ${database} TEMPLATE ${inject('template')}`)
  await client.end()
  return inject('postgres').replace(/postgres$/, database)
}
