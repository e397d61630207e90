import type { KeyObject } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { type RawTx, transact } from '#domain/engines/database.ts'
import { type LogHead, readCheckpoint, signCheckpoint } from '#domain/fingerprint-log/checkpoint.ts'
import { logKey } from '#domain/fingerprint-log/log-key.ts'
import { grow, growingTiles, rangeHash, type Tile, type Tiles, tileKey } from '#domain/fingerprint-log/tiles.ts'

/** Entries per transaction, which takes about 20 ms. */
const ENTRIES_AT_ONCE = 1024

/**
 * Appends every pending entry to the log, in order of arrival. Entries, tree hashes and the signed checkpoint are written in
 * one transaction under one lock: a process that dies leaves all of them or none, and two processes never create two logs.
 * @returns the number of entries
 */
export async function appendPending(app: Pick<App, 'pool' | 'db' | 'config' | 'clock' | 'log'>): Promise<number> {
  let appended = 0
  while (await isWaiting(app)) {
    const key = await logKey(app)
    appended += await transact(app.pool, (tx) => appendSome(app, tx, key))
  }
  return appended
}

async function isWaiting({ pool }: Pick<App, 'pool'>): Promise<boolean> {
  const { rowCount } = await pool.query({ name: 'log.waiting', text: 'SELECT FROM fingerprint_log_pending LIMIT 1' })
  return rowCount !== 0
}

async function appendSome({ config, clock }: Pick<App, 'config' | 'clock'>, tx: RawTx, key: KeyObject): Promise<number> {
  await lockLog(tx)
  const pending = await tx.$queryRaw<{ id: string; entry: Buffer }[]>`
    SELECT id, entry FROM fingerprint_log_pending ORDER BY id LIMIT ${ENTRIES_AT_ONCE}`
  // Another process has appended them.
  if (pending.length === 0) return 0
  const entries = pending.map(({ entry }) => entry)
  await appendEntries(tx, (await readState(tx)) ?? emptyLog(config.log_origin), entries, { key, now: clock.now() })
  await tx.$executeRaw`DELETE FROM fingerprint_log_pending WHERE id = ANY(${pending.map(({ id }) => id)}::bigint[])`
  return entries.length
}

/** Only one transaction at a time reads the end of the log and extends it. */
export async function lockLog(tx: RawTx): Promise<void> {
  await tx.$queryRaw`SELECT 1 AS taken FROM pg_advisory_xact_lock(hashtextextended('fingerprint log', 6962))`
}

/** What the next checkpoint continues. */
export interface LogState {
  origin: string
  size: number
  ended: readonly LogHead[]
}

/** The state of a log of this name without an entry. */
export const emptyLog = (origin: string): LogState => ({ origin, size: 0, ended: [] })

/** Returns the state that the newest checkpoint shows; null for an empty log. */
export async function readState(tx: RawTx): Promise<(LogState & LogHead) | null> {
  const [last] = await tx.$queryRaw<{ note: string }[]>`SELECT note FROM fingerprint_log_checkpoints ORDER BY size DESC LIMIT 1`
  return last ? readCheckpoint(last.note) : null
}

/**
 * Appends entries under the lock of the log, and signs the checkpoint.
 * @returns the signed note
 */
export async function appendEntries(
  tx: RawTx,
  { origin, size, ended }: LogState,
  entries: Buffer[],
  { key, now }: { key: KeyObject; now: Date },
): Promise<string> {
  const growing = await readGrowing(tx, size)
  const changed = grow(size, growing, entries)
  for (const tile of changed) growing.set(tileKey(tile), tile.hashes)
  const end = size + entries.length
  const note = signCheckpoint({ origin, size: end, root: rangeHash(growing, { start: 0, end }), ended }, key)
  await write(tx, now, { size, entries, changed, note })
  return note
}

/** Reads the partial tiles at the tree's right edge, and those above the tiles that become full: the root is computed from these alone. */
async function readGrowing(tx: RawTx, size: number): Promise<Tiles> {
  const places = growingTiles(size)
  const rows = await tx.$queryRaw<Tile[]>`
    SELECT t.level, t.index::float8 AS index, t.hashes
      FROM unnest(${places.map(({ level }) => level)}::int[], ${places.map(({ index }) => index)}::bigint[]) AS p (level, index)
      JOIN fingerprint_log_tiles t ON t.level = p.level AND t.index = p.index`
  return new Map(rows.map((tile) => [tileKey(tile), tile.hashes]))
}

interface Growth {
  /** Size before the growth. */
  size: number
  entries: Buffer[]
  changed: Tile[]
  note: string
}

async function write(tx: RawTx, now: Date, { size, entries, changed, note }: Growth): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO fingerprint_log_entries (index, entry, appended_at)
    SELECT ${size}::bigint + n - 1, e.entry, ${now} FROM unnest(${entries}::bytea[]) WITH ORDINALITY AS e (entry, n) ORDER BY n`
  await tx.$executeRaw`
    INSERT INTO fingerprint_log_tiles (level, index, hashes)
    SELECT * FROM unnest(${changed.map(({ level }) => level)}::int[], ${changed.map(({ index }) => index)}::bigint[], ${changed.map(({ hashes }) => hashes)}::bytea[])
    ON CONFLICT (level, index) DO UPDATE SET hashes = excluded.hashes`
  await tx.$executeRaw`
    INSERT INTO fingerprint_log_checkpoints (size, note, created_at) VALUES (${size + entries.length}::bigint, ${note}, ${now})`
}
