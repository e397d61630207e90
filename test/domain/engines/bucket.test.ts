import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Blobs } from '#domain/engines/blobs.ts'
import { openBucket } from '#domain/engines/bucket.ts'
import type { CallLimits } from '#domain/engines/bucket-client.ts'
import { openBlobs } from '#domain/engines/open-blobs.ts'
import type { BucketSettings } from '#domain/kernel/bucket-settings.ts'
import { type Config, readConfig } from '#domain/kernel/config.ts'
import { isEngineUnavailable } from '#domain/kernel/engine-unavailable.ts'
import { ACCESS_KEY, type ObjectStore, openObjectStore, SECRET_KEY } from '#test/support/object-store.ts'

const KEY = 'reports/01987654-0000-7000-8000-000000000001/ab12.pdf'
const FOLDER = 'reports/01987654-0000-7000-8000-000000000001'
const BYTES = Buffer.from(`%PDF-1.7 ${'of a document '.repeat(5000)}`)
const SHA256 = createHash('sha256').update(BYTES).digest('hex')

let store: ObjectStore
let blobs: Blobs
const opened: Blobs[] = []

beforeEach(async () => {
  store = await openObjectStore()
  blobs = open()
})
afterEach(async () => {
  for (const one of opened.splice(0)) one.close()
  await store.close()
})

/** Opens the store as a service's settings name it. */
function open(address = store.address(), keys: Record<string, string> = {}): Blobs {
  opened.push(openBlobs(configOf(address, keys)).blobs)
  return opened.at(-1) as Blobs
}

/** Opens the store with limits short enough for a test to wait for; `limits` replaces some of them. */
function openImpatient(limits: Partial<CallLimits>): Blobs {
  const settings = configOf(store.address(), {}).bucket as BucketSettings
  opened.push(openBucket(settings, 'document store', { silence_ms: 10_000, call_ms: 30_000, bytes_per_ms: 256, ...limits }))
  return opened.at(-1) as Blobs
}

function configOf(address: string, keys: Record<string, string>): Config {
  return readConfig({
    DATABASE_URL: 'postgresql://localhost/weather',
    WEATHER_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEATHER_BLOBS: address,
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    ...keys,
  })
}

const faultOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    (answer) => Promise.reject(new Error(`it answered ${answer}`)),
    (fault) => fault,
  )
/** The methods of the requests, in order. */
const requestedMethods = () => store.requests.map(({ method }) => method).join(' ')

describe('documents in a bucket', () => {
  it('are put, read, listed and removed under the prefix only', async () => {
    expect(await blobs.put(KEY, BYTES)).toBe(SHA256)
    expect(await blobs.get(KEY)).toEqual(BYTES)
    await blobs.put(`${FOLDER}/old.pdf`, Buffer.from('old'))
    const otherKey = 'reports/01987654-0000-7000-8000-000000000002/cd34.pdf'
    await blobs.put(otherKey, BYTES)
    await blobs.clear(FOLDER, KEY)
    expect([await blobs.get(`${FOLDER}/old.pdf`), await blobs.get(KEY), await blobs.get(otherKey)]).toEqual([null, BYTES, BYTES])
    await blobs.remove(KEY)
    await blobs.remove(KEY)
    expect(await blobs.get(KEY)).toBeNull()
    await blobs.probe()
    expect(store.requests.filter(({ path }) => !/^\/documents\/(install-1\/|\?list-type=2&.*prefix=install-1%2F)/.test(path))).toEqual([])
  })

  it('are read in parts, with fewer bytes at the end and none past it', async () => {
    await blobs.put(KEY, BYTES)
    const parts = [blobs.read(KEY, 3, 5), blobs.read(KEY, BYTES.length - 2, 5), blobs.read(KEY, BYTES.length, 5)]
    expect(await Promise.all(parts)).toEqual([BYTES.subarray(3, 8), BYTES.subarray(-2), Buffer.alloc(0)])
    expect(await blobs.read(`${FOLDER}/none.pdf`, 3, 5)).toBeNull()
  })

  it('are sent with their SHA-256, their type and the configured encryption', async () => {
    await open(store.address('&encryption=aws:kms&kms_key=key-1')).put(KEY, BYTES)
    expect(store.requests[0]?.headers).toMatchObject({
      'content-type': 'application/pdf',
      'if-none-match': '*',
      'x-amz-checksum-sha256': createHash('sha256').update(BYTES).digest('base64'),
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'key-1',
    })
  })

  it('never overwrite an existing document, unless its content differs', async () => {
    await blobs.put(KEY, BYTES)
    store.requests.length = 0
    expect(await blobs.put(KEY, BYTES)).toBe(SHA256)
    expect(requestedMethods()).toBe('PUT GET')
    const other = Buffer.from('another file')
    await blobs.put(KEY, other)
    expect(await blobs.get(KEY)).toEqual(other)
  })

  it('are also stored by a service without conditions or checksums, and verified by their ETag', async () => {
    store.modern = false
    expect(await blobs.put(KEY, BYTES)).toBe(SHA256)
    expect(requestedMethods()).toBe('PUT PUT')
    expect(await blobs.get(KEY)).toEqual(BYTES)
    store.faults.push({ answer: [501, 'NotImplemented'] }, { changes: true })
    const fault = await faultOf(blobs.put(`${FOLDER}/new.pdf`, BYTES))
    expect(fault.message).toBe(`The document store ${storeName()} stored other bytes than were sent.`)
    expect(await blobs.get(`${FOLDER}/new.pdf`)).toBeNull()
  })
})

/** How messages name the store. */
const storeName = () => `s3://documents/install-1 at ${new URL(store.endpoint).host}`

describe('a bucket in trouble', () => {
  const slow = { answer: [503, 'SlowDown'] as [number, string] }

  it('is retried after a throttle or server error, and no document is left incomplete', async () => {
    store.faults.push(slow)
    expect(await blobs.put(KEY, BYTES)).toBe(SHA256)
    store.faults.push({ answer: [500, 'InternalError'] })
    expect(await blobs.get(KEY)).toEqual(BYTES)
  })

  it('lists folders without recent files', async () => {
    await blobs.put('basemap-1/0', BYTES)
    await blobs.put('basemap-1/1', BYTES)
    await blobs.put('basemap/current', BYTES)
    expect(await blobs.staleFolders('basemap-', new Date(Date.now() + 3_600_000))).toEqual(['basemap-1'])
    expect(await blobs.staleFolders('basemap-', new Date(Date.now() - 3_600_000))).toEqual([])
  })

  it('that throttles too long is reported as unavailable, in plain words and without the key', async () => {
    store.faults.push(slow, slow, slow, slow)
    const fault = await faultOf(blobs.put(KEY, BYTES))
    expect(fault.message).toBe(`The document store ${storeName()} cannot be used: it asks for fewer requests (its request REQUEST1).`)
    expect(isEngineUnavailable(fault)).toBe(true)
    // The fault does not stop a start.
    expect(fault).toMatchObject({ passing: true })
    expect(await blobs.get(KEY)).toBeNull()
  })

  it('whose responses break off is read again, three times in all', async () => {
    await blobs.put(KEY, BYTES)
    store.faults.push({ breaks_off: true }, { breaks_off: true })
    expect(await blobs.get(KEY)).toEqual(BYTES)
    store.faults.push({ breaks_off: true }, { breaks_off: true }, { breaks_off: true })
    const fault = await faultOf(blobs.get(KEY))
    expect(fault.message).toBe(`The document store ${storeName()} cannot be used: the connection was cut off.`)
    expect(isEngineUnavailable(fault)).toBe(true)
  })

  it('is given up once its socket is silent', async () => {
    const impatient = openImpatient({ silence_ms: 200 })
    store.faults.push({ silent: true })
    expect(await impatient.put(KEY, BYTES)).toBe(SHA256)
    store.faults.push(...Array(4).fill({ silent: true }))
    expect((await faultOf(impatient.put(`${FOLDER}/new.pdf`, BYTES))).message).toContain('cannot be used: it does not respond in time')
  })

  it('may receive and send for longer than a socket may be silent', async () => {
    const impatient = openImpatient({ silence_ms: 4000 })
    // More than the buffers of both ends hold.
    const large = Buffer.alloc(24 * 2 ** 20, 'large')
    store.faults.push({ reads_slowly_ms: 6000 }, { answer: [400, 'InvalidRequest'] })
    await impatient.put(KEY, large)
    expect(store.faults.splice(0)).toHaveLength(1)
    store.faults.push({ answers_slowly_ms: 6000 })
    expect((await impatient.get(KEY))?.equals(large)).toBe(true)
    expect(requestedMethods()).toBe('PUT GET')
  })

  it('has more time for more bytes', async () => {
    await blobs.put(KEY, BYTES)
    // 70 KB get 3.5 s more.
    const impatient = openImpatient({ call_ms: 500, bytes_per_ms: 20 })
    store.faults.push({ answers_slowly_ms: 1500 })
    expect(await impatient.get(KEY)).toEqual(BYTES)
    store.faults.push({ silent: true })
    expect((await faultOf(impatient.get(KEY))).message).toContain('cannot be used: it does not respond in time')
    store.faults.push({ waits_ms: 1500 }, { waits_ms: 1500 })
    expect(await impatient.put(`${FOLDER}/new.pdf`, BYTES)).toBe(SHA256)
    const fault = await faultOf(impatient.put(`${FOLDER}/small.pdf`, Buffer.from('small')))
    expect(fault.message).toContain('cannot be used: it does not respond in time')
  })

  it('keeps nothing of a probe that fails', async () => {
    store.faults.push({ none: true }, { none: true }, { answer: [403, 'AccessDenied'] })
    expect((await faultOf(blobs.probe())).message).toContain('it needs s3:GetObject')
    expect(requestedMethods()).toBe('PUT GET GET DELETE')
  })

  it('that received different bytes reports it and stores none', async () => {
    store.faults.push({ changes: true })
    const fault = await faultOf(blobs.put(KEY, BYTES))
    expect(fault.message).toContain('cannot be used: the bytes that arrived differ from those that were sent')
    expect(await blobs.get(KEY)).toBeNull()
  })

  it("is used with the server's time if the local clock is wrong", async () => {
    store.ahead_s = 7200
    expect(await blobs.put(KEY, BYTES)).toBe(SHA256)
    expect(await blobs.get(KEY)).toEqual(BYTES)
    expect(requestedMethods()).toBe('PUT PUT GET')
  })

  it.each<[why: string, open: () => Blobs, says: string]>([
    ['there is no bucket', () => open(store.address('', 'no-documents')), 'there is no such bucket'],
    ['another key is set', () => open(undefined, { AWS_ACCESS_KEY_ID: 'OTHER' }), 'it does not know AWS_ACCESS_KEY_ID'],
    [
      'another secret is set',
      () => open(undefined, { AWS_SECRET_ACCESS_KEY: 'other-secret' }),
      'AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID',
    ],
    ['nothing listens there', () => open('s3://documents/install-1?endpoint=http://127.0.0.1:9'), 'nothing listens there'],
  ])('reports that %s, without key or secret', async (_why, opening, says) => {
    const broken = opening()
    for (const work of [() => broken.put(KEY, BYTES), () => broken.get(KEY), () => broken.clear(FOLDER), () => broken.probe()]) {
      const fault = await faultOf(work())
      expect(fault.message).toMatch(/^The document store s3:\/\/(no-)?documents\/install-1 at 127\.0\.0\.1:\d+ cannot be used: /)
      expect(fault.message).toContain(says)
      const everything = JSON.stringify([{ ...fault }, fault.message, fault.stack, fault.cause])
      expect([ACCESS_KEY, SECRET_KEY, 'OTHER', 'other-secret'].filter((secret) => everything.includes(secret))).toEqual([])
      expect(isEngineUnavailable(fault)).toBe(true)
    }
  })

  it("uses the machine's role if no key is set, and states what to set if there is neither", async () => {
    process.env.AWS_EC2_METADATA_DISABLED = 'true'
    const none = open(undefined, { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' })
    expect((await faultOf(none.get(KEY))).message).toContain('there is no key: set AWS_ACCESS_KEY_ID')
    delete process.env.AWS_EC2_METADATA_DISABLED
  })
})
