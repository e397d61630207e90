import { type Html, html, raw } from '#domain/reports/document/html.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'
import { type WeatherLayer, weatherLayerNames, weatherLayers } from '#domain/weather/layers.ts'
import { layerOf } from '#domain/weather/types.ts'

/** The layers of a map and a chart: those of the vocabulary, except that a path belongs to its tornado. Other weather comes last. */
export type DrawnLayer = Exclude<WeatherLayer, 'tornado_paths'>

const layerNames = weatherLayerNames.filter((name): name is DrawnLayer => name !== 'tornado_paths' && name !== 'other')

export const drawnLayers = [...layerNames, 'other' as const].map((id) => ({
  id,
  ...weatherLayers[id],
  colour: weatherLayers[id].colour.light,
}))

/** The layer in whose look a record is drawn: radar estimates have one of their own. */
export function drawnLayerOf({ type, provenance }: Pick<CitedRecordView, 'type' | 'provenance'>): DrawnLayer {
  return provenance.evidence_kind === 'radar' ? 'radar_hail' : layerOf(type)
}

/** The colour of a layer on paper. */
export const colourOf = (id: DrawnLayer): string => weatherLayers[id].colour.light

/** Prints the meaning of each marker of a picture. */
export function legend(shown: readonly DrawnLayer[], across = false): Html {
  return html`<ul class="legend${across ? ' across' : ''}">${shown.map((id) => html`<li>${raw(`<svg viewBox="-7 -7 14 14" class="key" aria-hidden="true">${markerShape(id)}</svg>`)} ${weatherLayers[id].label}</li>`)}</ul>`
}

/** Draws a marker around the origin, 8 units across. */
export function markerShape(id: DrawnLayer, colour: string = colourOf(id)): string {
  const { shape } = weatherLayers[id]
  const look = `fill="${colour}" stroke="#ffffff" stroke-width="1"`
  switch (shape) {
    case 'circle':
      return `<circle r="4.5" ${look}/>`
    case 'triangle':
      return `<path d="M0 -5.2 L5 4 L-5 4 Z" ${look}/>`
    case 'diamond':
      return `<path d="M0 -5.8 L5 0 L0 5.8 L-5 0 Z" ${look}/>`
    case 'square':
      return `<rect x="-4.2" y="-4.2" width="8.4" height="8.4" ${look}/>`
    case 'ring':
      return `<circle r="4.2" fill="none" stroke="${colour}" stroke-width="2.2"/>`
    case 'cross':
      return `<path d="M-4 -4 L4 4 M4 -4 L-4 4" stroke="${colour}" stroke-width="2.2" fill="none"/>`
  }
}
