import { once } from 'node:events'
import { readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Blobs } from '#domain/engines/blobs.ts'
import { openBucket } from '#domain/engines/bucket.ts'
import { openFolder } from '#domain/engines/folder.ts'
import { openLog } from '#domain/engines/log.ts'
import type { BucketSettings } from '#domain/kernel/bucket-settings.ts'
import { readConfig } from '#domain/kernel/config.ts'
import { openArchive } from '#domain/maps/basemap/archive.ts'
import { currentBasemap, deleteUnusedPieces, importBasemap, type StoredBasemap, storedRanges } from '#domain/maps/basemap/store.ts'
import { basemapStyle } from '#domain/maps/basemap/style.ts'
import { checkStored } from '#domain/observability/check-stored.ts'
import { createApiServer } from '#rest/host.ts'
import { aBasemap } from '#test/support/basemap.ts'
import { HOUR } from '#test/support/clock.ts'
import { ACCESS_KEY, type ObjectStore, openObjectStore, SECRET_KEY } from '#test/support/object-store.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { jobOf } from '#workers/jobs.ts'

type Host = Awaited<ReturnType<typeof createApiServer>>

let world: World
let host: Host
let archive: Buffer
beforeAll(async () => {
  // The test reads and truncates pieces in place: the store is a folder.
  world = await openWorld({ config: { bucket: null } })
  host = await createApiServer(world.app)
  archive = aBasemap({ attribution: '<a href="https://example.com" onclick="alert(1)">Example</a> & more' })
})
afterAll(async () => {
  await host.close()
})
afterEach(async () => {
  await ask('DELETE')
  world.clock.advance(60_000)
})

const authorization = `Bearer ${OPERATOR_KEY}`
const ask = (method: 'GET' | 'DELETE') => host.inject({ method, url: '/operator/basemap', headers: { authorization } })
const send = (bytes: Buffer, name = 'texas.pmtiles', headers = { authorization }) =>
  host.inject({
    method: 'POST',
    url: `/operator/basemap?file_name=${name}`,
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    payload: bytes,
  })
/** Files in the store; empty folders do not count. */
const kept = async () => {
  const found = await readdir(world.app.config.blobs, { recursive: true, withFileTypes: true }).catch(() => [])
  return found.flatMap((one) => (one.isFile() ? [path.join(path.basename(one.parentPath), one.name)] : [])).sort()
}
const style = async (from = host) => from.inject({ method: 'GET', url: '/map/basemap.json' })

describe('the basemap of the operator', () => {
  it('can be uploaded, described, used by any map, and removed', async () => {
    expect((await style()).statusCode).toBe(204)
    const answer = await send(archive)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        object: 'basemap',
        file_name: 'texas.pmtiles',
        bytes: archive.length,
        imported_at: expect.any(String),
        min_zoom: 0,
        max_zoom: 9,
        bounds: [-98, 32.4, -95.8, 33.9],
        attribution: 'Example  more',
      },
    ])
    expect((await ask('GET')).json()).toMatchObject({ object: 'basemap', file_name: 'texas.pmtiles', bytes: archive.length })
    world.clock.advance(60_000)
    const found = await style()
    const { source, layers, dark } = found.json()
    const unchanged = await host.inject({
      method: 'GET',
      url: '/map/basemap.json',
      headers: { 'if-none-match': String(found.headers.etag) },
    })
    expect(unchanged.statusCode).toBe(304)
    expect(source).toMatchObject({ minzoom: 0, maxzoom: 9, bounds: [-98, 32.4, -95.8, 33.9], attribution: 'Example  more' })
    expect(Object.keys(dark)).toEqual(expect.arrayContaining(layers.map(({ id }: { id: string }) => id)))
    const [tiles] = source.tiles as [string]
    const tile = await host.inject({
      method: 'GET',
      url: tiles.replace('{z}/{x}/{y}', '9/118/206'),
      headers: { 'accept-encoding': 'gzip' },
    })
    expect([tile.statusCode, tile.headers['cache-control'], tile.headers.etag]).toEqual([
      200,
      expect.stringContaining('immutable'),
      expect.any(String),
    ])
    expect(Object.keys(new VectorTile(new PbfReader(gunzipSync(tile.rawPayload))).layers).sort()).toEqual([
      'earth',
      'places',
      'roads',
      'water',
    ])
    const again = await host.inject({
      method: 'GET',
      url: tiles.replace('{z}/{x}/{y}', '9/118/206'),
      headers: { 'if-none-match': String(tile.headers.etag) },
    })
    expect(again.statusCode).toBe(304)
    expect((await host.inject({ method: 'GET', url: tiles.replace('{z}/{x}/{y}', '9/1/1') })).statusCode).toBe(204)
    for (const none of ['10/1/1', '2/9/9'])
      expect((await host.inject({ method: 'GET', url: tiles.replace('{z}/{x}/{y}', none) })).statusCode).toBe(404)
    expect((await ask('DELETE')).json()).toEqual({ object: 'basemap', removed: true })
    world.clock.advance(60_000)
    expect([(await style()).statusCode, (await ask('GET')).statusCode, (await ask('DELETE')).statusCode]).toEqual([204, 404, 404])
    expect(await kept()).toEqual([])
  })

  it('that is cut off by its sender is refused, and nothing of it stays', async () => {
    const lines: string[] = []
    const log = openLog('info', { write: (line: string) => void lines.push(line) })
    const logged = await createApiServer({ ...world.app, log })
    await logged.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((logged.server.address() as AddressInfo).port, '127.0.0.1')
    const head = ['POST /operator/basemap?file_name=texas.pmtiles HTTP/1.1', 'Host: a', `Authorization: ${authorization}`]
    socket.write([...head, 'Content-Type: application/octet-stream', `Content-Length: ${archive.length}`, '', ''].join('\r\n'))
    socket.write(archive.subarray(0, 200))
    await once(logged.server, 'request')
    await new Promise((resolve) => setTimeout(resolve, 200))
    socket.destroy()
    await expect.poll(() => lines.filter((line) => line.includes('"answered"')).length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(lines.filter((line) => line.includes('request failed'))).toEqual([])
    expect(await kept()).toEqual([])
    await logged.close()
  })

  it('is refused with the reason if it is invalid, and the one before stays', async () => {
    await send(archive)
    const before = await kept()
    const longer = Buffer.concat([archive, Buffer.from('more')])
    const broken = Buffer.from(archive)
    // The metadata follows the header and the directory.
    const at = Number(broken.readBigUInt64LE(24))
    broken.fill(0, at, at + 8)
    for (const [bytes, sentence] of [
      [Buffer.alloc(0), 'It is not a PMTiles file: it does not start like one.'],
      [Buffer.from('%PDF-1.7 '.repeat(100)), 'It is not a PMTiles file: it does not start like one.'],
      [archive.subarray(0, 100), 'It is not a PMTiles file: it does not start like one.'],
      [aBasemap({ version: 2 }), 'It is a PMTiles file of version 2; only version 3 can be read.'],
      [aBasemap({ tile_type: 2 }), 'Its tiles are PNG pictures: only vector tiles (MVT) can be drawn.'],
      [aBasemap({ tile_type: 99 }), 'Its tiles are of an unknown type: only vector tiles (MVT) can be drawn.'],
      [aBasemap({ layers: ['transportation'] }), expect.stringMatching(/^It has none of the layers that are drawn: earth, /)],
      [archive.subarray(0, -1), `It is cut off: ${archive.length - 1} of the ${archive.length} bytes that its header states are there.`],
      [longer, `It is longer than the ${archive.length} bytes that its header states.`],
      [broken, expect.stringMatching(/^Its metadata cannot be read: /)],
      // Some 9 kB, of which a directory of 9 MB is unpacked: two million entries.
      [aBasemap({ root: Buffer.alloc(9 * 1024 * 1024, 1) }), 'Its metadata cannot be read: a part of it is larger than any part of a map.'],
    ] as const) {
      const answer = await send(bytes, 'other.pmtiles')
      expect([answer.statusCode, answer.json().errors]).toEqual([422, { file: [sentence] }])
      expect(await kept()).toEqual(before)
    }
    expect((await ask('GET')).json().file_name).toBe('texas.pmtiles')
  })

  it('stores nothing of an upload that breaks off', async () => {
    async function* half() {
      yield archive.subarray(0, 9_000_000)
      yield archive.subarray(9_000_000, 9_000_001)
      throw new Error('the connection is gone')
    }
    await expect(importBasemap(world.app, half(), 'half.pmtiles')).rejects.toThrow('the connection is gone')
    expect(await kept()).toEqual([])
  })

  it('is for the operator only, under a separate path', async () => {
    expect((await send(archive, 'x', { authorization: 'Bearer wo_wrong-key-of-nobody-0000' })).statusCode).toBe(401)
    expect((await send(archive, '..%2Fx')).json().errors).toEqual({
      file_name: ['The file name must be 1 to 255 characters, without folders.'],
    })
  })

  it('replaces the one before, of which nothing stays', async () => {
    await send(archive)
    const before = await kept()
    await send(aBasemap(), 'next.pmtiles')
    const after = await kept()
    expect([before.length, after.length, after.filter((name) => before.includes(name))]).toEqual([2, 2, ['basemap/current']])
    expect((await ask('GET')).json().file_name).toBe('next.pmtiles')
  })

  it('stays whole if the pieces of the one before cannot be deleted', async () => {
    await send(archive)
    const old = (await currentBasemap(world.app)) as StoredBasemap
    const blobs: Blobs = {
      ...world.app.blobs,
      clear: async (folder) => {
        if (folder === old.folder) throw new Error('the store timed out')
        await world.app.blobs.clear(folder)
      },
    }
    const { bytes } = await importBasemap({ ...world.app, blobs }, parts(aBasemap()), 'next.pmtiles')
    const current = (await currentBasemap(world.app)) as StoredBasemap
    expect([current.file_name, current.bytes]).toEqual(['next.pmtiles', bytes])
    expect((await storedRanges(world.app, current).read(0, bytes)).length).toBe(bytes)
    await world.app.blobs.clear(old.folder)
  })

  it('stays whole if its name is written but not confirmed; nothing stays if its name is not written', async () => {
    await send(archive)
    const before = await kept()
    const failing = (write: boolean): Blobs => ({
      ...world.app.blobs,
      put: async (key, bytes) => {
        if (key !== 'basemap/current') return world.app.blobs.put(key, bytes)
        if (write) await world.app.blobs.put(key, bytes)
        throw new Error('the store timed out')
      },
    })
    const importWith = (write: boolean) => importBasemap({ ...world.app, blobs: failing(write) }, parts(aBasemap()), 'next.pmtiles')
    await expect(importWith(false)).rejects.toThrow('the store timed out')
    expect(await kept()).toEqual(before)
    const old = (await currentBasemap(world.app)) as StoredBasemap
    await expect(importWith(true)).rejects.toThrow('the store timed out')
    const current = (await currentBasemap(world.app)) as StoredBasemap
    expect(current.file_name).toBe('next.pmtiles')
    expect((await storedRanges(world.app, current).read(0, current.bytes)).length).toBe(current.bytes)
    await world.app.blobs.clear(old.folder)
  })

  it('is all that stays of several imports: pieces that no basemap uses are deleted a day later', async () => {
    await send(archive)
    const before = await kept()
    await world.app.blobs.put('basemap-of-a-killed-import/0', archive)
    const stayed = await kept()
    await deleteUnusedPieces(world.app)
    expect(await kept()).toEqual(stayed)
    world.clock.advance(25 * HOUR)
    await jobOf('basemap.clear').run(world.app, {})
    expect([stayed.length, await kept()]).toEqual([before.length + 1, before])
  })

  it('is checked with all stored files: a truncated or missing piece is named', async () => {
    await send(archive)
    const stored = (await currentBasemap(world.app)) as StoredBasemap
    const look = () => checkStored(world.app, 'basemap:', true)
    expect(await look()).toEqual({ checked: 1, faults: [], next: 'source_files:' })
    const fault = {
      kind: 'basemap',
      team_id: null,
      subject: 'texas.pmtiles, piece 1 of 1',
      detail: expect.stringContaining('import'),
      repaired: false,
    }
    const piece = path.join(world.app.config.blobs, stored.folder, '0')
    await truncate(piece, archive.length - 1)
    expect((await look()).faults).toEqual([fault])
    await rm(piece)
    expect((await look()).faults).toEqual([fault])
  })

  it('is stored in a bucket as in a folder, and read in parts', async () => {
    const store = await openObjectStore()
    const opened = openBucket(settingsOf(store))
    const app = { ...world.app, blobs: opened }
    try {
      const imported = await importBasemap(app, parts(archive), 'texas.pmtiles')
      expect(imported.bytes).toBe(archive.length)
      const stored = await currentBasemap(app)
      const ranges = storedRanges(app, stored as NonNullable<typeof stored>)
      expect((await ranges.read(100, 50)).equals(archive.subarray(100, 150))).toBe(true)
      expect(store.requests.some(({ headers }) => headers.range === 'bytes=100-149')).toBe(true)
    } finally {
      opened.close()
      await store.close()
    }
  })

  it('is read again after a read of it failed once', async () => {
    const file = aBasemap({ has_leaves: true })
    let fails = false
    const opened = await openArchive({
      async read(offset, length) {
        if (fails) throw new Error('the store timed out')
        return file.subarray(offset, offset + length)
      },
    })
    fails = true
    await expect(opened.tile(9, 118, 206)).rejects.toThrow('the store timed out')
    fails = false
    const plain = await openArchive({ read: async (offset, length) => archive.subarray(offset, offset + length) })
    expect(await opened.tile(9, 118, 206)).toEqual(await plain.tile(9, 118, 206))
  })

  it('stays in use while the store cannot be asked for it, and is 503, not absent, if it was never read', async () => {
    await send(archive)
    let fails = false
    const failing = <Args extends unknown[], Answer>(real: (...args: Args) => Promise<Answer>) => {
      return async (...args: Args) => {
        if (fails) throw new Error('the store timed out')
        return real(...args)
      }
    }
    const blobs: Blobs = { ...world.app.blobs, get: failing(world.app.blobs.get), read: failing(world.app.blobs.read) }
    const served = await createApiServer({ ...world.app, blobs })
    // Of the pieces it can read the header, but no other part.
    const read: Blobs['read'] = (key, offset, length) => (offset === 0 ? world.app.blobs : blobs).read(key, offset, length)
    const late = await createApiServer({ ...world.app, blobs: { ...world.app.blobs, read } })
    try {
      world.clock.advance(60_000)
      const { source } = (await style(served)).json()
      const tileFrom = (from: Host) => from.inject({ method: 'GET', url: source.tiles[0].replace('{z}/{x}/{y}', '9/1/1') })
      fails = true
      world.clock.advance(60_000)
      expect((await style(served)).json().source).toEqual(source)
      for (const answer of [await style(late), await tileFrom(late), await tileFrom(late)])
        expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '10'])
      fails = false
      world.clock.advance(60_000)
      expect([(await tileFrom(served)).statusCode, (await tileFrom(late)).statusCode]).toEqual([204, 204])
    } finally {
      await served.close()
      await late.close()
    }
  })

  it('is read across the borders of its pieces', async () => {
    const blobs = openFolder(path.join(world.app.config.home, 'pieces'))
    for (const [piece, text] of ['abc', 'def', 'g'].entries()) await blobs.put(`b/${piece}`, Buffer.from(text))
    const ranges = storedRanges({ blobs }, { folder: 'b', bytes: 7, piece_bytes: 3, file_name: '', imported_at: '' })
    expect((await ranges.read(1, 5)).toString()).toBe('bcdef')
    expect((await ranges.read(5, 100)).toString()).toBe('fg')
    await blobs.remove('b/1')
    await expect(ranges.read(1, 5)).rejects.toThrow('a piece of the basemap is gone')
  })
})

describe('the basemap setting', () => {
  it('is a file, an archive on a server, or tiles of another host, the only host that the page may request', async () => {
    const file = path.join(world.app.config.home, 'own.pmtiles')
    await writeFile(file, archive)
    const opened = async (basemap: World['app']['config']['basemap']) =>
      createApiServer({ ...world.app, config: { ...world.app.config, basemap } })
    const own = await opened({ kind: 'file', path: file })
    expect((await style(own)).json().source.maxzoom).toBe(9)
    expect((await own.inject('/map')).headers['content-security-policy']).toContain("connect-src 'self';")
    await own.close()
    const missing = await opened({ kind: 'file', path: `${file}.none` })
    expect((await style(missing)).statusCode).toBe(204)
    await missing.close()
    const url = 'https://maps.example.com/{z}/{x}/{y}.mvt'
    const external = await opened({ kind: 'tiles', url, origin: 'https://maps.example.com' })
    expect((await style(external)).json().source).toEqual({
      type: 'vector',
      tiles: [url],
      maxzoom: 15,
      attribution: '© OpenStreetMap contributors',
    })
    expect((await external.inject('/map')).headers['content-security-policy']).toContain("connect-src 'self' https://maps.example.com;")
    await external.close()
  })

  it('has another version once its file is replaced in place, and is read anew', async () => {
    const file = path.join(world.app.config.home, 'replaced.pmtiles')
    const served = await createApiServer({ ...world.app, config: { ...world.app.config, basemap: { kind: 'file', path: file } } })
    const tileOf = async () => {
      world.clock.advance(60_000)
      const [url] = (await style(served)).json().source.tiles as [string]
      const { statusCode, rawPayload } = await served.inject({
        method: 'GET',
        url: url.replace('{z}/{x}/{y}', '9/118/206'),
        headers: { 'accept-encoding': 'gzip' },
      })
      return { url, statusCode, tile: gunzipSync(rawPayload) }
    }
    await writeFile(file, archive)
    const before = await tileOf()
    expect(await tileOf()).toEqual(before)
    await writeFile(file, aBasemap({ has_leaves: true }))
    const after = await tileOf()
    expect([after.statusCode, after.tile.equals(before.tile), after.url === before.url]).toEqual([200, true, false])
    await rm(file)
    world.clock.advance(60_000)
    expect((await style(served)).json().source.tiles).toEqual([after.url])
    await served.close()
  })

  it('allows no fonts and no pictures of another host', () => {
    const text = JSON.stringify(basemapStyle())
    expect(text).not.toMatch(/Noto|icon-|https?:/)
    expect(text).toContain('Inter Semibold')
  })
})

const settingsOf = (store: ObjectStore) =>
  readConfig({
    DATABASE_URL: 'postgresql://localhost/x',
    WEATHER_SECRET_KEY: Buffer.alloc(32).toString('base64'),
    WEATHER_BLOBS: store.address(),
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET_KEY,
  }).bucket as BucketSettings

async function* parts(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
