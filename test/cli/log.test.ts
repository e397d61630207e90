import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { beginLog } from '#domain/fingerprint-log/begin-log.ts'
import { logEntry } from '#domain/fingerprint-log/entry.ts'
import { rotateLogKey } from '#domain/fingerprint-log/log-key.ts'
import { createApiServer } from '#rest/host.ts'
import { rewindLog } from '#test/support/rewind-log.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { readCheckpoint } from '../../cli/log/checkpoint.ts'
import type { ReadTile } from '../../cli/log/consistency.ts'
import { fetchCheckpoint, fetchTile } from '../../cli/log/service-log.ts'
import type { Check } from '../../cli/verify/checks.ts'
import { compareOutside } from '../../cli/verify/outside.ts'
import { fetchKeys } from '../../cli/verify/service-answer.ts'
import { bundledProgram, openTerminal, type Terminal } from './terminal.ts'

let honest: Service
let other: Service
let front: Server
/** The service behind the one address that is watched. */
let shown: Service
/** Responses to the next request of a path, instead of the service's. */
const instead = new Map<string, (response: ServerResponse) => void>()
let url: string
let state: string
let weather: Terminal

interface Service {
  world: World
  api: FastifyInstance
}

async function aService(): Promise<Service> {
  const world = await openWorld({ config: { log_origin: 'weather.example.com/log' } })
  return { world, api: await createApiServer(world.app) }
}

beforeAll(async () => {
  honest = await aService()
  other = await aService()
  shown = honest
  front = createServer(async (request, response) => {
    const respond = instead.get(request.url as string)
    instead.delete(request.url as string)
    if (respond) return respond(response)
    const { statusCode, headers, rawPayload } = await shown.api.inject({ url: request.url as string })
    response.writeHead(statusCode, { 'content-type': String(headers['content-type']) }).end(rawPayload)
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  state = await mkdtemp(path.join(os.tmpdir(), 'weather-log-'))
  weather = await openTerminal({ WEATHER_HOME: state, XDG_CONFIG_HOME: state, XDG_STATE_HOME: state })
})
afterAll(async () => {
  front.close()
  await honest.api.close()
  await other.api.close()
  await rm(state, { recursive: true, force: true })
})

/** The same entries for one service and seed; other entries for another seed. */
async function grow({ world }: Service, from: number, to: number, seed = 1): Promise<void> {
  const entries = Array.from({ length: to - from }, (_, at) => logEntry(Buffer.alloc(32, seed), (from + at).toString(16).padStart(64, '0')))
  await world.app.pool.query('INSERT INTO fingerprint_log_pending (entry) SELECT * FROM unnest($1::bytea[])', [entries])
  await appendPending(world.app)
}

const watch = (...words: string[]) => weather('log', 'watch', '--once', '--json', '--service', url, ...words)
const resultOf = (run: { stdout: string }) => JSON.parse(run.stdout) as { size: number; grown_by: number | null; key_id: string }

test('a growing log is accepted; its key may change, its earlier entries may not', async () => {
  const none = await watch()
  expect([none.status, none.stderr]).toEqual([3, expect.stringContaining('has no log, or an empty one')])

  await grow(honest, 0, 5)
  const first = await watch()
  expect([first.status, resultOf(first)]).toEqual([0, expect.objectContaining({ size: 5, grown_by: null })])
  expect(resultOf(await watch())).toMatchObject({ size: 5, grown_by: 0 })
  await grow(honest, 5, 700)
  const afterGrowth = await watch()
  expect(resultOf(afterGrowth)).toMatchObject({ size: 700, grown_by: 695 })

  await rotateLogKey(honest.world.app)
  await grow(honest, 700, 701)
  const turned = await watch()
  expect([turned.status, resultOf(turned)]).toEqual([0, expect.objectContaining({ size: 701, grown_by: 1 })])
  expect(turned.stderr).toContain(
    `signs its log with the key ${resultOf(turned).key_id} now, and signed with ${resultOf(afterGrowth).key_id} before`,
  )

  // As many entries and more, with one of the first changed: each checkpoint alone is valid.
  await grow(other, 0, 3)
  await grow(other, 3, 4, 2)
  await grow(other, 4, 900)
  shown = other
  const forked = await watch()
  expect([forked.status, forked.stderr]).toEqual([
    11,
    expect.stringContaining('CONTRADICTS ITSELF: its tree of 900 entries did not grow from the tree of 701'),
  ])
  const kept = (await readdir(path.join(state, 'weather', 'logs'))).filter((name) => name.includes('.fork-'))
  expect(kept).toHaveLength(1)
  const both = await readFile(path.join(state, 'weather', 'logs', kept[0] as string), 'utf8')
  expect(both.match(/^weather\.example\.com\/log$/gm)).toHaveLength(2)

  // The earlier checkpoint is kept: the next watch fails again, and the true log still passes.
  expect((await watch()).status).toBe(11)
  shown = honest
  expect((await watch()).status).toBe(0)
})

test('a log that shrank, and another tree of the same size, are detected', async () => {
  const [long, short, same] = [await aService(), await aService(), await aService()]
  const fresh = await openTerminal({ WEATHER_HOME: state, XDG_CONFIG_HOME: state, XDG_STATE_HOME: path.join(state, 'second') })
  const look = () => fresh('log', 'watch', '--once', '--service', url)
  try {
    await grow(long, 0, 40)
    await grow(short, 0, 30)
    await grow(same, 0, 40, 3)
    shown = long
    expect((await look()).status).toBe(0)
    shown = short
    expect((await look()).stderr).toContain('CONTRADICTS ITSELF: it had 40 entries and now shows 30')
    shown = same
    const run = await look()
    expect([run.status, run.stderr]).toEqual([11, expect.stringContaining('it shows a different tree of 40 entries than before')])
  } finally {
    for (const { api, world } of [long, short, same]) {
      await api.close()
      await world.close()
    }
    shown = honest
  }
})

test('a log that began after a restore is not a contradiction, but the end of the other one is reported once', async () => {
  const restored = await aService()
  const address = await restored.api.listen({ host: '127.0.0.1', port: 0 })
  const seen = { WEATHER_HOME: state, XDG_CONFIG_HOME: state, XDG_STATE_HOME: path.join(state, 'restored') }
  const fresh = await openTerminal(seen)
  const operator = await openTerminal({ ...seen, WEATHER_URL: address, WEATHER_OPERATOR_KEY: OPERATOR_KEY })
  const look = () => fresh('log', 'watch', '--once', '--json', '--service', address)
  try {
    await grow(restored, 0, 40)
    await look()
    const checkpoint = path.join(state, 'checkpoint')
    await writeFile(checkpoint, await (await fetch(`${address}/log/checkpoint`)).text())
    await rewindLog(restored.world, 0)
    await grow(restored, 0, 30)
    expect((await look()).stderr).toContain('CONTRADICTS ITSELF: it had 40 entries and now shows 30')

    const name = 'weather.example.com/log-2'
    const begin = (...words: string[]) => operator('log', 'begin', '--origin', name, '--published', checkpoint, ...words)
    expect(await begin()).toMatchObject({ status: 2, stderr: expect.stringContaining('End the log of fingerprints for good') })
    const begun = await begin('--yes', '--json')
    expect([begun.status, JSON.parse(begun.stdout)]).toEqual([
      0,
      expect.objectContaining({ origin: name, size: 31, ended: expect.objectContaining({ origin: 'weather.example.com/log', size: 40 }) }),
    ])
    await grow(restored, 100, 120)
    const ended = await look()
    expect([ended.status, resultOf(ended)]).toEqual([11, expect.objectContaining({ origin: name, size: 51, grown_by: null })])
    expect(ended.stderr).toContain('ended: the service states 40 entries, and it had 40 when it was last seen')
    expect(ended.stderr).not.toContain('CONTRADICTS')
    const kept = await readdir(path.join(state, 'restored', 'weather', 'logs'))
    expect(kept.filter((file) => file.includes('.end-'))).toHaveLength(1)
    expect([(await look()).status, (await begin('--yes')).status]).toEqual([0, 7])

    // What a document of each log is compared with: its own signed checkpoint speaks for the old one, and nothing extends that.
    const of = async (note: string) =>
      (await comparedWith(address, note)).filter(({ what }) => what === 'log').map((check) => check.outcome)
    expect(await of(await readFile(checkpoint, 'utf8'))).toEqual(['agrees', 'not_compared'])
    expect(await of(await (await fetch(`${address}/log/checkpoint`)).text())).toEqual(['agrees', 'agrees'])
    const [, , end] = await comparedWith(address, await readFile(checkpoint, 'utf8'))
    expect(end?.detail).toContain(
      'weather.example.com/log ended, with 40 entries, and that its log is now weather.example.com/log-2: nothing proves',
    )
  } finally {
    await restored.api.close()
    await restored.world.close()
  }
})

/** Compares a file of this service with a checkpoint in it with what the service returns. */
async function comparedWith(address: string, note: string): Promise<Check[]> {
  const checkpoint = readCheckpoint(note)
  const inclusion = { index: 0, proof: [], salt: Buffer.alloc(32), checkpoint }
  const claims = { fingerprint: 'a'.repeat(64), fingerprint_signature: null, document_key: null, service: address, inclusion }
  const tile: ReadTile = (level, index, width) => fetchTile(address, level, index, width)
  const log = { checkpoint: () => fetchCheckpoint(address), tile }
  const ask = async () => ({ url: address, report_status: 'held' as const, keys: await fetchKeys(address), log })
  return compareOutside(claims, { fingerprint: null, keys: null, ask })
}

test('a log that states another tree for the one that ended contradicts itself', async () => {
  const [honestly, lying] = [await aService(), await aService()]
  const fresh = await openTerminal({ WEATHER_HOME: state, XDG_CONFIG_HOME: state, XDG_STATE_HOME: path.join(state, 'lying') })
  const look = () => fresh('log', 'watch', '--once', '--service', url)
  try {
    await grow(honestly, 0, 40)
    await grow(lying, 0, 40, 3)
    await beginLog(lying.world.app, 'weather.example.com/log-2', null)
    shown = honestly
    expect((await look()).status).toBe(0)
    shown = lying
    const run = await look()
    const before = (await honestly.api.inject('/log/checkpoint')).body
    expect((await comparedWith(url, before)).map(({ outcome }) => outcome)).toContain('differs')
    expect([run.status, run.stderr]).toEqual([
      11,
      expect.stringContaining('CONTRADICTS ITSELF: it states another tree of 40 entries for weather.example.com/log than before'),
    ])
  } finally {
    for (const { api, world } of [honestly, lying]) {
      await api.close()
      await world.close()
    }
    shown = honest
  }
})

test('a check is printed in the format and with the keys that were asked for', async () => {
  shown = honest
  await grow(honest, 1000, 1001)
  const run = (...words: string[]) => weather('log', 'watch', '--once', '--service', url, ...words)
  const { size } = resultOf(await watch())
  expect((await run('--output', 'ndjson', '--fields', 'size,origin')).stdout).toBe(`{"size":${size},"origin":"weather.example.com/log"}\n`)
  expect(resultOf(await run('--output', 'json'))).toMatchObject({ size })
  expect((await run('--fields', 'size')).stdout).toBe(`size  ${size}\n`)
})

test('a log that cannot be read now is checked again later', async () => {
  shown = honest
  await grow(honest, 2000, 2001)
  instead.set('/log/checkpoint', (response) => response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy()))
  instead.set('/.well-known/jwks.json', (response) => response.end('<h1>Sign in to the network</h1>'))
  const child = spawn(process.execPath, [await bundledProgram(), 'log', 'watch', '--every', '0.2', '--service', url], {
    env: { PATH: process.env.PATH, XDG_STATE_HOME: path.join(state, 'later') },
    stdio: 'pipe',
  })
  try {
    let messages = ''
    child.stderr.on('data', (part) => (messages += part))
    const [first] = await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
    expect({ first: String(first), messages }).toEqual({
      first: expect.stringContaining('weather.example.com/log'),
      messages: expect.stringMatching(/was cut off: [\s\S]*is not a list of public keys/),
    })
  } finally {
    child.kill()
  }
})

test('keys from a given source are the only ones that count, and a usage error exits with 2', async () => {
  shown = honest
  const foreign = await watch('--keys', `${url}/nowhere.json`)
  expect(foreign.status).toBe(1)
  shown = other
  const keys = (await other.api.inject({ url: '/.well-known/jwks.json' })).body
  shown = honest
  const file = path.join(state, 'keys.json')
  await writeFile(file, keys)
  const run = await watch('--keys', file)
  expect([run.status, run.stderr]).toEqual([9, expect.stringContaining('is not signed with any of its keys')])
  expect((await weather('log', 'watch', '--once', '--service', 'nowhere')).status).toBe(2)
})
