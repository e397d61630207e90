import { shades } from '/map/shades.js'

/** The fonts of the page; the machine's fonts draw the characters that these lack. */
const REGULAR = ['Inter']
const SEMIBOLD = ['Inter Semibold']

const ofKind = (kind) => ['all', ['==', ['get', 'kind'], kind], ['>=', ['zoom'], ['get', 'from']]]
/** Labels of larger towns take precedence. */
const LARGEST_FIRST = ['-', 0, ['coalesce', ['get', 'zips'], 0]]
const TOWN_SIZE = ['interpolate', ['linear'], ['coalesce', ['get', 'zips'], 0], 1, 11, 20, 12.5, 80, 15]

const named = (id, kind, layout) => ({
  id,
  type: 'symbol',
  source: 'ground',
  'source-layer': 'names',
  filter: ofKind(kind),
  layout: { 'text-field': ['get', 'name'], 'text-font': REGULAR, 'text-max-width': 7, ...layout },
  paint: { 'text-halo-width': 1.4 },
})

/** The packaged ground of the service: land, states, counties and towns by size, in tiles. */
export const packagedGround = {
  sources: {
    ground: {
      type: 'vector',
      tiles: ['ground://{z}/{x}/{y}.mvt'],
      maxzoom: 8,
      attribution: 'Borders: U.S. Census Bureau. Towns: GeoNames (CC BY 4.0)',
    },
  },
  under: [
    { id: 'ground', type: 'background' },
    { id: 'land', type: 'fill', source: 'ground', 'source-layer': 'land' },
  ],
  lines: [
    { id: 'counties', type: 'line', source: 'ground', 'source-layer': 'counties', minzoom: 5, paint: { 'line-width': 0.7 } },
    { id: 'states', type: 'line', source: 'ground', 'source-layer': 'states', paint: { 'line-width': 1 } },
  ],
  names: [
    named('county-names', 'county', { 'text-size': 11, 'text-letter-spacing': 0.08, 'text-transform': 'uppercase' }),
    {
      ...named('state-names', 'state', { 'text-size': 12, 'text-letter-spacing': 0.14, 'text-transform': 'uppercase' }),
      maxzoom: 8,
    },
    named('town-names', 'town', { 'text-font': SEMIBOLD, 'text-size': TOWN_SIZE, 'symbol-sort-key': LARGEST_FIRST, 'text-padding': 4 }),
  ],
  colors() {
    const { ground, land, county, state, name, stateName, halo } = shades()
    return {
      ground: { 'background-color': ground },
      land: { 'fill-color': land },
      counties: { 'line-color': county },
      states: { 'line-color': state },
      'county-names': { 'text-color': stateName, 'text-halo-color': halo },
      'state-names': { 'text-color': stateName, 'text-halo-color': halo },
      'town-names': { 'text-color': name, 'text-halo-color': halo },
    }
  },
}
