import type pg from 'pg'
import { vacuum } from './vacuum.ts'

/**
 * The peer's own tables: Web Mercator like its tiles, sorted by location, with a tile's properties of a record.
 * @param cells search cells: only records of these cells; null for all
 */
export async function createTilePeer(pool: pg.Pool, cells: readonly number[] | null = null): Promise<void> {
  const place = (latitude: string, longitude: string) => `ST_Transform(ST_SetSRID(ST_MakePoint(${longitude}, ${latitude}), 4326), 3857)`
  const begin = place('latitude', 'longitude')
  await pool.query(`
    CREATE EXTENSION IF NOT EXISTS postgis;
    CREATE TYPE peer_feature AS (feature int, id int, type text, family text, severity text, date text, value float8, source text, evidence_kind text, geom geometry);
    CREATE TABLE peer_record AS
      SELECT id, type, family, severity, occurred_on::text AS date, coalesce(hail_size_in, wind_gust_mph, tornado_ef_scale) AS value, source,
             evidence_kind, CASE type WHEN 'thunderstorm_wind' THEN 'wind' ELSE type END AS layer, ${begin} AS place,
             CASE WHEN precision = 'path' THEN ST_MakeLine(${begin}, ${place('end_latitude', 'end_longitude')}) END AS path
        FROM archive_records
       WHERE ${cells === null ? 'true' : `id IN (SELECT record_id FROM record_cells WHERE cell IN (${cells.join(', ')}))`}
       ORDER BY ST_GeoHash(ST_SetSRID(ST_MakePoint(longitude, latitude), 4326), 8);
    CREATE INDEX peer_record_place ON peer_record USING gist (place);
    CREATE INDEX peer_record_path ON peer_record USING gist (path) WHERE path IS NOT NULL`)
  await vacuum(pool, 'peer_record')
}

/** The query of PostGIS tile servers (martin, tegola, pg_tileserv): every record in the tile's box, one layer for each kind. */
export const PEER_TILE = {
  name: 'peer_tile',
  text: `
    SELECT coalesce(string_agg(layer, ''), '') AS tile FROM (
      SELECT ST_AsMVT(ROW(id, id, type, family, severity, date, value, source, evidence_kind,
                          ST_AsMVTGeom(place, ST_TileEnvelope($1, $2, $3), 4096, 0, false))::peer_feature, layer, 4096, 'geom', 'feature') AS layer
        FROM peer_record WHERE place && ST_TileEnvelope($1, $2, $3) GROUP BY peer_record.layer
      UNION ALL
      SELECT ST_AsMVT(ROW(id, id, type, family, severity, date, value, source, evidence_kind,
                          ST_AsMVTGeom(path, ST_TileEnvelope($1, $2, $3), 4096, 64, true))::peer_feature, 'tornado_paths', 4096, 'geom', 'feature')
        FROM peer_record WHERE path && ST_TileEnvelope($1, $2, $3, margin => 1.0 / 64)) AS layers`,
}
