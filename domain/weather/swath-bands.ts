/**
 * From how many inches each band of a swath counts, up to the next: the steps in which hail is sized for roofs. What is smaller than
 * the first is in no swath.
 */
export const swathBands = [0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 2.75] as const
