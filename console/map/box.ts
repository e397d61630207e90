/** West, south, east, north, in degrees. */
export type Box = [west: number, south: number, east: number, north: number]

/** Degrees north and east. */
export interface Point {
  latitude: number
  longitude: number
}

/**
 * Returns a point of a map as the service takes it: a map that is moved around the world counts on beyond 180 degrees, so that Guam, west
 * of California, is at -215.
 */
export function pointOf({ lng, lat }: { lng: number; lat: number }): Point {
  return { latitude: lat, longitude: Math.abs(lng) <= 180 ? lng : ((((lng + 180) % 360) + 360) % 360) - 180 }
}

/** The contiguous states: the initial view of a map without a place. */
export const CONTIGUOUS_STATES: Box = [-125, 24, -66, 50]

/** On the sphere that the service uses for distances (radius 3,958.7613 miles). */
const MILES_PER_DEGREE = (3958.7613 * Math.PI) / 180

/** Returns a box around a circle, for a map's view. */
export function around({ latitude, longitude }: Point, miles: number): Box {
  const north = miles / MILES_PER_DEGREE
  const east = north / Math.max(0.1, Math.cos((latitude * Math.PI) / 180))
  return [longitude - east, latitude - north, longitude + east, latitude + north]
}

/** Returns the smallest box around several; null if there are none. */
export function unite(boxes: readonly Box[]): Box | null {
  const [first, ...others] = boxes
  if (!first) return null
  // One by one: a shape has more corners than a function takes arguments.
  return others.reduce(
    ([west, south, east, north], box) => [Math.min(west, box[0]), Math.min(south, box[1]), Math.max(east, box[2]), Math.max(north, box[3])],
    first,
  )
}

/** Enough corners for a circle as wide as the screen to look round. */
const CORNERS = 96

/** Returns a circle as a GeoJSON ring, for display only: the service computes the circles that count. */
export function circle({ latitude, longitude }: Point, miles: number): [number, number][] {
  const angularRadius = miles / 3958.7613
  const centreLatitude = (latitude * Math.PI) / 180
  return Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const bearing = ((corner % CORNERS) / CORNERS) * 2 * Math.PI
    const cornerLatitude = Math.asin(
      Math.sin(centreLatitude) * Math.cos(angularRadius) + Math.cos(centreLatitude) * Math.sin(angularRadius) * Math.cos(bearing),
    )
    const longitudeOffset = Math.atan2(
      Math.sin(bearing) * Math.sin(angularRadius) * Math.cos(centreLatitude),
      Math.cos(angularRadius) - Math.sin(centreLatitude) * Math.sin(cornerLatitude),
    )
    return [longitude + (longitudeOffset * 180) / Math.PI, (cornerLatitude * 180) / Math.PI]
  })
}

/** "33.1499, -96.8241": latitude and longitude in the form that the service accepts as an address. Five decimals are about a metre. */
export const formatPoint = ({ latitude, longitude }: Point) => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`

const COORDINATES = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/

/** Parses a text in the form of `formatPoint`; null if it is not coordinates. */
export function parseCoordinates(text: string): Point | null {
  const [, north, east] = COORDINATES.exec(text) ?? []
  const point = { latitude: Number(north), longitude: Number(east) }
  return north !== undefined && Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : null
}
