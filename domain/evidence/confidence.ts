import { isSuspect } from '#domain/archive/plausibility.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { type Confidence, confidences } from '#domain/closed-sets.ts'
import type { Corroboration } from '#domain/evidence/corroborate.ts'
import type { Centre } from '#domain/evidence/distance-text.ts'
import { isOverAddress, isRadar } from '#domain/evidence/episodes.ts'
import { trusted } from '#domain/evidence/extremes.ts'
import { PRIMARY_MILES, relevanceOf, SECONDARY_MILES } from '#domain/evidence/relevance.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { present } from '#domain/kernel/present.ts'
import { isPrecise } from '#domain/places/place.ts'

/** Miles: a surveyed tornado path this near counts as evidence at the address. */
const SURVEY_MILES = 1
/** Inches: the severe threshold. Smaller radar sizes are low evidence even over the address. */
const RADAR_IN = 1

/** The confidence of a finding, and a label with the deciding reason. */
export interface FindingConfidence {
  confidence: Confidence
  confidence_label: string
}

/**
 * Returns the confidence of a finding, which is that of its best day.
 * @param place a ZIP or a city gives at most medium: its centre is not the building
 */
export function confidenceOf(records: NearbyRecord[], corroborated: Corroboration, place: Centre): FindingConfidence {
  const precise = isPrecise(place)
  const confidenceByRecord = new Map(records.map((record) => [record, confidenceOfRecord(record, corroborated, precise)]))
  const isHigh = (record: NearbyRecord) => confidenceByRecord.get(record) === 'high'
  const days = [...groupBy(records, (record) => record.occurred_on).values()]
  const dayConfidences = days.map((day) => confidenceOfDay(day, confidenceByRecord))
  const best = highest(dayConfidences)
  const confidence = precise ? best : atMostMedium(best)
  const reason = {
    high: () =>
      highReason(
        days.filter((_, index) => dayConfidences[index] === 'high').flatMap((day) => day.filter(isHigh)),
        corroborated,
      ),
    medium: () => {
      if (best === 'high') return `the address is located to its ${place.precision === 'zip' ? 'ZIP' : 'city'} only`
      return records.some(isHigh) ? preliminaryReason(records) : mediumReason(records)
    },
    low: () => lowReason(records),
  }[confidence]()
  return { confidence, confidence_label: `${names[confidence]}: ${reason}` }
}

const names: Record<Confidence, string> = { high: 'High', medium: 'Medium', low: 'Low' }

function highReason(records: NearbyRecord[], corroborated: Corroboration): string {
  if (records.some((record) => isCorroboratedHere(record, corroborated))) return 'independent evidence agrees'
  return records.some(wasMeasuredHere)
    ? `measured by an instrument within ${PRIMARY_MILES} mi`
    : `surveyed tornado path within ${SURVEY_MILES} mi`
}

/** The reason if nothing but the lack of a check keeps the finding from high. */
function preliminaryReason(records: NearbyRecord[]): string {
  const observed = records.filter((record) => !isRadar(record))
  return observed.every(({ preliminary }) => preliminary) ? 'preliminary reports only' : 'only preliminary reports would make it high'
}

/** A radar estimate within the distance may be corroborated; no report there is. */
function mediumReason(records: NearbyRecord[]): string {
  const kinds = new Set(records.map(({ evidence_kind }) => evidence_kind))
  return kinds.size === 1 ? 'one kind of evidence' : `no corroborated report within ${PRIMARY_MILES} mi`
}

function lowReason(records: NearbyRecord[]): string {
  const sound = trusted(records)
  const every = (test: (record: NearbyRecord) => boolean) => sound.every(test)
  if (sound.length === 0) return 'only records with a caveat'
  if (every(({ precision }) => precision === 'county')) return 'county records only'
  if (every(({ precision }) => precision === 'zone')) return 'zone records only'
  if (every(({ distance_miles }) => distance_miles === null)) return 'county and zone records only'
  if (every(isRadar)) return 'radar estimates only'
  const distant = every((record) => !isRadar(record) && record.distance_miles !== null && record.distance_miles > SECONDARY_MILES)
  return distant ? `only records beyond ${SECONDARY_MILES} mi` : 'indirect or distant evidence'
}

/** Returns 0 for low up to 2 for high, for sorting. */
export function confidenceRank(confidence: Confidence): number {
  return confidences.length - 1 - confidences.indexOf(confidence)
}

/** A day with only preliminary reports is at most medium: nobody has checked them. A suspect final record does not change that. */
function confidenceOfDay(records: NearbyRecord[], confidenceByRecord: ReadonlyMap<NearbyRecord, Confidence>): Confidence {
  const best = highest(records.map((record) => present(confidenceByRecord.get(record))))
  const observed = records.filter((record) => !isRadar(record) && !isSuspect(record))
  return observed.length > 0 && observed.every((record) => record.preliminary) ? atMostMedium(best) : best
}

function confidenceOfRecord(record: NearbyRecord, corroborated: Corroboration, precise: boolean): Confidence {
  const { distance_miles, hail_size_in } = record
  if (distance_miles === null || isSuspect(record)) return 'low'
  if (isRadar(record)) return isOverAddress(record, precise) && (hail_size_in ?? 0) >= RADAR_IN ? 'medium' : 'low'
  if (wasMeasuredHere(record) || wasSurveyedHere(record) || isCorroboratedHere(record, corroborated)) return 'high'
  return distance_miles <= SECONDARY_MILES ? 'medium' : 'low'
}

function isCorroboratedHere(record: NearbyRecord, corroborated: Corroboration): boolean {
  return !isRadar(record) && relevanceOf(record) === 'primary' && corroborated(record)
}

function wasMeasuredHere({ evidence_kind, qualifier, distance_miles, wind_gust_mph, wind_speed_mph }: NearbyRecord): boolean {
  const hasValue = wind_gust_mph !== null || wind_speed_mph !== null
  return (
    evidence_kind === 'instrument' && qualifier === 'measured' && hasValue && distance_miles !== null && distance_miles <= PRIMARY_MILES
  )
}

function wasSurveyedHere({ type, qualifier, distance_miles }: NearbyRecord): boolean {
  return type === 'tornado' && qualifier === 'surveyed' && distance_miles !== null && distance_miles <= SURVEY_MILES
}

function highest(all: Confidence[]): Confidence {
  return confidences.find((confidence) => all.includes(confidence)) ?? 'low'
}

function atMostMedium(confidence: Confidence): Confidence {
  return confidence === 'high' ? 'medium' : confidence
}
