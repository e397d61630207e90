import { bearingDegrees, distanceMiles, type Position } from '#domain/geo/measure.ts'

/** Drawing units: the picture is square and scales to its column. */
export const MAP_SIZE = 560
/** Space around the circle, so that a marker on its edge is whole. */
const MARGIN = 1.12

/** What all parts of a map share: its centre, its reach, and the projection of a position into the picture. */
export interface MapFrame {
  latitude: number
  longitude: number
  radius_miles: number
  /** From the centre to the middle of a side. */
  reach_miles: number
  /** Drawing units per mile. */
  unit: number
  project(position: Position): [x: number, y: number]
}

/** Azimuthal equidistant around the address, north up: distances from it are true. */
export function mapFrame(latitude: number, longitude: number, radius_miles: number): MapFrame {
  const reach_miles = radius_miles * MARGIN
  const unit = MAP_SIZE / 2 / reach_miles
  return {
    latitude,
    longitude,
    radius_miles,
    reach_miles,
    unit,
    project([east, north]) {
      const away = distanceMiles(latitude, longitude, north, east) * unit
      const angle = (bearingDegrees(latitude, longitude, north, east) * Math.PI) / 180
      return [tenth(MAP_SIZE / 2 + away * Math.sin(angle)), tenth(MAP_SIZE / 2 - away * Math.cos(angle))]
    },
  }
}

/** Rounds to tenths: finer than a printer's dot at the size of the picture. */
export const tenth = (value: number) => Math.round(value * 10) / 10
