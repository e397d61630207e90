import { type Html, html, raw } from '#domain/reports/document/html.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'

/**
 * What a map layer and a chart tell apart: each has its own colour and its own shape, so that neither alone carries the
 * meaning and a copy in grey says as much.
 */
export const phenomena = [
  { id: 'hail', label: 'Hail', colour: '#0b5cad', shape: 'circle' },
  { id: 'wind', label: 'Wind', colour: '#8a5a00', shape: 'triangle' },
  { id: 'tornado', label: 'Tornado or funnel cloud', colour: '#a3182b', shape: 'diamond' },
  { id: 'flood', label: 'Flood', colour: '#0f6e5a', shape: 'square' },
  { id: 'radar_hail', label: 'Hail estimated by radar', colour: '#5b3a8c', shape: 'ring' },
  { id: 'other', label: 'Other', colour: '#4a5560', shape: 'cross' },
] as const

export type Phenomenon = (typeof phenomena)[number]['id']

export function phenomenonOf({ type, provenance }: Pick<CitedRecordView, 'type' | 'provenance'>): Phenomenon {
  if (provenance.evidence_kind === 'radar') return 'radar_hail'
  if (type.endsWith('hail')) return 'hail'
  if (type.includes('wind') && !type.includes('chill')) return 'wind'
  if (['tornado', 'funnel_cloud', 'waterspout'].includes(type)) return 'tornado'
  return type.includes('flood') ? 'flood' : 'other'
}

export const colourOf = (id: Phenomenon): string => one(id).colour

const one = (id: Phenomenon) => phenomena.find((known) => known.id === id) as (typeof phenomena)[number]

/** What each marker of a picture means. */
export function legend(shown: readonly Phenomenon[], across = false): Html {
  return html`<ul class="legend${across ? ' across' : ''}">${shown.map((id) => html`<li>${raw(`<svg viewBox="-7 -7 14 14" class="key" aria-hidden="true">${markerShape(id)}</svg>`)} ${one(id).label}</li>`)}</ul>`
}

/** A marker around the origin, 8 units across. */
export function markerShape(id: Phenomenon, colour: string = one(id).colour): string {
  const { shape } = one(id)
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
