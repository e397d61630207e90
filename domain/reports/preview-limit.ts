import { countOne } from '#domain/access/rate-limit.ts'
import type { App } from '#domain/app.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** A preview is free, and costs the service a search: enough for a desk, too few to read the archive with. */
export const PREVIEWS_PER_MINUTE = 30
/** Per UTC day. */
export const PREVIEWS_PER_DAY = 300

/** One row per team, reused each day. Returns no row if the day's limit is used up. */
const COUNT = `
  INSERT INTO report_previews AS p (team_id, day, used) VALUES ($1, $2, 1)
  ON CONFLICT (team_id) DO UPDATE SET day = excluded.day, used = CASE WHEN p.day = excluded.day THEN p.used + 1 ELSE 1 END
   WHERE p.day <> excluded.day OR p.used < ${PREVIEWS_PER_DAY}
  RETURNING used`

/**
 * Counts a preview of a team.
 * @throws Refusal `rate_limited` if the limit of the minute or of the day is used up
 */
export async function countPreview(app: Pick<App, 'pool' | 'limiter' | 'clock'>, team_id: string): Promise<void> {
  await countOne(app, `preview:${team_id}`, PREVIEWS_PER_MINUTE)
  const now = app.clock.now()
  const { rows } = await app.pool.query({ name: 'report.preview.count', text: COUNT, values: [team_id, now.toISOString().slice(0, 10)] })
  if (rows.length > 0) return
  throw new Refusal(
    'rate_limited',
    `Too many previews: at most ${PREVIEWS_PER_DAY} a day for a team, until midnight UTC. A report can be requested at any time.`,
    { retry_after: Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000) },
  )
}
