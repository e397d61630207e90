import { api } from '/map/api.js'
import { boxInView } from '/map/view.js'

/** Loads the swaths of a day for the current view: the bands of its largest estimates. */
export function swathsInView(map, date) {
  const { south, west, north, east } = boxInView(map)
  const box = [west, south, east, north].map((side) => side.toFixed(4)).join()
  return api(`/swaths/${date}.geojson?bbox=${box}`, '')
}

/** Draws swaths; returns their number of bands. */
export function drawSwaths(map, swaths) {
  map.getSource('swaths').setData(swaths)
  return new Set(swaths.features.map(({ properties }) => properties.from_in)).size
}

export function clearSwaths(map) {
  map.getSource('swaths').setData({ type: 'FeatureCollection', features: [] })
}
