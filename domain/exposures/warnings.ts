import type { MultiPolygon, Polygon } from 'geojson'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { pagesOf } from '#domain/archive/cursor.ts'
import type { Tx } from '#domain/engines/database.ts'
import { type ExposureContent, WITHOUT_RECORDS } from '#domain/exposures/compose.ts'
import { addTo, type Detected, NOTHING } from '#domain/exposures/detected.ts'
import { holdDetection } from '#domain/exposures/hold.ts'
import { type ShapeMemory, type WatchedPlace, watchedPlaces } from '#domain/exposures/places.ts'
import { type Draft, type KeptWarning, replaceExposures } from '#domain/exposures/replace.ts'
import type { WatchSubject } from '#domain/exposures/watch.ts'
import { countyShape } from '#domain/geo/counties.ts'
import { type DrawnShape, drawnHolds, drawnMeetsArea, drawnShape } from '#domain/geo/drawn.ts'
import type { Position } from '#domain/geo/measure.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'
import { planOf } from '#domain/plans/plans.ts'
import type { Warning } from '#generated/prisma/client.ts'

/** A place that a warning may be over, and whether an exposure of it stands already. */
export interface WarnedPlace {
  team_id: string
  subject: WatchSubject
  subject_id: string
  standing: boolean
}

/**
 * Brings the exposures of every place under the warnings to what their newest messages say. A place that a smaller polygon
 * no longer holds keeps its exposure: it was warned.
 * @param keys of warnings that changed: KFWD.SV.W.0142.2025
 */
export async function detectWarnings(app: App, keys: string[], quiet: boolean): Promise<Detected> {
  const sum = { ...NOTHING }
  for await (const { key, places } of warnedTeams(app.pool, keys)) addTo(sum, await settleWarnings(app, [key], places, quiet))
  return sum
}

interface WarnedTeam {
  key: string
  places: WarnedPlace[]
}

/** One warning after the other, and the places of one team after the other: all of a team at once, so that one warning is one event. */
async function* warnedTeams(pool: pg.Pool, keys: string[]): AsyncGenerator<WarnedTeam> {
  let team: WarnedTeam | undefined
  for await (const page of pagesOf<WarnedPlace & { key: string }>(pool, WARNED, [keys])) {
    for (const { key, ...place } of page) {
      if (team?.key === key && team.places[0]?.team_id === place.team_id) team.places.push(place)
      else {
        if (team) yield team
        team = { key, places: [place] }
      }
    }
  }
  if (team) yield team
}

/** The places that warnings may be over, and those with an exposure of them: each found by an index, however many exposures stand. */
export const WARNED = `
  SELECT key, team_id, subject, subject_id, bool_or(standing) AS standing
    FROM (
      SELECT g.source_key AS key, w.team_id, w.subject, w.subject_id, false AS standing
        FROM warnings g JOIN warning_cells c ON c.warning_id = g.id JOIN watch_cells w ON w.cell = c.cell
       WHERE g.source_key = ANY ($1::text[])
       UNION ALL
      SELECT e.warning_key, e.team_id, CASE WHEN e.property_id IS NULL THEN 'territory' ELSE 'property' END, coalesce(e.property_id, e.territory_id), true
        FROM exposures e WHERE e.kind = 'warning' AND e.warning_key = ANY ($1::text[])) warned
   GROUP BY key, team_id, subject, subject_id ORDER BY key, team_id, subject_id`

/** Settles what the warnings are over, or were, of one team's places in one transaction. */
export async function settleWarnings(app: App, keys: string[], places: WarnedPlace[], quiet: boolean): Promise<Detected> {
  const [first] = places
  if (!first) return NOTHING
  const memory: ShapeMemory = new Map()
  return holdDetection(app, first.team_id, async (tx, team) => {
    const plan = planOf(team, app.clock.now())
    const warnings = await tx.warning.findMany({ where: { source_key: { in: keys } }, orderBy: { source_key: 'asc' } })
    const watched = await watchedPlaces(app.pool, team.id, places, plan, memory)
    const drafts = warnings.flatMap((warning) => draftsOf(warning, places, watched))
    return replaceExposures(tx, app, team.id, drafts, { quiet, live_warnings: plan.includes.live_warnings })
  })
}

/** The warnings of the last days whose cells a place reaches into, and those that it has exposures of. */
export async function warningsNear(
  tx: Pick<Tx, '$queryRaw'>,
  subject_id: string,
  since: Date,
): Promise<{ key: string; standing: boolean }[]> {
  return tx.$queryRaw`
    SELECT key, bool_or(standing) AS standing
      FROM (
        SELECT g.source_key AS key, false AS standing
          FROM watch_cells w JOIN warning_cells c ON c.cell = w.cell JOIN warnings g ON g.id = c.warning_id
         WHERE w.subject_id = ${subject_id}::uuid AND g.issued_at >= ${since}
         UNION ALL
        SELECT e.warning_key, true FROM exposures e
         WHERE e.kind = 'warning' AND (e.property_id = ${subject_id}::uuid OR e.territory_id = ${subject_id}::uuid)) near
     GROUP BY key ORDER BY key`
}

function draftsOf(warning: Warning, places: WarnedPlace[], watched: ReadonlyMap<string, WatchedPlace>): Draft[] {
  const shapes = shapesOf(warning)
  const kept = keptWarning(warning)
  return places.flatMap(({ subject_id, standing }) => {
    const place = watched.get(subject_id)
    if (!place || !(standing || isOver(shapes, place))) return []
    const date = localDate(warning.issued_at, zoneOf(place))
    return [
      {
        place,
        kind: 'warning',
        date,
        warning_key: warning.source_key,
        warning: kept,
        content: contentOf(warning, place, date),
        moved: false,
      },
    ]
  })
}

/** The polygon of the message, or without one the shapes of its counties. */
function shapesOf({ geometry, county_fips }: Warning): Shape[] {
  const drawn = geometry as Polygon | MultiPolygon | null
  const outer = drawn
    ? (drawn.type === 'Polygon' ? [drawn.coordinates] : drawn.coordinates).map(([ring]) => ring as Position[])
    : county_fips.flatMap((fips) => countyShape(fips) ?? [])
  return outer.map((ring) => ({ ring, drawn: drawnShape({ type: 'Polygon', coordinates: [ring] }) }))
}

interface Shape {
  ring: Position[]
  drawn: DrawnShape
}

function isOver(shapes: Shape[], place: WatchedPlace): boolean {
  if (place.subject === 'property') return shapes.some(({ drawn }) => drawnHolds(drawn, place.longitude, place.latitude))
  return shapes.some(({ ring }) => drawnMeetsArea(place.shape, ring))
}

function zoneOf(place: WatchedPlace): string {
  if (place.subject === 'property') return timezoneAt(place.latitude, place.longitude)
  const { south, north, west, east } = place.shape.bounds
  return timezoneAt((south + north) / 2, (west + east) / 2)
}

/** A warning is a forecast, not evidence: it counts nothing and measures nothing. */
function contentOf({ event }: Warning, place: WatchedPlace, date: string): ExposureContent {
  return { ...WITHOUT_RECORDS, headline: `${event} over ${place.name} on ${date}`, sources: 1 }
}

function keptWarning(warning: Warning): KeptWarning {
  const at = (moment: Date | null) => moment && `${moment.toISOString().slice(0, 19)}Z`
  return {
    object: 'warning',
    identifier: warning.identifier,
    event: warning.event,
    headline: warning.headline,
    status: warning.status,
    message_type: warning.message_type,
    severity: warning.severity as KeptWarning['severity'],
    certainty: warning.certainty as KeptWarning['certainty'],
    urgency: warning.urgency as KeptWarning['urgency'],
    issued_at: at(warning.issued_at) as string,
    onset_at: at(warning.onset_at),
    expires_at: at(warning.expires_at),
    ends_at: at(warning.ends_at),
    cancelled_at: at(warning.cancelled_at),
    office: { id: warning.office_id, name: warning.office_name },
    vtec: warning.vtec,
    phenomenon: warning.phenomenon,
    significance: warning.significance,
    tracking_number: warning.tracking_number,
    threats: warning.threats as unknown as KeptWarning['threats'],
    area: warning.area,
    instruction: warning.instruction,
    geometry: warning.geometry as KeptWarning['geometry'],
    geometry_basis: warning.geometry_basis as KeptWarning['geometry_basis'],
    citation_url: warning.citation_url,
  }
}
