import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { parse } from 'csv-parse'
import { repeatedColumn } from '#domain/kernel/csv.ts'
import { codeOf } from '#domain/kernel/fault.ts'
import { refuseField, validationFailed } from '#domain/kernel/validation.ts'
import { objectsOf } from '#domain/places/json-objects.ts'

/** A row of an address point file; missing values are empty. */
export interface PointRow {
  longitude: string
  latitude: string
  number: string
  street: string
  city: string
  region: string
  postcode: string
}

/** Maximum characters of a CSV record or a GeoJSON feature: an address takes a few hundred. */
const ROW_MAX = 64 * 1024
/** Maximum characters of a line, with its separators and empty fields. */
const LINE_MAX = 2 * ROW_MAX

/** Yields the rows of a CSV or GeoJSON file, detected by its start; a reason in place of a row that cannot be read. */
export async function* readPointRows(stream: Readable): AsyncGenerator<PointRow | string> {
  const texts = decode(stream)
  let start = ''
  while (start === '') {
    const next = await texts.next()
    if (next.done) return
    // White space before the first row is dropped as it arrives: a small gzip holds any amount of it.
    start = next.value.trimStart()
  }
  const allTexts = chain(start, texts)
  yield* start.startsWith('{') ? geojsonRows(allTexts) : csvRows(allTexts)
}

async function* csvRows(texts: AsyncIterable<string>): AsyncGenerator<PointRow> {
  const rows = parse({
    bom: true,
    columns: columnsOf,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: ROW_MAX,
    trim: true,
  })
  // With pipeline, a source that breaks off ends the rows with its error.
  pipeline(withoutLongLines(texts), rows, () => {})
  try {
    const records: AsyncIterable<Record<string, unknown>> = rows
    for await (const row of records) yield rowOf(row, row.lon, row.lat)
  } catch (fault) {
    throw refusalOfRow(fault, rows.info.records + 1)
  }
}

/**
 * Passes a text on up to a line that is longer than any row: the parser counts only the characters within fields, so that a line of empty
 * fields would grow without end. The parser gets the beginning of the line first: if a field is too long, it names the row.
 * @throws Refusal validation_failed on `file`
 */
async function* withoutLongLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let open = 0
  for await (const text of texts) {
    for (let at = 0; at >= 0; ) {
      const end = text.indexOf('\n', at)
      open += (end < 0 ? text.length : end) - at
      if (open > LINE_MAX) {
        yield text.slice(0, at + LINE_MAX)
        refuseField('file', `A line is longer than ${LINE_MAX / 1024} kB. Correct it and send the whole file again.`)
      }
      if (end >= 0) open = 0
      at = end < 0 ? end : end + 1
    }
    yield text
  }
}

/** The columns of a CSV file that are read. */
const COLUMNS = new Set(['lon', 'lat', 'number', 'street', 'city', 'region', 'postcode'])

/** @throws Refusal validation_failed if one of the columns that are read is there twice */
function columnsOf(header: string[]): string[] {
  const names = header.map((name) => name.trim().toLowerCase())
  const repeated = repeatedColumn(names.filter((name) => COLUMNS.has(name)))
  return repeated === null ? names : refuseField('file', repeated)
}

/** Returns a refusal that names the row for a format error; any other fault unchanged. */
function refusalOfRow(fault: unknown, row: number): unknown {
  const why = unreadable[codeOf(fault) ?? '']
  return why === undefined
    ? fault
    : validationFailed({ file: [`Row ${row} cannot be read: ${why}. Correct it and send the whole file again.`] })
}

const unreadable: Record<string, string> = {
  CSV_MAX_RECORD_SIZE: `it is longer than ${ROW_MAX / 1024} kB, perhaps because a quote is never closed`,
  CSV_QUOTE_NOT_CLOSED: 'its quote is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after its closing quote',
}

interface Feature {
  geometry?: { type?: string; coordinates?: unknown }
  properties?: Record<string, unknown>
}

async function* geojsonRows(texts: AsyncIterable<string>): AsyncGenerator<PointRow | string> {
  for await (const text of objectsOf(texts, 'features', ROW_MAX)) {
    const feature = parseFeature(text)
    const point = feature?.geometry?.type === 'Point' ? feature.geometry.coordinates : null
    if (!feature) yield 'it is not JSON'
    else if (!Array.isArray(point)) yield 'it is not a point'
    else yield rowOf(feature.properties ?? {}, point[0], point[1])
  }
}

function rowOf(values: Record<string, unknown>, longitude: unknown, latitude: unknown): PointRow {
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '')
  return {
    longitude: text(longitude),
    latitude: text(latitude),
    number: text(values.number),
    street: text(values.street),
    city: text(values.city),
    region: text(values.region),
    postcode: text(values.postcode),
  }
}

function parseFeature(text: string): Feature | null {
  try {
    const row: Feature = JSON.parse(text)
    return row
  } catch {
    return null
  }
}

async function* decode(stream: Readable): AsyncGenerator<string> {
  const utf8 = new StringDecoder('utf8')
  for await (const chunk of stream) yield typeof chunk === 'string' ? chunk : utf8.write(chunk)
  yield utf8.end()
}

async function* chain(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start
  yield* rest
}
