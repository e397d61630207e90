import { decimalOf } from '#domain/archive/files/decimal.ts'
import { linesOf } from '#domain/archive/files/lines.ts'
import { withSpan } from '#domain/archive/files/span.ts'
import { withoutZeros } from '#domain/archive/files/text.ts'
import { localMoment } from '#domain/archive/local-moment.ts'
import { type RadarEstimate, radarEstimate } from '#domain/archive/radar/radar-estimate.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { type Batch, type Document, emptyBatch, type ParsedFile } from '#domain/archive/sources/source.ts'
import { repeatedColumn } from '#domain/kernel/csv.ts'
import { keysOf, tableOf } from '#domain/kernel/keys-of.ts'
import { present, tupleOf } from '#domain/kernel/present.ts'
import { pluralize } from '#domain/kernel/text.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/**
 * The columns of the service are ZTIME,WSR_ID,CELL_ID,PROB,SEVPROB,MAXSIZE,LAT,LON; those of the yearly files are
 * #ZTIME,LON,LAT,WSR_ID,CELL_ID,RANGE,AZIMUTH,SEVPROB,PROB,MAXSIZE.
 */
const NAMES = { time: 'ZTIME', radar: 'WSR_ID', cell: 'CELL_ID', size: 'MAXSIZE', latitude: 'LAT', longitude: 'LON' } as const
/** Inches: the algorithm never returns a larger size. */
const SIZE_MAX_IN = 10

/** Where the inventory's signatures can be looked up: its yearly files. */
export const citeRadarHail = () => 'https://www.ncei.noaa.gov/pub/data/swdi/database-csv/v2/'

/**
 * Reads hail signatures of the severe weather data inventory (nx3hail): responses of its service, and its yearly files. A
 * response whose stated count differs from its number of rows was cut off. A response for a day without signatures is only
 * its count.
 * @throws Refusal validation_failed on `file`
 */
export async function readRadarHail({ file_name, bytes }: Document): Promise<ParsedFile> {
  return { contents: { kind: 'reports', compiled_on: null, year: null, covers: 'every_state' }, batches: readBatches(file_name, bytes) }
}

async function* readBatches(file_name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Batch> {
  let columns: Columns | null = null
  let rows = 0
  let stated: number | null = null
  for await (const lines of linesOf(bytes)) {
    const batch = emptyBatch()
    for (const { number, span, text } of lines) {
      if (text.trim() === '' || /^summary\b|^totalTimeInSeconds/i.test(text)) continue
      const [, count] = /^(?:total)?count,(\d+)$/i.exec(text.trim()) ?? []
      if (count !== undefined) {
        stated = Number(count)
        continue
      }
      if (!columns) {
        columns = columnsOf(text)
        // A yearly file has remarks before its header.
        if (!columns && !text.startsWith('#')) refuseField('file', 'This is not a list of radar hail: it does not begin with the header.')
        continue
      }
      if (text.startsWith('#')) continue
      rows += 1
      batch.rows += 1
      const record = recordOf(withoutZeros(text), columns, file_name)
      if (typeof record === 'string') batch.rejections.push({ row: `line ${number}`, reason: record, source_key: null })
      else batch.records.push(withSpan(record, span))
    }
    yield batch
  }
  if (!columns && stated === null) refuseField('file', 'The file is empty.')
  if (stated !== null && stated !== rows) refuseField('file', `The list is cut off: it states ${pluralize(stated, 'row')} and has ${rows}.`)
}

/** The position of each value in a row. */
interface Columns {
  count: number
  at: Record<keyof typeof NAMES, number>
}

/** Returns null if the line is not a header. */
function columnsOf(line: string): Columns | null {
  const names = line
    .replace(/^#/, '')
    .split(',')
    .map((name) => name.trim().toUpperCase())
  const at = tableOf(keysOf(NAMES), (value) => names.indexOf(NAMES[value]))
  const repeated = repeatedColumn(names.filter((name) => Object.values<string>(NAMES).includes(name)))
  if (repeated !== null) refuseField('file', repeated)
  return Object.values(at).includes(-1) ? null : { count: names.length, at }
}

function recordOf(line: string, { count, at }: Columns, file_name: string): ArchiveRecord | string {
  const cells = line.split(',').map((cell) => cell.trim())
  if (cells.length !== count) return `it has ${pluralize(cells.length, 'column')} instead of ${count}`
  const [time, radar, cell] = [present(cells[at.time]), cells[at.radar], cells[at.cell]]
  const begins_at = momentOf(time)
  if (!begins_at) return `its time "${time}" is not valid`
  const [longitude, latitude, size] = tupleOf(
    [at.longitude, at.latitude, at.size].map((place) => decimalOf(present(cells[place]))),
    3,
  )
  if (!latitude || !longitude || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return 'its point is not on the earth'
  if (!(size > 0 && size <= SIZE_MAX_IN)) return `its size "${cells[at.size]}" is not valid`
  if (!radar || !cell) return 'it names no radar or no cell'
  const estimate: RadarEstimate = {
    source: 'nexrad_hail',
    source_key: [begins_at.getUTCFullYear(), radar, begins_at.toISOString().replace(/\D/g, '').slice(0, 14), cell].join('/'),
    begins_at,
    hail_size_in: size,
    latitude,
    longitude,
    precision: 'point',
    file_name,
    description: `Hail signature of radar ${radar}, cell ${cell}.`,
  }
  return radarEstimate(estimate, citeRadarHail)
}

/** 2024-05-13T21:05:03Z from the service, 20240513210503 in the yearly files. */
function momentOf(text: string): Date | null {
  const digits = text.replace(/\D/g, '')
  if (!/^(19|20)\d{12}$/.test(digits) || !/^[\dTZ:. -]+$/.test(text)) return null
  const parts = [4, 6, 8, 10, 12].map((at) => Number(digits.slice(at, at + 2)))
  const [month, day, hour, minute, second] = tupleOf(parts, 5)
  return localMoment({ year: Number(digits.slice(0, 4)), month, day, hour, minute, second }, 0)
}
