import { createReadStream, existsSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import type { ImportOptions, ImportSummary } from '#domain/archive/ingest/import.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { detailsColumns } from '#domain/archive/sample/storm-files.ts'
import { type Batch, emptyBatch } from '#domain/archive/sources/source.ts'
import { stormEvents } from '#domain/archive/sources/storm-events.ts'
import type { World } from '../../support/world.ts'

const folder = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'storm-events')

export const present = existsSync(folder)
export const skipped = present ? '' : ' (skipped: real records not present)'

export const details = (year: number, compiled = year === 2019 ? '20190617' : year === 1995 ? '20170522' : '20170717') =>
  `StormEvents_details-ftp_v1.0_d${year}_c${compiled}.csv.gz`
export const locations2019 = 'StormEvents_locations-ftp_v1.0_d2019_c20190617.csv.gz'

export const realFilePath = (name: string): string => path.join(folder, name)

const realFile = (name: string): Readable => createReadStream(realFilePath(name))

/** Returns every record of a file of the agency, in file order. */
export async function recordsOf(name: string): Promise<ArchiveRecord[]> {
  const file = realFile(name)
  return (await readAll(name, name.endsWith('.gz') ? file.pipe(createGunzip()) : file)).flatMap(({ records }) => records)
}

/** Returns what the parser reads from a file's text. */
export async function readText(text: string, file_name = details(2019)): Promise<Batch> {
  const batches = await readAll(file_name, Readable.from([Buffer.from(text, 'latin1')]))
  const all = <Part>(part: (batch: Batch) => Part[]) => batches.flatMap(part)
  return {
    ...emptyBatch(batches.reduce((sum, { rows }) => sum + rows, 0)),
    records: all(({ records }) => records),
    months: all(({ months }) => months),
    corners: all(({ corners }) => corners),
    members: all(({ members }) => members),
    rejections: all(({ rejections }) => rejections),
  }
}

async function readAll(file_name: string, bytes: Readable): Promise<Batch[]> {
  const { batches } = await stormEvents.read({ file_name, bytes })
  const read: Batch[] = []
  for await (const batch of batches) read.push(batch)
  return read
}

export const importReal = (world: World, name: string, options: Partial<ImportOptions> = {}): Promise<ImportSummary> =>
  ingest(world.app, 'storm-events', realFile(name), { file_name: name, ...options })

export function importText(
  world: World,
  text: string,
  options: Partial<ImportOptions> = {},
  slug = 'storm-events',
): Promise<ImportSummary> {
  const file_name = details(2019, compiledBy(world.clock.now()))
  return ingest(world.app, slug, Readable.from([gzipSync(Buffer.from(text, 'latin1'))]), { file_name, ...options })
}

/** The date of the agency's own compile of 2019, or the current day if that is earlier. */
function compiledBy(now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '')
  return day < '20190617' ? day : '20190617'
}

export type DetailsRow = Partial<Record<(typeof detailsColumns)[number], string>>

/** Two-inch hail at Frisco on a March evening of 2019, unless a row states otherwise. */
const usual: DetailsRow = {
  BEGIN_YEARMONTH: '201903',
  BEGIN_DAY: '24',
  BEGIN_TIME: '1735',
  END_YEARMONTH: '201903',
  END_DAY: '24',
  END_TIME: '1735',
  EVENT_ID: '1',
  STATE: 'TEXAS',
  STATE_FIPS: '48',
  EVENT_TYPE: 'Hail',
  CZ_TYPE: 'C',
  CZ_FIPS: '85',
  CZ_NAME: 'COLLIN',
  CZ_TIMEZONE: 'CST-6',
  SOURCE: 'Public',
  MAGNITUDE: '2.00',
  BEGIN_LAT: '33.15',
  BEGIN_LON: '-96.82',
  END_LAT: '33.15',
  END_LON: '-96.82',
  EVENT_NARRATIVE: 'Hail fell.',
}

/** Returns a details file with these rows. */
export function detailsText(...rows: DetailsRow[]): string {
  return [detailsColumns.join(','), ...rows.map(detailsLine)].map((line) => `${line}\n`).join('')
}

export function detailsLine(row: DetailsRow): string {
  const values: DetailsRow = { ...usual, ...row }
  return detailsColumns
    .map((column) => (/^\d+$/.test(values[column] ?? '') ? values[column] : `"${(values[column] ?? '').replaceAll('"', '""')}"`))
    .join(',')
}

/** Returns a locations file with these corners: [latitude, longitude] by event. */
export function locationsText(corners: Record<string, [number, number][]>, month = '201903'): string {
  const rows = Object.entries(corners).flatMap(([id, places]) =>
    places.map(([latitude, longitude], index) => `${month},1,${id},${index + 1},1,"N","X",${latitude},${longitude},,`),
  )
  return `YEARMONTH,EPISODE_ID,EVENT_ID,LOCATION_INDEX,RANGE,AZIMUTH,LOCATION,LATITUDE,LONGITUDE,LAT2,LON2\n${rows.join('\n')}\n`
}
