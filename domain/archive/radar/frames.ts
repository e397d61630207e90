import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { markRadarDays, unmarkMoment } from '#domain/archive/coverage/coverage-days.ts'
import { tryToLockSource } from '#domain/archive/ingest/source-lock.ts'
import { HOURS_24_MS, hoursOfDay, isOfDay } from '#domain/archive/radar/day-hours.ts'
import { cellsOf, type Frame, type FrameCell } from '#domain/archive/radar/frame.ts'
import { blocksWithin } from '#domain/archive/radar/grid.ts'
import { statesSeen } from '#domain/archive/radar/states-seen.ts'
import { beginRevision, endRevision, withinRevision } from '#domain/archive/versions/revision.ts'
import { inTransaction } from '#domain/engines/database.ts'
import type { Bounds } from '#domain/geo/area.ts'
import { daysAt, daysByEveryClock, type StateDay } from '#domain/geo/state-days.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import { isSample, realElseSample, SAMPLE_SOURCE } from '#domain/weather/sources.ts'

type Store = Pick<App, 'pool'>

export interface StoredFrame {
  valid_at: Date
  cells: FrameCell[]
}

/**
 * Stores a frame completely or not at all. A frame that is already stored is left unchanged.
 * @returns its id, and whether it is new.
 */
export async function storeFrame({ pool }: Store, source: string, frame: Frame): Promise<{ id: number; added: boolean }> {
  return inTransaction(pool, (client) => insertFrame(client, source, frame, null))
}

/** Does the same in the caller's transaction. The days of the states in the frame count as stored from then on. */
export async function insertFrame(
  client: pg.ClientBase,
  source: string,
  frame: Frame,
  file_id: number | null,
): Promise<{ id: number; added: boolean }> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO radar_frames (source, product, valid_at, day, cells, peak_mm, coverage, file_id)
     VALUES ($1, $2, $3, ($3::timestamptz AT TIME ZONE 'UTC')::date, $4, $5, $6, $7) ON CONFLICT (source, product, valid_at) DO NOTHING RETURNING id`,
    [source, frame.product, frame.valid_at, frame.cells, frame.peak_mm, frame.coverage, file_id],
  )
  const added = rows[0]
  if (!added) {
    const existing = await client.query<{ id: number }>(
      'SELECT id FROM radar_frames WHERE source = $1 AND product = $2 AND valid_at = $3',
      [source, frame.product, frame.valid_at],
    )
    return { id: present(existing.rows[0]).id, added: false }
  }
  await client.query(
    'INSERT INTO radar_blocks (frame_id, block, cells, data) SELECT $1, * FROM unnest($2::int[], $3::int[], $4::bytea[])',
    [added.id, frame.blocks.map(({ block }) => block), frame.blocks.map(({ cells }) => cells), frame.blocks.map(({ data }) => data)],
  )
  const states = statesSeen(frame.coverage)
  // The largest of 24 hours is not a moment of any day. It counts for a day only if its hours are that day's.
  if (frame.product === 'mesh') await markRadarDays(client, source, daysAt(states, frame.valid_at), 1)
  else await markRadarDays(client, source, daysOf24Hours(states, frame), 0)
  return { id: added.id, added: true }
}

/** Returns the days of states that a grid of the largest of 24 hours covers. */
function daysOf24Hours(states: string[], frame: Frame): StateDay[] {
  const hours = { from_at: new Date(frame.valid_at.getTime() - HOURS_24_MS), until_at: frame.valid_at }
  const middle = new Date(frame.valid_at.getTime() - HOURS_24_MS / 2)
  return daysByEveryClock(states, middle, (day, timezone) => isOfDay(hours, hoursOfDay(day, timezone)))
}

/**
 * Returns the single-moment frames with their cells inside the box, in time order; from and until inclusive. A frame
 * without hail in the box is returned with no cells: the radar looked and saw none. Made-up frames, which are kept for ever, are returned only
 * if no others exist, or if these are unwanted.
 */
export async function framesWithin({ pool }: Store, box: Bounds, from: Date, until: Date, wantsReal = true): Promise<StoredFrame[]> {
  const { rows } = await pool.query<{ source: string; valid_at: Date; blocks: number[]; data: Buffer[] }>({
    name: 'frames_within',
    text: `SELECT f.source, f.valid_at, coalesce(array_agg(b.block) FILTER (WHERE b.block IS NOT NULL), '{}') AS blocks,
                  coalesce(array_agg(b.data) FILTER (WHERE b.block IS NOT NULL), '{}') AS data
             FROM radar_frames f LEFT JOIN radar_blocks b ON b.frame_id = f.id AND b.block = ANY($1::int[])
            WHERE f.product = 'mesh' AND f.day BETWEEN ($2::timestamptz AT TIME ZONE 'UTC')::date AND ($3::timestamptz AT TIME ZONE 'UTC')::date
              AND f.valid_at BETWEEN $2 AND $3
            GROUP BY f.id, f.source, f.valid_at ORDER BY f.valid_at`,
    values: [blocksWithin(box), from, until],
  })
  return realElseSample(wantsReal ? rows : rows.filter(isSample)).map(({ valid_at, blocks, data }) => ({
    valid_at,
    cells: blocks.flatMap((block, i) => cellsOf(block, present(data[i]))),
  }))
}

/** No local day of the grid begins before the east's in summer, at 04:00 UTC. */
const DAYS_BEGIN_MS = 4 * HOUR_MS
/** Frames removed in one transaction. Their coverage is read to find the days they belong to. */
const DELETED_AT_ONCE = 200

/**
 * Returns the time before which no frame is kept. Local days that begin later are whole. Farther west, the last hours of the day before are
 * left, which alone would look like all of it.
 */
export function framesKeptFrom({ clock }: Pick<App, 'clock'>, retention_days: number): Date {
  const oldest = clock.now().getTime() - retention_days * DAY_MS
  return new Date(oldest - ((oldest - DAYS_BEGIN_MS) % DAY_MS))
}

/**
 * Removes frames older than the retention, and their share of the stored days, a day at a time. Records cited from them stay, and so does
 * the largest value of each day. A frame that its day has not included yet stays until the next run. Each step is a
 * revision, so that concurrent readers of days and frames notice it.
 * Returns how many frames were removed. If the source is being read, the rest are removed at the next run.
 */
export async function deleteOldFrames({ pool, clock }: Pick<App, 'pool' | 'clock'>, retention_days: number): Promise<number> {
  const before = framesKeptFrom({ clock }, retention_days)
  let deleted = 0
  for (;;) {
    const frames = await deleteFrames({ pool, clock }, before)
    deleted += frames
    if (frames < DELETED_AT_ONCE) return deleted
  }
}

async function deleteFrames({ pool, clock }: Pick<App, 'pool' | 'clock'>, before: Date): Promise<number> {
  return inTransaction(pool, async (client) => {
    if (!(await tryToLockSource(client, 'noaa_mesh'))) return 0
    await beginRevision(client)
    const { rows } = await client.query<{ source: string; product: string; valid_at: Date; coverage: Buffer }>(
      `DELETE FROM radar_frames WHERE id IN (
         SELECT id FROM radar_frames f
          WHERE source <> '${SAMPLE_SOURCE}' AND valid_at < $1 AND NOT EXISTS (SELECT FROM map_changes m WHERE f.id = ANY(m.frames))
          ORDER BY valid_at LIMIT ${DELETED_AT_ONCE})
       RETURNING source, product, valid_at, coverage`,
      [before],
    )
    for (const { source, product, valid_at, coverage } of rows)
      if (product === 'mesh') await unmarkMoment(client, source, daysAt(statesSeen(coverage), valid_at))
    if (rows.length > 0) await endRevision(client, { clock }, { source: 'noaa_mesh' })
    return rows.length
  })
}

/**
 * Removes an unreadable frame, so that its file counts as new. If its coverage is unreadable too, its days stay counted.
 * The removal is a revision, so that concurrent readers of days and frames notice it.
 */
export async function removeFrame(app: Pick<App, 'pool' | 'clock'>, { id, source }: { id: number; source: string }): Promise<void> {
  await withinRevision(app, { source }, async (client) => {
    const { rows } = await client.query<{ product: string; valid_at: Date; coverage: Buffer }>(
      'DELETE FROM radar_frames WHERE id = $1 RETURNING product, valid_at, coverage',
      [id],
    )
    for (const { product, valid_at, coverage } of rows)
      if (product === 'mesh') await unmarkMoment(client, source, daysAt(readableStates(coverage), valid_at))
  })
}

function readableStates(coverage: Buffer): string[] {
  try {
    return statesSeen(coverage)
  } catch {
    return []
  }
}
