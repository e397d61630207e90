import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { readCheckpoint } from '#domain/fingerprint-log/checkpoint.ts'
import { logEntry } from '#domain/fingerprint-log/entry.ts'
import { leafHash } from '#domain/fingerprint-log/merkle.ts'
import { createApiServer } from '#rest/host.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let api: FastifyInstance
beforeAll(async () => {
  world = await openWorld({ config: { log_origin: 'weather.example.com/log' } })
  api = await createApiServer(world.app)
})
afterAll(() => api.close())

const entries = Array.from({ length: 300 }, (_, at) => logEntry(Buffer.alloc(32, 7), at.toString(16).padStart(64, '0')))

async function grow(from: number, to: number): Promise<void> {
  await world.app.pool.query('INSERT INTO fingerprint_log_pending (entry) SELECT * FROM unnest($1::bytea[])', [entries.slice(from, to)])
  await appendPending(world.app)
}

const get = (url: string, headers: Record<string, string> = {}) => api.inject({ url: `/log/${url}`, headers })

test('an empty log is not found; once it has entries, anyone may read it, its checkpoint cached for seconds and its tiles for ever', async () => {
  const empty = await get('checkpoint')
  expect([empty.statusCode, empty.json().message]).toEqual([404, 'The log is empty: no report was completed yet.'])
  await grow(0, 10)
  const first = await get('checkpoint')
  expect(first.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'public, max-age=2',
    'access-control-allow-origin': '*',
  })
  expect(readCheckpoint(first.body)).toMatchObject({ origin: 'weather.example.com/log', size: 10 })
  const tag = String(first.headers.etag)
  // A proxy that compresses weakens the tag; a cache may have several bodies.
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*'])
    expect((await get('checkpoint', { 'if-none-match': known })).statusCode).toBe(304)

  await grow(10, 300)
  expect(readCheckpoint((await get('checkpoint')).body).size).toBe(300)
  const full = await get('tile/0/000')
  expect(full.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
  })
  expect(full.rawPayload).toEqual(Buffer.concat(entries.slice(0, 256).map(leafHash)))
  // The partial tile that an earlier checkpoint needs is still there, though the tile is full by now.
  expect((await get('tile/0/000.p/10')).rawPayload).toEqual(Buffer.concat(entries.slice(0, 10).map(leafHash)))
  expect((await get('tile/0/001.p/44')).rawPayload).toHaveLength(44 * 32)
  expect((await get('tile/1/000.p/1')).rawPayload).toHaveLength(32)
  const bundle = (await get('tile/entries/001.p/44')).rawPayload
  expect([bundle.length, bundle.readUInt16BE(0), bundle.subarray(2, 34)]).toEqual([44 * 34, 32, entries[256]])
})

test.each([
  'tile/0/001',
  'tile/0/001.p/45',
  'tile/1/000.p/2',
  'tile/2/000.p/1',
  'tile/0/000.p/256',
  'tile/0/0',
  'tile/entries/002.p/1',
  'tile/entries/x999/x999/x999/x999/999',
  'tile/63/000.p/1',
  'tile/',
  'tile/0/%2e%2e/000',
  'tile/0/000.p/1e1',
  'elsewhere',
])('/log/%s is not found', async (path) => {
  const answer = await get(path)
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
})
