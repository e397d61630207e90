import type {
  AllPaintProperties,
  ExpressionSpecification,
  LayerSpecification,
  Map as MapLibre,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl'
import { type Layer, layerOfType, layers, radarBands, severityMarks } from '#vocabulary'

const dark = matchMedia('(prefers-color-scheme: dark)')

/** The same colours as the page around the map. Each mark has a contrast of at least 3:1 to the ground. */
const themeColours = () =>
  dark.matches
    ? { ground: '#182027', county: '#2c3841', state: '#64727d', ink: '#eceff1', rim: '#10181d', accent: '#7ab8f5' }
    : { ground: '#f6f4ef', county: '#dfdacd', state: '#9a9484', ink: '#14181c', rim: '#ffffff', accent: '#0b5cad' }

const colourOf = (layer: Layer) => layers[layer].colour[dark.matches ? 'dark' : 'light']
/** The largest hail stands out most: darkest in the light theme, brightest in the dark theme. */
const colourByBand = (size: string): ExpressionSpecification => {
  const bandColours = radarBands.map(({ colour }) => colour)
  const [first = '', ...others] = dark.matches ? bandColours.toReversed() : bandColours
  const steps = others.flatMap((colour, band) => [radarBands[band + 1]?.from_in ?? 0, colour])
  return ['step', ['get', size], first, ...steps] as unknown as ExpressionSpecification
}
const colourByType = () =>
  [
    'match',
    ['get', 'type'],
    ...Object.entries(layerOfType).flatMap(([type, layer]) => [type, colourOf(layer)]),
    colourOf('other'),
  ] as unknown as ExpressionSpecification

/** The colours of what is drawn by hand, in the current theme. */
export const drawingColours = () => {
  const { accent, rim } = themeColours()
  return { accent, rim }
}

/** A plain basemap with state and county borders, which needs no other host. */
export const plainStyle = (): StyleSpecification => ({
  version: 8,
  sources: {
    ground: {
      type: 'vector',
      tiles: [`${location.origin}/map/ground/{z}/{x}/{y}.mvt`],
      maxzoom: 8,
      attribution: 'Borders: U.S. Census Bureau',
    },
  },
  layers: [
    { id: 'ground', type: 'background' },
    { id: 'counties', type: 'line', source: 'ground', 'source-layer': 'counties', minzoom: 5, paint: { 'line-width': 0.7 } },
    { id: 'states', type: 'line', source: 'ground', 'source-layer': 'states' },
  ],
})

/** Tiles for signed-in people. The service has them up to zoom 14. */
const archive = (): SourceSpecification => ({
  type: 'vector',
  tiles: [`${location.origin}/app/tiles/{z}/{x}/{y}.mvt`],
  maxzoom: 14,
  attribution: 'Records: NOAA',
})

/** Whether a URL is that of a tile of this service, which needs the session. */
export const isOwnTile = (url: string) => url.startsWith(`${location.origin}/app/tiles/`)

const kindIs = (...names: string[]) => ['match', ['get', 'kind'], names, true, false] as ExpressionSpecification
const pointLayers: Layer[] = ['other', 'flood', 'wind', 'hail', 'tornado']
const markSize = (near: 0 | 1) =>
  [
    'match',
    ['get', 'severity'],
    ...Object.entries(severityMarks).flatMap(([severity, sizes]) => [severity, sizes[near]]),
    4,
  ] as unknown as ExpressionSpecification
/** A radar grid cell is 0.01 degree: 15 pixels at zoom 10, and twice as many with each zoom level. */
const CELL_RADIUS: ExpressionSpecification = ['interpolate', ['exponential', 2], ['zoom'], 5, 1.6, 10, 9, 12, 36]

const archiveLayers: LayerSpecification[] = [
  {
    id: 'radar_hail',
    type: 'fill',
    source: 'archive',
    'source-layer': 'radar_hail',
    // Where several days overlap, the largest is on top.
    layout: { 'fill-sort-key': ['get', 'value'] },
    paint: { 'fill-antialias': false },
  },
  { id: 'tornado_widths', type: 'fill', source: 'archive', 'source-layer': 'tornado_widths', paint: { 'fill-opacity': 0.3 } },
  { id: 'tornado_paths', type: 'line', source: 'archive', 'source-layer': 'tornado_paths', paint: { 'line-width': 2 } },
  ...pointLayers.map(
    (layer): LayerSpecification => ({
      id: layer,
      type: 'circle',
      source: 'archive',
      'source-layer': layer,
      paint: { 'circle-stroke-width': 1, 'circle-radius': ['interpolate', ['linear'], ['zoom'], 3, markSize(0), 11, markSize(1)] },
    }),
  ),
]

/** Layers whose features respond to a click. */
export const clickableLayers = ['record', 'place', 'area']

/** One size for the chosen record, another for the rest, in pixels. */
const ifChosen = (chosen: number, other: number) => ['case', ['to-boolean', ['get', 'chosen']], chosen, other] as ExpressionSpecification

const contentLayers: LayerSpecification[] = [
  { id: 'swath', type: 'fill', source: 'content', filter: kindIs('swath'), paint: { 'fill-opacity': 0.5, 'fill-antialias': false } },
  { id: 'area', type: 'fill', source: 'content', filter: kindIs('area'), paint: { 'fill-opacity': 0.14 } },
  { id: 'cell', type: 'circle', source: 'content', filter: kindIs('cell'), paint: { 'circle-radius': CELL_RADIUS } },
  { id: 'outline', type: 'line', source: 'content', filter: kindIs('area'), paint: { 'line-width': 2 } },
  { id: 'edge', type: 'line', source: 'content', filter: kindIs('edge'), paint: { 'line-width': 2, 'line-dasharray': [2, 2] } },
  {
    id: 'record',
    type: 'circle',
    source: 'content',
    filter: kindIs('record'),
    paint: { 'circle-radius': ifChosen(10, 6), 'circle-stroke-width': ifChosen(3, 1.5) },
  },
  { id: 'corner', type: 'circle', source: 'content', filter: kindIs('corner'), paint: { 'circle-radius': 5, 'circle-stroke-width': 2 } },
  { id: 'place', type: 'circle', source: 'content', filter: kindIs('place'), paint: { 'circle-radius': 7, 'circle-stroke-width': 3 } },
]

/** Adds the archive, hidden, and the page's content on top of the basemap. Tiles of hidden layers are not loaded. */
export function addOverlays(map: MapLibre): void {
  map.addSource('archive', archive())
  map.addSource('content', { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  for (const layer of [...archiveLayers, ...contentLayers]) map.addLayer(layer)
  showArchive(map, false)
  paint(map)
}

type Paint = Partial<AllPaintProperties>

/** Paints every layer in the colours of the current theme. */
function paint(map: MapLibre): void {
  const { ground, county, state, ink, rim, accent } = themeColours()
  const contentColour = ['coalesce', ['get', 'colour'], accent] as unknown as string
  const colours: Record<string, Paint> = {
    ground: { 'background-color': ground },
    counties: { 'line-color': county },
    states: { 'line-color': state },
    radar_hail: { 'fill-color': colourByBand('value') },
    tornado_widths: { 'fill-color': colourOf('tornado_paths') },
    tornado_paths: { 'line-color': colourOf('tornado_paths') },
    ...Object.fromEntries(pointLayers.map((layer) => [layer, { 'circle-color': colourOf(layer), 'circle-stroke-color': rim }])),
    swath: { 'fill-color': colourByBand('from_in') },
    area: { 'fill-color': contentColour },
    outline: { 'line-color': contentColour },
    edge: { 'line-color': accent },
    cell: { 'circle-color': colourByBand('mesh_in') },
    record: { 'circle-color': colourByType(), 'circle-stroke-color': ['case', ['to-boolean', ['get', 'chosen']], ink, rim] },
    corner: { 'circle-color': rim, 'circle-stroke-color': accent },
    place: { 'circle-color': 'rgba(0, 0, 0, 0)', 'circle-stroke-color': ink },
  }
  for (const [id, paintProperties] of Object.entries(colours)) {
    if (!map.getLayer(id)) continue
    for (const [property, colour] of Object.entries(paintProperties)) map.setPaintProperty(id, property as keyof Paint, colour)
  }
}

/** Follows the system's light or dark theme until the returned function is called. */
export function followTheme(map: MapLibre): () => void {
  const repaint = () => paint(map)
  dark.addEventListener('change', repaint)
  return () => dark.removeEventListener('change', repaint)
}

/** Shows all days of the archive, one day, or none. */
export function showArchive(map: MapLibre, days: boolean | string): void {
  for (const { id } of archiveLayers) {
    map.setLayoutProperty(id, 'visibility', days === false ? 'none' : 'visible')
    map.setFilter(id, typeof days === 'string' ? ['==', ['get', 'date'], days] : null)
  }
}
