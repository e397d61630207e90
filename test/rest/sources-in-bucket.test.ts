import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import type { SourceFiles } from '#domain/engines/source-files.ts'
import { readConfig } from '#domain/kernel/config.ts'
import { isEngineUnavailable } from '#domain/kernel/engine-unavailable.ts'
import { present } from '#domain/kernel/present.ts'
import { checkStored } from '#domain/observability/check-stored.ts'
import { details, detailsText, locations2019, locationsText } from '#test/domain/archive/files.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { ACCESS_KEY, type ObjectStore, openObjectStore, SECRET_KEY } from '#test/support/object-store.ts'
import { openWorld, type World } from '#test/support/world.ts'

const text = detailsText({ EVENT_ID: '1' }, { EVENT_ID: '2', MAGNITUDE: '1.25' })
const packed = gzipSync(Buffer.from(text, 'latin1'))
const sha256 = createHash('sha256').update(packed).digest('hex')
const key = `${sha256.slice(0, 2)}/${sha256}`

let home: string
let store: ObjectStore
let world: World
let rest: Rest
let token: string
let row: number

const importFile = () => ingest(world.app, 'storm-events', Readable.from([packed]), { file_name: details(2019) })
const get = () => rest.fastify.inject({ url: `/sources/${sha256}?row=${row}`, headers: { authorization: `Bearer ${token}` } })
const OPEN_TRANSACTIONS = `SELECT count(*)::int AS open FROM pg_stat_activity
  WHERE datname = current_database() AND state LIKE 'idle in transaction%'`
const check = (repair = false) => checkStored(world.app, 'source_files:', repair)
const countRecords = async () => (await world.app.pool.query('SELECT count(*)::int AS held FROM archive_records')).rows[0].held
/** Files that are still arriving on this machine. */
const arriving = async () => readdir(path.join(home, 'arriving'))

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'weather-sources-'))
  store = await openObjectStore()
  const { archive_files } = readConfig({
    DATABASE_URL: 'postgresql://localhost/weather',
    WEATHER_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ARCHIVE_FILES: store.address(),
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET_KEY,
  })
  world = await openWorld({ config: { archive_files, home } })
  rest = await openRest(world)
  token = (await aToken(world, await aTeam(world))).token
})
afterAll(async () => {
  await rest.close()
  await store.close()
  await rm(home, { recursive: true, force: true })
})

it('an import fails if the bucket refuses the file, states why, and leaves no partial file', async () => {
  store.faults.push({ answer: [403, 'AccessDenied'] })
  const fault = await importFile().catch((thrown: Error) => thrown)
  expect(fault).toMatchObject({
    message: expect.stringMatching(
      /^The store of the agencies' files s3:\/\/documents\/install-1 at 127\.0\.0\.1:\d+ cannot be used: the key may not do this/,
    ),
  })
  expect(String(fault)).not.toContain(SECRET_KEY)
  expect(isEngineUnavailable(fault)).toBe(true)
  expect((await check()).checked).toBe(0)
  expect(await arriving()).toEqual([])
})

it('a file is stored once under its hash, even if the service asks to slow down', async () => {
  store.faults.push({ answer: [503, 'SlowDown'] })
  await importFile()
  expect(await countRecords()).toBe(2)
  const kept = store.requests.filter(({ method }) => method === 'PUT').at(-1)
  expect(kept?.path).toContain(`/install-1/${key}`)
  expect(store.checksums.get(String(kept?.path.split('?')[0]))).toBe(Buffer.from(sha256, 'hex').toString('base64'))
  expect(await arriving()).toEqual([])
  const before = store.requests.filter(({ method }) => method === 'PUT').length
  await importFile()
  expect(await check()).toEqual({ checked: 1, faults: [], next: null })
  expect(store.requests.filter(({ method }) => method === 'PUT').length - before).toBeLessThanOrEqual(1)
})

it('a file is sent while no transaction is open, however long it takes, and only if stored data came from it', async () => {
  const source_files = present(world.app.source_files)
  const sent: { hash: string; open_transactions: number }[] = []
  const watched: SourceFiles = {
    ...source_files,
    async draft() {
      const draft = await source_files.draft()
      const keep = async (hash: string) => {
        const { rows } = await world.owner.query(OPEN_TRANSACTIONS)
        sent.push({ hash, open_transactions: rows[0].open })
        await draft.keep(hash)
      }
      return { ...draft, keep }
    },
  }
  const send = async (file_name: string, content: string) => {
    const bytes = gzipSync(Buffer.from(content, 'latin1'))
    await ingest({ ...world.app, source_files: watched }, 'storm-events', Readable.from([bytes]), { file_name })
    return createHash('sha256').update(bytes).digest('hex')
  }
  const details_hash = await send(
    details(2018, '20190617'),
    detailsText({ EVENT_ID: '3', BEGIN_YEARMONTH: '201803', END_YEARMONTH: '201803' }),
  )
  const corners_hash = await send(locations2019, locationsText({ '3': [[33, -96]] }))
  await send('nothing-new.csv.gz', detailsText({ EVENT_ID: '1' }))
  expect(sent).toEqual([details_hash, corners_hash].map((hash) => ({ hash, open_transactions: 0 })))
  const { rows } = await world.owner.query('SELECT sha256 FROM archive_files WHERE stored AND sha256 <> $1 ORDER BY id', [sha256])
  expect(rows.map((file) => file.sha256)).toEqual([details_hash, corners_hash])
})

it('a row of it is returned as the agency wrote it, even if a response of the bucket breaks off', async () => {
  const input = { latitude: 33.1499, longitude: -96.8241, window_start: '2019-03-01', window_end: '2019-03-31' }
  const made = await rest.call('POST', '/reports', { token, body: input })
  await world.drain()
  const [cited] = (await rest.call('GET', `/reports/${made.body.data.id}/events`, { token })).body.data
  row = cited.id
  const { start, length } = cited.provenance.file.span
  for (const faults of [[], [{ breaks_off: true } as const]]) {
    store.faults.push(...faults)
    const answered = await get()
    expect(answered.statusCode).toBe(200)
    expect(answered.rawPayload).toEqual(Buffer.from(text, 'latin1').subarray(start, start + length))
  }
})

it('a missing file is named, and stored again when it is imported again; all files are deleted with their source', async () => {
  await world.app.source_files?.remove(sha256)
  expect((await check()).faults).toEqual([expect.objectContaining({ kind: 'source_file', subject: `${details(2019)} ${sha256}` })])
  await check(true)
  expect((await get()).statusCode).toBe(404)
  await importFile()
  expect((await get()).statusCode).toBe(200)
  await deleteSource(world.app, 'storm-events')
  expect(await world.app.source_files?.read(sha256)).toBeNull()
})
