import type { NearbyRecord } from '#domain/archive/record.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import { isRadar } from '#domain/evidence/episodes.ts'
import { largestOf, nearestOf, trusted, type Value } from '#domain/evidence/extremes.ts'
import { hundredths } from '#domain/evidence/rounding.ts'
import type { FindingView } from '#domain/reports/view.ts'
import { measures } from '#domain/reports/wording/observed-sentence.ts'
import { type Severity, severityRank } from '#domain/weather/severities.ts'

type Peaks = Pick<
  FindingView,
  'peak_severity' | 'peak_hail_in' | 'peak_wind_mph' | 'peak_tornado_ef' | 'peak_tornado_rating' | 'nearest_miles'
>

/**
 * Returns the largest values of one finding's records, and the nearest distance. They come from records with a place; records
 * that name a county or a zone count only if no record of the finding has a place. None rests on a suspect record alone.
 */
export function peaksOf(records: NearbyRecord[]): Peaks {
  const eligible = trusted(placedOrAll(records))
  const observed = eligible.filter((record) => !isRadar(record))
  const peak = (value: Value, candidates = eligible) => {
    const largest = largestOf(candidates, value)
    return largest && hundredths(value(largest))
  }
  const rated = largestOf(eligible, measures.tornado.value)
  const nearest = nearestOf(eligible) ?? nearestOf(records)
  return {
    peak_severity: eligible.reduce<Severity>(
      (peak, { severity }) => (severityRank(severity) > severityRank(peak) ? severity : peak),
      'unknown',
    ),
    peak_hail_in: peak(measures.hail.value, observed) ?? peak(measures.hail.value),
    peak_wind_mph: peak(measures.wind.value),
    peak_tornado_ef: rated?.tornado_ef_scale ?? null,
    peak_tornado_rating: rated && tornadoRating(rated),
    nearest_miles: hundredths(nearest?.distance_miles ?? null),
  }
}

/** Returns the records with a place; all of them if none has one. */
function placedOrAll(records: NearbyRecord[]): NearbyRecord[] {
  const placed = records.filter(({ distance_miles }) => distance_miles !== null)
  return placed.length > 0 ? placed : records
}
