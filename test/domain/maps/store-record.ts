import { indexEntry } from '#domain/archive/search/index-entry.ts'
import type { Precision, Qualifier } from '#domain/closed-sets.ts'
import { severityOf } from '#domain/weather/severity-of.ts'
import type { RecordSource } from '#domain/weather/sources.ts'
import { familyOf, type RecordType } from '#domain/weather/types.ts'
import type { World } from '#test/support/world.ts'

interface RecordInput {
  latitude: number
  longitude: number
  end_latitude?: number
  end_longitude?: number
  type?: RecordType
  occurred_on?: string
  begins_at?: Date
  hail_size_in?: number
  wind_gust_mph?: number
  tornado_ef_scale?: number
  precision?: Precision
  qualifier?: Qualifier
  source?: RecordSource
  /** Two-letter code. */
  state?: string | undefined
  preliminary?: boolean
}

let storedCount = 0

/** Adds a record to the archive and its search index, as an import does. */
export async function storeRecord(world: World, input: RecordInput): Promise<{ id: number }> {
  const { type = 'hail', precision = 'point', source = 'noaa_storm_events', occurred_on = '2020-05-01' } = input
  const record = {
    type,
    precision,
    source,
    occurred_on,
    begins_at: input.begins_at ?? new Date(`${occurred_on}T18:00:00Z`),
    ends_at: null,
    latitude: input.latitude,
    longitude: input.longitude,
    end_latitude: input.end_latitude ?? null,
    end_longitude: input.end_longitude ?? null,
    hail_size_in: input.hail_size_in ?? null,
    wind_gust_mph: input.wind_gust_mph ?? null,
    wind_speed_mph: null,
    tornado_ef_scale: input.tornado_ef_scale ?? null,
    corners: null,
  }
  const { corners: _, ends_at: __, ...columns } = record
  const { id } = await world.app.db.archiveRecord.create({
    data: {
      ...columns,
      occurred_on: new Date(occurred_on),
      source_key: `maps/${++storedCount}`,
      family: familyOf(type),
      severity: severityOf(record),
      evidence_kind: 'ground',
      is_observed: true,
      qualifier: input.qualifier ?? null,
      state: input.state ?? null,
      preliminary: input.preliminary ?? false,
      citation_url: 'https://example.com/record',
      description: '',
    },
  })
  const { cells, point } = indexEntry(record)
  await world.app.pool.query(
    'INSERT INTO record_cells (record_id, cell, occurred_on, latitude, longitude) SELECT $1, unnest($2::int[]), $3, $4, $5',
    [id, cells, occurred_on, point?.[1] ?? null, point?.[0] ?? null],
  )
  return { id }
}
