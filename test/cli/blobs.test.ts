import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import type { MovingStores } from '#domain/engines/open-blobs.ts'
import { readConfig } from '#domain/kernel/config.ts'
import { present } from '#domain/kernel/present.ts'
import { moveDocuments } from '#domain/reports/document-store/move-documents.ts'
import { reportPdf, reportPdfLink } from '#domain/reports/document-store/pdf.ts'
import { removeReport } from '#domain/reports/remove.ts'
import { requestReport } from '#domain/reports/request.ts'
import { createApiServer } from '#rest/host.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { ACCESS_KEY, type ObjectStore, openObjectStore, SECRET_KEY } from '#test/support/object-store.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { openTerminal, type Terminal } from './terminal.ts'

let store: ObjectStore
let world: World
let api: FastifyInstance
let weather: Terminal
let caller: Caller
let stores: MovingStores
let base_url: string
/** Whether downloads go directly to the bucket. */
let redirected = false
/** Keys of documents by their report. */
const keys = new Map<string, string>()

beforeAll(async () => {
  store = await openObjectStore()
  const { bucket } = readConfig({
    DATABASE_URL: 'postgresql://localhost/weather',
    WEATHER_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEATHER_BLOBS: store.address(),
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET_KEY,
  })
  const downloads = () => (redirected ? 'redirect' : 'stream')
  Object.defineProperty(bucket, 'downloads', { get: downloads, enumerable: true })
  world = await openWorld({ config: { bucket, blobs_also: `${store.folder}/documents-before` } })
  stores = present(world.app.moving)
  api = await createApiServer(world.app)
  base_url = await api.listen({ host: '127.0.0.1', port: 0 })
  weather = await openTerminal({ WEATHER_URL: base_url, WEATHER_OPERATOR_KEY: OPERATOR_KEY })
  await seedSample(world.app)
  caller = await aCaller(world, await aTeam(world))
})
afterAll(async () => {
  await api?.close()
  await world?.close()
  await store?.close()
})
/** Three documents that were printed while the store was the folder. */
beforeEach(async () => {
  const { address, window_start, window_end } = sampleStorm
  for (let nth = 0; nth < 3; nth++) await requestReport(world.app, caller, { address, window_start, window_end }, null)
  await world.drain()
  for (const { report_id, key } of await world.app.db.document.findMany({ orderBy: { report_id: 'asc' } })) {
    await stores.from.put(key, present(await stores.to.get(key)))
    await stores.to.remove(key)
    keys.set(report_id, key)
  }
  store.requests.length = 0
})
afterEach(async () => {
  for (const report_id of keys.keys()) await removeReport(world.app, caller, report_id).catch(() => {})
  keys.clear()
})

const inBucket = async () =>
  (await Promise.all([...keys.values()].map((key) => stores.to.get(key)))).filter((bytes) => bytes !== null).length

describe('moving documents to a bucket', () => {
  test('reads them from the folder, and a command copies them and reports what it did', async () => {
    for (const id of keys.keys()) expect(await reportPdf(world.app, caller, id)).toHaveProperty('bytes')
    expect(await inBucket()).toBe(0)
    const moved = await weather('blobs', 'move', '--json')
    expect([moved.status, moved.stderr]).toEqual([0, ''])
    expect(JSON.parse(moved.stdout)).toMatchObject({ looked_at: 3, moved: 3, gone: 0 })
    expect(await inBucket()).toBe(3)
    const again = await weather('blobs', 'move', '--json')
    expect(JSON.parse(again.stdout)).toEqual({ looked_at: 3, moved: 0, bytes: 0, gone: 0 })
    expect((await weather('doctor', '--json')).status).toBe(0)
  })

  test('resumes an interrupted copy, and counts documents that are in neither store', async () => {
    const [first, second] = [...keys.values()] as [string, string]
    await stores.from.put(second, Buffer.from('other bytes'))
    store.faults.push(...Array.from({ length: 12 }, () => ({ answer: [503, 'SlowDown'] as [number, string] })))
    await expect(moveDocuments(world.app, null)).rejects.toThrow('it asks for fewer requests')
    store.faults.length = 0
    await stores.to.put(first, present(await stores.from.get(first)))
    const moved = await weather('blobs', 'move', '--json')
    expect([moved.status, JSON.parse(moved.stdout)]).toMatchObject([1, { looked_at: 3, moved: 1, gone: 1 }])
    expect(moved.stderr).toContain('1 is in neither store')
    expect(await stores.to.get(second)).toBeNull()
  })

  test('leaves a document deleted if its report is deleted during the copy', async () => {
    let removing: Promise<void> | undefined
    const [[report_id, key]] = [...keys] as [[string, string]]
    const slow: MovingStores = {
      ...stores,
      to: {
        ...stores.to,
        async put(wanted, bytes) {
          if (wanted === key) {
            removing = removeReport(world.app, caller, report_id)
            await pause(500)
          }
          return stores.to.put(wanted, bytes)
        },
      },
    }
    expect(await moveDocuments({ ...world.app, moving: slow }, null)).toMatchObject({ moved: 3 })
    await removing
    expect([await stores.to.get(key), await stores.from.get(key)]).toEqual([null, null])
  })

  test('leaves what another run has copied since it looked', async () => {
    let inner: ReturnType<typeof moveDocuments> | undefined
    const slow: MovingStores = {
      ...stores,
      from: {
        ...stores.from,
        async get(key) {
          const bytes = await stores.from.get(key)
          inner ??= moveDocuments(world.app, null)
          await inner
          return bytes
        },
      },
    }
    expect(await moveDocuments({ ...world.app, moving: slow }, null)).toMatchObject({ looked_at: 3, moved: 0 })
    expect(await inner).toMatchObject({ moved: 3 })
  })

  test('leaves the copies that another process makes while it holds the locks of the documents', async () => {
    const $transaction = async () => {
      for (const key of keys.values()) await stores.to.put(key, present(await stores.from.get(key)))
      throw new Error('canceling statement due to lock timeout')
    }
    await expect(moveDocuments({ ...world.app, db: { $transaction } as never }, null)).rejects.toThrow('lock timeout')
    expect(await inBucket()).toBe(3)
  })

  test('does not report documents as missing if the bucket is unusable: the doctor states why', async () => {
    // Other requests to the bucket meet the fault too.
    store.faults.push(...Array.from({ length: 12 }, () => ({ answer: [403, 'InvalidAccessKeyId'] as [number, string] })))
    const found = await weather('doctor', '--json')
    store.faults.length = 0
    expect([found.status, JSON.parse(found.stdout)]).toEqual([1, []])
    expect(found.stderr).toContain(
      `The document store s3://documents/install-1 at ${new URL(store.endpoint).host} cannot be used: it does not know AWS_ACCESS_KEY_ID`,
    )
    expect(found.stderr).not.toContain(ACCESS_KEY)
    // A download waits, and nothing is printed again for it.
    store.faults.push({ answer: [403, 'AccessDenied'] })
    const [id] = [...keys.keys()] as [string]
    await expect(reportPdf(world.app, caller, id)).rejects.toThrow('the key may not do this')
    expect(await world.app.db.outboxJob.count({ where: { name: 'report.render' } })).toBe(0)
  })

  test('downloads from the bucket if the operator allows it and the bucket confirms the document, else through the service', async () => {
    const [id, key] = [...keys][0] as [string, string]
    const made = await reportPdfLink(world.app, caller, id)
    const url = 'url' in made ? made.url.replace(world.app.config.base_url, base_url) : ''
    const link = () => fetch(url, { redirect: 'manual' })
    expect((await link()).status).toBe(200)
    redirected = true
    // It is still in the folder, which cannot issue addresses.
    expect((await link()).status).toBe(200)
    await moveDocuments(world.app, null)
    const answer = await link()
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'private, no-store'])
    const download = await fetch(answer.headers.get('location') ?? '')
    expect([download.status, download.headers.get('content-type'), download.headers.get('content-disposition')]).toEqual([
      200,
      'application/pdf',
      `attachment; filename="weather-report-${id}.pdf"`,
    ])
    expect(Buffer.from(await download.arrayBuffer())).toEqual(await stores.to.get(key))
    await stores.to.put(key, Buffer.from('another file'))
    expect((await link()).status).toBe(202)
    redirected = false
  })
})
