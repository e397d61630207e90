import { archive } from '/map/tiles.js'
import { layers, radarBands, severityMarks } from '/map/vocabulary.js'

const dark = matchMedia('(prefers-color-scheme: dark)')

const layersOf = (kind) => Object.keys(layers).filter((id) => layers[id].kind === kind)
export const points = layersOf('points')
/** The layers of the archive's records, as the legend lists them. */
export const recorded = points.concat(layersOf('lines'))
/** What can be picked, the uppermost first. */
export const picked = [...points].reverse().concat('tornado_paths', 'radar_hail')
export const colorOf = (layer) => layers[layer].colour[dark.matches ? 'dark' : 'light']

/** Inches from which each band of radar counts. */
export const bands = radarBands.map(({ from_in }) => from_in)
const violets = radarBands.map(({ colour }) => colour)
/** The largest hail stands out most: darkest by day, brightest in the dark. They are drawn opaque, so that the legend's are the map's. */
export const bandColors = () => (dark.matches ? violets.toReversed() : violets)
const byBand = (size) => ['step', ['get', size], bandColors()[0], ...bands.slice(1).flatMap((from, band) => [from, bandColors()[band + 1]])]

const shades = () =>
  dark.matches
    ? { ground: '#182027', county: '#2c3841', state: '#64727d', ring: '#e8e6e0', rim: '#10181d', hushed: '#26323b' }
    : { ground: '#f6f4ef', county: '#dfdacd', state: '#9a9484', ring: '#22303a', rim: '#ffffff', hushed: '#e1e1df' }

/** From the weakest to the strongest. */
export const severities = Object.keys(severityMarks)
const markAt = (near) => [
  'match',
  ['get', 'severity'],
  ...Object.entries(severityMarks).flatMap(([severity, sizes]) => [severity, sizes[near]]),
  4,
]
/** A grid cell is 0.01 degrees: 15 pixels at zoom 10, and twice as many at each zoom more. */
const CELL_RADIUS = ['interpolate', ['exponential', 2], ['zoom'], 5, 1.6, 10, 9, 12, 36]
const CLEAR = 'rgba(0, 0, 0, 0)'
/** Where several lie, the last is seen: the exposed. */
const EXPOSED_LAST = ['case', ['get', 'exposed'], 1, 0]

/** While moments are shown the days behind them are of one quiet shade: the violets are the moment's alone. */
let isPlaying = false

export function stepBackRadar(map, playing) {
  isPlaying = playing
  map.setPaintProperty('radar_hail', 'fill-color', colorsOf('radar_hail')['fill-color'])
}

/** Lines of the borders: they are fetched once, and again where that failed. */
export const bordersOf = (name) => `${location.origin}/map/${name}.json`

const empty = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } }

/** The whole map as MapLibre's style: borders, the archive's tiles, a storm day, and what the team watches. */
export function styleOf() {
  return {
    version: 8,
    sources: {
      counties: { type: 'geojson', data: bordersOf('counties') },
      states: { type: 'geojson', data: bordersOf('states') },
      archive,
      moment: empty,
      reports: empty,
      team: empty,
    },
    layers: [
      { id: 'ground', type: 'background' },
      { id: 'team-areas', type: 'fill', source: 'team', filter: ['==', ['geometry-type'], 'Polygon'], paint: { 'fill-opacity': 0.12 } },
      {
        id: 'radar_hail',
        type: 'fill',
        source: 'archive',
        'source-layer': 'radar_hail',
        // Where several days lie, the largest is seen.
        layout: { 'fill-sort-key': ['get', 'value'] },
        paint: { 'fill-antialias': false },
      },
      {
        id: 'moment',
        type: 'circle',
        source: 'moment',
        layout: { 'circle-sort-key': ['get', 'mesh_in'] },
        paint: { 'circle-radius': CELL_RADIUS },
      },
      { id: 'counties', type: 'line', source: 'counties', minzoom: 5, paint: { 'line-width': 0.7 } },
      { id: 'states', type: 'line', source: 'states', paint: { 'line-width': 1 } },
      {
        id: 'team-edges',
        type: 'line',
        source: 'team',
        filter: ['==', ['geometry-type'], 'Polygon'],
        layout: { 'line-sort-key': EXPOSED_LAST },
        paint: { 'line-width': 2, 'line-dasharray': [3, 2] },
      },
      {
        id: 'tornado_paths',
        type: 'line',
        source: 'archive',
        'source-layer': 'tornado_paths',
        layout: { 'line-cap': 'round' },
        paint: { 'line-width': ['interpolate', ['linear'], ['zoom'], 4, 1, 12, 4] },
      },
      ...points.map((layer) => ({
        id: layer,
        type: 'circle',
        source: 'archive',
        'source-layer': layer,
        paint: { 'circle-stroke-width': 1, 'circle-radius': ['interpolate', ['linear'], ['zoom'], 3, markAt(0), 11, markAt(1)] },
      })),
      {
        id: 'reports',
        type: 'circle',
        source: 'reports',
        paint: { 'circle-color': CLEAR, 'circle-stroke-width': 2, 'circle-radius': 12 },
      },
      {
        id: 'team-places',
        type: 'circle',
        source: 'team',
        filter: ['==', ['geometry-type'], 'Point'],
        layout: { 'circle-sort-key': EXPOSED_LAST },
        // Open: the records at the place are seen in it.
        paint: { 'circle-color': CLEAR, 'circle-stroke-width': 3, 'circle-radius': 6 },
      },
    ].map(inShades),
  }
}

/** Gives a layer the colours of the hour. */
function inShades(layer) {
  return { ...layer, paint: { ...layer.paint, ...colorsOf(layer.id) } }
}

function colorsOf(id) {
  const { ground, county, state, ring, rim, hushed } = shades()
  const watched = ['case', ['get', 'exposed'], colorOf('tornado'), ring]
  if (points.includes(id)) return { 'circle-color': colorOf(id), 'circle-stroke-color': rim }
  const colors = {
    ground: { 'background-color': ground },
    counties: { 'line-color': county },
    states: { 'line-color': state },
    radar_hail: { 'fill-color': isPlaying ? hushed : byBand('value') },
    moment: { 'circle-color': byBand('mesh_in') },
    tornado_paths: { 'line-color': colorOf('tornado_paths') },
    reports: { 'circle-stroke-color': ring },
    'team-areas': { 'fill-color': watched },
    'team-edges': { 'line-color': watched },
    'team-places': { 'circle-stroke-color': watched },
  }
  return colors[id] ?? {}
}

/** Follows the system from light to dark and back. */
export function followShades(map, then) {
  dark.addEventListener('change', () => {
    for (const { id } of map.getStyle().layers)
      for (const [property, color] of Object.entries(colorsOf(id))) map.setPaintProperty(id, property, color)
    then()
  })
}
