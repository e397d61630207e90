/** Conversion from sources' units to the archive's: miles an hour and inches. */
export const MPH_PER_KNOT = 1.15078
export const MPH_PER_MPS = 2.23694
export const MPH_PER_KMH = 1 / 1.609344
export const MM_PER_IN = 25.4
export const M_PER_YARD = 0.9144
