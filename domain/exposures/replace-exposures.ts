import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import { type AlertedDay, queueAlertMails } from '#domain/alerts/queue-mails.ts'
import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import { NO_CHANGES, type TeamCounts } from '#domain/exposures/detection-counts.ts'
import {
  type Change,
  changeOf,
  contentKeys,
  type Draft,
  type ExistingExposure,
  type ReplaceOptions,
} from '#domain/exposures/exposure-change.ts'
import { type ExposureWithEvent, emitExposureEvents } from '#domain/exposures/exposure-events.ts'
import { chunksOf } from '#domain/kernel/chunks.ts'
import { nextMoment } from '#domain/watches/next-moment.ts'
import { lockUnchangedPlaces } from '#domain/watches/watched-places.ts'

/**
 * Exposures read or written per statement, the same number as detection updates at once. Each carries its whole warning,
 * polygon included, and one warning can cover every place of a team.
 */
const PAGE = 200

/**
 * Updates the exposures of one team to match the drafts and emits their events, in the caller's transaction. Unchanged
 * exposures are not written, nor are those of a place whose watch ended or changed since the drafts were made: these are
 * returned. Drafts of one warning share it, so at most one page of copies exists for comparing or writing. The
 * caller has the team's detection lock, so no other process updates the same exposures.
 */
export async function replaceExposures(
  tx: Tx,
  app: Pick<App, 'clock' | 'config'>,
  team_id: string,
  drafts: Draft[],
  options: ReplaceOptions,
): Promise<TeamCounts> {
  const now = app.clock.now()
  const changes: Change[] = []
  for (const page of chunksOf(drafts, PAGE)) changes.push(...(await changesOf(tx, team_id, page, options, now)))
  const shown = changes.filter(({ visible }) => visible)
  if (changes.length === 0) return { ...NO_CHANGES, changed: new Set() }
  const places = changes.map(({ draft }) => draft.place)
  const placeIds = await lockUnchangedPlaces(tx, team_id, places)
  const moment = shown.length > 0 ? await nextMoment(tx, team_id, now) : null
  // Every writer of exposures locks the team's row first, also one whose changes do not show: two writers then cannot deadlock.
  if (moment === null) await lockTeamRow(tx, team_id)
  const applicable = changes.filter(({ draft }) => placeIds.has(draft.place.id))
  const withEvents: ExposureWithEvent[] = []
  const alerted: AlertedDay[] = []
  for (const page of chunksOf(applicable, PAGE)) {
    const ids = await writeChanges(tx, team_id, page, moment, now)
    await updateLeftActivity(tx, team_id, page)
    for (const { draft, event, has_new_evidence } of page) {
      const id = ids.get(keyOf(draft.place.id, draft))
      if (id === undefined) continue
      if (event) withEvents.push({ id, event, warning_key: draft.warning_key })
      if (has_new_evidence) alerted.push({ exposure_id: id, place: draft.place, cited: draft.cited })
    }
  }
  if (options.alerts_in) await queueAlertMails(tx, { id: team_id, timezone: options.alerts_in.timezone }, alerted, now)
  return {
    written: applicable.filter(({ visible }) => visible).length,
    notified: await emitExposureEvents(tx, app, team_id, withEvents, now),
    changed: new Set(places.map(({ id }) => id).filter((id) => !placeIds.has(id))),
  }
}

async function changesOf(tx: Tx, team_id: string, drafts: Draft[], options: ReplaceOptions, now: Date): Promise<Change[]> {
  const existing = await readExisting(tx, team_id, drafts)
  return drafts
    .map((draft) => changeOf(draft, existing.get(keyOf(draft.place.id, draft)), options, now))
    .filter((change) => change !== null)
}

function keyOf(subject_id: string, { date, warning_key }: { date: string; warning_key: string | null }): string {
  return `${subject_id} ${warning_key ?? date}`
}

async function readExisting(tx: Tx, team_id: string, drafts: Draft[]): Promise<Map<string, ExistingExposure>> {
  const ids = [...new Set(drafts.map(({ place }) => place.id))]
  const dates = [...new Set(drafts.map(({ date }) => date))]
  const keys = [...new Set(drafts.map(({ warning_key }) => warning_key).filter((key) => key !== null))]
  const rows = await tx.$queryRawUnsafe<ExistingExposure[]>(EXISTING, team_id, ids, dates, keys)
  return new Map(rows.map((row) => [keyOf(row.subject_id, row), row]))
}

const EXISTING = `
  SELECT id, coalesce(property_id, territory_id)::text AS subject_id, date::text AS date, warning_key, warning, ${contentKeys.join(', ')},
         posted_band_in, posted_tornado, notified_at IS NOT NULL AS notified, historic
    FROM exposures
   WHERE team_id = $1::uuid AND (property_id = ANY ($2::uuid[]) OR territory_id = ANY ($2::uuid[]))
     AND (kind = 'record' AND date = ANY ($3::date[]) OR warning_key = ANY ($4::text[]))`

/** Writes the changes; returns the exposures' ids by their keys. */
async function writeChanges(tx: Tx, team_id: string, changes: Change[], moment: string | null, now: Date): Promise<Map<string, number>> {
  const rows = changes.map((change) => ({
    ...Object.fromEntries(contentKeys.map((key) => [key, change.content[key]])),
    id: change.id,
    kind: change.draft.kind,
    date: change.draft.date,
    property_id: change.draft.place.subject === 'property' ? change.draft.place.id : null,
    territory_id: change.draft.place.subject === 'territory' ? change.draft.place.id : null,
    warning_key: change.draft.warning_key,
    warning: change.draft.warning,
    posted_band_in: change.posted_band_in,
    posted_tornado: change.posted_tornado,
    historic: change.historic,
    removed: change.removed,
    seen_at: change.visible ? moment : null,
    notified_at: change.event && change.event.name !== 'exposure.escalated' ? now.toISOString() : null,
    escalated_at: change.event?.name === 'exposure.escalated' ? now.toISOString() : null,
  }))
  const written = await tx.$queryRawUnsafe<{ id: number; subject_id: string; date: string; warning_key: string | null }[]>(
    WRITE,
    team_id,
    JSON.stringify(rows),
  )
  return new Map(written.map((row) => [keyOf(row.subject_id, row), row.id]))
}

/** The columns of a row in the JSON parameter. */
const ROW = `
  id int, kind text, date date, property_id uuid, territory_id uuid, warning_key text, warning jsonb, headline text, reports int, sources int,
  hail int, wind int, tornado int, other int, largest_measured_in float8, largest_detected_in float8, max_gust_mph float8,
  nearest_miles float8, observed boolean, provisional boolean, evidence text[], record_ids int[], sample boolean, withdrawn boolean,
  posted_band_in float8, posted_tornado boolean, historic boolean, removed boolean, seen_at timestamptz, notified_at timestamptz,
  escalated_at timestamptz`

const WRITTEN = `id, coalesce(property_id, territory_id)::text AS subject_id, date::text AS date, warning_key`

/** Finds the last activity of places again after exposures left their dates: it may be earlier now, or none. */
async function updateLeftActivity(tx: Tx, team_id: string, changes: Change[]): Promise<void> {
  const ids = [...new Set(changes.flatMap(({ leaves_date, draft }) => (leaves_date ? [draft.place.id] : [])))]
  if (ids.length === 0) return
  await tx.$executeRawUnsafe(leftActivity('properties', 'property_id'), team_id, ids)
  await tx.$executeRawUnsafe(leftActivity('territories', 'territory_id'), team_id, ids)
}

const leftActivity = (table: string, column: string) => `
  UPDATE ${table} s SET last_activity_on = newest.date
    FROM (SELECT p.id, (SELECT max(e.date) FROM exposures e WHERE e.team_id = $1::uuid AND e.${column} = p.id) AS date
            FROM ${table} p WHERE p.team_id = $1::uuid AND p.id = ANY ($2::uuid[])) newest
   WHERE s.team_id = $1::uuid AND s.id = newest.id AND s.last_activity_on IS DISTINCT FROM newest.date`

/** A place's last activity is the date of its newest exposure. */
const activity = (table: string, column: string) => `
  UPDATE ${table} s SET last_activity_on = newest.date
    FROM (SELECT ${column} AS id, max(date) AS date FROM made GROUP BY ${column}) newest
   WHERE s.team_id = $1::uuid AND s.id = newest.id AND coalesce(s.last_activity_on, '-infinity') < newest.date`

/** The newest complete report of the property whose window contains the day, as in `linkReports`. */
const NEWEST_REPORT = `(
  SELECT r.id FROM reports r
   WHERE r.team_id = $1::uuid AND r.property_id = c.property_id AND r.status = 'complete' AND c.date BETWEEN r.window_start AND r.window_end
   ORDER BY r.generated_at DESC, r.id DESC LIMIT 1)`

const WRITE = `
  WITH changed AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS row (${ROW})),
  gone AS (DELETE FROM exposures e USING changed c WHERE e.id = c.id AND c.removed),
  made AS (
    INSERT INTO exposures (team_id, kind, date, property_id, territory_id, warning_key, warning, ${contentKeys.join(', ')},
                           posted_band_in, posted_tornado, historic, first_seen_at, last_seen_at, notified_at, report_id)
    SELECT $1::uuid, c.kind, c.date, c.property_id, c.territory_id, c.warning_key, c.warning, ${contentKeys.map((key) => `c.${key}`).join(', ')},
           c.posted_band_in, c.posted_tornado, c.historic, c.seen_at, c.seen_at, c.notified_at,
           ${NEWEST_REPORT}
      FROM changed c WHERE c.id IS NULL ORDER BY c.date, c.property_id, c.territory_id
    RETURNING *
  ), grown AS (
    UPDATE exposures e
       SET (date, warning, ${contentKeys.join(', ')}, posted_band_in, posted_tornado, historic)
           = (c.date, c.warning, ${contentKeys.map((key) => `c.${key}`).join(', ')}, c.posted_band_in, c.posted_tornado, c.historic),
           last_seen_at = coalesce(c.seen_at, e.last_seen_at), notified_at = coalesce(e.notified_at, c.notified_at),
           escalated_at = coalesce(c.escalated_at, e.escalated_at),
           report_id = CASE WHEN e.date = c.date THEN e.report_id ELSE ${NEWEST_REPORT} END
      FROM changed c WHERE e.id = c.id AND NOT c.removed
    RETURNING e.*
  ), properties_moved AS (${activity('properties', 'property_id')}), territories_moved AS (${activity('territories', 'territory_id')})
  SELECT ${WRITTEN} FROM made UNION ALL SELECT ${WRITTEN} FROM grown`
