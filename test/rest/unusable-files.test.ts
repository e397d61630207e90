import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sources } from '#domain/archive/sources/index.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
beforeAll(async () => {
  world = await openWorld()
  rest = await openRest(world)
})
afterAll(async () => {
  await rest.close()
  await world.close()
})

const POINTS = 'address-points'

/** A name that each source accepts as one of its own files. */
const names: Record<string, string> = {
  'storm-events': 'StormEvents_details-ftp_v1.0_d2019_c20250101.csv',
  'spc-reports': '240513_rpts_hail.csv',
  'local-reports': 'lsr.txt',
  mesh: 'MRMS_MESH_00.50_20250528-220000.grib2',
  'radar-hail': 'hail-2025-05-28.csv',
  warnings: 'warnings.txt',
  observations: 'metar-2025-06.txt',
  zones: 'bp18mr25.dbx',
  sample: 'StormEvents_details-sample_v1.0_d2025_c20250601.csv',
  [POINTS]: 'points.csv',
}

async function send(source: string, file: Buffer) {
  const answer = await rest.fastify.inject({
    method: 'POST',
    url: `/operator/archive/${source}?file_name=${names[source]}`,
    headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/octet-stream' },
    payload: file,
  })
  return { status: answer.statusCode, body: answer.json() }
}

/** Meaningless bytes, the same in every run. */
const noise = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (Math.imul(at + 1, 2_654_435_761) >>> 13) & 255))
const garbage: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  'blank lines': Buffer.from('\n\r\n \n'),
  'a page of an error': Buffer.from('<!DOCTYPE html><html><body><h1>404 Not Found</h1></body></html>\n'),
  prose: Buffer.from('Dear all,\nplease find the file attached.\nYours, Jo\n'),
  'an empty object': Buffer.from('{}'),
  'an empty list': Buffer.from('[]'),
  'a list of numbers': Buffer.from('[1, 2, 3]\n'),
  'columns of something else': Buffer.from('a,b,c\n1,2,3\n4,5,6\n'),
  noise,
  'packed noise': gzipSync(noise),
  zeros: Buffer.alloc(70_000),
  'a picture': Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex'),
}

describe('a file without a usable row', () => {
  const cases = [...sources.map(({ slug }) => slug), POINTS].flatMap((source) =>
    Object.keys(garbage).map((what) => [source, what] as const),
  )
  it.each(cases)('%s refuses %s', async (source, what) => {
    const { status, body } = await send(source, garbage[what] as Buffer)
    expect([status, body.code, Object.keys(body.errors ?? {})]).toEqual([422, 'validation_failed', ['file']])
    const { rows } = await world.owner.query(
      'SELECT (SELECT count(*) FROM archive_records) + (SELECT count(*) FROM coverage) + (SELECT count(*) FROM address_points) AS held',
    )
    expect(rows).toEqual([{ held: '0' }])
  })

  it('is refused with the first row and the reason, if the head is right and no row is', async () => {
    const files: Record<string, string> = {
      'spc-reports': 'Time,Size,Location,County,State,Lat,Lon,Comments\n9999,x,Nowhere,None,ZZ,a,b,c\n',
      'radar-hail': '#ZTIME,LON,LAT,WSR_ID,CELL_ID,RANGE,AZIMUTH,SEVPROB,PROB,MAXSIZE\nx,y,z,1,2,3,4,5,6,7\n',
      [POINTS]: 'LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n0,0,1,Main St,Frisco,TX,75034\n',
    }
    for (const [source, text] of Object.entries(files)) {
      const { status, body } = await send(source, Buffer.from(text))
      expect([status, body.code]).toEqual([422, 'validation_failed'])
      expect(body.errors.file[0], source).toMatch(/^No row of this file can be used\. Of 1 read, the first is (line|row) \d/)
    }
  })
})

describe('address points', () => {
  const HEAD = 'LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n'
  const good = (nth: number) => `-96.8241,33.1499,${nth},Main Street,Frisco,TX,75034\n`
  const feature = (properties: object) =>
    JSON.stringify({ type: 'Feature', geometry: { type: 'Point', coordinates: [-96.8241, 33.1499] }, properties })
  const place = { street: 'Main Street', city: 'Frisco', region: 'TX', postcode: '75034' }

  const broken: [what: string, file: string, said: RegExp][] = [
    [
      'a quote that is never closed',
      `${HEAD}${good(1)}-96.8,33.1,"2,Main Street,Frisco,TX,75034\n${good(3)}`,
      /^Row 2 cannot be read: its quote is never closed/,
    ],
    ['a row without an end', `${HEAD}${good(1)}${good(2)}${'x'.repeat(200_000)}`, /^Row 3 cannot be read: it is longer than 64 kB/],
  ]
  it.each(broken)('%s is 422, and the row is named', async (_what, file, message) => {
    const { status, body } = await send(POINTS, Buffer.from(file))
    expect([status, body.code]).toEqual([422, 'validation_failed'])
    expect(body.errors.file[0]).toMatch(message)
  })

  const rejected: [what: string, row: string, reason: RegExp][] = [
    ['a NUL', '-96.8241,33.1499,2,Main\u0000 Street,Frisco,TX,75034\n', /characters that no address has/],
    ['a control character', '-96.8241,33.1499,2,Main\u0007 Street,Frisco,TX,75034\n', /characters that no address has/],
    ['a turn of direction', '-96.8241,33.1499,2,\u202eteertS niaM,Frisco,TX,75034\n', /characters that no address has/],
    ['bytes that are no UTF-8', '-96.8241,33.1499,2,Main \ufffd Street,Frisco,TX,75034\n', /characters that no address has/],
    ['a street of 5,000 letters', `-96.8241,33.1499,2,${'Main'.repeat(1250)},Frisco,TX,75034\n`, /too long/],
    ['a town of 5,000 letters', `-96.8241,33.1499,2,Main Street,${'Frisco'.repeat(900)},TX,75034\n`, /too long/],
    ['too few columns', '-96.8241,33.1499\n', /no house number/],
    ['no number for a latitude', '-96.8241,north,2,Main Street,Frisco,TX,75034\n', /no coordinates/],
  ]
  it.each(rejected)('a row with %s is rejected by its number, and the others are stored', async (_what, row, reason) => {
    const { status, body } = await send(POINTS, Buffer.from(`${HEAD}${good(1)}${row}${good(3)}`))
    expect([status, body.rows, body.inserted, body.rejected]).toEqual([200, 3, 2, 1])
    expect(body.rejections).toEqual([{ row: '2', reason: expect.stringMatching(reason) }])
  })

  it('validates GeoJSON as strictly', async () => {
    const rows = [
      feature({ ...place, number: '1' }),
      feature({ ...place, number: '2', street: 'Main\u0000 Street' }),
      feature({ ...place, number: '3', street: '\ud800' }),
      feature({ ...place, number: '4', city: 'x'.repeat(70_000) }),
      feature({ ...place, number: '5' }),
    ]
    const { status, body } = await send(POINTS, Buffer.from(`${rows.join('\n')}\n`))
    expect([status, body.rows, body.inserted, body.rejected]).toEqual([200, 5, 2, 3])
    expect(body.rejections.map(({ row }: { row: string }) => row)).toEqual(['2', '3', '4'])
  })
})
