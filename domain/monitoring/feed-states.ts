import type { App } from '#domain/app.ts'
import type { FeedAnswer } from '#domain/archive/sources/source.ts'
import type { Validators } from '#domain/engines/http.ts'

/** How far each feed was read, and what its addresses answered last: rows of feed_states, by source id and by address. */
type Store = Pick<App, 'pool' | 'clock'>

/** Up to when a source has been read; null where never. */
export async function feedWatermark({ pool }: Store, source: string): Promise<Date | null> {
  const { rows } = await pool.query<{ watermark: Date | null }>('SELECT watermark FROM feed_states WHERE url = $1', [source])
  return rows[0]?.watermark ?? null
}

/** Moves a source's mark; never back. */
export async function noteFeed({ pool, clock }: Store, source: string, through: Date): Promise<void> {
  await pool.query(
    `INSERT INTO feed_states AS f (url, source, watermark, checked_at) VALUES ($1, $1, $2, $3)
     ON CONFLICT (url) DO UPDATE SET watermark = greatest(f.watermark, excluded.watermark), checked_at = excluded.checked_at`,
    [source, through, clock.now()],
  )
}

/** What makes the next request of an address conditional; null where it has not answered yet. */
export async function validatorsOf({ pool }: Pick<App, 'pool'>, url: string): Promise<Validators | null> {
  const { rows } = await pool.query<Validators>('SELECT etag, last_modified FROM feed_states WHERE url = $1', [url])
  return rows[0] ?? null
}

/** Whether an answer says to be of an earlier moment than the same address said before. */
export async function isOlder({ pool }: Pick<App, 'pool'>, { url, stated_at }: Pick<FeedAnswer, 'url' | 'stated_at'>): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM feed_states WHERE url = $1 AND watermark > $2', [url, stated_at])
  return rowCount === 1
}

/** Notes that an answer was read: the next request is for what came since. */
export async function noteAnswer({ pool, clock }: Store, source: string, { url, validators, stated_at }: FeedAnswer): Promise<void> {
  await pool.query(
    `INSERT INTO feed_states AS f (url, source, etag, last_modified, watermark, checked_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (url) DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified,
       watermark = coalesce(excluded.watermark, f.watermark), checked_at = excluded.checked_at`,
    [url, source, validators.etag, validators.last_modified, stated_at, clock.now()],
  )
}
