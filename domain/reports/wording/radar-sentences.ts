import { inches as cellInches } from '#domain/archive/radar/frame.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { isOver, placeText } from '#domain/evidence/distance-text.ts'
import { isOverAddress } from '#domain/evidence/episodes.ts'
import { largestOf, nearestOf, trusted } from '#domain/evidence/extremes.ts'
import { formatNumber } from '#domain/evidence/rounding.ts'
import { present } from '#domain/kernel/present.ts'
import { pluralize } from '#domain/kernel/text.ts'
import { swathBandOf } from '#domain/maps/swaths.ts'
import { isPrecise } from '#domain/places/place.ts'
import { largestOfText } from '#domain/reports/wording/largest-of-hours.ts'
import { inches } from '#domain/reports/wording/phrases.ts'
import type { Viewpoint } from '#domain/reports/wording/viewpoint.ts'
import { swathBands } from '#domain/weather/swath-bands.ts'

/** Miles: beyond this distance, the absence of a ground report proves nothing about a place. */
const ABSENCE_MILES = 10

const sizeOf = ({ hail_size_in }: NearbyRecord) => hail_size_in

/** What may have been observed besides the radar estimates: hail itself, other weather, or nothing. */
export type ObservedWeather = 'hail' | 'other' | 'nothing'

/**
 * States the largest and the nearest radar estimate, each with its own place and day, and that it is an estimate, if
 * no report of hail names a place. Suspect estimates are counted, but give no figure.
 */
export function radarSentences(scanned: NearbyRecord[], observedWeather: ObservedWeather, view: Viewpoint): string[] {
  const largest = largestOf(trusted(scanned), sizeOf)
  const nearest = nearestOf(trusted(scanned), sizeOf)
  if (!largest || !nearest) return [suspectSentence(scanned.length, view)]
  const near = nearest === largest ? '' : `; nearest ${estimateText(nearest, view)}`
  const estimated = `Radar estimated hail up to ${estimateText(largest, view)}${near}.`
  return observedWeather === 'hail' ? [estimated] : [estimated, ...noHailSentences(observedWeather, view)]
}

function suspectSentence(count: number, { window }: Viewpoint): string {
  return `${pluralize(count, 'radar estimate')} of hail within ${formatNumber(window.radius_miles)} mi, ${count === 1 ? 'with' : 'each with'} a caveat.`
}

/** "2.04 in, 0.42 mi S on 2025-05-28", "1.27 in over this location on 2025-05-28 (largest of the day), inside the 1.25 in band" */
function estimateText(record: NearbyRecord, view: Viewpoint): string {
  const { place } = view
  const hours = largestOfText(record, place.timezone)
  const where = `${inches(record.hail_size_in ?? 0)} in${isOver(record) ? ' ' : ', '}${placeText(record, place)}`
  return `${where} on ${record.occurred_on}${hours === null ? '' : ` (${hours})`}${bandText(record, view)}`
}

/**
 * Names the band of the day's swath that a place is in: the band of the cell over it, by its millimetres as delivered. Empty for a ZIP or a
 * city, and if the day's largest value over the place is not that of the record.
 */
function bandText(record: NearbyRecord, { place, radar_over = [] }: Viewpoint): string {
  if (!isOverAddress(record, isPrecise(place))) return ''
  const day = radar_over.find(({ day, tenths }) => day === record.occurred_on && cellInches(tenths / TENTHS) === record.hail_size_in)
  const band = day ? swathBandOf(day.tenths) : 0
  return band === 0 ? '' : `, inside the ${inches(present(swathBands[band - 1]))} in band`
}

const TENTHS = 10

function noHailSentences(observedWeather: ObservedWeather, { window }: Viewpoint): string[] {
  // Beside reports of other weather, only hail is unreported.
  const report = observedWeather === 'other' ? 'ground report of hail' : 'ground report'
  return [
    `No ${report} within ${formatNumber(Math.min(ABSENCE_MILES, window.radius_miles))} mi was found.`,
    'Radar size is an estimate of hail aloft, not a measurement at the ground.',
  ]
}
