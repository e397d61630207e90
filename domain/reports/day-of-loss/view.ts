import type { Hazard } from '#domain/reports/day-of-loss/hazards.ts'
import type { DayRelation } from '#domain/reports/day-of-loss/near-days.ts'
import type { EvidenceKind } from '#domain/weather/sources.ts'

/** The records of one local day, within the radius of the report. No figure comes from a suspect record. */
export interface DayView {
  date: string
  /** `nearest_miles` covers observations only: a radar estimate has its own distance in the rings. */
  hail: { ground_in: number | null; radar_in: number | null; nearest_miles: number | null }
  wind: { ground_mph: number | null; instrument_mph: number | null; nearest_miles: number | null }
  tornado: { rating: string | null; nearest_miles: number | null }
  /** Warnings in force over the place at any time of that day. */
  warnings: number
  /** All cited records of that day, including those that name a county or a zone. */
  records: number
  relation: DayRelation
}

export interface DayOfLossView {
  date: string
  /** The answer in sentences, with the date itself first. */
  statement: string
  rings: RingView[]
  warnings: DayWarningView[]
}

/** The records within a radius; a ring includes the smaller ones. */
export interface RingView {
  radius_miles: number
  /** Records with a place: `records` of the date, `near_records` of the two days before and after it. */
  records: number
  near_records: number
  strongest: StrongestView[]
}

/** The strongest record of one hazard from one channel, on the date or on the days near it. */
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

/** A period of a warning that overlaps the date or a day near it. */
export interface DayWarningView {
  relation: Exclude<DayRelation, 'other'>
  event: string
  office_name: string
  from: string
  /** Exclusive. */
  until: string
  citation_url: string
}
