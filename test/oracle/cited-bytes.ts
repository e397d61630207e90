import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { LiveRecord } from './service.ts'

/** The parts of a cited record that its file decides. */
export type TracedRecord = LiveRecord & {
  id: number
  provenance: { file: { sha256: string; name: string; span: { start: number; length: number } } | null }
}

/** An agency's file as stored, decompressed; latin1 has one character for each byte. */
export interface RawFile {
  name: string
  text: string
  /** For a table: its columns, and its rows by the position of their first byte. */
  table: { columns: string[]; rows: Map<number, Row> } | null
}

interface Row {
  /** The position after its last byte, without the line end. */
  end: number
  cells: string[]
}

/** Returns every file of some folders, by the SHA-256 of its stored bytes. */
export function filesByHash(folders: readonly string[]): Map<string, RawFile> {
  const files = new Map<string, RawFile>()
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name)
      if (!statSync(file).isFile()) continue
      const bytes = readFileSync(file)
      const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
      const [header, ...rows] = name.startsWith('StormEvents_details') ? rowsOf(text) : []
      const table = header ? { columns: header.cells, rows: new Map(rows.map(({ start, ...row }) => [start, row])) } : null
      files.set(createHash('sha256').update(bytes).digest('hex'), { name, text, table })
    }
  }
  return files
}

/**
 * Returns the rows of a CSV text with their positions, character by character: quotes are doubled inside quotes,
 * and line ends there are text.
 */
function rowsOf(text: string): (Row & { start: number })[] {
  const rows: (Row & { start: number })[] = []
  let [start, cell, is_quoted] = [0, '', false]
  let cells: string[] = []
  for (let at = 0; at <= text.length; at++) {
    const letter = text[at]
    if (is_quoted) {
      if (letter === '"' && text[at + 1] === '"') cell += text[++at]
      else if (letter === '"') is_quoted = false
      else cell += letter
    } else if (letter === '"') is_quoted = true
    else if (letter === ',') {
      cells.push(cell)
      cell = ''
    } else if (letter === '\n' || letter === undefined) {
      const end = text[at - 1] === '\r' ? at - 1 : at
      if (end > start) rows.push({ start, end, cells: [...cells, cell.replace(/\r$/, '')] })
      cells = []
      cell = ''
      start = at + 1
    } else cell += letter
  }
  return rows
}

/** Returns what is wrong with a record's position in its file; null if the bytes there state the record. */
export function faultOf(record: TracedRecord, files: ReadonlyMap<string, RawFile>): string | null {
  const { file } = record.provenance
  if (file === null) return 'it names no file'
  const raw = files.get(file.sha256)
  if (!raw) return `no file has the SHA-256 ${file.sha256}`
  if (raw.name !== file.name) return `the file is called ${raw.name}, not ${file.name}`
  const { start, length } = file.span
  if (start + length > raw.text.length) return 'its bytes lie behind the end of the file'
  const bytes = raw.text.slice(start, start + length)
  if (raw.table) return faultOfRow(record, raw.table, start, length)
  if (raw.name.endsWith('.grib2')) return start === 0 && length === raw.text.length ? null : 'a grid is the whole of its file'
  return bytes.startsWith('{') ? faultOfFeature(record, bytes) : faultOfReport(record, bytes)
}

const MPH_PER_KNOT = 1.150779448

function faultOfRow(record: TracedRecord, { columns, rows }: NonNullable<RawFile['table']>, start: number, length: number): string | null {
  const row = rows.get(start)
  if (!row) return 'no row begins there'
  if (row.end !== start + length) return `the row ends at ${row.end}, not at ${start + length}`
  const cell = (name: string) => row.cells[columns.indexOf(name)]?.trim() ?? ''
  const id = record.provenance.citation_url.split('=').at(-1)
  if (cell('EVENT_ID') !== id) return `the row is of the event ${cell('EVENT_ID')}, not of ${id}`
  const { hail_size_in, wind_gust_mph, wind_speed_mph } = record.measurements
  const magnitude = Number(cell('MAGNITUDE'))
  if (hail_size_in !== null && hail_size_in !== magnitude) return `the row has hail of ${magnitude}, not ${hail_size_in}`
  const wind = wind_gust_mph ?? wind_speed_mph
  if (wind !== null && Math.abs(wind - magnitude * MPH_PER_KNOT) > 0.51) return `the row has a wind of ${magnitude} kn, not ${wind} mph`
  if (
    !isPointOf(record, [
      [cell('BEGIN_LAT'), cell('BEGIN_LON')],
      [cell('END_LAT'), cell('END_LON')],
    ])
  )
    return 'the row has another place'
  const days = Math.abs(
    Date.parse(record.occurred_on) - Date.parse(`${cell('BEGIN_YEARMONTH').replace(/(..)$/, '-$1')}-${cell('BEGIN_DAY').padStart(2, '0')}`),
  )
  return days <= 86_400_000 ? null : `the row is of ${cell('BEGIN_YEARMONTH')} ${cell('BEGIN_DAY')}`
}

/** A county or a zone has no point. */
function isPointOf({ location }: TracedRecord, points: [latitude: string, longitude: string][]): boolean {
  if (location.latitude === null || location.longitude === null) return true
  const near = (text: string, value: number) => text !== '' && Math.abs(Number(text) - value) < 0.000_006
  return points.some(
    ([latitude, longitude]) => near(latitude, location.latitude as number) && near(longitude, location.longitude as number),
  )
}

/** "0301 PM     HAIL             1 NW FOREST CITY AIRPOR 43.24N 93.64W", then "07/22/2013  E1.00 INCH       HANCOCK ...". */
function faultOfReport(record: TracedRecord, bytes: string): string | null {
  const [first = '', second = ''] = bytes.split(/[\r\n]+/)
  const [, latitude, north, longitude, east] = /^\d{4} [AP]M .* (\d+\.\d+)([NS]) +(\d+\.\d+)([EW])\s*$/.exec(first) ?? []
  if (!latitude) return `no report begins there: ${first}`
  if (/[\r\n]$/.test(bytes) || /\n\d{4} [AP]M /.test(bytes)) return 'there is more than the report'
  if (!isPointOf(record, [[`${north === 'S' ? '-' : ''}${latitude}`, `${east === 'W' ? '-' : ''}${longitude}`]]))
    return 'the report has another place'
  const { hail_size_in } = record.measurements
  const size = Number(/(\d*\.?\d+) IN/i.exec(second)?.[1])
  return hail_size_in === null || hail_size_in === size ? null : `the report has hail of ${size}, not ${hail_size_in}`
}

function faultOfFeature(record: TracedRecord, bytes: string): string | null {
  const { geometry } = JSON.parse(bytes) as { geometry: { coordinates: [number, number] } }
  const [longitude, latitude] = geometry.coordinates
  return isPointOf(record, [[String(latitude), String(longitude)]]) ? null : 'the feature has another place'
}
