import type pg from 'pg'
import type { Random } from './random.ts'
import { stormCentres } from './storm-files.ts'
import { vacuum } from './vacuum.ts'

/**
 * Fills the archive with made-up records around storm centres, as uneven as the weather: hail, wind, floods and,
 * one in twenty, tornadoes with a path.
 */
export async function holdMapRecords(pool: pg.Pool, count: number, random: Random): Promise<void> {
  const centres = stormCentres(random)
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    // The same places in every run.
    await client.query('SELECT setseed(0.5)')
    await client.query(RECORDS, [count, centres.map(([latitude]) => latitude), centres.map(([, longitude]) => longitude)])
    await client.query(CELLS)
    await client.query('COMMIT')
  } finally {
    client.release()
  }
  await vacuum(pool, 'archive_records')
  await vacuum(pool, 'record_cells')
}

/**
 * Degrees, so that a tile of zoom 8 contains as large a share of all records as in the agency's own files: 0.4 %
 * where there are records.
 */
const SPREAD = '(random() + random() + random() - 1.5) * 0.8'

const RECORDS = `
  INSERT INTO archive_records (source, source_key, type, family, severity, occurred_on, begins_at, latitude, longitude, end_latitude, end_longitude,
                               hail_size_in, wind_gust_mph, tornado_ef_scale, precision, evidence_kind, is_observed, citation_url, description)
  SELECT 'noaa_storm_events', 'map/' || n, kind.type, CASE kind.type WHEN 'flood' THEN 'flood' ELSE 'thunderstorm' END,
         (ARRAY['minor', 'moderate', 'severe', 'extreme'])[1 + size / 25], day, day + time '18:00', latitude, longitude,
         CASE kind.type WHEN 'tornado' THEN latitude + 0.05 END, CASE kind.type WHEN 'tornado' THEN longitude + 0.1 END,
         CASE kind.type WHEN 'hail' THEN 0.75 + size / 4 * 0.25 END, CASE kind.type WHEN 'thunderstorm_wind' THEN 50 + size END,
         CASE kind.type WHEN 'tornado' THEN size / 20 END, CASE kind.type WHEN 'tornado' THEN 'path' ELSE 'point' END, 'ground', true,
         'https://www.ncei.noaa.gov/stormevents/', ''
    FROM (SELECT n, 1 + floor(power(random(), 1.3) * cardinality($2::float8[]))::int AS centre, floor(random() * 100)::int AS size,
                 DATE '1996-01-01' + floor(random() * 10950)::int AS day, ${SPREAD} AS north, ${SPREAD} AS east
            FROM generate_series(1, $1::int) AS n) AS made,
         -- The agency's own points are in hundredths of a degree: nineteen in twenty of the years up to 1995.
         LATERAL (SELECT round((($2::float8[])[centre] + north)::numeric, 2)::float8 AS latitude,
                         round((($3::float8[])[centre] + east)::numeric, 2)::float8 AS longitude) AS place,
         LATERAL (SELECT CASE WHEN n % 20 = 0 THEN 'tornado' WHEN n % 20 = 1 THEN 'flood' WHEN n % 2 = 0 THEN 'hail' ELSE 'thunderstorm_wind' END AS type) AS kind`

/** Both ends of a path are in its cells: 0.05 by 0.1 degrees meet no further cell. */
const CELLS = `
  INSERT INTO record_cells (record_id, cell, occurred_on, latitude, longitude)
  SELECT DISTINCT ON (id, cell) id, cell, occurred_on, CASE precision WHEN 'point' THEN latitude END, CASE precision WHEN 'point' THEN longitude END
    FROM archive_records,
         LATERAL (VALUES (floor((latitude + 90) * 4)::int * 1440 + floor((longitude + 180) * 4)::int),
                         (floor((coalesce(end_latitude, latitude) + 90) * 4)::int * 1440 + floor((coalesce(end_longitude, longitude) + 180) * 4)::int)) AS at(cell)
   ORDER BY id, cell`
