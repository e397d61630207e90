import type { NearbyRecord } from '#domain/archive/record.ts'
import { isOver, placeText } from '#domain/evidence/distance-text.ts'
import { largestOf, nearestOf, trusted } from '#domain/evidence/extremes.ts'
import { inches, plain } from '#domain/reports/phrases.ts'
import type { Viewpoint } from '#domain/reports/viewpoint.ts'

/** Miles: beyond it the absence of a ground report says nothing about a place. */
const ABSENCE_MILES = 10

const sizeOf = ({ hail_size_in }: NearbyRecord) => hail_size_in

/**
 * What radar estimated: its largest and its nearest, each with its own place and day; and that it is an estimate, where
 * no record of the same type names a place.
 */
export function radarSentences(scanned: NearbyRecord[], isAlone: boolean, view: Viewpoint): string[] {
  const largest = largestOf(trusted(scanned), sizeOf)
  const nearest = nearestOf(trusted(scanned), sizeOf)
  if (!largest || !nearest) return []
  const near = nearest === largest ? '' : `; nearest ${estimate(nearest, view)}`
  const estimated = `Radar estimated hail up to ${estimate(largest, view)}${near}.`
  return isAlone ? [estimated, ...radarAlone(view)] : [estimated]
}

/** "2.04 in, 0.42 mi S on 2025-05-28", "1.25 in over this location on 2025-05-28" */
function estimate(record: NearbyRecord, { place }: Viewpoint): string {
  return `${inches(record.hail_size_in ?? 0)} in${isOver(record) ? ' ' : ', '}${placeText(record, place)} on ${record.occurred_on}`
}

function radarAlone({ window }: Viewpoint): string[] {
  return [
    `No ground report within ${plain(Math.min(ABSENCE_MILES, window.radius_miles))} mi was found.`,
    'Radar size is an estimate of hail aloft, not a measurement at the ground.',
  ]
}
