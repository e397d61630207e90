import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { localReports } from '#domain/archive/sources/local-reports.ts'
import type { Batch } from '#domain/archive/sources/source.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import { openWorld, type World } from '../../support/world.ts'
import { fifteenProducts } from './local-reports.golden.ts'

const folder = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'lsr')
const present = existsSync(folder)
const skipped = present ? '' : ' (skipped: real records not present)'
const texts = present ? readdirSync(path.join(folder, 'text')).sort() : []
const bytesOf = (name: string) => readFileSync(path.join(folder, 'text', name))

async function read(bytes: Buffer, file_name: string): Promise<Batch> {
  const { batches } = await localReports.read({ file_name, bytes: Readable.from([bytes]) })
  for await (const batch of batches) return batch
  throw new Error('nothing was read')
}

describe.skipIf(!present)(`the products of the offices${skipped}`, () => {
  /** Files that the publisher of this collection edited, or that an office mistyped. */
  const edgeCases: Record<string, number> = {
    'LSRBOX.txt': 1,
    'LSRGSP_future.txt': 1,
    'LSRJAN_fakeunits.txt': 1,
    'LSRJAN_NAN.txt': 1,
    'LSRTBW_badmnd.txt': 1,
  }

  it('give a record or a reason for each report, and refuse only known errors', async () => {
    let records = 0
    const refused: Record<string, number> = {}
    for (const name of texts) {
      const batch = await read(bytesOf(name), name)
      // The product's own date line has a time zone after its time.
      const lines =
        bytesOf(name)
          .toString('latin1')
          .match(/^\d{4} [AP]M(?! [A-Z]{3,4} )/gim)?.length ?? 0
      expect([batch.rows, batch.records.length + batch.rejections.length], name).toEqual([lines, lines])
      records += batch.records.length
      if (batch.rejections.length > 0) refused[name] = batch.rejections.length
    }
    expect(texts).toHaveLength(37)
    expect(Object.keys(refused).filter((name) => !(name in edgeCases))).toEqual([])
    expect(records).toBeGreaterThan(100)
  })

  it.each(fifteenProducts)("$file: matches a person's reading", async ({ file, reports }) => {
    const { records } = await read(bytesOf(file), file)
    const statedRows = records.map((record) => [
      record.begins_at.toISOString().slice(0, 16),
      record.type,
      record.hail_size_in ?? record.wind_gust_mph ?? record.wind_speed_mph ?? record.tornado_ef_scale,
      record.latitude,
      record.longitude,
    ])
    for (const report of reports) expect(statedRows).toContainEqual(report)
  })
})

const lubbock = path.join(folder, 'iem_lsrs_by_point_20250605_lubbock_trimmed.geojson')

describe.skipIf(!present)(`corrections${skipped}`, () => {
  let world: World
  beforeEach(async () => {
    await world?.close()
    world = await openWorld()
  })

  const storedRecords = async () => {
    const { rows } = await world.app.pool.query(
      `SELECT source_key, hail_size_in, latitude, withdrawn_at IS NOT NULL AS withdrawn, (SELECT count(*)::int FROM record_cells c WHERE c.record_id = r.id) AS cells
         FROM archive_records r ORDER BY source_key`,
    )
    return rows
  }
  const current = async () => (await storedRecords()).filter(({ withdrawn }) => !withdrawn)
  interface Collection {
    features: { properties: { product_id: string } }[]
  }
  const collection = (): Collection => JSON.parse(readFileSync(lubbock, 'utf8'))
  const importFeatures = (features: Collection['features']) =>
    ingest(world.app, 'local-reports', Readable.from([Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }))]), {
      file_name: 'lsr.geojson',
    })

  it('replace the report that they name, whatever changed: size, point or time', async () => {
    await importFeatures(collection().features)
    const reports = await current()
    const at = (place: string) => reports.filter(({ source_key }) => source_key.endsWith(place))
    expect(at('/2 ESE TATUM')).toMatchObject([{ hail_size_in: 3 }])
    expect(at('/5 N LEVELLAND')).toEqual([])
    expect(at('/7 N LEVELLAND')).toMatchObject([{ latitude: 33.71, cells: 1 }])
    expect(at('/5 NW ROGERS')).toMatchObject([{ source_key: '2025/KABQ/202506052134/TORNADO/NM-ROOSEVELT/5 NW ROGERS' }])
    expect(at('/7 S ANTON')).toHaveLength(1)
  })

  it('give the same result in any order of the products, and a repeat changes nothing', async () => {
    const { features } = collection()
    await importFeatures(features)
    const expected = await current()
    expect(await importFeatures(features)).toMatchObject({ inserted: 0, updated: 0, withdrawn: 0 })
    expect(await current()).toEqual(expected)
    await world.close()
    world = await openWorld()
    const products = [...new Set(features.map(({ properties }) => properties.product_id))].sort().reverse()
    for (const product of products) await importFeatures(features.filter(({ properties }) => properties.product_id === product))
    expect(await current()).toEqual(expected)
    for (const product of products.reverse())
      expect(await importFeatures(features.filter(({ properties }) => properties.product_id === product))).toMatchObject({
        inserted: 0,
        withdrawn: 0,
      })
    expect(await current()).toEqual(expected)
  })

  it('without a product id are keyed by their office and hold the last statement, in any order', async () => {
    await importFeatures(collection().features)
    const keys = (await current()).map(({ source_key }) => source_key)
    await world.close()
    world = await openWorld()
    const importNamed = (features: object[]) => importFeatures(features as Collection['features'])
    const named = collection().features.map((feature) => ({ ...feature, properties: { ...feature.properties, product_id: undefined } }))
    expect(await importNamed(named)).toMatchObject({ rejected: 0 })
    expect((await current()).map(({ source_key }) => source_key)).toEqual(keys)
    expect((await current()).find(({ source_key }) => source_key.endsWith('/2 ESE TATUM'))).toMatchObject({ hail_size_in: 3 })
    expect(await importNamed(named.toReversed())).toMatchObject({ inserted: 0, updated: 0, withdrawn: 0, rejected: 0 })
    const { rows } = await world.app.pool.query("SELECT DISTINCT citation_url FROM archive_records WHERE source = 'nws_lsr'")
    expect(rows).toEqual([{ citation_url: 'https://mesonet.agron.iastate.edu/lsr/' }])
  })

  it('mark no month as held, because a file does not show what it leaves out', async () => {
    await importFeatures(collection().features)
    expect((await world.app.pool.query('SELECT FROM coverage')).rowCount).toBe(0)
  })
})

/** A product of Des Moines on 23 July 2013, sent at `sent` UTC: reports by local time, place, point and remark. */
const product = (
  sent: string,
  reports: [time: string, place: string, point: string, remark?: string][],
  mark = '',
) => `NWUS53 KDMX 23${sent}
LSRDMX

PRELIMINARY LOCAL STORM REPORT${mark}
NATIONAL WEATHER SERVICE DES MOINES IA
653 PM CDT TUE JUL 23 2013

${reports
  .map(
    ([time, place, point, remark = '']) => `${time}     TSTM WND DMG     ${place.padEnd(24)}${point}
07/23/2013                   HARDIN             IA   TRAINED SPOTTER

            ${remark}

`,
  )
  .join('')}
&&

$$
`

describe('a correction', () => {
  const ELDORA = ['ELDORA', '42.36N 93.10W'] as const
  const original = product('2330', [['0620 PM', ...ELDORA, 'LARGE TREE DOWN.']])
  const remark = 'TIME CORRECTED FROM ORIGINAL STORM REPORT. LARGE TREE DOWN.'
  const retimed = product('2354', [['0635 PM', ...ELDORA, remark]])

  /** Local times and places of the current reports after files of these products are read in order. */
  async function currentReports(...products: string[]): Promise<string[]> {
    const world = await openWorld()
    for (const text of products) await ingest(world.app, 'local-reports', Readable.from([Buffer.from(text)]), { file_name: 'LSRDMX.txt' })
    const { rows } = await world.app.pool.query<{ stands: string }>(
      `SELECT to_char(begins_at AT TIME ZONE 'America/Chicago', 'HH24:MI ') || split_part(source_key, '/', 6) AS stands
         FROM archive_records WHERE withdrawn_at IS NULL ORDER BY 1`,
    )
    await world.close()
    return rows.map(({ stands }) => stands)
  }

  it('that only states a corrected time replaces the report with the earlier time, in any order', async () => {
    expect(await currentReports(original, retimed)).toEqual(['18:35 ELDORA'])
    expect(await currentReports(retimed, original)).toEqual(['18:35 ELDORA'])
    expect(await currentReports(original, retimed.replace(remark, 'CORRECTED TIME OF PREVIOUS REPORT.'))).toEqual(['18:35 ELDORA'])
  })

  it.each([
    ['of a time in words alone', 'TIME CORRECTED FROM PREVIOUS REPORT.'],
    ['that names the place', 'CORRECTS TIME OF PREVIOUS TSTM WND DMG REPORT FROM ELDORA.'],
  ])('%s replaces an earlier correction of the same report, in any order', async (_what, words) => {
    const again = product('2358', [['0625 PM', ...ELDORA, words]])
    expect(await currentReports(original, retimed, again)).toEqual(['18:25 ELDORA'])
    expect(await currentReports(again, retimed, original)).toEqual(['18:25 ELDORA'])
    expect(await currentReports(original, again, retimed)).toEqual(['18:25 ELDORA'])
  })

  it.each<[string, string[], string[]]>([
    ['of another place', [original.replace('ELDORA', 'UNION '), retimed], ['18:20 UNION', '18:35 ELDORA']],
    ['of another county', [original.replace('HARDIN', 'GRUNDY'), retimed], ['18:20 ELDORA', '18:35 ELDORA']],
    ['of another event', [original.replace('TSTM WND DMG', 'FUNNEL CLOUD'), retimed], ['18:20 ELDORA', '18:35 ELDORA']],
    ['of another office', [original.replace(/DMX/g, 'DVN'), retimed], ['18:20 ELDORA', '18:35 ELDORA']],
    ['of a later product', [original.replace('232330', '232358'), retimed], ['18:20 ELDORA', '18:35 ELDORA']],
    [
      'that its own product states again',
      [
        original,
        product('2354', [
          ['0620 PM', ...ELDORA],
          ['0635 PM', ...ELDORA, remark],
        ]),
      ],
      ['18:20 ELDORA', '18:35 ELDORA'],
    ],
    [
      'that is one of two which may be meant',
      [original, product('2340', [['0610 PM', ...ELDORA]]), retimed],
      ['18:10 ELDORA', '18:20 ELDORA', '18:35 ELDORA'],
    ],
    [
      'that was corrected already, if another may be meant',
      [original, retimed, product('2340', [['0550 PM', ...ELDORA]]), product('2358', [['0625 PM', ...ELDORA, remark]])],
      ['17:50 ELDORA', '18:25 ELDORA', '18:35 ELDORA'],
    ],
    [
      'without a word of its own, though its product is headed so',
      [original, product('2354', [['0635 PM', ...ELDORA]], '...CORRECTED')],
      ['18:20 ELDORA', '18:35 ELDORA'],
    ],
  ])('of a time does not replace a report %s', async (_what, products, expected) => {
    expect(await currentReports(...products)).toEqual(expected)
  })
})

describe('a file of local storm reports', () => {
  it('that has the wrong format is refused with a reason', async () => {
    await expect(read(Buffer.from('<html>busy</html>'), 'x.txt')).rejects.toMatchObject({
      details: { errors: { file: [expect.stringContaining('neither')] } },
    })
    await expect(read(Buffer.from('{"features":[{"type"'), 'x.geojson')).rejects.toMatchObject({
      details: { errors: { file: ['The GeoJSON is cut off or damaged.'] } },
    })
  })

  it('that joins products without the marks of their transmission has the reports of all', async () => {
    const product = (sent: string, place: string) => `000 \r\r\nNWUS54 KFWD ${sent}\r\r\nLSRFWD\r\r\n
PRELIMINARY LOCAL STORM REPORT
NATIONAL WEATHER SERVICE FORT WORTH TX
640 PM CDT THU JUN 5 2025

0615 PM     HAIL             ${place.padEnd(24)}33.18N 96.82W
06/05/2025  E1.75 INCH       COLLIN             TX   TRAINED SPOTTER

&&

$$
`
    const file = Buffer.from(product('052340', '2 N FRISCO') + product('052355', '3 N PLANO'))
    const { rows, records, rejections } = await read(file, 'LSRFWD.txt')
    expect([rows, rejections]).toEqual([2, []])
    expect(records.map(({ citation_url }) => citation_url.split('pid=')[1])).toEqual([
      '202506052340-KFWD-NWUS54-LSRFWD',
      '202506052355-KFWD-NWUS54-LSRFWD',
    ])
    const statedBytes = ({ span_start, span_length }: (typeof records)[number]) =>
      file.subarray(Number(span_start), Number(span_start) + Number(span_length)).toString()
    expect(records.map(statedBytes)).toEqual([expect.stringContaining('2 N FRISCO'), expect.stringContaining('3 N PLANO')])
  })

  it.each([
    ['EF2', 'EF', 2, 2],
    ['F0', 'F', 0, 0],
    ['EFU', 'EF', 'U', null],
    ['FU', 'F', 'U', null],
    ['', null, '', null],
  ])(
    'keeps a tornado rated "%s": a survey that could not rate a tornado did not withdraw it',
    async (rating, unit, magnitude, tornado_ef_scale) => {
      const text = `NWUS54 KFWD 061840
LSRFWD

PRELIMINARY LOCAL STORM REPORT
NATIONAL WEATHER SERVICE FORT WORTH TX
140 PM CDT FRI JUN 6 2025

0515 PM     TORNADO          2 N FRISCO              33.18N 96.82W
06/05/2025  ${rating.padEnd(17)}COLLIN             TX   NWS STORM SURVEY

&&
`
      const feature = {
        geometry: { type: 'Point', coordinates: [-96.82, 33.18] },
        properties: {
          valid: '2025-06-05T22:15:00Z',
          magnitude,
          city: '2 N Frisco',
          county: 'Collin',
          state: 'TX',
          source: 'NWS Storm Survey',
          typetext: 'TORNADO',
          product_id: '202506061840-KFWD-NWUS54-LSRFWD',
          unit,
        },
      }
      for (const [body, name] of [
        [text, 'LSRFWD.txt'],
        [JSON.stringify({ features: [feature] }), 'lsr.geojson'],
      ] as const) {
        const { records, rejections } = await read(Buffer.from(body), name)
        expect(rejections).toEqual([])
        expect(records).toMatchObject([{ type: 'tornado', tornado_ef_scale, qualifier: 'surveyed' }])
        expect(records.map(({ description }) => description)).toEqual([magnitude === 'U' ? `Rated ${rating} by the source.` : ''])
        expect(records.map(tornadoRating)).toEqual([rating === 'F0' ? 'EF0' : rating || null])
      }
    },
  )

  it.each([
    ['Marine Tstm Wind', 'M45 KTS', 'kts', { wind_gust_mph: 52, qualifier: 'measured', description: '' }],
    ['Wildfire', '1200.00 ACRE', 'ACRE', { type: 'wildfire', description: '1200 acres.' }],
    ['Dense Fog', 'M0.25 MILE', 'Mile', { type: 'dense_fog', description: '0.25 miles, measured.' }],
  ])('keeps a report of %s with %s, from text and from GeoJSON', async (event, magnitude, unit, record) => {
    const [, qualifier, value] = /^([MEU])?([\d.]+)/.exec(magnitude) ?? []
    const text = `NWUS54 KHGX 110422
LSRHGX

Preliminary Local Storm Report
National Weather Service Houston/Galveston TX
1122 PM CDT Sat Jun 10 2023

1109 PM     ${event.padEnd(17)}1 E Quintana            28.93N 95.29W
06/10/2023  ${magnitude.padEnd(17)}Brazoria           TX   Mesonet

&&
`
    const feature = {
      geometry: { type: 'Point', coordinates: [-95.29, 28.93] },
      properties: {
        valid: '2023-06-11T04:09:00Z',
        magnitude: Number(value),
        city: '1 E Quintana',
        county: 'Brazoria',
        state: 'TX',
        source: 'Mesonet',
        typetext: event.toUpperCase(),
        product_id: '202306110422-KHGX-NWUS54-LSRHGX',
        unit,
        qualifier: qualifier ?? null,
      },
    }
    for (const [body, name] of [
      [text, 'lsr.txt'],
      [JSON.stringify({ features: [feature] }), 'lsr.geojson'],
    ] as const) {
      const { records, rejections } = await read(Buffer.from(body), name)
      expect({ name, rejections, records }).toMatchObject({
        rejections: [],
        records: [{ ...record, description: expect.stringContaining(record.description) }],
      })
    }
  })
})
