import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { startPostgres } from '../../scripts/postgres.mjs'
import { freePort } from '../support/free-port.ts'

describe('the packaged PostgreSQL', () => {
  let home: string
  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'weather-postgres-'))
  })
  afterAll(async () => {
    const server = await startPostgres(home, { durable: false })
    await server.stop()
    await rm(home, { recursive: true, force: true })
  })

  it('begins empty, and says so, if its files outside the state folder are gone', async () => {
    const place = path.join(home, 'postgres')
    await mkdir(place)
    await writeFile(path.join(place, 'server.json'), JSON.stringify({ elsewhere: path.join(home, 'gone'), password: 'old', port: 0 }))
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const server = await startPostgres(home, { durable: false })
    await server.stop()
    expect(printed.mock.calls).toEqual([[`The database of ${place} was in ${path.join(home, 'gone')}, which is gone: it begins empty.`]])
    printed.mockRestore()
  })

  it('starts once, is joined by the next start, keeps its data, and listens on the loopback address only', async () => {
    const first = await startPostgres(home, { durable: false })
    const url = await first.database('kept')
    await query(url, 'CREATE TABLE jars (id int)')
    const second = await startPostgres(home, { durable: false })
    expect([first.started, second.started]).toEqual([true, false])
    expect(await query(second.url('kept'), 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    await second.stop()
    const third = await startPostgres(home, { durable: false })
    expect(third.started).toBe(true)
    expect(await query(await third.database('kept'), 'SELECT count(*)::int FROM jars')).toEqual([{ count: 0 }])
  })

  it('is joined on its own port if an earlier start, which found it busy, stored another one', async () => {
    const running = await startPostgres(home, { durable: false })
    const stored = path.join(home, 'postgres/server.json')
    const server = JSON.parse(readFileSync(stored, 'utf8'))
    writeFileSync(stored, JSON.stringify({ ...server, port: await freePort() }))
    const joined = await startPostgres(home, { durable: false })
    expect([joined.started, joined.url('kept')]).toEqual([false, running.url('kept')])
    expect(JSON.parse(readFileSync(stored, 'utf8'))).toEqual(server)
  })

  it('starts again after it was killed, although its pid file is still there and names a process of another server by now', async () => {
    const { url } = await startPostgres(home, { durable: false })
    const [{ data_directory }] = await query(url('postgres'), 'SHOW data_directory')
    const file = path.join(String(data_directory), 'postmaster.pid')
    const [pid, ...rest] = readFileSync(file, 'utf8').split('\n')
    const [{ other }] = await query(inject('postgres'), "SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1) AS other")
    process.kill(Number(pid), 'SIGKILL')
    writeFileSync(file, [other, ...rest].join('\n'))
    const again = await startPostgres(home, { durable: false })
    expect(await query(again.url('kept'), 'SELECT count(*)::int FROM jars')).toEqual([{ count: 0 }])
  })

  it('requires a password that only its owner can read', async () => {
    const { url } = await startPostgres(home, { durable: false })
    const without = new URL(url('postgres'))
    without.password = 'wrong'
    await expect(query(without.href, 'SELECT 1')).rejects.toThrow('password')
    const { mode } = await stat(path.join(home, 'postgres/server.json'))
    expect(mode & 0o777).toBe(0o600)
  })
})

async function query(connectionString: string, sql: string): Promise<[Record<string, string>]> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows as [Record<string, string>]
  } finally {
    await client.end()
  }
}
