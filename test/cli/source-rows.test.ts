import { readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { localReports } from '#domain/archive/sources/local-reports.ts'
import { radarHail } from '#domain/archive/sources/radar-hail.ts'
import type { Source } from '#domain/archive/sources/source.ts'
import { spcReports } from '#domain/archive/sources/spc-reports.ts'
import { cite } from '#domain/reports/cite.ts'
import { inEvidenceOrder } from '#domain/reports/fingerprint.ts'
import { details, present, realFilePath, recordsOf, skipped } from '#test/domain/archive/files.ts'
import { processorMs } from '#test/support/processor.ts'
import type { CitedRow } from '../../cli/sources/cited-rows.ts'
import { rowFaults } from '../../cli/sources/compare-row.ts'
import { compareSources } from '../../cli/sources/compare-sources.ts'
import { cellsOf } from '../../cli/sources/csv-row.ts'
import { digestOf, readSpans } from '../../cli/sources/source-file.ts'
import { readStormEvent } from '../../cli/sources/storm-event.ts'
import type { EvidenceRecord } from '../../cli/verify/evidence-shape.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'weather-rows-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A record as in a report's evidence, with the position that the parser recorded. */
function rowOf(record: ArchiveRecord, change: (evidence: EvidenceRecord) => EvidenceRecord = (same) => same): CitedRow {
  const { latitude, longitude } = record
  const seen = { ...record, id: 1, distance_miles: null, bearing_degrees: null, shown_latitude: latitude, shown_longitude: longitude }
  const [made] = inEvidenceOrder([cite(seen)])
  const span = { start: record.span_start as number, length: record.span_length as number }
  return { record: change(JSON.parse(made?.text ?? '')), span }
}

async function faultsIn(file: string, rows: CitedRow[]): Promise<string[]> {
  const { is_gzip } = await digestOf(file)
  const source = await readSpans(
    file,
    is_gzip,
    rows.map(({ span }) => span),
  )
  return rows.flatMap((row) => rowFaults(row, source, path.basename(file)).map((fault) => `${row.record.provenance.citation_url} ${fault}`))
}

describe('the cells of a row', () => {
  it('are read once, with any quotes in them', async () => {
    expect(cellsOf('1,"a ""b"" c","d "e" f",""\r\n2')).toEqual(['1', 'a "b" c', 'd "e" f', ''])
    expect(cellsOf('"he said "go"",2')).toEqual(['he said "go"', '2'])
    expect(cellsOf('one\rline,"x"')).toEqual(['one\rline', 'x'])
    for (const row of [`1,${'"'.repeat(60)}x`, '"a"b,'.repeat(20_000)])
      expect(await processorMs(() => expect(cellsOf(row).length).toBeGreaterThan(0))).toBeLessThan(1_000)
  })
})

async function readBy(source: Source, file: string): Promise<ArchiveRecord[]> {
  const bytes = await readFile(file)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700)
  }
  const { batches } = await source.read({ file_name: path.basename(file), bytes: pieces() })
  const records: ArchiveRecord[] = []
  for await (const batch of batches) records.push(...batch.records)
  return records
}

describe.skipIf(!present)(`real rows, read by the command-line program${skipped}`, () => {
  it('of Storm Events state what the importer read from each of them', async () => {
    let compared = 0
    for (const year of [1990, 1992, 1993, 1995, 2019]) {
      const rows = (await recordsOf(details(year))).map((record) => rowOf(record))
      expect(await faultsIn(realFilePath(details(year)), rows)).toEqual([])
      compared += rows.length
    }
    expect(compared).toBeGreaterThan(60_000)
  })

  it('of local storm reports do too', async () => {
    const texts = path.resolve(realFilePath('.'), '..', 'lsr', 'text')
    let compared = 0
    for (const name of readdirSync(texts)) {
      const file = path.join(texts, name)
      const rows = (await readBy(localReports, file).catch(() => [])).map((record) => rowOf(record))
      expect(await faultsIn(file, rows), name).toEqual([])
      compared += rows.length
    }
    const geojson = path.resolve(texts, '..', 'iem_lsrs_by_point_20250605_lubbock_trimmed.geojson')
    const features = (await readBy(localReports, geojson)).map((record) => rowOf(record))
    expect(await faultsIn(geojson, features)).toEqual([])
    expect([compared > 100, features.length]).toEqual([true, 12])
  })

  it('with any change that states something else are detected', async () => {
    const file = realFilePath(details(2019))
    const records = (await recordsOf(details(2019))).filter(({ type, latitude }) => type === 'hail' && latitude !== null).slice(0, 20)
    const changes: ((evidence: EvidenceRecord) => EvidenceRecord)[] = [
      (one) => ({ ...one, type: 'thunderstorm_wind' }),
      (one) => ({ ...one, begins_at: one.begins_at.replace(/^2019/, '2018') }),
      (one) => ({ ...one, measurements: { ...one.measurements, hail_size_in: '9.99' } }),
      (one) => ({ ...one, measurements: { ...one.measurements, hail_size_in: null } }),
      (one) => ({ ...one, measurements: { ...one.measurements, wind_gust_mph: '70.00' } }),
      (one) => ({ ...one, measurements: { ...one.measurements, tornado_ef_scale: '1.00' } }),
      (one) => ({ ...one, location: { ...one.location, latitude: '33.00001' } }),
      (one) => ({ ...one, provenance: { ...one.provenance, citation_url: 'https://www.ncdc.noaa.gov/stormevents/eventdetails.jsp?id=1' } }),
    ]
    for (const change of changes) {
      const faults = await faultsIn(
        file,
        records.map((record) => rowOf(record, change)),
      )
      expect(faults).toHaveLength(records.length)
    }
    const shifted = records.map((record) => rowOf(record)).map(({ record, span }) => ({ record, span: { ...span, start: span.start + 1 } }))
    expect(await faultsIn(file, shifted)).toHaveLength(records.length)
  })
})

describe('rows', () => {
  it('of the daily reports belong to the list above them, and to the day in the name of their file', async () => {
    const file = path.join(folder, '240513_rpts.csv')
    const lists = [
      'Time,F_Scale,Location,County,State,Lat,Lon,Comments\n1830,EF1,2 N FRISCO,COLLIN,TX,33.18,-96.82,BARN, GONE (FWD)\r\n',
      'Time,Speed,Location,County,State,Lat,Lon,Comments\n0130,65,2 N FRISCO,COLLIN,TX,33.18,-96.82,\n',
      'Time,Size,Location,County,State,Lat,Lon,Comments\r\r\n1800,175,2 N FRISCO,COLLIN,TX,33.18,-96.82,CAF\u00c9\n',
    ]
    await writeFile(file, Buffer.from(lists.join(''), 'utf8'))
    const records = await readBy(spcReports, file)
    expect(records).toHaveLength(3)
    expect(
      await faultsIn(
        file,
        records.map((record) => rowOf(record)),
      ),
    ).toEqual([])
    const bytes = await readFile(file)
    const rows = records.map(({ span_start, span_length }) =>
      bytes.subarray(Number(span_start), Number(span_start) + Number(span_length)).toString(),
    )
    expect(rows).toEqual([
      '1830,EF1,2 N FRISCO,COLLIN,TX,33.18,-96.82,BARN, GONE (FWD)',
      '0130,65,2 N FRISCO,COLLIN,TX,33.18,-96.82,',
      '1800,175,2 N FRISCO,COLLIN,TX,33.18,-96.82,CAF\u00c9',
    ])
  })

  it('are shown with their characters, in UTF-8 or in one byte each', async () => {
    const file = path.join(folder, 'accents.csv')
    const row = (letter: number[]) => Buffer.concat([Buffer.from('3 W PE'), Buffer.from(letter), Buffer.from('UELAS\n')])
    const rows = [row([0xc3, 0x91]), row([0xd1])]
    await writeFile(file, Buffer.concat(rows))
    const spans = rows.map(({ length }, at) => ({ start: Buffer.concat(rows.slice(0, at)).length, length: length - 1 }))
    const source = await readSpans(file, false, spans)
    expect(spans.map((span) => source.at(span))).toEqual(['3 W PEÑUELAS', '3 W PEÑUELAS'])
  })

  it('of radar hail are found at their position, however the bytes arrive', async () => {
    const file = path.join(folder, 'nx3hail.csv')
    const text =
      '\n#ZTIME,LON,LAT,WSR_ID,CELL_ID,RANGE,AZIMUTH,SEVPROB,PROB,MAXSIZE\r\n20240513210503,-96.8,33.1,KFWS,A1,40,10,50,90,1.25\r\n20240513211003,-96.7,33.2,KFWS,B2,41,11,50,90,0.75\nsummary\ncount,2'
    await writeFile(file, text)
    const records = await readBy(radarHail, file)
    expect(
      await faultsIn(
        file,
        records.map((record) => rowOf(record)),
      ),
    ).toEqual([])
    expect(records.map(({ span_start, span_length }) => text.slice(Number(span_start), Number(span_start) + Number(span_length)))).toEqual([
      '20240513210503,-96.8,33.1,KFWS,A1,40,10,50,90,1.25',
      '20240513211003,-96.7,33.2,KFWS,B2,41,11,50,90,0.75',
    ])
  })

  it('of the radar hail service are distinguished from those of its yearly files', async () => {
    const file = path.join(folder, 'nx3hail.csv')
    await writeFile(
      file,
      'ZTIME,WSR_ID,CELL_ID,PROB,SEVPROB,MAXSIZE,LAT,LON\n2024-05-13T21:05:03Z,KFWS,A1,90,50,1.25,33.1,-96.8\nsummary\ncount,1\n',
    )
    const records = await readBy(radarHail, file)
    expect(records).toMatchObject([{ hail_size_in: 1.25, latitude: 33.1, longitude: -96.8 }])
    expect(
      await faultsIn(
        file,
        records.map((record) => rowOf(record)),
      ),
    ).toEqual([])
  })

  const product = (event: string, magnitude: string, place: string) => `NWUS54 KHGX 110422
LSRHGX

Preliminary Local Storm Report
National Weather Service Houston/Galveston TX
1122 PM CDT Sat Jun 10 2023

1109 PM     ${event.padEnd(17)}${place.padEnd(24)}28.93N 95.29W
06/10/2023  ${magnitude.padEnd(17)}Brazoria           TX   Mesonet

&&
`
  const feature = (typetext: string, magnitude: string, city: string) => {
    const [, qualifier, magf, unit] = /^([MEU])?([\d.]+) (.+)$/.exec(magnitude) ?? []
    const properties = {
      ...{ valid: '2023-06-11T04:09:00Z', magf: Number(magf), qualifier, unit, typetext, city, county: 'Brazoria', state: 'TX' },
      ...{ source: 'Mesonet', product_id: '202306110422-KHGX-NWUS54-LSRHGX' },
    }
    return JSON.stringify({ features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [-95.29, 28.93] }, properties }] })
  }

  it.each([
    ['MARINE TSTM WIND', 'M45 KTS', 'QUINTANA', { wind_gust_mph: 52 }, { wind_gust_mph: '60.00' }],
    ['TSTM WND GST', 'M45 KT', '1 N HAIL', { wind_gust_mph: 52 }, { wind_gust_mph: null }],
    ['DUST STORM', 'M60 MPH', 'QUINTANA', { wind_gust_mph: null }, { wind_gust_mph: '70.00' }],
    ['BLIZZARD', 'M60 MPH', 'QUINTANA', { wind_gust_mph: null }, { wind_speed_mph: '61.00' }],
    ['TROPICAL STORM', 'E55 KTS', 'QUINTANA', { wind_gust_mph: null }, { hail_size_in: '1.00' }],
    ['HEAVY RAIN', 'M2.00 INCH', '1 N HAILEY', { hail_size_in: null }, { hail_size_in: '2.00' }],
    ['SNOW', 'M4.00 INCH', '3 E HAILEY', { hail_size_in: null }, { hail_size_in: '4.00' }],
    ['MARINE HAIL', 'M1.00 INCH', 'QUINTANA', { hail_size_in: 1 }, { hail_size_in: null }],
    ['HAIL', 'E1.75 INCH', '1 N HAILEY', { hail_size_in: 1.75 }, { hail_size_in: '2.75' }],
  ])('of local storm reports state %s of %s as the importer reads it, and nothing else', async (event, magnitude, place, read, changed) => {
    for (const [name, text] of [
      ['LSRHGX.txt', product(event, magnitude, place)],
      ['lsr.geojson', feature(event, magnitude, place)],
    ] as const) {
      const file = path.join(folder, name)
      await writeFile(file, text)
      const records = await readBy(localReports, file)
      expect(records).toMatchObject([read])
      const rowsOf = (change?: (one: EvidenceRecord) => EvidenceRecord) => records.map((record) => rowOf(record, change))
      expect([name, await faultsIn(file, rowsOf())]).toEqual([name, []])
      const forgeries: ((one: EvidenceRecord) => EvidenceRecord)[] = [
        (one) => ({ ...one, measurements: { ...one.measurements, ...changed } }),
        (one) => ({ ...one, type: 'tornado', description: '' }),
        (one) => ({ ...one, description: `Source type: ${event.split(' ')[0]} X.` }),
      ]
      for (const forgery of forgeries) expect(await faultsIn(file, rowsOf(forgery))).not.toEqual([])
    }
  })

  it('of Storm Events that name several events are a tornado’s, else hail’s', () => {
    const head =
      'BEGIN_YEARMONTH,BEGIN_DAY,BEGIN_TIME,EVENT_ID,CZ_TIMEZONE,EVENT_TYPE,MAGNITUDE,MAGNITUDE_TYPE,TOR_F_SCALE,BEGIN_LAT,BEGIN_LON,END_LAT,END_LON'
    const of = (event: string) => readStormEvent(`199305,14,1500,7,CST,"${event}",1.75,,F1,33.1,-96.8,,`, head)
    const composite = of('TORNADOES, TSTM WIND, HAIL')
    expect([composite, of('HAIL, TORNADO')]).toEqual([expect.objectContaining({ rating: 'F1' }), expect.objectContaining({ rating: 'F1' })])
    expect(composite).not.toHaveProperty('hail_in')
    expect(of('HAIL')).toMatchObject({ hail_in: 1.75 })
    expect(of('HAIL')).not.toHaveProperty('rating')
  })
})

describe('a file that states no record of the report', () => {
  it('confirms nothing outside it', async () => {
    const file = path.join(folder, 'untouched.csv')
    await writeFile(file, 'a,b\n1,2\n')
    const { sha256 } = await digestOf(file)
    const checks = await compareSources([file], { files: [{ sha256, name: 'untouched.csv', rows: [] }], untraced: 0 })
    expect(checks.filter(({ outcome, outside }) => outcome === 'agrees' && outside)).toEqual([])
  })
})
