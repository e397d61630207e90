import { radarBands } from '#domain/weather/radar-bands.ts'

/** What is smaller is in no swath: hail of this size is the first that damages roofs. Inches. */
const SWATH_FROM_IN = 0.75

/** From how many inches each band of a swath counts, up to the next: those in which radar's hail is drawn. */
export const swathBands = radarBands.flatMap(({ from_in }) => (from_in < SWATH_FROM_IN ? [] : [from_in]))
