import type { App } from '#domain/app.ts'
import { sourceLabel } from '#domain/archive/sources/index.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import type { Qualifier } from '#domain/closed-sets.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import type { RecordSource } from '#domain/weather/sources.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** The details of a selected record on a map. */
export interface MapRecordView {
  id: number
  type: RecordType
  occurred_on: string
  begins_at: Date
  /** How its magnitude was obtained; null without one. */
  qualifier: Qualifier | null
  /** The rating on the scale that the row states: F3, EF3, EFU; null for other records than tornadoes. */
  tornado_rating: string | null
  /** The width of a tornado's path as its source states it, yards: the greatest, before 1994 the mean. */
  tornado_width_yd: number | null
  county: string | null
  state: string | null
  source_label: string
  citation_url: string
  description: string
  /** Its begin point; null for records of a county or a zone. */
  latitude: number | null
  longitude: number | null
  hail_size_in: number | null
  wind_gust_mph: number | null
  /** Sustained wind. */
  wind_speed_mph: number | null
  /** Doubts about it, as sentences. */
  caveats: string[]
}

/**
 * Returns a record of the archive by its id, as tiles have it.
 * @throws Refusal not_found for an unknown id, a record that its source has withdrawn, or a cell of the radar grid:
 *   no tile shows it, and the existence of its record would reveal that a team looked there
 */
export async function findMapRecord({ pool }: Pick<App, 'pool'>, id: number): Promise<MapRecordView> {
  const { rows } = await pool.query<CitedRow>({
    name: 'map_record',
    text: `${SELECT} AND id = $1 AND precision <> 'grid'`,
    values: [id],
  })
  if (!rows[0]) throw new Refusal('not_found', 'There is no record with this id.')
  return viewOf(rows[0])
}

/** Returns an exposure's records, including cells of the radar grid: its readers know of them already. Leaves out withdrawn ones. */
export async function findRecordsOfExposures({ pool }: Pick<App, 'pool'>, ids: number[]): Promise<MapRecordView[]> {
  const { rows } = await pool.query<CitedRow>({
    name: 'map_records',
    text: `${SELECT} AND id = ANY ($1::int[])`,
    values: [ids],
  })
  return rows.map(viewOf)
}

const SELECT = `
  SELECT id, type, occurred_on, begins_at, qualifier, tornado_ef_scale, county, state, source, preliminary, citation_url, description,
         latitude, longitude, hail_size_in, wind_gust_mph, wind_speed_mph, tornado_width_yd, coalesce(caveats, '{}') AS caveats
    FROM archive_records WHERE withdrawn_at IS NULL`

function viewOf({ source, preliminary, tornado_ef_scale, ...record }: CitedRow): MapRecordView {
  return { ...record, tornado_rating: tornadoRating({ ...record, tornado_ef_scale }), source_label: sourceLabel({ source, preliminary }) }
}

type CitedRow = Omit<MapRecordView, 'source_label' | 'tornado_rating'> & {
  source: RecordSource
  preliminary: boolean
  tornado_ef_scale: number | null
}
