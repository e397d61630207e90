import { EARTH_RADIUS_MILES } from '#domain/geo/measure.ts'

/** Miles of a degree along a meridian. */
const MILES_PER_DEGREE = (EARTH_RADIUS_MILES * Math.PI) / 180
/** Miles: what SQL and JavaScript may round apart; the distance is decided once, when the record is read. */
const MARGIN = 1e-6

/**
 * SQL that is true of a search cell `c` of a record and a watch cell `w` that may be near enough: points by the great-circle
 * distance of `measure.ts`, looked at only where their latitudes are; shapes and territories always, to be measured when read.
 */
export const MAY_REACH = `
  (c.latitude IS NULL OR w.latitude IS NULL OR (
    abs(c.latitude - w.latitude) <= (w.radius_miles + ${MARGIN}) / ${MILES_PER_DEGREE}
    AND power(sin(radians(c.latitude - w.latitude) / 2), 2)
        + cos(radians(w.latitude)) * cos(radians(c.latitude)) * power(sin(radians(c.longitude - w.longitude) / 2), 2)
        <= power(sin((w.radius_miles + ${MARGIN}) / ${2 * EARTH_RADIUS_MILES}), 2)))`
