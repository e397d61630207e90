import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { type ArchiveColumn, archiveColumns, type ColumnType } from '#domain/exports/archive/columns.ts'
import { crs84 } from '#domain/exports/archive/crs84.ts'
import type { ExportPage } from '#domain/exports/archive/records.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'

type ParquetOptions = ConstructorParameters<typeof ParquetWriter>[0]
type SchemaElement = ParquetOptions['schema'][number]
type ColumnName = keyof typeof archiveColumns

const GEOMETRY = 'geometry'
const columnNames = keysOf(archiveColumns)

/** SQL: the records of a page, column by column. A file stores the values of a column together too, so no row is ever built. */
export const GEOPARQUET_PAGE = columnNames.map((name) => `json_agg(${valueSql(archiveColumns[name])}) AS column_${name}`).join(', ')

type Value = number | string | boolean | null
export type GeoparquetRow = Record<`column_${ColumnName}`, Value[]>

/** Reads a day as days since 1970, and a moment as milliseconds since then. */
function valueSql({ type, sql }: ArchiveColumn): string {
  if (type === 'day') return `${sql} - DATE '1970-01-01'`
  if (type === 'moment') return `(extract(epoch FROM ${sql}) * 1000)::int8`
  return type === 'texts' ? `to_json(${sql})::text` : sql
}

/**
 * Returns records as one file of GeoParquet 1.1, in pieces: a row group per page, and the footer. Points are well-known binary in OGC:CRS84,
 * null for a record without a place of its own.
 */
export async function* geoparquetOf(pages: AsyncIterable<ExportPage<GeoparquetRow>>): AsyncGenerator<Buffer> {
  const writer = new ByteWriter()
  const bounds: Bounds = [Infinity, Infinity, -Infinity, -Infinity]
  const kvMetadata = [{ key: 'geo', value: '' }]
  const file = new ParquetWriter({ writer, schema: schema(), kvMetadata, createdBy: 'weather-report-service' })
  for await (const { row } of pages) {
    // The first piece has the four letters that begin a file, so the client sees at once that the download has started.
    yield taken(writer)
    writeGroup(file, row, bounds)
  }
  kvMetadata[0] = { key: 'geo', value: JSON.stringify(geoMetadata(bounds)) }
  file.finish()
  yield taken(writer)
}

function writeGroup(file: ParquetWriter, row: GeoparquetRow, bounds: Bounds): void {
  const columnData = columnNames.map((name) => {
    const data = valuesOf(row, name)
    return { name, data, statistics: COLUMNS_WITH_BOUNDS.includes(name), ...encodingOf(name, data) }
  })
  const data = pointsOf(row, bounds)
  const points = { name: GEOMETRY, data, statistics: false, encoding: 'PLAIN' as const }
  file.write({ columnData: [...columnData, points], rowGroupSize: data.length })
}

/** Columns with minimum and maximum, by which a reader skips row groups. For other columns, these would only cost time. */
const COLUMNS_WITH_BOUNDS: ColumnName[] = [
  'id',
  'occurred_on',
  'begins_at',
  'type',
  'state',
  'latitude',
  'longitude',
  'hail_size_in',
  'wind_gust_mph',
]
/** Columns with mostly unique values. In the other columns, each value is written once per page, and its index for every record. */
const UNIQUE: ColumnName[] = [
  'id',
  'begins_at',
  'ends_at',
  'latitude',
  'longitude',
  'end_latitude',
  'end_longitude',
  'citation_url',
  'description',
]

/** Chooses the encoding from what is known here; the writer's own choice would scan half of a page. */
function encodingOf(name: ColumnName, data: readonly unknown[]): { encoding?: 'PLAIN' | 'RLE_DICTIONARY' } {
  if (archiveColumns[name].type === 'boolean') return {}
  return { encoding: UNIQUE.includes(name) || data.every((value) => value === null) ? 'PLAIN' : 'RLE_DICTIONARY' }
}

function valuesOf(row: GeoparquetRow, name: ColumnName): unknown[] {
  const values = row[`column_${name}`]
  return archiveColumns[name].type === 'moment' ? values.map((value) => (value === null ? null : BigInt(value))) : values
}

/** Returns what was written since the last call, and removes it from the writer. */
function taken(writer: ByteWriter): Buffer {
  const piece = Buffer.from(writer.getBuffer())
  writer.index = 0
  return piece
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const

const parquetTypes: Record<ColumnType, Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>> = {
  integer: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  text: TEXT,
  texts: TEXT,
  boolean: { type: 'BOOLEAN' },
  day: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  moment: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
}

function schema(): SchemaElement[] {
  const leaves = columnNames.map(
    (name): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...parquetTypes[archiveColumns[name].type] }),
  )
  const geometry: SchemaElement = { name: GEOMETRY, repetition_type: 'OPTIONAL', type: 'BYTE_ARRAY' }
  return [{ name: 'root', num_children: leaves.length + 1 }, ...leaves, geometry]
}

/** West, south, east and north of all points so far, degrees. */
type Bounds = [west: number, south: number, east: number, north: number]

/** Returns points as well-known binary, little-endian; null for a record of a county or a zone. */
function pointsOf(row: GeoparquetRow, bounds: Bounds): (Uint8Array | null)[] {
  const { column_latitude: latitudes, column_longitude: longitudes } = row
  const bytes = new Uint8Array(latitudes.length * WKB_POINT_BYTES)
  const view = new DataView(bytes.buffer)
  return latitudes.map((latitude, place) => {
    const longitude = longitudes[place]
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return null
    bounds[0] = Math.min(bounds[0], longitude)
    bounds[1] = Math.min(bounds[1], latitude)
    bounds[2] = Math.max(bounds[2], longitude)
    bounds[3] = Math.max(bounds[3], latitude)
    const start = place * WKB_POINT_BYTES
    view.setUint8(start, LITTLE_ENDIAN)
    view.setUint32(start + 1, WKB_POINT, true)
    view.setFloat64(start + 5, longitude, true)
    view.setFloat64(start + 13, latitude, true)
    return bytes.subarray(start, start + WKB_POINT_BYTES)
  })
}

const LITTLE_ENDIAN = 1
const WKB_POINT = 1
const WKB_POINT_BYTES = 21

/** The metadata that readers of geometry expect in the footer (geoparquet.org, 1.1.0). A file without points has no bounds. */
function geoMetadata(bounds: Bounds): object {
  const geometry = { encoding: 'WKB', geometry_types: ['Point'], crs: crs84, ...(Number.isFinite(bounds[0]) && { bbox: bounds }) }
  return { version: '1.1.0', primary_column: GEOMETRY, columns: { [GEOMETRY]: geometry } }
}
