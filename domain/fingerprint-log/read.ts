import type pg from 'pg'
import { logEntry } from '#domain/fingerprint-log/entry.ts'
import type { Inclusion } from '#domain/fingerprint-log/inclusion.ts'
import { HASH_BYTES, inclusionRanges, type LeafRange } from '#domain/fingerprint-log/merkle.ts'
import {
  entryBundle,
  rangeHash,
  TILE_WIDTH,
  type Tile,
  type TilePath,
  type TilePlace,
  type Tiles,
  tileKey,
  tilesOf,
} from '#domain/fingerprint-log/tiles.ts'

/** A checkpoint as it is served: signed by the log, with the cosignatures of witnesses. */
export interface ServedCheckpoint {
  size: number
  note: string
  /** Token of an RFC 3161 time stamp of the note's text. */
  timestamp: Buffer | null
}

/** Returns the newest checkpoint; null while the log is empty. */
export async function newestCheckpoint(pool: pg.Pool): Promise<ServedCheckpoint | null> {
  const { rows } = await pool.query<ServedCheckpoint>({ name: 'log.newest', text: NEWEST })
  return rows[0] ?? null
}

/** Returns the bytes of a tile, or of the entries under it; null if the log has not grown that far. */
export async function readTileBytes(pool: pg.Pool, { kind, level, index, width }: TilePath): Promise<Buffer | null> {
  if (kind === 'entries') {
    const { rows } = await pool.query<{ entry: Buffer }>({ name: 'log.entries', text: ENTRIES, values: [index * TILE_WIDTH, width] })
    return rows.length === width ? entryBundle(rows.map(({ entry }) => entry)) : null
  }
  const hashes = (await readTiles(pool, [{ level, index }])).get(tileKey({ level, index }))
  return hashes && hashes.length >= width * HASH_BYTES ? hashes.subarray(0, width * HASH_BYTES) : null
}

/** Returns the hashes of ranges of leaves, all of which must be in the log. */
export async function readHashes(pool: pg.Pool, ranges: readonly LeafRange[]): Promise<Buffer[]> {
  const tiles = await readTiles(pool, tilesOf(ranges))
  return ranges.map((range) => rangeHash(tiles, range))
}

/**
 * Proves that a report's entry is in the log, under the newest checkpoint with a witness's cosignature, else the newest one;
 * null until the entry is in the log.
 */
export async function proveReport(pool: pg.Pool, report_id: string): Promise<Inclusion | null> {
  const { rows } = await pool.query<{ log_salt: Buffer; fingerprint: string }>({
    name: 'log.report',
    text: LOGGED_REPORT,
    values: [report_id],
  })
  const [report] = rows
  if (!report) return null
  const entry = logEntry(report.log_salt, report.fingerprint)
  const placed = await pool.query<{ index: number }>({ name: 'log.place', text: PLACE, values: [entry] })
  const index = placed.rows[0]?.index
  if (index === undefined) return null
  const covering = await pool.query<ServedCheckpoint>({ name: 'log.covering', text: COVERING, values: [index] })
  const [checkpoint] = covering.rows
  if (!checkpoint) return null
  const hashes = await readHashes(pool, inclusionRanges(index, checkpoint.size))
  return {
    index,
    inclusion_proof: hashes.map((hash) => hash.toString('base64')),
    checkpoint: checkpoint.note,
    salt: report.log_salt.toString('base64'),
    timestamp: checkpoint.timestamp?.toString('base64') ?? null,
  }
}

async function readTiles(pool: pg.Pool, places: readonly TilePlace[]): Promise<Tiles> {
  const values = [places.map(({ level }) => level), places.map(({ index }) => index)]
  const { rows } = await pool.query<Tile>({ name: 'log.tiles', text: TILES, values })
  return new Map(rows.map((tile) => [tileKey(tile), tile.hashes]))
}

/** Cosignatures follow the log's own signature, always in the same order. */
const SERVED = `
  c.size::float8 AS size, (SELECT t.token FROM fingerprint_log_timestamps t WHERE t.size = c.size) AS timestamp,
  c.note || coalesce((SELECT string_agg(s.line, '' ORDER BY s.witness) FROM fingerprint_log_cosignatures s WHERE s.size = c.size), '') AS note
  FROM fingerprint_log_checkpoints c`
const NEWEST = `SELECT ${SERVED} ORDER BY c.size DESC LIMIT 1`
const COVERING = `
  SELECT ${SERVED}
   WHERE c.size = coalesce((SELECT max(s.size) FROM fingerprint_log_cosignatures s HAVING max(s.size) > $1), (SELECT max(n.size) FROM fingerprint_log_checkpoints n))
     AND c.size > $1`
const ENTRIES = 'SELECT entry FROM fingerprint_log_entries WHERE index >= $1::bigint AND index < $1::bigint + $2::int ORDER BY index'
const TILES = `
  SELECT t.level, t.index::float8 AS index, t.hashes FROM unnest($1::int[], $2::bigint[]) AS p (level, index)
    JOIN fingerprint_log_tiles t ON t.level = p.level AND t.index = p.index`
const LOGGED_REPORT = "SELECT log_salt, fingerprint FROM reports WHERE id = $1 AND status = 'complete' AND log_salt IS NOT NULL"
const PLACE = 'SELECT index::float8 AS index FROM fingerprint_log_entries WHERE entry = $1'
