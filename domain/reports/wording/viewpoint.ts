import type { UnplacedZones } from '#domain/archive/coverage/window-coverage.ts'
import type { DayOver } from '#domain/archive/radar/nearby-days.ts'
import { sourceOf } from '#domain/archive/sources/index.ts'
import { type Centre, centreOf } from '#domain/evidence/distance-text.ts'
import { isPrecise } from '#domain/places/place.ts'

/** What a report's sentences need to know besides the records: place, window and point in time. */
export interface Viewpoint {
  place: Centre & { timezone: string; street: string | null }
  window: { start: string; end: string; radius_miles: number }
  /** True if the records are made up: every text then states it. */
  sample: boolean
  /** The point in time that the report is compiled as of; null or left out for the present. */
  as_of?: Date | null
  /** The largest radar estimate over the place for each day; left out if there is none. */
  radar_over?: DayOver[]
  /** Zone records of the window that have no place; left out if there are none. */
  unplaced_zones?: UnplacedZones[]
}

/** States where distances are measured from, unless it is the building or its street. */
export function placeNote(place: Centre): string | null {
  return isPrecise(place) ? null : `Distances are from ${centreOf(place)}, not from the building.`
}

/** Joins the sentences, and marks made-up evidence as such. */
export function joinSentences(sentences: (string | null)[], { sample }: Pick<Viewpoint, 'sample'>): string {
  const text = sentences.filter((sentence) => sentence !== null).join(' ')
  return sample ? `${sourceOf({ source: 'sample' }).label}: ${text}` : text
}
