import { api } from '/map/api.js'
import { boxInView } from '/map/view.js'

/** Draws the swaths of a day for what is in view: the bands of its largest estimates; answers how many bands. */
export async function drawSwaths(map, date) {
  const { south, west, north, east } = boxInView(map)
  const box = [west, south, east, north].map((side) => side.toFixed(4)).join()
  const swaths = await api(`/swaths/${date}.geojson?bbox=${box}`, '')
  map.getSource('swaths').setData(swaths)
  return new Set(swaths.features.map(({ properties }) => properties.from_in)).size
}

export function clearSwaths(map) {
  map.getSource('swaths').setData({ type: 'FeatureCollection', features: [] })
}
