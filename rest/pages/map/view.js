/** Returns the bounds of the view, in degrees. A box cannot cross the 180th meridian: a view across it is cut to the side of its centre. */
export function boxInView(map) {
  const bounds = map.getBounds()
  const [west, east] = [bounds.getWest(), bounds.getEast()]
  const around = 360 * Math.floor(((west + east) / 2 + 180) / 360)
  return {
    south: bounds.getSouth(),
    west: Math.max(-180, west - around),
    north: bounds.getNorth(),
    east: Math.min(180, east - around),
  }
}
