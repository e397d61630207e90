import { isDark, shades } from '/map/shades.js'
import { archive } from '/map/tiles.js'
import { layers, preliminarySources, radarBands, severityMarks, warningColours } from '/map/vocabulary.js'

const layersOf = (kind) => Object.keys(layers).filter((id) => layers[id].kind === kind)
export const points = layersOf('points')
/** The layers of the archive's records, as the legend lists them. */
export const recorded = points.concat(layersOf('lines'))
/** Layers that can be selected, the uppermost first. */
export const picked = [...points].reverse().concat('tornado_paths', 'tornado_widths', 'radar_hail', 'warnings')
export const colorOf = (layer) => layers[layer].colour[isDark() ? 'dark' : 'light']

/** Inches from which each band of radar counts. */
export const bands = radarBands.map(({ from_in }) => from_in)
const violets = radarBands.map(({ colour }) => colour)
/** The largest hail stands out most: darkest in light mode, brightest in dark mode. The colours are opaque, so that legend and map match. */
export const bandColors = () => (isDark() ? violets.toReversed() : violets)
const byBand = (size) => ['step', ['get', size], bandColors()[0], ...bands.slice(1).flatMap((from, band) => [from, bandColors()[band + 1]])]

/** Colours of warnings as the legend lists them. */
export const warningColorOf = ({ colour }) => colour[isDark() ? 'dark' : 'light']
const byPhenomenon = () => [
  'match',
  ['get', 'phenomenon'],
  ...warningColours.flatMap((row) => (row.codes.length > 0 ? [row.codes, warningColorOf(row)] : [])),
  warningColorOf(warningColours.at(-1)),
]

/** Reports that nobody has verified yet are drawn open, so that their shape differs from final records. */
const isPreliminary = ['in', ['get', 'source'], ['literal', preliminarySources]]
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
/** Of overlapping places the last is on top: the exposed ones. */
const EXPOSED_LAST = ['case', ['get', 'exposed'], 1, 0]

/** While a moment is shown, the days behind it have one quiet shade: the violets are for the moment only. */
let isPlaying = false

export function stepBackRadar(map, playing) {
  isPlaying = playing
  map.setPaintProperty('radar_hail', 'fill-color', colorsOf('radar_hail')['fill-color'])
}

const empty = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } }

/** Gives each layer of a ground its colours. */
let groundColors = () => ({})

/** Areas under the lines and names of the ground. */
const underNames = [
  { id: 'team-areas', type: 'fill', source: 'team', filter: ['==', ['geometry-type'], 'Polygon'], paint: { 'fill-opacity': 0.12 } },
  {
    id: 'radar_hail',
    type: 'fill',
    source: 'archive',
    'source-layer': 'radar_hail',
    // Where several days overlap, the largest is on top.
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
  { id: 'swaths', type: 'line', source: 'swaths', paint: { 'line-width': ['interpolate', ['linear'], ['zoom'], 6, 0.6, 11, 1.8] } },
  {
    id: 'warnings',
    type: 'fill',
    source: 'archive',
    'source-layer': 'warnings',
    paint: { 'fill-opacity': 0.12, 'fill-antialias': false },
  },
]

/** What is drawn over them. */
const overNames = [
  { id: 'tornado_widths', type: 'fill', source: 'archive', 'source-layer': 'tornado_widths', paint: { 'fill-opacity': 0.3 } },
  { id: 'warnings-edges', type: 'line', source: 'archive', 'source-layer': 'warnings', paint: { 'line-width': 2.5 } },
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
    paint: {
      'circle-stroke-width': ['case', isPreliminary, 2.5, 1],
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 3, markAt(0), 11, markAt(1)],
    },
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
  { id: 'measure-line', type: 'line', source: 'measure', paint: { 'line-width': 2.5, 'line-dasharray': [2, 1.5] } },
  {
    id: 'measure-points',
    type: 'circle',
    source: 'measure',
    filter: ['==', ['geometry-type'], 'Point'],
    paint: { 'circle-radius': 5, 'circle-stroke-width': 2 },
  },
]

/** Returns the whole map as a MapLibre style: a ground, the archive's tiles, a storm day, the watched places of the team and the measured line. */
export function styleOf(ground) {
  groundColors = ground.colors
  return {
    version: 8,
    sources: {
      ...ground.sources,
      archive,
      swaths: empty,
      moment: empty,
      reports: empty,
      team: empty,
      measure: empty,
    },
    layers: [...ground.under, ...underNames, ...ground.lines, ...ground.names, ...overNames].map(inShades),
  }
}

/** Gives a layer the current colours. */
function inShades(layer) {
  return { ...layer, paint: { ...layer.paint, ...colorsOf(layer.id) } }
}

function colorsOf(id) {
  const { ring, rim, hushed } = shades()
  const watched = ['case', ['get', 'exposed'], colorOf('tornado'), ring]
  if (points.includes(id)) {
    const color = colorOf(id)
    return { 'circle-color': ['case', isPreliminary, rim, color], 'circle-stroke-color': ['case', isPreliminary, color, rim] }
  }
  const colors = {
    ...groundColors(),
    radar_hail: { 'fill-color': isPlaying ? hushed : byBand('value') },
    moment: { 'circle-color': byBand('mesh_in') },
    warnings: { 'fill-color': byPhenomenon() },
    'warnings-edges': { 'line-color': byPhenomenon() },
    swaths: { 'line-color': byBand('from_in') },
    tornado_widths: { 'fill-color': colorOf('tornado_paths') },
    tornado_paths: { 'line-color': colorOf('tornado_paths') },
    reports: { 'circle-stroke-color': ring },
    'team-areas': { 'fill-color': watched },
    'team-edges': { 'line-color': watched },
    'team-places': { 'circle-stroke-color': watched },
    'measure-line': { 'line-color': ring },
    'measure-points': { 'circle-color': rim, 'circle-stroke-color': ring },
  }
  return colors[id] ?? {}
}

/** Repaints the whole map in the current colours. */
export function repaint(map) {
  for (const { id } of map.getStyle().layers)
    for (const [property, color] of Object.entries(colorsOf(id))) map.setPaintProperty(id, property, color)
}
