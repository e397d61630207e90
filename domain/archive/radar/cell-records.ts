import type pg from 'pg'
import { beyondDay, type DayHours, HOURS_24_MS, hoursOfDay, isOfDay } from '#domain/archive/radar/day-hours.ts'
import { type FrameCell, inches } from '#domain/archive/radar/frame.ts'
import { centreOf } from '#domain/archive/radar/grid.ts'
import { type RadarEstimate, radarEstimate } from '#domain/archive/radar/radar-estimate.ts'
import type { ArchiveRecord, StoredRecord } from '#domain/archive/record.ts'
import { mesh } from '#domain/archive/sources/mesh.ts'
import { largestOf24Hours } from '#domain/archive/sources/mesh-bucket.ts'
import { sample } from '#domain/archive/sources/sample.ts'
import { cellOf } from '#domain/geo/cells.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { isoSeconds } from '#domain/kernel/iso-seconds.ts'
import { MADE_UP, type RecordSource } from '#domain/weather/sources.ts'

/** A grid cell at one time of the radar mosaic. */
export interface ScannedCell extends FrameCell {
  source: RecordSource
  valid_at: Date
}

/** A grid cell of a stored day: the largest size of its hours. */
export interface DayCell extends FrameCell {
  source: RecordSource
  /** YYYY-MM-DD, local date at the cell. */
  day: string
  hours: DayHours
}

/** A record of the radar grid, which always has a position. */
export type CellRecord = ArchiveRecord & { latitude: number; longitude: number }

/** Turns a cell into a record with the key mesh/time/row/column: the same cell always gives the same record. */
export function recordOfCell(cell: ScannedCell): CellRecord {
  const moment = isoSeconds(cell.valid_at)
  const isMadeUp = cell.source === sample.id
  const estimate: RadarEstimate = {
    source: cell.source,
    source_key: `${SCAN}${moment}/${cell.row}/${cell.column}`,
    begins_at: cell.valid_at,
    hail_size_in: inches(cell.size_mm),
    ...centreOf(cell),
    precision: 'grid',
    file_name: `${isMadeUp ? 'sample-' : ''}MRMS_MESH_00.50_${stampOf(moment)}.grib2`,
    description: `${isMadeUp ? `${MADE_UP}. ` : ''}Largest estimate in the grid cell at ${moment}.`,
  }
  return radarEstimate(estimate, isMadeUp ? sample.cite : mesh.cite)
}

const SCAN = 'mesh/'
const KEPT_DAY = 'mesh_day/'

/** Whether a record is a grid cell at one time of the radar mosaic. Decided by its key. */
export function isOfScan({ source_key }: Pick<ArchiveRecord, 'source_key'>): boolean {
  return source_key.startsWith(SCAN)
}

/** Whether a record of the radar grid is the largest of several hours and not of one time. Decided by its key. */
export function isLargestOfHours({ source_key }: Pick<ArchiveRecord, 'source_key'>): boolean {
  return source_key.startsWith(largestOf24Hours.key) || source_key.startsWith(KEPT_DAY)
}

/** Whether it is the largest of the stored moments of a day. */
export function isLargestOfMoments({ source_key }: Pick<ArchiveRecord, 'source_key'>): boolean {
  return source_key.startsWith(`${KEPT_DAY}moments/`)
}

/**
 * Turns the largest value of a cell's stored day into a record. If the day comes from one grid of 24 hours, it is that
 * grid's own cell. Otherwise its key has its hours and its size, because a day may still be raised. Hours that reach far
 * beyond the local day make the day suspect, and a caveat says so.
 */
export function recordOfDayCell({ hours, day, source, row, column, size_mm }: DayCell): CellRecord {
  const [from, until] = [isoSeconds(hours.from_at), isoSeconds(hours.until_at)]
  const isMadeUp = source === sample.id
  const isOneGrid = hours.of_moments === false && hours.until_at.getTime() - hours.from_at.getTime() === HOURS_24_MS
  const size = size_mm.toFixed(1)
  const prefix = hours.of_moments ? 'moments/' : ''
  const centre = centreOf({ row, column })
  const estimate: RadarEstimate = {
    source,
    source_key: isOneGrid
      ? `${largestOf24Hours.key}${until}/${row}/${column}`
      : `${KEPT_DAY}${prefix}${from}/${until}/${size}/${row}/${column}`,
    begins_at: hours.from_at,
    hail_size_in: inches(size_mm),
    ...centre,
    precision: 'grid',
    file_name: isOneGrid ? `${isMadeUp ? 'sample-' : ''}${largestOf24Hours.file}_${stampOf(until)}.grib2` : null,
    description: `${isMadeUp ? `${MADE_UP}. ` : ''}Largest estimate in the grid cell ${hours.of_moments ? 'of the moments held ' : ''}from ${from} to ${until}: ${size} mm.`,
  }
  const local = hoursOfDay(day, timezoneAt(centre.latitude, centre.longitude))
  return {
    ...radarEstimate(estimate, isMadeUp ? sample.cite : mesh.cite),
    occurred_on: day,
    ends_at: hours.until_at,
    file_id: isOneGrid ? hours.file_id : null,
    caveats: isOfDay(hours, local) ? [] : [beyondCaveat(beyondDay(hours, local))],
  }
}

function beyondCaveat(beyond_ms: number): string {
  const hours = Math.ceil(beyond_ms / HOUR_MS)
  return `Its hours reach ${hours} h beyond the local day that it counts for: it may be of the day beside it.`
}

/** Formats 2026-05-28T20:00:00Z as file names do: 20260528-200000. */
function stampOf(moment: string): string {
  return moment.replace(/[-:Z]/g, '').replace('T', '-')
}

/** Id of a cell that is not a record of the archive. It receives an id when it is cited. */
export const NOT_STORED = 0

/** Cells looked up in the archive. */
export interface FoundCells {
  /** Ids of the cells that are records. */
  ids: number[]
  /** The other cells as the records they would be, with the id NOT_STORED. */
  unstored: StoredRecord[]
}

/** Looks cells up without writing, so that a search leaves no trace in the archive. */
export async function findCells(client: Pick<pg.ClientBase, 'query'>, records: CellRecord[]): Promise<FoundCells> {
  if (records.length === 0) return { ids: [], unstored: [] }
  const storedIds = await readKeys(client, records)
  return {
    ids: [...storedIds.values()],
    unstored: records.filter((record) => !storedIds.has(keyOf(record))).map((record) => ({ ...record, id: NOT_STORED })),
  }
}

/** The result of storing cells as records. */
export interface StoredCells {
  /** Ids of all of them. */
  ids: number[]
  /** The cells that were not records before. */
  added: ArchiveRecord[]
}

/** Stores cells as records with their search cells, each once, even with concurrent callers. */
export async function storeCells(client: Pick<pg.ClientBase, 'query'>, cells: ScannedCell[]): Promise<StoredCells> {
  if (cells.length === 0) return { ids: [], added: [] }
  const records = cells.map(recordOfCell)
  const { ids, added } = await storeCellRecords(client, records)
  return { ids: [...ids.values()], added }
}

/** Does the same for cells that already are records except for the id. Returns their ids by `keyOf`. */
export async function storeCellRecords(
  client: Pick<pg.ClientBase, 'query'>,
  records: CellRecord[],
): Promise<{ ids: Map<string, number>; added: CellRecord[] }> {
  const rows = records.map((record) => ({ ...record, cell: cellOf(record.latitude, record.longitude) }))
  const inserted = await client.query<{ source_key: string }>({
    name: 'hold-radar-cells',
    text: INSERT_CELLS,
    values: [JSON.stringify(rows)],
  })
  const fresh = new Set(inserted.rows.map(({ source_key }) => source_key))
  return { ids: await readKeys(client, records), added: records.filter(({ source_key }) => fresh.has(source_key)) }
}

/** Returns a key that identifies a record among all sources. */
export const keyOf = ({ source, source_key }: Pick<ArchiveRecord, 'source' | 'source_key'>) => `${source} ${source_key}`

/** Returns the ids of the stored records, by their keys. */
async function readKeys(client: Pick<pg.ClientBase, 'query'>, records: ArchiveRecord[]): Promise<Map<string, number>> {
  const { rows } = await client.query<Pick<StoredRecord, 'id' | 'source' | 'source_key'>>({
    name: 'radar-cell-ids',
    text: 'SELECT id, source, source_key FROM archive_records WHERE source = ANY($1) AND source_key = ANY($2)',
    values: [[...new Set(records.map(({ source }) => source))], records.map(({ source_key }) => source_key)],
  })
  return new Map(rows.map((row) => [keyOf(row), row.id]))
}

const columns = [
  'source',
  'source_key',
  'type',
  'family',
  'severity',
  'occurred_on',
  'begins_at',
  'ends_at',
  'time_unsure',
  'hail_size_in',
  'latitude',
  'longitude',
  'county',
  'county_fips',
  'state',
  'precision',
  'evidence_kind',
  'is_observed',
  'file_name',
  'file_id',
  'qualifier',
  'preliminary',
  'citation_url',
  'description',
  'caveats',
].join(', ')

/** A cell is known since the revision of its frame, whenever it is cited. */
const KNOWN_SINCE = `coalesce((SELECT f.revision FROM radar_frames f WHERE f.source = cell.source AND f.product = 'mesh' AND f.valid_at = cell.begins_at), 0)`

/**
 * Inserts in the order of the keys, so that two writers of the same cells wait for each other in one direction only. Stored
 * cells are skipped: each attempt would use up an id, of two thousand million, and neighbours share most of their cells.
 */
const INSERT_CELLS = `
  WITH given AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS given (source_key text, source text, cell int)),
  added AS (
    INSERT INTO archive_records (${columns}, revision) SELECT ${columns}, ${KNOWN_SINCE} FROM jsonb_populate_recordset(NULL::archive_records, $1::jsonb) cell
     WHERE NOT EXISTS (SELECT FROM archive_records r WHERE r.source = cell.source AND r.source_key = cell.source_key)
     ORDER BY source, source_key
    ON CONFLICT (source, source_key) DO NOTHING RETURNING id, source, source_key, occurred_on, latitude, longitude
  ), indexed AS (
    INSERT INTO record_cells (record_id, cell, occurred_on, latitude, longitude)
    SELECT a.id, g.cell, a.occurred_on, a.latitude, a.longitude FROM added a JOIN given g USING (source, source_key)
  )
  SELECT source_key FROM added`
