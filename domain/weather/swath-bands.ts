import { radarBands } from '#domain/weather/radar-bands.ts'

/** Inches. Smaller hail is in no swath: this is the smallest size that damages roofs. */
const SWATH_FROM_IN = 0.75

/** Minimum inches of each swath band; a band ends where the next begins. They are the bands in which radar hail is drawn. */
export const swathBands = radarBands.flatMap(({ from_in }) => (from_in < SWATH_FROM_IN ? [] : [from_in]))
