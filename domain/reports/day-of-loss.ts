import type { NearbyRecord, SearchWindow } from '#domain/archive/record.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import { bearingOf } from '#domain/evidence/distance-text.ts'
import { isRadar } from '#domain/evidence/episodes.ts'
import { largestOf, nearestOf, trusted, type Value } from '#domain/evidence/extremes.ts'
import { hundredths } from '#domain/evidence/rounding.ts'
import { dayIn } from '#domain/geo/local-day.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { present } from '#domain/kernel/present.ts'
import type { WarningOver } from '#domain/reports/warnings-over.ts'
import { severityRank } from '#domain/weather/severities.ts'
import { type EvidenceKind, evidenceKinds } from '#domain/weather/sources.ts'
import { hailTypes, type RecordType, windTypes } from '#domain/weather/types.ts'

/** The date that a report answers for first, with the warnings that were over the place in the window. */
export interface Loss {
  /** YYYY-MM-DD, the local day of the place. */
  date: string
  warnings: WarningOver[]
}

export const dayRelations = ['date_of_loss', 'near', 'other'] as const
export type DayRelation = (typeof dayRelations)[number]

export const hazards = ['hail', 'wind', 'tornado'] as const
export type Hazard = (typeof hazards)[number]

/** What is recorded of one local day, within the radius of the report. No figure is of a doubted record. */
export interface DayView {
  date: string
  /** `nearest_miles` is of what was seen: a radar estimate has a distance of its own in the rings. */
  hail: { ground_in: number | null; radar_in: number | null; nearest_miles: number | null }
  wind: { ground_mph: number | null; instrument_mph: number | null; nearest_miles: number | null }
  tornado: { rating: string | null; nearest_miles: number | null }
  /** Warnings in force over the place at some time of that day. */
  warnings: number
  /** Every cited record of that day, those that name a county or a zone too. */
  records: number
  relation: DayRelation
}

export interface DayOfLossView {
  date: string
  /** The answer in sentences, the date itself first. */
  statement: string
  rings: RingView[]
  warnings: DayWarningView[]
}

/** What lies within so many miles; a ring holds the ones inside it. */
export interface RingView {
  radius_miles: number
  /** Records with a place, of the date and of the two days before and after it. */
  records: number
  near_records: number
  strongest: StrongestView[]
}

/** The strongest record of one hazard by one channel on the date, or on the days near it. */
export interface StrongestView {
  relation: Exclude<DayRelation, 'other'>
  hazard: Hazard
  channel: EvidenceKind
  occurred_on: string
  hail_size_in: number | null
  wind_mph: number | null
  tornado_rating: string | null
  distance_miles: number
  bearing: string | null
  citation_url: string
}

/** A time under a warning that meets the date or a day near it. */
export interface DayWarningView {
  relation: Exclude<DayRelation, 'other'>
  event: string
  office_name: string
  from: string
  /** Exclusive. */
  until: string
  citation_url: string
}

/** Days before and after the date that count as near it: reports of a night are filed under either day. */
export const NEAR_DAYS = 2
/** Miles. */
const RINGS = [1, 3, 10]
/** Miles: beyond it another day is no rival. */
const RIVAL_MILES = 10
/** Other days named: a table that is read at one look. */
export const RIVALS_MAX = 12

const DAY_MS = 86_400_000

/** How a figure of a channel is called. */
export const channelWords = { ground: 'reported', instrument: 'measured', radar: 'estimated by radar' } satisfies Record<
  EvidenceKind,
  string
>

/** What of a hazard's records is compared. */
export const strengths: Record<Hazard, Value> = {
  hail: ({ hail_size_in }) => hail_size_in,
  wind: ({ wind_gust_mph, wind_speed_mph }) => wind_gust_mph ?? wind_speed_mph,
  tornado: ({ tornado_ef_scale }) => tornado_ef_scale,
}

/** Null for what is none of the three; a funnel cloud is no tornado. */
export function hazardOf({ type }: { type: RecordType }): Hazard | null {
  if (type === 'tornado') return 'tornado'
  if (hailTypes.includes(type)) return 'hail'
  return windTypes.includes(type) ? 'wind' : null
}

export function relationOf(date: string, loss: string): DayRelation {
  const days = Math.abs(Date.parse(date) - Date.parse(loss)) / DAY_MS
  if (days === 0) return 'date_of_loss'
  return days <= NEAR_DAYS ? 'near' : 'other'
}

/** The strongest of a hazard's sound records; of those that state no strength the nearest. Null where there is none. */
export function strongestOf(hazard: Hazard, records: NearbyRecord[]): NearbyRecord | null {
  const sound = trusted(records).filter((record) => hazardOf(record) === hazard && record.distance_miles !== null)
  return largestOf(sound, strengths[hazard]) ?? nearestOf(sound)
}

// ---------------------------------------------------------------- days

/** The date itself always, the days near it on which anything is held, and the other days that stand out: newest first. */
export function daysOf(records: NearbyRecord[], { date: loss, warnings }: Loss, window: SearchWindow, timezone: string): DayView[] {
  const byDate = groupBy(records, ({ occurred_on }) => occurred_on)
  const near = datesNear(loss).filter((date) => date >= window.start && date <= window.end)
  const rivals = rivalsOf(byDate, loss)
  return [...new Set([loss, ...near, ...rivals])]
    .sort()
    .reverse()
    .map((date) => dayOf(date, byDate.get(date) ?? [], warnings, loss, timezone))
    .filter(({ relation, records, warnings }) => relation !== 'near' || records + warnings > 0)
}

export function datesNear(loss: string): string[] {
  const offsets = Array.from({ length: 2 * NEAR_DAYS + 1 }, (_, at) => at - NEAR_DAYS)
  return offsets.map((days) => new Date(Date.parse(loss) + days * DAY_MS).toISOString().slice(0, 10))
}

/** Other days with a moderate or stronger sound record within 10 miles: the most severe first, then the nearest, then the newest. */
function rivalsOf(byDate: Map<string, NearbyRecord[]>, loss: string): string[] {
  return [...byDate]
    .filter(([date]) => relationOf(date, loss) === 'other')
    .flatMap(([date, records]) => {
      const strong = trusted(records).filter(isRival)
      const peak = Math.max(...strong.map(({ severity }) => severityRank(severity)))
      const nearest = nearestOf(strong.filter(({ severity }) => severityRank(severity) === peak))
      return nearest ? [{ date, peak, miles: present(nearest.distance_miles) }] : []
    })
    .sort((a, b) => b.peak - a.peak || a.miles - b.miles || (a.date < b.date ? 1 : -1))
    .slice(0, RIVALS_MAX)
    .map(({ date }) => date)
}

const isRival = (record: NearbyRecord) =>
  hazardOf(record) !== null &&
  record.distance_miles !== null &&
  record.distance_miles <= RIVAL_MILES &&
  severityRank(record.severity) >= severityRank('moderate')

function dayOf(date: string, records: NearbyRecord[], warnings: WarningOver[], loss: string, timezone: string): DayView {
  return {
    date,
    ...hazardsOf(records),
    warnings: warnings.filter(({ periods }) => periods.some((period) => meets(period, date, timezone))).length,
    records: records.length,
    relation: relationOf(date, loss),
  }
}

/** The strongest hail, wind and tornado among the sound records of one day, by who saw them, and how near the nearest was seen. */
export function hazardsOf(records: NearbyRecord[]): Pick<DayView, Hazard> {
  const seen = records.filter((record) => !isRadar(record))
  const by = (channel: EvidenceKind) => records.filter(({ evidence_kind }) => evidence_kind === channel)
  const value = (hazard: Hazard, of: NearbyRecord[]) => {
    const strongest = strongestOf(hazard, of)
    return strongest && hundredths(strengths[hazard](strongest))
  }
  const tornado = strongestOf('tornado', seen)
  return {
    hail: { ground_in: value('hail', seen), radar_in: value('hail', by('radar')), nearest_miles: nearestMiles('hail', seen) },
    wind: {
      ground_mph: value('wind', by('ground')),
      instrument_mph: value('wind', by('instrument')),
      nearest_miles: nearestMiles('wind', seen),
    },
    tornado: { rating: tornado && tornadoRating(tornado), nearest_miles: nearestMiles('tornado', seen) },
  }
}

function nearestMiles(hazard: Hazard, seen: NearbyRecord[]): number | null {
  const nearest = nearestOf(trusted(seen).filter((record) => hazardOf(record) === hazard && record.distance_miles !== null))
  return hundredths(nearest?.distance_miles ?? null)
}

function meets(period: { from: Date; until: Date }, date: string, timezone: string): boolean {
  const day = dayIn(date, timezone)
  return period.from <= day.until && period.until > day.from
}

// ---------------------------------------------------------------- rings and warnings

/** Rings of 1, 3 and 10 miles, as far as the report looks. */
export function ringsOf(records: NearbyRecord[], { date: loss }: Pick<Loss, 'date'>, { radius_miles }: SearchWindow): RingView[] {
  return [...new Set(RINGS.map((miles) => Math.min(miles, radius_miles)))].map((miles) => {
    const inside = records.filter(({ distance_miles }) => distance_miles !== null && distance_miles <= miles)
    const related = (relation: DayRelation) => inside.filter(({ occurred_on }) => relationOf(occurred_on, loss) === relation)
    return {
      radius_miles: miles,
      records: related('date_of_loss').length,
      near_records: related('near').length,
      strongest: (['date_of_loss', 'near'] as const).flatMap((relation) => strongestIn(relation, related(relation))),
    }
  })
}

function strongestIn(relation: StrongestView['relation'], records: NearbyRecord[]): StrongestView[] {
  return hazards.flatMap((hazard) =>
    evidenceKinds.flatMap((channel): StrongestView[] => {
      const strongest = strongestOf(
        hazard,
        records.filter(({ evidence_kind }) => evidence_kind === channel),
      )
      if (!strongest) return []
      return [
        {
          relation,
          hazard,
          channel,
          occurred_on: strongest.occurred_on,
          hail_size_in: hundredths(strongest.hail_size_in),
          wind_mph: hundredths(strengths.wind(strongest)),
          tornado_rating: hazard === 'tornado' ? tornadoRating(strongest) : null,
          distance_miles: hundredths(present(strongest.distance_miles)),
          bearing: bearingOf(strongest),
          citation_url: strongest.citation_url,
        },
      ]
    }),
  )
}

/** The times under a warning that meet the date or a day near it, in their order. */
export function warningsNear({ date: loss, warnings }: Loss, timezone: string): DayWarningView[] {
  return warnings
    .flatMap(({ event, office_name, periods, citation_url }) =>
      periods.flatMap((period): DayWarningView[] => {
        if (!datesNear(loss).some((date) => meets(period, date, timezone))) return []
        const relation = meets(period, loss, timezone) ? 'date_of_loss' : 'near'
        return [{ relation, event, office_name, from: secondsOf(period.from), until: secondsOf(period.until), citation_url }]
      }),
    )
    .sort((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0))
}

const secondsOf = (moment: Date) => `${moment.toISOString().slice(0, 19)}Z`
