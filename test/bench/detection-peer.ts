import type pg from 'pg'
import { vacuum } from './vacuum.ts'

const METRES = 1609.344

/**
 * The peer's own tables of watched properties and of records: only the columns that it needs, in the order of its
 * index.
 * @param days YYYY-MM-DD: only records of these days; null for all
 */
export async function createDetectionPeer(pool: pg.Pool, days: readonly string[] | null = null): Promise<void> {
  const place = 'ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)'
  await pool.query(`
    CREATE EXTENSION IF NOT EXISTS postgis;
    CREATE TABLE peer_property AS
      SELECT subject_id AS id, radius_miles * ${METRES} AS reach, ${place}::geography AS place
        FROM (SELECT DISTINCT ON (subject_id) * FROM watch_cells) w ORDER BY ST_GeoHash(${place}, 6);
    CREATE INDEX ON peer_property USING gist (place);
    CREATE TABLE peer_record AS
      SELECT record_id AS id, occurred_on, ${place}::geography AS place FROM record_cells
       WHERE latitude IS NOT NULL${days === null ? '' : ` AND occurred_on IN (${days.map((day) => `'${day}'`).join(', ')})`};
    CREATE INDEX ON peer_record USING gist (place);
    CREATE INDEX ON peer_record (occurred_on)`)
  await vacuum(pool, 'peer_property')
  await vacuum(pool, 'peer_record')
}

/**
 * Returns the properties that records reach, with the day. The index is searched with the widest watch, then each
 * property is checked with its own.
 * @param widest_miles the widest watch
 */
export const detectedByPeer = (widest_miles: number) => `
  SELECT DISTINCT p.id, r.occurred_on FROM peer_record r JOIN peer_property p
      ON ST_DWithin(p.place, r.place, ${widest_miles * METRES}, false) AND ST_DWithin(p.place, r.place, p.reach, false)`
