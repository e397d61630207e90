import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { messagesOver, periodsOf, reachContains, reachesOf, reachIntersects, type WarningReach } from '#domain/archive/warnings/reach.ts'
import { countiesOfZones, mayLastUntil, readStoredWarnings, type StoredWarning } from '#domain/archive/warnings/stored-warnings.ts'
import { stateOf, type WarningState } from '#domain/archive/warnings/summary.ts'
import type { StoredMessage } from '#domain/archive/warnings/warning.ts'
import type { WatchSubject } from '#domain/closed-sets.ts'
import { pagesOf } from '#domain/engines/cursor.ts'
import type { Tx } from '#domain/engines/database.ts'
import { type ExposureContent, WITHOUT_RECORDS } from '#domain/exposures/compose.ts'
import { addTo, type DetectionCounts, type TeamCounts, updateUnchanged } from '#domain/exposures/detection-counts.ts'
import type { Draft } from '#domain/exposures/exposure-change.ts'
import type { ExposureWarning } from '#domain/exposures/exposure-rows.ts'
import { placeName } from '#domain/exposures/headline.ts'
import { replaceExposures } from '#domain/exposures/replace-exposures.ts'
import { withDetectionLock } from '#domain/exposures/with-detection-lock.ts'
import { localDate, timezoneAt, timezoneOfArea } from '#domain/geo/zones.ts'
import { isoSeconds } from '#domain/kernel/iso-seconds.ts'
import { runTeamByTeam } from '#domain/kernel/team-by-team.ts'
import { planOf } from '#domain/plans/plans.ts'
import { pendingBackfills } from '#domain/watches/watch-cells.ts'
import { type ShapeCache, type WatchedPlace, watchedPlaces } from '#domain/watches/watched-places.ts'
import { Prisma } from '#generated/prisma/client.ts'

/** A place that may be under a warning, and whether it already has an exposure for it. */
export interface WarnedPlace {
  team_id: string
  subject: WatchSubject
  subject_id: string
  exposed: boolean
}

/**
 * Updates the exposures of every place under the warnings to match their messages. A place is under a warning while the area of
 * one of its messages covers it: a place that a later, smaller polygon leaves out was under it until then.
 * @param keys keys of warnings that changed: KFWD.SV.W.0142.2025
 * @param sum the counts are added to it
 * @throws Error after all other teams are updated, if a team could not be
 */
export async function detectWarnings(app: App, keys: string[], quiet: boolean, sum: DetectionCounts): Promise<void> {
  await runTeamByTeam(app, warnedTeams(app.pool, keys), 'the warnings over a team could not be recorded', async ({ key, places }) =>
    addTo(sum, await updateWarningExposures(app, [key], places, quiet)),
  )
}

interface WarnedTeam {
  key: string
  team_id: string
  places: WarnedPlace[]
}

/** Yields the places warning by warning and team by team. All places of a team come together, so that one warning is one event. */
async function* warnedTeams(pool: pg.Pool, keys: string[]): AsyncGenerator<WarnedTeam> {
  let team: WarnedTeam | undefined
  for await (const page of pagesOf<WarnedPlace & { key: string }>(pool, WARNED, [keys])) {
    for (const { key, ...place } of page) {
      const { team_id } = place
      if (team?.key === key && team.team_id === team_id) team.places.push(place)
      else {
        if (team) yield team
        team = { key, team_id, places: [place] }
      }
    }
  }
  if (team) yield team
}

/**
 * The places that may be under the warnings and the places with an exposure for them. Each part uses an index, however many
 * exposures there are.
 */
export const WARNED = `
  SELECT key, team_id, subject, subject_id, bool_or(exposed) AS exposed
    FROM (
      SELECT g.source_key AS key, w.team_id, w.subject, w.subject_id, false AS exposed
        FROM warnings g JOIN warning_cells c ON c.warning_id = g.id JOIN watch_cells w ON w.cell = c.cell
       WHERE g.source_key = ANY ($1::text[])
       UNION ALL
      SELECT e.warning_key, e.team_id, CASE WHEN e.property_id IS NULL THEN 'territory' ELSE 'property' END, coalesce(e.property_id, e.territory_id), true
        FROM exposures e WHERE e.kind = 'warning' AND e.warning_key = ANY ($1::text[])) warned
   GROUP BY key, team_id, subject, subject_id ORDER BY key, team_id, subject_id`

/** Updates the exposures of the warnings at one team's places. */
export function updateWarningExposures(app: App, keys: string[], places: WarnedPlace[], quiet: boolean): Promise<DetectionCounts> {
  return updateUnchanged(places, (of) => updateOnce(app, keys, of, quiet))
}

/** Updates in one transaction. */
async function updateOnce(app: App, keys: string[], places: WarnedPlace[], quiet: boolean): Promise<TeamCounts | null> {
  const [first] = places
  if (!first) return null
  const shapeCache: ShapeCache = new Map()
  return withDetectionLock(app, first.team_id, async (tx, team) => {
    const plan = planOf(team, app.clock.now())
    const warnings = await readStoredWarnings(app.pool, keys)
    const zones = await countiesOfZones(
      app.pool,
      warnings.flatMap(({ messages }) => messages.flatMap((message) => message.zones)),
    )
    const watched = await watchedPlaces(app.pool, team.id, places, plan, shapeCache)
    const drafts = warnings.flatMap((warning) => draftsOf(warning, reachesOf(warning.messages, zones), places, watched))
    drafts.push(...(await draftsOfDeleted(tx, team.id, keys, warnings, watched)))
    await markMoved(tx, drafts)
    return replaceExposures(tx, app, team.id, drafts, {
      quiet,
      counts_as_posted: false,
      live_warnings: plan.includes.live_warnings,
      alerts_in: null,
    })
  })
}

/**
 * Returns drafts without content for the exposures of warnings that are no longer stored. They keep what the warning stated,
 * without a period in force.
 */
async function draftsOfDeleted(
  tx: Tx,
  team_id: string,
  keys: string[],
  stored: StoredWarning[],
  watched: ReadonlyMap<string, WatchedPlace>,
): Promise<Draft[]> {
  const deleted = keys.filter((key) => !stored.some(({ source_key }) => source_key === key))
  if (deleted.length === 0) return []
  const rows = await tx.$queryRaw<{ subject_id: string; date: string; warning_key: string; warning: ExposureWarning | null }[]>`
    SELECT coalesce(property_id, territory_id)::text AS subject_id, date::text AS date, warning_key, warning
      FROM exposures WHERE team_id = ${team_id}::uuid AND kind = 'warning' AND warning_key = ANY (${deleted}::text[]) AND NOT withdrawn`
  return rows.flatMap(({ subject_id, date, warning_key, warning }): Draft[] => {
    const place = watched.get(subject_id)
    if (!place) return []
    const ended = warning && { ...warning, periods: [] }
    return [
      {
        place,
        kind: 'warning',
        date,
        warning_key,
        warning: ended,
        content: null,
        cited: [],
        suspect_count: 0,
        keep_as_history: false,
      },
    ]
  })
}

/** Marks, of the drafts that no message covers, those whose place was moved out of the warning. */
async function markMoved(tx: Tx, drafts: Draft[]): Promise<void> {
  const uncovered = drafts.filter(({ content, keep_as_history }) => content === null && !keep_as_history)
  if (uncovered.length === 0) return
  const movedIds = await pendingBackfills(
    tx,
    uncovered.map(({ place }) => ({ subject_id: place.id })),
  )
  for (const draft of uncovered) draft.keep_as_history = movedIds.has(draft.place.id)
}

const SINCE_REQUESTED = Prisma.raw(mayLastUntil('requested.since'))

/** Returns the warnings that were in force at or after `since` and share a cell with the place, and those that it has exposures for. */
export async function warningsNear(
  tx: Pick<Tx, '$queryRaw'>,
  subject_id: string,
  since: Date,
): Promise<{ key: string; exposed: boolean }[]> {
  return tx.$queryRaw`
    SELECT key, bool_or(exposed) AS exposed
      FROM (
        SELECT w.source_key AS key, false AS exposed
          FROM watch_cells near JOIN warning_cells c ON c.cell = near.cell JOIN warnings w ON w.id = c.warning_id
               CROSS JOIN (SELECT ${since}::timestamptz AS since) requested
         WHERE near.subject_id = ${subject_id}::uuid AND ${SINCE_REQUESTED}
         UNION ALL
        SELECT e.warning_key, true FROM exposures e
         WHERE e.kind = 'warning' AND (e.property_id = ${subject_id}::uuid OR e.territory_id = ${subject_id}::uuid)) near
     GROUP BY key ORDER BY key`
}

function draftsOf(
  { source_key, messages }: StoredWarning,
  reaches: WarningReach[],
  places: WarnedPlace[],
  watched: ReadonlyMap<string, WatchedPlace>,
): Draft[] {
  const warningState = stateOf(source_key, messages)
  const issued_at = issueOf(warningState, messages)
  // For a warning from before its messages were kept, the areas of the other messages are unknown.
  const isPartial = messages.some(({ made }) => made)
  return places.flatMap(({ subject_id, exposed }): Draft[] => {
    const place = watched.get(subject_id)
    if (!place) return []
    const covering = reaches.filter((reach) => covers(reach, place))
    if (!exposed && covering.length === 0) return []
    const date = localDate(issued_at, zoneOfPlace(place))
    const state = covering.length > 0 ? stateOf(source_key, messagesOver(messages, covering)) : warningState
    return [
      {
        place,
        kind: 'warning',
        date,
        warning_key: source_key,
        warning: toExposureWarning({ ...state, issued_at }, covering),
        content: covering.length > 0 ? contentOf(state, place, date) : null,
        cited: [],
        suspect_count: 0,
        keep_as_history: isPartial,
      },
    ]
  })
}

/** Returns when a warning was issued: with its first message, or at its begin if the message was sent after that. */
function issueOf({ issued_at: begins_at }: WarningState, messages: readonly StoredMessage[]): Date {
  return new Date(Math.min(begins_at.getTime(), ...messages.map(({ sent_at }) => sent_at.getTime())))
}

function covers(reach: WarningReach, place: WatchedPlace): boolean {
  return place.subject === 'property' ? reachContains(reach, place.longitude, place.latitude) : reachIntersects(reach, place.shape)
}

function zoneOfPlace(place: WatchedPlace): string {
  return place.subject === 'property' ? timezoneAt(place.latitude, place.longitude) : timezoneOfArea(place.shape.bounds)
}

/**
 * A warning is a forecast, not evidence: it adds no counts and no measurements. Its headline names the two highest threat tags, which offices
 * use for what they call an emergency.
 */
function contentOf({ event, threats }: WarningState, place: WatchedPlace, date: string): ExposureContent {
  const tag = threats.damage === 'destructive' || threats.damage === 'catastrophic' ? ` (threat tag ${threats.damage})` : ''
  return { ...WITHOUT_RECORDS, headline: `${event}${tag} over ${placeName(place)} on ${date}`, sources: 1 }
}

function toExposureWarning(state: WarningState, reaches: WarningReach[]): ExposureWarning {
  const at = (moment: Date | null) => moment && isoSeconds(moment)
  return {
    object: 'warning',
    identifier: state.identifier,
    event: state.event,
    headline: state.headline,
    status: state.status,
    message_type: state.message_type,
    severity: state.severity,
    certainty: state.certainty,
    urgency: state.urgency,
    issued_at: isoSeconds(state.issued_at),
    onset_at: at(state.onset_at),
    expires_at: at(state.expires_at),
    ends_at: at(state.ends_at),
    cancelled_at: at(state.cancelled_at),
    office: { id: state.office_id, name: state.office_name },
    vtec: state.vtec,
    phenomenon: state.phenomenon,
    significance: state.significance,
    tracking_number: state.tracking_number,
    threats: state.threats,
    area: state.area,
    instruction: state.instruction,
    geometry: state.geometry,
    geometry_basis: state.geometry_basis,
    citation_url: state.citation_url,
    periods: periodsOf(reaches).map(({ from, until }) => ({ from: isoSeconds(from), until: isoSeconds(until) })),
  }
}
