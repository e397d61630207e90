import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { encode } from 'fast-png'
import { describe, expect, it } from 'vitest'
import { pictureSize } from '#domain/engines/picture-size.ts'
import { openPictures, PictureRefused } from '#domain/engines/pictures.ts'
import { photographsOf } from '#domain/reports/document/imagery.ts'
import { configFor } from '#test/support/config-for.ts'
import { chunkOf, pngOf } from '#test/support/pictures.ts'

const config = configFor({ database_url: 'postgresql://none' })
const logged: unknown[] = []
const pictures = openPictures(config, { error: (facts: unknown) => logged.push(facts) })
const SECRET = Buffer.from('not-a-pixel')

/** A photograph with a comment inside and bytes after its end. */
async function photograph(): Promise<Buffer> {
  const { default: encodeJpeg, init } = await import('@jsquash/jpeg/encode.js')
  await init(new WebAssembly.Module(await readFile('node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm')))
  const data = Uint8ClampedArray.from({ length: 64 * 48 * 4 }, (_, at) => (at % 4 === 3 ? 255 : (at * 7) % 251))
  const jpeg = Buffer.from(await encodeJpeg({ data, width: 64, height: 48, colorSpace: 'srgb' } as ImageData))
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 2 + SECRET.length]), SECRET])
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), SECRET])
}

/** WebP of each kind, by the name of its first chunk: lossy, lossless, and extended by transparency. */
async function webps(): Promise<[kind: string, picture: Buffer][]> {
  const { default: encodeWebp, init } = await import('@jsquash/webp/encode.js')
  await init(new WebAssembly.Module(await readFile('node_modules/@jsquash/webp/codec/enc/webp_enc.wasm')))
  const kinds = [
    ['VP8 ', { lossless: 0, alpha: 255 }],
    ['VP8L', { lossless: 1, alpha: 255 }],
    ['VP8X', { lossless: 0, alpha: 100 }],
  ] as const
  return Promise.all(
    kinds.map(async ([kind, { lossless, alpha }]): Promise<[string, Buffer]> => {
      const data = Uint8ClampedArray.from({ length: 65 * 48 * 4 }, (_, at) => (at % 4 === 3 ? alpha : (at * 7) % 251))
      return [kind, Buffer.from(await encodeWebp({ data, width: 65, height: 48, colorSpace: 'srgb' } as ImageData, { lossless }))]
    }),
  )
}

type Get = (url: string, options: { headers?: unknown }) => Promise<{ status: number; body: Buffer }>

/** The photographs of a report at 35, -97, from providers that respond with `get`. */
function photographs(imagery: 'aerial' | 'street_view', get: Get) {
  const facts = { report: { address: { latitude: 35, longitude: -97 }, layout: { sections: ['imagery'], imagery: [imagery] } } }
  const log = { warn: () => {} }
  const engines = { http: { get }, log, pictures, config: { ...config, aerial_imagery: true, mapillary_token: 'street' } }
  return photographsOf(engines as unknown as Parameters<typeof photographsOf>[0], facts as unknown as Parameters<typeof photographsOf>[1])
}

describe('pictures from untrusted sources', () => {
  it('are redrawn from their pixels without any other content', async () => {
    const data = Uint8Array.from({ length: 20 * 10 * 4 }, (_, at) => (at * 13) % 256)
    const png = Buffer.from(encode({ width: 20, height: 10, data, channels: 4, depth: 8 }))
    const oversized = Buffer.concat([
      png.subarray(0, 33),
      chunkOf('tEXt', Buffer.concat([Buffer.from('a\0'), SECRET])),
      png.subarray(33),
      SECRET,
    ])
    for (const [picture, size] of [
      [oversized, { format: 'png', width: 20, height: 10 }],
      [await photograph(), { format: 'jpeg', width: 64, height: 48 }],
    ] as const) {
      const remade = await pictures.remake(picture, 'a team')
      expect(pictureSize(remade)).toEqual(size)
      expect(picture.includes(SECRET)).toBe(true)
      expect(remade.includes(SECRET)).toBe(false)
    }
  })

  it('of WebP, of whatever kind, become JPEG, and PNG if they are transparent', async () => {
    const size = { width: 65, height: 48 }
    for (const [kind, picture] of await webps()) {
      expect([picture.toString('latin1', 12, 16), pictureSize(picture)]).toEqual([kind, { format: 'webp', ...size }])
      const remade = pictureSize(await pictures.remake(picture, 'a team'))
      expect(remade).toEqual({ format: kind === 'VP8X' ? 'png' : 'jpeg', ...size })
    }
  })

  it('are refused in any other format, including SVG', async () => {
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<?xml version="1.0"?><svg/>',
      'GIF89a',
      '%PDF-1.7',
      'BM',
      '',
      '\xff\xd8',
    ])
      await expect(pictures.remake(Buffer.from(text, 'latin1'), 'a team')).rejects.toThrow(
        new PictureRefused('must be a PNG, JPEG or WebP image'),
      )
  })

  it('with too many pixels are refused before they are unpacked', async () => {
    // Nothing of its pixels is there to be unpacked.
    const header = pngOf(12_000, 12_000).subarray(0, 64)
    await expect(pictures.remake(header, 'a team')).rejects.toThrow('has 12000 x 12000 pixels')
    const jpeg = await photograph()
    const frame =
      jpeg.indexOf(Buffer.from([0xff, 0xc2])) > 0 ? jpeg.indexOf(Buffer.from([0xff, 0xc2])) : jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    jpeg.writeUInt32BE(0xffffffff, frame + 5)
    await expect(pictures.remake(jpeg, 'a team')).rejects.toThrow('has 65535 x 65535 pixels')
  })

  it('that unpack to more than they state affect only themselves', async () => {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(100, 0)
    header.writeUInt32BE(100, 4)
    header.set([8, 0, 0, 0, 0], 8)
    const gigabyte = deflateSync(Buffer.alloc(400_000_000), { level: 1 })
    const bomb = Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunkOf('IHDR', header),
      chunkOf('iCCP', Buffer.concat([Buffer.from('p\0\0'), gigabyte])),
      chunkOf('IDAT', gigabyte),
      chunkOf('IEND', Buffer.alloc(0)),
    ])
    const before = process.memoryUsage().rss
    await pictures.remake(bomb, 'a team').catch((fault) => expect(fault).toBeInstanceOf(PictureRefused))
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
    expect(pictureSize(await pictures.remake(pngOf(30, 40), 'a team'))).toEqual({ format: 'png', width: 30, height: 40 })
  })

  it('that are damaged anywhere are either redrawn or refused', async () => {
    const originals = [await photograph(), pngOf(64, 48)]
    for (let nth = 0; nth < 8; nth++) {
      const damaged = Buffer.from(originals[nth % 2] as Buffer)
      const at = 12 + ((nth * 7_919) % (damaged.length - 12))
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0xff, at)
      const answer = await pictures.remake(nth % 3 ? damaged : damaged.subarray(0, damaged.length / 2), 'a team').catch((fault) => fault)
      expect(answer instanceof PictureRefused || pictureSize(answer) !== null).toBe(true)
    }
  })

  it('are not blamed for a process that cannot start or is killed, whose end is logged', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'weather-pictures-'))
    const program = path.join(folder, 'node')
    const { execPath } = process
    const ends = [
      [null, 'status 127'],
      ['#!/bin/sh\nkill -9 $$\n', 'SIGKILL'],
      ['#!/bin/sh\necho no memory left >&2; exit 1\n', 'status 1: no memory left'],
    ] as const
    try {
      process.execPath = program
      for (const [script, reason] of ends) {
        if (script !== null) await writeFile(program, script, { mode: 0o700 })
        logged.length = 0
        const picture = pictures.remake(pngOf(31, 41), 'a team')
        await expect(picture).rejects.toMatchObject({ code: 'engine_unavailable', status: 503, details: { retry_after: 30 } })
        expect(logged).toEqual([{ reason: expect.stringContaining(`its process ended with ${reason}`) }])
      }
    } finally {
      process.execPath = execPath
      await rm(folder, { recursive: true })
    }
    expect(pictureSize(await pictures.remake(pngOf(31, 41), 'a team'))).toMatchObject({ width: 31, height: 41 })
  })

  it('of one team delay none of another, and only a few wait', async () => {
    const order: string[] = []
    const flood = Array.from({ length: 12 }, (_, nth) =>
      pictures.remake(pngOf(50 + nth, 50), 'flood').then(
        () => order.push('flood'),
        (fault) => fault.code,
      ),
    )
    await pictures.remake(pngOf(49, 50), 'other')
    expect(order.length).toBeLessThan(3)
    expect((await Promise.all(flood)).filter((outcome) => outcome === 'rate_limited')).toHaveLength(1)
  })

  it('from a provider never reach a document unchanged', async () => {
    const sent = await photograph()
    const [shown] = await photographs('aerial', async () => ({ status: 200, body: sent }))
    expect(pictureSize(shown?.bytes as Buffer)).toEqual({ format: 'jpeg', width: 64, height: 48 })
    expect(shown?.bytes?.includes(SECRET)).toBe(false)
  })

  it('of the street are found around the address, and fetched without the token', async () => {
    const sent = await photograph()
    const thumbnail = 'https://pictures.example/1024.jpg'
    const requests: [url: string, headers: unknown][] = []
    const found = (data: object[]) => ({ status: 200, body: Buffer.from(JSON.stringify({ data })) })
    const [shown] = await photographs('street_view', async (url, { headers }) => {
      requests.push([url, headers])
      return url === thumbnail ? { status: 200, body: sent } : found([{ thumb_1024_url: thumbnail }])
    })
    expect(pictureSize(shown?.bytes as Buffer)).toMatchObject({ format: 'jpeg' })
    expect(requests).toEqual([
      [
        expect.stringMatching(/^https:\/\/graph\.mapillary\.com\/images\?.*bbox=-97\.0006\d+,34\.999500,-96\.9993\d+,35\.000500$/),
        { Authorization: 'OAuth street' },
      ],
      [thumbnail, undefined],
    ])
    // None there, an address that is not https, a refusal, and no JSON.
    for (const answer of [
      found([]),
      found([{ thumb_1024_url: 'http://pictures.example' }]),
      { ...found([]), status: 401 },
      { status: 200, body: sent },
    ])
      expect(await photographs('street_view', async () => answer)).toMatchObject([{ bytes: null }])
  })
})
