import { type Flavor, layers, namedFlavor } from '@protomaps/basemaps'

/** The parts of a layer of MapLibre's style specification that are changed here. */
interface StyleLayer {
  id: string
  type: string
  layout?: Record<string, unknown>
  paint?: Record<string, unknown>
}

/** The layers of a basemap by day, and their colours by night. */
export interface BasemapStyle {
  layers: StyleLayer[]
  dark: Record<string, Record<string, unknown>>
}

/** Uses the colours of the page's own ground, so that a basemap and the ground beyond it look alike. */
const LIGHT: Partial<Flavor> = {
  ...{ background: '#e6ebee', earth: '#f6f4ef', water: '#c9dae2' },
  ...{ highway: '#f0cf9a', bridges_highway: '#f0cf9a', highway_casing_early: '#d3ab6c', highway_casing_late: '#d3ab6c' },
  ...{ city_label: '#3d4b57', subplace_label: '#56656f' },
}
const DARK: Partial<Flavor> = {
  ...{ background: '#10171c', earth: '#182027', water: '#0f1a22' },
  ...{ highway: '#6b5a3c', bridges_highway: '#6b5a3c', highway_casing_early: '#3a3325', highway_casing_late: '#3a3325' },
  ...{ city_label: '#c3ccd3', city_label_halo: '#182027', subplace_label: '#9aa7b1', subplace_label_halo: '#182027' },
}

/** Name of the source in the style, and the fonts that the page loads instead of the style's own. */
const SOURCE = 'basemap'
const FACES: [RegExp, string][] = [
  [/^Noto Sans Medium$/, 'Inter Semibold'],
  [/^Noto Sans /, 'Inter'],
]

/** Returns the style of a Protomaps basemap, without icons: those would come from another host. */
export function basemapStyle(): BasemapStyle {
  const by = (name: 'light' | 'dark', own: Partial<Flavor>): StyleLayer[] =>
    layers(SOURCE, { ...namedFlavor(name), ...own }, { lang: 'en' }).filter(({ type }) => type !== 'background')
  const day = by('light', LIGHT).map(withoutPictures).filter(isDrawn)
  const night = by('dark', DARK)
  return { layers: day, dark: Object.fromEntries(night.map(({ id, paint = {} }) => [id, paint])) }
}

function withoutPictures(layer: StyleLayer): StyleLayer {
  const kept = Object.entries(layer.layout ?? {}).filter(([name]) => !name.startsWith('icon-'))
  return { ...layer, layout: Object.fromEntries(kept.map(([name, value]) => [name, inOwnFaces(value)])) }
}

/** A symbol that was only an icon has nothing left to show. */
const isDrawn = ({ type, layout }: StyleLayer) => type !== 'symbol' || layout?.['text-field'] !== undefined

/** Replaces fonts anywhere in an expression. */
function inOwnFaces(value: unknown): unknown {
  if (typeof value === 'string') return FACES.find(([form]) => form.test(value))?.[1] ?? value
  if (Array.isArray(value)) return value.map(inOwnFaces)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inOwnFaces(part)]))
}
