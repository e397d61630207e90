import type { Hazard } from '#domain/reports/day-of-loss/hazards.ts'
import type { DayRelation } from '#domain/reports/day-of-loss/near-days.ts'
import type { EvidenceKind } from '#domain/weather/sources.ts'

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
