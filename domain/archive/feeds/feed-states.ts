import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { isToCome, lastKnowable } from '#domain/archive/ingest/reject-impossible.ts'
import type { FeedAnswer } from '#domain/archive/sources/source.ts'
import { withinRevision } from '#domain/archive/versions/revision.ts'
import type { Validators } from '#domain/engines/http.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { preliminarySources } from '#domain/weather/sources.ts'

/**
 * How far each feed was read, and what its addresses answered last: rows of feed_states, by source id and by address. A mark of a time to
 * come, which a clock that went wrong left behind, counts as none: nothing would ever be later.
 */
type Store = Pick<App, 'pool' | 'clock'>

/**
 * Begins to read a source, or to go on: up to when it has been read, null where never. From here on its row stands, unless
 * the source is forgotten.
 */
export async function beginFeed({ pool, clock }: Store, source: string): Promise<Date | null> {
  const now = clock.now()
  const { rows } = await pool.query<{ watermark: Date | null }>(
    `INSERT INTO feed_states (url, source, checked_at) VALUES ($1, $1, $2)
     ON CONFLICT (url) DO UPDATE SET checked_at = excluded.checked_at RETURNING watermark`,
    [source, now],
  )
  const watermark = rows[0]?.watermark ?? null
  return watermark && isToCome(watermark, now) ? null : watermark
}

/**
 * @throws Refusal engine_unavailable where a source was forgotten since it was begun: what its feed answered before is gone,
 *   and what it answers now would stand for all of it
 */
export async function requireBegun(client: Pick<pg.ClientBase, 'query'>, source: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM feed_states WHERE url = $1', [source])
  if (rowCount === 0) throw new Refusal('engine_unavailable', 'it was forgotten while it was read: the next run reads it anew')
}

/**
 * Moves a source's mark; never back, but from a time to come, and not where the source was forgotten since it was begun. How far
 * preliminary reports were read enters what reports say, so that their marks are known of every moment.
 */
export async function moveWatermark(app: Store, source: string, through: Date): Promise<void> {
  const now = app.clock.now()
  const values = [source, through, now, lastKnowable(now)]
  if (!preliminarySources.some((id) => id === source)) await app.pool.query(MOVE_MARK, values)
  else await withinRevision(app, { source }, async (client) => void (await client.query(MOVE_REMEMBERED_MARK, values)))
}

/** `greatest` passes over nulls. */
const MOVE_MARK = `
  UPDATE feed_states SET watermark = greatest(CASE WHEN watermark <= $4::timestamptz THEN watermark END, $2), checked_at = $3 WHERE url = $1`
const MOVE_REMEMBERED_MARK = `
  WITH moved AS (${MOVE_MARK} RETURNING watermark)
  INSERT INTO feed_marks (source, watermark)
  SELECT $1, watermark FROM moved
   WHERE watermark IS DISTINCT FROM (SELECT watermark FROM feed_marks WHERE source = $1 ORDER BY revision DESC LIMIT 1)`

/** What makes the next request of an address conditional; null where it has not answered yet. Notes that it is asked. */
export async function validatorsOf({ pool, clock }: Store, url: string): Promise<Validators | null> {
  const { rows } = await pool.query<Validators>('UPDATE feed_states SET checked_at = $2 WHERE url = $1 RETURNING etag, last_modified', [
    url,
    clock.now(),
  ])
  return rows[0] ?? null
}

/** Whether an answer says to be of an earlier moment than the same address said before. */
export async function isOlder({ pool, clock }: Store, { url, stated_at }: Pick<FeedAnswer, 'url' | 'stated_at'>): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM feed_states WHERE url = $1 AND watermark > $2 AND watermark <= $3', [
    url,
    stated_at,
    lastKnowable(clock.now()),
  ])
  return rowCount === 1
}

/**
 * Notes that an answer was read: the next request is for what came since. Nothing is noted of an answer that says nothing
 * about the next, and of a source that was forgotten since it was begun.
 */
export async function saveFeedAnswer(
  { pool, clock }: Store,
  source: string,
  { url, validators, stated_at }: Pick<FeedAnswer, 'url' | 'validators' | 'stated_at'>,
): Promise<void> {
  if (!validators && !stated_at) return
  const now = clock.now()
  // A clock that is a little ahead may be believed up to now, and of one that went wrong nothing: all that is answered later would be older.
  const watermark = stated_at && (isToCome(stated_at, now) ? null : new Date(Math.min(stated_at.getTime(), now.getTime())))
  await pool.query(
    `INSERT INTO feed_states AS f (url, source, etag, last_modified, watermark, checked_at)
     SELECT $1, $2, $3, $4, $5, $6 FROM feed_states WHERE url = $2 FOR KEY SHARE
     ON CONFLICT (url) DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified,
       watermark = coalesce(excluded.watermark, f.watermark), checked_at = excluded.checked_at`,
    [url, source, validators?.etag, validators?.last_modified, watermark, now],
  )
}

/** Whether a file of that address, which never changes, was read before. Notes that it is asked. */
export async function wasRead({ pool, clock }: Store, url: string): Promise<boolean> {
  const { rowCount } = await pool.query('UPDATE feed_states SET checked_at = $2 WHERE url = $1', [url, clock.now()])
  return rowCount === 1
}

/** Notes that a file was read, in the transaction that holds the last of it. */
export async function markRead(client: Pick<pg.ClientBase, 'query'>, source: string, url: string, now: Date): Promise<void> {
  await client.query(
    'INSERT INTO feed_states (url, source, checked_at) VALUES ($1, $2, $3) ON CONFLICT (url) DO UPDATE SET checked_at = excluded.checked_at',
    [url, source, now],
  )
}

/** Forgets addresses that nobody asked since: at most, one that is asked again is read again, which changes nothing. How far a source was read stays. */
export async function deleteOldAnswers({ pool }: Pick<App, 'pool'>, since: Date): Promise<void> {
  await pool.query('DELETE FROM feed_states WHERE checked_at < $1 AND url <> source', [since])
}
