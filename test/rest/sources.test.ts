import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { openSourceFiles } from '#domain/engines/source-files.ts'
import { checkStored } from '#domain/observability/check-stored.ts'
import { details, detailsText } from '#test/domain/archive/files.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { DAY } from '#test/support/clock.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { sweep } from '#workers/sweeper.ts'

const text = detailsText({ EVENT_ID: '1' }, { EVENT_ID: '2', MAGNITUDE: '1.25', EVENT_NARRATIVE: 'Said "so", twice.' })
const packed = gzipSync(Buffer.from(text, 'latin1'))
const sha256 = createHash('sha256').update(packed).digest('hex')

let folder: string
let world: World
let rest: Rest
let token: string
let cited: { id: number; source_key: string; provenance: { file: { sha256: string; span: { start: number; length: number } } } }[]

const importBytes = (bytes: Buffer, file_name = details(2019)) =>
  ingest(world.app, 'storm-events', Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]), { file_name })
const ask = async (url: string, of: string | null) => {
  const answer = await rest.fastify.inject({ url, headers: of === null ? {} : { authorization: `Bearer ${of}` } })
  return { status: answer.statusCode, body: String(answer.headers['content-type']).includes('json') ? answer.json() : null }
}
const get = (hash: string, row?: unknown, of: string | null = token) => ask(`/sources/${hash}${row === undefined ? '' : `?row=${row}`}`, of)
const kept = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name)
const check = (repair = false) => checkStored(world.app, 'source_files:', repair)

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'weather-sources-'))
  world = await openWorld({ config: { archive_files: folder } })
  rest = await openRest(world)
  token = (await aToken(world, await aTeam(world))).token
  await importBytes(packed)
  const input = { latitude: 33.1499, longitude: -96.8241, window_start: '2019-03-01', window_end: '2019-03-31' }
  const made = await rest.call('POST', '/reports', { token, body: input })
  await world.drain()
  cited = (await rest.call('GET', `/reports/${made.body.data.id}/events`, { token })).body.data
})
afterAll(async () => {
  await rest.close()
  await rm(folder, { recursive: true, force: true })
})

describe('a row of an agency’s file', () => {
  it('is returned as the agency wrote it, to a token that may read a report that cites it', async () => {
    expect(cited).toHaveLength(2)
    for (const { id, provenance } of cited) {
      const { sha256: hash, span } = provenance.file
      expect(hash).toBe(sha256)
      const answered = await rest.fastify.inject({ url: `/sources/${hash}?row=${id}`, headers: { authorization: `Bearer ${token}` } })
      expect(answered.statusCode).toBe(200)
      expect(answered.rawPayload).toEqual(Buffer.from(text, 'latin1').subarray(span.start, span.start + span.length))
      expect(answered.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
        'x-ratelimit-limit': expect.anything(),
      })
    }
  })

  it('is not found for another team, another file, another record, or a name that is not a hash', async () => {
    const other = (await aToken(world, await aTeam(world))).token
    const id = cited[0]?.id
    for (const [hash, row, of] of [
      [sha256, id, other],
      ['0'.repeat(64), id, token],
      [sha256, 999_999, token],
      ['..%2F..%2Fetc%2Fpasswd', id, token],
      [sha256.toUpperCase(), id, token],
    ] as const) {
      const { status, body } = await get(hash, row, of)
      expect([status, body.code, body.message]).toEqual([404, 'not_found', 'There is no row of this file that a report cites.'])
    }
  })

  it('is requested by the id of a record, with a token that may read reports', async () => {
    for (const row of [undefined, '', 'x', '1e3', '-1', '1&row=2', '2147483648']) {
      const { status, body } = await get(sha256, row)
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['row']])
    }
    expect((await get(sha256, 1, null)).status).toBe(401)
    const { token: writer } = await aToken(world, await aTeam(world), ['properties:read'])
    expect(await get(sha256, cited[0]?.id, writer)).toMatchObject({ status: 403, body: { required_ability: 'reports:read' } })
  })
})

describe('the store of the agencies’ files', () => {
  it('keeps each file once, and no file that added nothing', async () => {
    await importBytes(packed)
    await expect(importBytes(gzipSync(Buffer.from(text.split('\n')[0] ?? '')), details(2018))).resolves.toMatchObject({ rows: 0 })
    await expect(importBytes(packed.subarray(0, 150), details(2017))).rejects.toThrow()
    expect(await kept()).toEqual([sha256])
    expect(await readFile(path.join(folder, sha256.slice(0, 2), sha256))).toEqual(packed)
  })

  it('is checked: a missing or changed file is named, and stored again when it is imported again', async () => {
    expect(await check()).toEqual({ checked: 1, faults: [], next: null })
    for (const spoil of [(file: string) => rm(file), (file: string) => writeFile(file, 'another')]) {
      await spoil(path.join(folder, sha256.slice(0, 2), sha256))
      const fault = { kind: 'source_file', team_id: null, subject: `${details(2019)} ${sha256}`, repaired: false }
      expect((await check()).faults).toEqual([expect.objectContaining(fault)])
      expect((await check(true)).faults).toEqual([expect.objectContaining({ ...fault, repaired: true })])
      expect((await get(sha256, cited[0]?.id)).status).toBe(404)
      expect((await check()).faults).toEqual([])
      await importBytes(packed)
      expect((await get(sha256, cited[0]?.id)).status).toBe(200)
    }
  })

  it('returns nothing from a file if a row or other text in it was changed', async () => {
    const file = path.join(folder, sha256.slice(0, 2), sha256)
    for (const [old, forged] of [
      ['Said', 'Sold'],
      ['twice', 'never'],
    ] as const) {
      await writeFile(file, gzipSync(Buffer.from(text.replace(old, forged), 'latin1')))
      for (const { id } of cited) expect((await get(sha256, id)).status).toBe(500)
    }
    await writeFile(file, packed)
    for (const { id } of cited) expect((await get(sha256, id)).status).toBe(200)
  })

  it('deletes the remains of a killed import after a day', async () => {
    const draft = await openSourceFiles({ archive_files: folder, home: folder })?.draft()
    await draft?.add(Buffer.from('left'))
    const [left] = await readdir(path.join(folder, 'arriving'))
    await sweep(world.app)
    expect(await readdir(path.join(folder, 'arriving'))).toEqual([left])
    const twoDaysAgo = new Date(world.clock.now().getTime() - 2 * DAY)
    await utimes(path.join(folder, 'arriving', String(left)), twoDaysAgo, twoDaysAgo)
    await sweep(world.app)
    expect(await readdir(path.join(folder, 'arriving'))).toEqual([])
    await draft?.drop()
  })

  it('deletes a source’s files with the source', async () => {
    await deleteSource(world.app, 'storm-events')
    expect(await kept()).toEqual([])
    expect((await get(sha256, cited[0]?.id)).status).toBe(404)
  })
})
