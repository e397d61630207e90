/** Degrees of the view. Where it lies over the 180th meridian, those of the side on which its middle is: a box cannot lie over it. */
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
