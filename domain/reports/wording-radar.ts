import type { NearbyRecord } from '#domain/archive/record.ts'
import { isOverAddress } from '#domain/reports/episodes.ts'
import { away, inches, nearestOf, plain } from '#domain/reports/phrases.ts'
import type { Viewpoint } from '#domain/reports/wording.ts'

/** Miles: beyond it the absence of a ground report says nothing about a place. */
const ABSENCE_MILES = 10

/** Radar beside ground reports, or alone; a larger estimate elsewhere is told too, with its distance. */
export function radarSentences(scanned: NearbyRecord[], seen: NearbyRecord[], view: Viewpoint): string[] {
  const bySize = [...scanned].sort(
    (a, b) => (b.hail_size_in ?? 0) - (a.hail_size_in ?? 0) || (a.distance_miles ?? 0) - (b.distance_miles ?? 0),
  )
  const thatDay = seen.length > 0 ? nearestOf(seen).occurred_on : null
  const over = bySize.filter((record) => isOverAddress(record, view.precise))
  const first =
    over.find((record) => record.occurred_on === thatDay) ?? over[0] ?? bySize.find((record) => record.occurred_on === thatDay) ?? bySize[0]
  if (!first) return []
  const larger = bySize[0] && (bySize[0].hail_size_in ?? 0) > (first.hail_size_in ?? 0) ? [bySize[0]] : []
  const estimates = [first, ...larger].map(
    (record) =>
      `Radar estimated hail up to ${inches(record.hail_size_in ?? 0)} in ${radarPlace(record, seen, view)} ${onDay(record, thatDay)}.`,
  )
  return seen.length > 0 ? estimates : [...estimates, ...radarAlone(view)]
}

function radarPlace(record: NearbyRecord, seen: NearbyRecord[], view: Viewpoint): string {
  if (!view.precise) return `within ${plain(view.window.radius_miles)} mi`
  if (isOverAddress(record, view.precise)) return seen.length > 0 ? 'over the address' : 'over this location'
  return away(record)
}

function onDay({ occurred_on }: NearbyRecord, thatDay: string | null): string {
  return occurred_on === thatDay ? 'that day' : `on ${occurred_on}`
}

function radarAlone({ window }: Viewpoint): string[] {
  return [
    `No ground report within ${plain(Math.min(ABSENCE_MILES, window.radius_miles))} mi was found.`,
    'Radar size is an estimate of hail aloft, not a measurement at the ground.',
  ]
}
