import type { NearbyRecord } from '#domain/archive/record.ts'
import type { Corroboration } from '#domain/reports/corroborate.ts'
import { isOverAddress, isRadar } from '#domain/reports/episodes.ts'
import { groupBy } from '#domain/reports/group.ts'
import { PRIMARY_MILES, relevanceOf, SECONDARY_MILES } from '#domain/reports/relevance.ts'
import { type Confidence, confidences } from '#domain/reports/view.ts'

/** Miles: a surveyed path this near was walked past the address. */
const SURVEY_MILES = 1
/** Inches: the severe line; radar below it is low evidence even over the address. */
const RADAR_IN = 1

export const confidenceLabels: Record<Confidence, string> = {
  high: 'High: independent evidence agrees',
  medium: 'Medium: one kind of evidence',
  low: 'Low: indirect or distant evidence',
}

/**
 * The confidence of a finding is that of its best day.
 * @param precise false where the place is a centre of a ZIP or city: then at most medium
 */
export function confidenceOf(records: NearbyRecord[], corroborated: Corroboration, precise: boolean): Confidence {
  const days = [...groupBy(records, (record) => record.occurred_on).values()]
  const best = strongest(days.map((day) => ofDay(day, corroborated, precise)))
  return precise ? best : atMostMedium(best)
}

/** 0 for low up to 2 for high: for ordering. */
export function confidenceRank(confidence: Confidence): number {
  return confidences.length - 1 - confidences.indexOf(confidence)
}

/** A day for which only preliminary reports are held is at most medium: nobody has looked at them twice. */
function ofDay(records: NearbyRecord[], corroborated: Corroboration, precise: boolean): Confidence {
  const best = strongest(records.map((record) => ofRecord(record, corroborated, precise)))
  const seen = records.filter((record) => !isRadar(record))
  return seen.length > 0 && seen.every((record) => record.preliminary) ? atMostMedium(best) : best
}

function ofRecord(record: NearbyRecord, corroborated: Corroboration, precise: boolean): Confidence {
  const { distance_miles, hail_size_in } = record
  if (distance_miles === null) return 'low'
  if (isRadar(record)) return isOverAddress(record, precise) && (hail_size_in ?? 0) >= RADAR_IN ? 'medium' : 'low'
  if (wasMeasuredHere(record, distance_miles) || wasSurveyedHere(record, distance_miles)) return 'high'
  if (relevanceOf(record) === 'primary' && corroborated(record)) return 'high'
  return distance_miles <= SECONDARY_MILES ? 'medium' : 'low'
}

function wasMeasuredHere({ evidence_kind, qualifier }: NearbyRecord, miles: number): boolean {
  return evidence_kind === 'instrument' && qualifier === 'measured' && miles <= PRIMARY_MILES
}

function wasSurveyedHere({ type, qualifier }: NearbyRecord, miles: number): boolean {
  return type === 'tornado' && qualifier === 'surveyed' && miles <= SURVEY_MILES
}

function strongest(all: Confidence[]): Confidence {
  return confidences.find((confidence) => all.includes(confidence)) ?? 'low'
}

function atMostMedium(confidence: Confidence): Confidence {
  return confidence === 'high' ? 'medium' : confidence
}
