import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import type { NearbyRecord, SearchWindow } from '#domain/archive/record.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { withConsistentSnapshot } from '#domain/archive/versions/consistent-snapshot.ts'
import { readMemory, reasonUnknown } from '#domain/archive/versions/memory.ts'
import type { LocationFailure } from '#domain/closed-sets.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { gatherFaults, refuseField } from '#domain/kernel/validation.ts'
import { locate } from '#domain/places/locate.ts'
import { readBalance } from '#domain/plans/credits.ts'
import type { ReportInput } from '#domain/reports/check-request.ts'
import { compile } from '#domain/reports/compile.ts'
import type { Composition } from '#domain/reports/compose.ts'
import { cutToToday } from '#domain/reports/cut-to-today.ts'
import { hazardsOf } from '#domain/reports/day-of-loss/days.ts'
import { type DayRelation, relationOf } from '#domain/reports/day-of-loss/near-days.ts'
import { circlesWithin } from '#domain/reports/preview-circles.ts'
import { countPreview } from '#domain/reports/preview-limit.ts'
import { addressOf } from '#domain/reports/report-rows.ts'
import { validateReport } from '#domain/reports/request.ts'
import type { ReportView } from '#domain/reports/view.ts'
import { typeName } from '#domain/reports/wording/phrases.ts'
import { severityRank } from '#domain/weather/severities.ts'
import { bandOf, type SeverityBand } from '#domain/weather/severity-bands.ts'
import { type EvidenceKind, evidenceKinds } from '#domain/weather/sources.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** What a report would contain, before it is paid for: counts, days and size bands, never a figure that a record states. */
export interface ReportPreviewView {
  object: 'report_preview'
  /** As sent and as located; all but `query` are null if no single place was found. */
  address: ReportView['address']
  /** Why a report of this address would fail; null if it would not. */
  failure_reason: LocationFailure | null
  failure_message: string | null
  window: ReportView['window']
  /** Null if no single place was found. */
  coverage: ReportView['coverage'] | null
  event_count: number
  /** How many of them name a county or a forecast zone, and no point. */
  records_without_point: number
  observation_count: number
  /** The most frequent first. */
  types: PreviewType[]
  /** Days with records. */
  day_count: number
  /** The most severe of those days, newest first, and always the date of loss. */
  days: PreviewDay[]
  /** The summary within fewer miles; at most two such circles are searched. */
  within(miles: number): Promise<PreviewCircle>
  /** Credits that the report costs, and credits that the team has. */
  cost: number
  balance: number
}

/** The summary of a narrower circle around the place: of the records with a point. */
export interface PreviewCircle extends Pick<ReportPreviewView, 'event_count' | 'day_count' | 'days'> {
  radius_miles: number
  /** Records that a report on the circle would also cite: they name a county or a forecast zone that meets it, and may be anywhere there. */
  records_without_point: number
}

export interface PreviewType {
  type: RecordType
  label: string
  event_count: number
  evidence_kinds: EvidenceKind[]
}

/** One local day of the place. */
export interface PreviewDay {
  date: string
  records: number
  /** As in a report's `days`; a band is null if there is no sound record of its kind. */
  hail: { ground: SeverityBand | null; radar: SeverityBand | null }
  wind: { ground: SeverityBand | null; instrument: SeverityBand | null }
  tornado: boolean
  /** Null without a date of loss. */
  relation: DayRelation | null
}

/** The most days shown; the report itself has them all. */
export const PREVIEW_DAYS_MAX = 100
const REPORT_COST = 1

/**
 * Returns what a report of these arguments would contain, and what it would cost. Nothing is charged or stored, except the preview's count.
 * @throws Refusal as `requestReport` does, except for credits; 422 on `as_of` if it is forgotten meanwhile; 429 above 30 a minute or 300 a day
 */
export async function previewReport(app: App, caller: Caller, input: ReportInput): Promise<ReportPreviewView> {
  const now = app.clock.now()
  const { request } = await caller.db.$transaction((tx) => validateReport(tx, app, caller, input, now, gatherFaults()))
  await countPreview(app, caller.team.id)
  const { address: query, point, window_start: start, window_end: end, radius_miles, narrowed_by_plan, as_of, date_of_loss } = request
  const [located, balance] = await Promise.all([locate(app, query, { point }), readBalance(caller.db, caller.team.id)])
  const requestedWindow = { start, end, radius_miles }
  const common = { object: 'report_preview' as const, cost: REPORT_COST, balance }
  if ('failure' in located) {
    const failed = { failure_reason: located.failure, failure_message: located.message }
    const within = circlesWithin(radius_miles, NOTHING_SEARCHED, async () => NOTHING_SEARCHED)
    return {
      ...common,
      ...failed,
      ...NOTHING_SEARCHED,
      within,
      address: { query, ...NO_LOCATION },
      window: { ...requestedWindow, narrowed_by_plan },
    }
  }
  const { place } = located
  const window = cutToToday(requestedWindow, place, as_of ?? now)
  const search = async (searchWindow: SearchWindow) => {
    const composed = await withConsistentSnapshot(app, as_of, async (known_at) => {
      const evidence = await searchArchive(app, place, searchWindow, known_at)
      return compile(app, place, searchWindow, evidence, { as_of, known_at, date_of_loss: null, plan_tier: caller.plan.tier })
    })
    // A search as of a moment that the archive forgot meanwhile proves nothing.
    const forgotten = as_of && reasonUnknown(as_of, await readMemory(app.db))
    if (forgotten) refuseField('as_of', forgotten)
    return composed
  }
  const { citations, coverage, observation_count } = await search(window)
  return {
    ...common,
    address: addressOf({ query, ...place }),
    failure_reason: null,
    failure_message: null,
    window: { ...window, narrowed_by_plan },
    coverage,
    observation_count,
    ...summaryOf(citations, date_of_loss),
    within: circlesWithin(radius_miles, circleOf(citations, date_of_loss), async (miles) =>
      circleOf((await search({ ...window, radius_miles: miles })).citations, date_of_loss),
    ),
  }
}

const NOTHING_SEARCHED = {
  coverage: null,
  event_count: 0,
  records_without_point: 0,
  observation_count: 0,
  types: [],
  day_count: 0,
  days: [],
}

const NO_LOCATION = {
  street: null,
  city: null,
  state: null,
  postal_code: null,
  county: null,
  latitude: null,
  longitude: null,
  precision: null,
}

type Citation = Pick<Composition['citations'][number], 'record'>

const namesPoint = ({ record }: Citation) => record.distance_miles !== null

/** Counts the records of a report by type and by day. Pure. */
export function summaryOf(
  citations: Citation[],
  date_of_loss: string | null,
): Pick<ReportPreviewView, 'event_count' | 'records_without_point' | 'types' | 'day_count' | 'days'> {
  const records = citations.map(({ record }) => record)
  const byDate = groupBy(records, ({ occurred_on }) => occurred_on)
  return {
    event_count: records.length,
    records_without_point: citations.length - citations.filter(namesPoint).length,
    types: typesOf(records),
    day_count: byDate.size,
    days: daysOf(byDate, date_of_loss),
  }
}

/** The same of the records with a point: only they are known to be within a number of miles. */
function circleOf(citations: Citation[], date_of_loss: string | null): Omit<PreviewCircle, 'radius_miles'> {
  const pointed = citations.filter(namesPoint)
  const { event_count, day_count, days } = summaryOf(pointed, date_of_loss)
  return { event_count, day_count, days, records_without_point: citations.length - pointed.length }
}

function typesOf(records: NearbyRecord[]): PreviewType[] {
  return [...groupBy(records, ({ type }) => type)]
    .map(([type, typeRecords]) => ({
      type,
      label: typeName(type),
      event_count: typeRecords.length,
      evidence_kinds: evidenceKinds.filter((kind) => typeRecords.some(({ evidence_kind }) => evidence_kind === kind)),
    }))
    .sort((one, other) => other.event_count - one.event_count || (one.type < other.type ? -1 : 1))
}

function daysOf(byDate: Map<string, NearbyRecord[]>, date_of_loss: string | null): PreviewDay[] {
  const peak = (records: NearbyRecord[]) => Math.max(...records.map(({ severity }) => severityRank(severity)))
  const shown = [...byDate]
    .filter(([date]) => date !== date_of_loss)
    .sort(([one, a], [other, b]) => peak(b) - peak(a) || (one < other ? 1 : -1))
    .slice(0, PREVIEW_DAYS_MAX - (date_of_loss === null ? 0 : 1))
    .map(([date]) => date)
  return [...shown, ...(date_of_loss === null ? [] : [date_of_loss])]
    .sort()
    .reverse()
    .map((date) => dayOf(date, byDate.get(date) ?? [], date_of_loss))
}

function dayOf(date: string, records: NearbyRecord[], date_of_loss: string | null): PreviewDay {
  const { hail, wind, tornado } = hazardsOf(records)
  const band = (line: Parameters<typeof bandOf>[0], value: number | null, isReported = false) =>
    value === null && !isReported ? null : bandOf(line, value)
  // Hail and wind that people observed have a place, but not always a size: most damage reports state no speed.
  const isWindReported = wind.nearest_miles !== null && wind.instrument_mph === null
  return {
    date,
    records: records.length,
    hail: { ground: band('hail_in', hail.ground_in, hail.nearest_miles !== null), radar: band('hail_in', hail.radar_in) },
    wind: { ground: band('gust_mph', wind.ground_mph, isWindReported), instrument: band('gust_mph', wind.instrument_mph) },
    tornado: tornado.nearest_miles !== null,
    relation: date_of_loss === null ? null : relationOf(date, date_of_loss),
  }
}
