import type { DayOver } from '#domain/archive/radar/nearby-days.ts'
import { sourceOf } from '#domain/archive/sources/index.ts'
import { type Centre, centreOf, isPrecise } from '#domain/evidence/distance-text.ts'

/** From where a report looks: what its sentences need to know beside the records. */
export interface Viewpoint {
  place: Centre & { timezone: string; street: string | null }
  window: { start: string; end: string; radius_miles: number }
  /** True where made-up records answer: every text says so. */
  sample: boolean
  /** The moment as of which the archive was asked; null or left out for now. */
  as_of?: Date | null
  /** What radar estimated at most over the place, by day; left out for nothing. */
  radar_over?: DayOver[]
}

/** Where distances are measured from, unless it is the building or its street. */
export function placeNote(place: Centre): string | null {
  return isPrecise(place) ? null : `Distances are from ${centreOf(place)}, not from the building.`
}

/** Joins the sentences, and says of made-up evidence that it is. */
export function marked(sentences: (string | null)[], { sample }: Pick<Viewpoint, 'sample'>): string {
  const text = sentences.filter((sentence) => sentence !== null).join(' ')
  return sample ? `${sourceOf({ source: 'sample' }).label}: ${text}` : text
}
