import type { App } from '#domain/app.ts'
import { CLOCKS_APART_MS } from '#domain/engines/clock.ts'
import type { Tx } from '#domain/engines/database.ts'
import { EVENTS_KEPT_DAYS, emit } from '#domain/events/emit.ts'
import { type ExposureRow, exposureColumns, exposureTables, exposureView } from '#domain/exposures/exposure-rows.ts'
import { withDetectionLock } from '#domain/exposures/with-detection-lock.ts'
import { localDate } from '#domain/geo/zones.ts'
import { digestSent } from '#domain/integrations/announcements/digest-sent.ts'
import { DIGEST_HOUR, type DigestTotals, UNTIL_HOUR } from '#domain/integrations/digest-event.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import type { JobName } from '#domain/kernel/outbox.ts'

/** The most exposures that are read for one digest and that it carries; `totals` counts all. */
const DATA_MAX = 50

/**
 * Stages the digest of every team whose local time is in the digest's hours and whose digest of the day does not exist yet. One
 * statement covers all, because most teams share a time zone. A digest whose job still waits in the outbox is not staged again.
 */
export async function stageDigests({ pool, clock }: Pick<App, 'pool' | 'clock'>): Promise<void> {
  await pool.query({ name: 'digest.due', text: STAGE, values: [clock.now(), DIGEST_HOUR, UNTIL_HOUR, SEND] })
}

const SEND: JobName = 'digest.send'
const STAGE = `
  INSERT INTO outbox (name, payload)
  SELECT $4, task.payload
    FROM teams t CROSS JOIN LATERAL (SELECT $1::timestamptz AT TIME ZONE t.timezone AS at) local
   CROSS JOIN LATERAL (SELECT jsonb_build_object('team_id', t.id, 'local_date', to_char(local.at, 'YYYY-MM-DD')) AS payload) task
   WHERE extract(hour FROM local.at) >= $2 AND extract(hour FROM local.at) < $3
     AND NOT EXISTS (SELECT FROM digests d WHERE d.team_id = t.id AND d.local_date = local.at::date)
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.name = $4 AND o.payload = task.payload)`

/**
 * Creates a team's digest of a local date, once: one event and one e-mail with the exposures announced, or announced as grown,
 * since 7:00 of the day before, or nothing if there were none or if the morning has passed. Each digest begins where the previous one
 * ended, however late either was made and whatever time zone the team was in. The next one makes up for a morning without a digest.
 */
export async function sendDigest(app: App, { team_id, local_date }: { team_id: string; local_date: string }): Promise<void> {
  const [team] = await app.db.$queryRawUnsafe<TeamMorning[]>(TEAM_MORNING, team_id, local_date, DIGEST_HOUR)
  // A repeated job finds the digest made. Or it is not yet 7:00 by the clock of every worker, or in the time zone that the team has moved to.
  if (!team || app.clock.now().getTime() < team.until.getTime() + CLOCKS_APART_MS) return
  // Detection may commit after 7:00 what it announced before 7:00, so wait for it; later detections announce after 7:00. Keep
  // the lock to the end, so that a person who is erased meanwhile is not in the event.
  await withDetectionLock(app, team_id, (tx) => createDigest(tx, app, team, local_date))
}

async function createDigest(tx: Tx, app: App, team: TeamMorning, local_date: string): Promise<void> {
  const { team_id, from, until } = team
  const now = app.clock.now()
  const isLate = localDate(now, team.timezone) !== local_date || localHour(now, team.timezone) >= UNTIL_HOUR
  // Use the connection that waited for detection: with a second one each, many waiting digests would leave none for the
  // detections that they wait for.
  const rows = await tx.$queryRawUnsafe<(ExposureRow & { totals: DigestTotals })[]>(EXPOSURES, team_id, from, until, DATA_MAX)
  const data = rows.map((row) => exposureView(row, app.config.base_url, now))
  const totals = rows[0]?.totals ?? NONE
  const status = isLate ? 'skipped' : totals.exposures === 0 ? 'empty' : 'sent'
  const payload = { data, period: { from: from.toISOString(), to: until.toISOString() }, totals, timezone: team.timezone }
  const announced = digestSent.announce(payload, { base_url: app.config.base_url, total: data.length })
  const claimed = await tx.$executeRaw`
    INSERT INTO digests (team_id, local_date, status, until) VALUES (${team_id}::uuid, ${local_date}::date, ${status}, ${until})
    ON CONFLICT DO NOTHING`
  if (claimed === 0 || status === 'skipped') return
  // The next digest begins where the newest one ended. Older ones are kept as long as their events.
  await tx.$executeRaw`DELETE FROM digests WHERE team_id = ${team_id}::uuid AND local_date < ${local_date}::date - ${EVENTS_KEPT_DAYS}::int`
  if (status !== 'sent') return
  const exposure_ids = data.map(({ id }) => id)
  const event_id = await emit(tx, 'digest.sent', { team_id, subject: announced.headline, exposure_ids }, payload)
  if (team.email && app.mail.configured) await stageDurable(tx, 'digest.mail', { event_id })
}

interface TeamMorning {
  team_id: string
  email: string | null
  timezone: string
  /**
   * End of the last digest that was not skipped; if there was none yet, 7:00 of the day before in the current time zone, or when the team
   * was created if that is earlier. At most a week ago.
   */
  from: Date
  until: Date
}

/** How far back a digest makes up for mornings without one. */
const CATCH_UP_MAX = '7 days'
/** No row if the team's digest of the date exists. */
const TEAM_MORNING = `
  SELECT t.id AS team_id, t.email, t.timezone, morning.until, greatest(morning.until - interval '${CATCH_UP_MAX}', coalesce(
           (SELECT max(d.until) FROM digests d WHERE d.team_id = t.id AND d.status <> 'skipped' AND d.until < morning.until),
           least(t.created_at, (seven - interval '1 day') AT TIME ZONE t.timezone))) AS from
    FROM teams t CROSS JOIN LATERAL (SELECT $2::date + make_time($3::int, 0, 0) AS seven) local
   CROSS JOIN LATERAL (SELECT seven AT TIME ZONE t.timezone AS until) morning
   WHERE t.id = $1::uuid AND NOT EXISTS (SELECT FROM digests d WHERE d.team_id = t.id AND d.local_date = $2::date)`

const NONE: DigestTotals = { exposures: 0, properties: 0, territories: 0, warnings: 0 }

/**
 * A storm day that grew is announced again. Exposures from before a place was watched are recorded without a post and never
 * announced. No `last_seen_at` is earlier than an announcement, so the first condition lets the index on `last_seen_at` limit the
 * rows read, instead of reading all that a team ever had.
 */
const ANNOUNCED = `
  e.team_id = $1::uuid AND e.last_seen_at > $2::timestamptz AND NOT e.withdrawn
  AND (e.notified_at > $2::timestamptz AND e.notified_at <= $3::timestamptz OR e.escalated_at > $2::timestamptz AND e.escalated_at <= $3::timestamptz)`
/** The newest exposures, each with the totals of all: one statement, so that both describe the same exposures. */
const EXPOSURES = `
  SELECT ${exposureColumns}, (
           SELECT jsonb_build_object('exposures', count(*), 'properties', count(DISTINCT e.property_id), 'territories', count(DISTINCT e.territory_id),
                                     'warnings', count(*) FILTER (WHERE e.kind = 'warning'))
             FROM exposures e WHERE ${ANNOUNCED}) AS totals
    FROM ${exposureTables} WHERE ${ANNOUNCED} ORDER BY e.date DESC, e.id DESC LIMIT $4::int`

function localHour(instant: Date, timezone: string): number {
  return Number(new Intl.DateTimeFormat('en-US', { timeZone: timezone, hour: 'numeric', hourCycle: 'h23' }).format(instant))
}
