import { EARTH_RADIUS_MILES } from '#domain/geo/measure.ts'

/** Miles per degree along a meridian. */
const MILES_PER_DEGREE = (EARTH_RADIUS_MILES * Math.PI) / 180
/** Miles: margin for rounding differences between SQL and JavaScript. JavaScript decides the distance when it reads the record. */
const MARGIN = 1e-6

/**
 * SQL condition: a record's search cell `c` may be near enough to a watch cell `w`. Points are compared by the great-circle
 * distance of `measure.ts`, computed only if their latitudes are close. Shapes and territories always pass, and are measured
 * when they are read.
 */
export const MAY_REACH = `
  (c.latitude IS NULL OR w.latitude IS NULL OR (
    abs(c.latitude - w.latitude) <= (w.radius_miles + ${MARGIN}) / ${MILES_PER_DEGREE}
    AND power(sin(radians(c.latitude - w.latitude) / 2), 2)
        + cos(radians(w.latitude)) * cos(radians(c.latitude)) * power(sin(radians(c.longitude - w.longitude) / 2), 2)
        <= power(sin((w.radius_miles + ${MARGIN}) / ${2 * EARTH_RADIUS_MILES}), 2)))`
