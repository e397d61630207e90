import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { type ArchiveColumn, archiveColumns, type ColumnType } from '#domain/exports/archive/columns.ts'
import { crs84 } from '#domain/exports/archive/crs84.ts'
import type { ExportedRecord } from '#domain/exports/archive/records.ts'

type ParquetOptions = ConstructorParameters<typeof ParquetWriter>[0]
type SchemaElement = ParquetOptions['schema'][number]

/**
 * Rows that are written at once, column by column. The process does nothing else for some 30 ms, and what it makes meanwhile is collected young:
 * five times as many rows make the file a twentieth smaller, and the process grow by ten times as much.
 */
const ROW_GROUP = 2000
const GEOMETRY = 'geometry'

/**
 * Records as one file of GeoParquet 1.1, in pieces: a row group each, and the footer. Points are well-known binary in OGC:CRS84, null where a record
 * has no place of its own.
 */
export async function* geoparquetOf(pages: AsyncIterable<ExportedRecord[]>): AsyncGenerator<Buffer> {
  const writer = new ByteWriter()
  const bounds: Bounds = [Infinity, Infinity, -Infinity, -Infinity]
  const kvMetadata = [{ key: 'geo', value: '' }]
  const file = new ParquetWriter({ writer, schema: schema(), kvMetadata, createdBy: 'weather-report-service' })
  let group: ExportedRecord[] = []
  for await (const records of pages) {
    group.push(...records)
    if (group.length >= ROW_GROUP) {
      writeGroup(file, group, bounds)
      group = []
    }
    // At first the four letters with which a file begins: whoever asked sees at once that it comes.
    if (writer.index > 0) yield taken(writer)
  }
  if (group.length > 0) writeGroup(file, group, bounds)
  kvMetadata[0] = { key: 'geo', value: JSON.stringify(geoMetadata(bounds)) }
  file.finish()
  yield taken(writer)
}

function writeGroup(file: ParquetWriter, records: ExportedRecord[], bounds: Bounds): void {
  const columnData = columns.map(([name, column]) => ({ name, data: records.map(cellOf(column)), ...writingOf(name) }))
  const points = { name: GEOMETRY, data: records.map((record) => pointOf(record, bounds)), statistics: false, encoding: 'PLAIN' as const }
  file.write({ columnData: [...columnData, points], rowGroupSize: records.length })
}

/** By which a reader leaves out row groups that hold nothing it asks for. Of others, least and greatest would only take time to find. */
const BOUNDED = ['id', 'occurred_on', 'begins_at', 'type', 'state', 'latitude', 'longitude', 'hail_size_in', 'wind_gust_mph']
/** Of which hardly two are the same: looking for those that are finds nothing to save. */
const UNIQUE = ['id', 'begins_at', 'citation_url', 'description']

function writingOf(name: string): { statistics: boolean; encoding?: 'PLAIN' } {
  return { statistics: BOUNDED.includes(name), ...(UNIQUE.includes(name) && { encoding: 'PLAIN' }) }
}

/** What was written since, which the writer then holds no more. */
function taken(writer: ByteWriter): Buffer {
  const piece = Buffer.from(writer.getBuffer())
  writer.index = 0
  return piece
}

const columns: [string, ArchiveColumn][] = Object.entries(archiveColumns)

function cellOf({ type, of }: ArchiveColumn): (record: ExportedRecord) => unknown {
  if (type === 'day') return (record) => dayNumber(String(of(record)))
  if (type !== 'moment') return of
  return (record) => {
    const value = of(record)
    return value === null ? null : BigInt(value)
  }
}

const DAY_MS = 86_400_000
const dayNumber = (day: string) => Date.parse(day) / DAY_MS

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
  const leaves = columns.map(([name, { type }]): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...parquetTypes[type] }))
  const geometry: SchemaElement = { name: GEOMETRY, repetition_type: 'OPTIONAL', type: 'BYTE_ARRAY' }
  return [{ name: 'root', num_children: leaves.length + 1 }, ...leaves, geometry]
}

/** West, south, east and north of every point so far, degrees. */
type Bounds = [west: number, south: number, east: number, north: number]

/** A point as well-known binary, least significant byte first; null for a record of a county or a zone. */
function pointOf({ latitude, longitude }: ExportedRecord, bounds: Bounds): Uint8Array | null {
  if (latitude === null || longitude === null) return null
  bounds[0] = Math.min(bounds[0], longitude)
  bounds[1] = Math.min(bounds[1], latitude)
  bounds[2] = Math.max(bounds[2], longitude)
  bounds[3] = Math.max(bounds[3], latitude)
  const point = new DataView(new ArrayBuffer(WKB_POINT_BYTES))
  point.setUint8(0, LITTLE_ENDIAN)
  point.setUint32(1, WKB_POINT, true)
  point.setFloat64(5, longitude, true)
  point.setFloat64(13, latitude, true)
  return new Uint8Array(point.buffer)
}

const LITTLE_ENDIAN = 1
const WKB_POINT = 1
const WKB_POINT_BYTES = 21

/** What readers of geometry look for in the footer (geoparquet.org, 1.1.0). A file without points has no bounds. */
function geoMetadata(bounds: Bounds): object {
  const geometry = { encoding: 'WKB', geometry_types: ['Point'], crs: crs84, ...(Number.isFinite(bounds[0]) && { bbox: bounds }) }
  return { version: '1.1.0', primary_column: GEOMETRY, columns: { [GEOMETRY]: geometry } }
}
