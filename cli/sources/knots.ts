/** One knot in miles an hour: 1852 m / 1609.344 m. */
export const MPH_PER_KNOT = 1.150779448
