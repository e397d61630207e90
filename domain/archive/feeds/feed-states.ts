import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { isInFuture, latestPlausible } from '#domain/archive/ingest/reject-impossible.ts'
import type { FeedAnswer } from '#domain/archive/sources/source.ts'
import { withinRevision } from '#domain/archive/versions/revision.ts'
import type { Validators } from '#domain/engines/http.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { preliminarySources } from '#domain/weather/sources.ts'

/**
 * How far each feed was read, and the last response of each of its URLs: rows of feed_states, by source id and by URL. A
 * watermark in the future, which a wrong clock left behind, counts as none, because nothing would ever be later.
 */
type Store = Pick<App, 'pool' | 'clock'>

/**
 * Starts or continues reading a source. Returns the time up to which the source was read, or null if it never was. The row
 * then stays until the source is forgotten.
 */
export async function openFeed({ pool, clock }: Store, source: string): Promise<Date | null> {
  const now = clock.now()
  const { rows } = await pool.query<{ watermark: Date | null }>(
    `INSERT INTO feed_states (url, source, checked_at) VALUES ($1, $1, $2)
     ON CONFLICT (url) DO UPDATE SET checked_at = excluded.checked_at RETURNING watermark`,
    [source, now],
  )
  const watermark = rows[0]?.watermark ?? null
  return watermark && isInFuture(watermark, now) ? null : watermark
}

/**
 * Checks that a source was not forgotten since its reading began.
 * @throws Refusal engine_unavailable if it was: the earlier responses of its feed are gone, and the current one would pass
 *   for all of them
 */
export async function requireFeedOpen(client: Pick<pg.ClientBase, 'query'>, source: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM feed_states WHERE url = $1', [source])
  if (rowCount === 0) throw new Refusal('engine_unavailable', 'it was forgotten while it was read; the next run reads it again')
}

/**
 * Moves a source's watermark forward. It moves back only from a time in the future, and not at all if the source was
 * forgotten since its reading began. Reports state how far preliminary reports were read, so their watermarks are kept for
 * every point in time.
 */
export async function moveWatermark(app: Store, source: string, through: Date): Promise<void> {
  const now = app.clock.now()
  const values = [source, through, now, latestPlausible(now)]
  if (!preliminarySources.some((id) => id === source)) await app.pool.query(MOVE_MARK, values)
  else await withinRevision(app, { source }, async (client) => void (await client.query(MOVE_REMEMBERED_MARK, values)))
}

/** `greatest` ignores nulls. */
const MOVE_MARK = `
  UPDATE feed_states SET watermark = greatest(CASE WHEN watermark <= $4::timestamptz THEN watermark END, $2), checked_at = $3 WHERE url = $1`
const MOVE_REMEMBERED_MARK = `
  WITH moved AS (${MOVE_MARK} RETURNING watermark)
  INSERT INTO feed_marks (source, watermark)
  SELECT $1, watermark FROM moved
   WHERE watermark IS DISTINCT FROM (SELECT watermark FROM feed_marks WHERE source = $1 ORDER BY revision DESC LIMIT 1)`

/** Returns the validators of the next conditional request to a URL, or null if the URL has not responded yet. Records the request. */
export async function validatorsOf({ pool, clock }: Store, url: string): Promise<Validators | null> {
  const { rows } = await pool.query<Validators>('UPDATE feed_states SET checked_at = $2 WHERE url = $1 RETURNING etag, last_modified', [
    url,
    clock.now(),
  ])
  return rows[0] ?? null
}

/** Whether a response states an earlier time than the previous response of the same URL. */
export async function isOlder({ pool, clock }: Store, { url, stated_at }: Pick<FeedAnswer, 'url' | 'stated_at'>): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM feed_states WHERE url = $1 AND watermark > $2 AND watermark <= $3', [
    url,
    stated_at,
    latestPlausible(clock.now()),
  ])
  return rowCount === 1
}

/**
 * Records that a response was read, so that the next request asks only for newer data. Does nothing for a response without
 * validators and stated time, or if the source was forgotten since its reading began.
 */
export async function saveFeedAnswer(
  { pool, clock }: Store,
  source: string,
  { url, validators, stated_at }: Pick<FeedAnswer, 'url' | 'validators' | 'stated_at'>,
): Promise<void> {
  if (!validators && !stated_at) return
  const now = clock.now()
  // A clock slightly ahead is capped at now. A wrong clock is ignored: every later response would count as older.
  const watermark = stated_at && (isInFuture(stated_at, now) ? null : new Date(Math.min(stated_at.getTime(), now.getTime())))
  await pool.query(
    `INSERT INTO feed_states AS f (url, source, etag, last_modified, watermark, checked_at)
     SELECT $1, $2, $3, $4, $5, $6 FROM feed_states WHERE url = $2 FOR KEY SHARE
     ON CONFLICT (url) DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified,
       watermark = coalesce(excluded.watermark, f.watermark), checked_at = excluded.checked_at`,
    [url, source, validators?.etag, validators?.last_modified, watermark, now],
  )
}

/** Whether the file at that URL, which never changes, was read before. Records the request. */
export async function wasRead({ pool, clock }: Store, url: string): Promise<boolean> {
  const { rowCount } = await pool.query('UPDATE feed_states SET checked_at = $2 WHERE url = $1', [url, clock.now()])
  return rowCount === 1
}

/** Records that a file was read, in the transaction that stores its last rows. */
export async function markRead(client: Pick<pg.ClientBase, 'query'>, source: string, url: string, now: Date): Promise<void> {
  await client.query(
    'INSERT INTO feed_states (url, source, checked_at) VALUES ($1, $2, $3) ON CONFLICT (url) DO UPDATE SET checked_at = excluded.checked_at',
    [url, source, now],
  )
}

/**
 * Deletes URLs not requested since then. Requesting one again only reads it again, which changes nothing. How far a source
 * was read stays.
 */
export async function deleteOldAnswers({ pool }: Pick<App, 'pool'>, since: Date): Promise<void> {
  await pool.query('DELETE FROM feed_states WHERE checked_at < $1 AND url <> source', [since])
}
