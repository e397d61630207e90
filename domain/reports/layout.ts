import type { Config } from '#domain/kernel/config.ts'
import { checkedLater, type JsonSchema, list, mapped, oneOf } from '#domain/kernel/fields.ts'
import { optional, orNull, preset, readNew, refuseUnknown, schemaOfForm } from '#domain/kernel/form.ts'
import type { Faults } from '#domain/kernel/validation.ts'
import type { Plan } from '#domain/plans/plans.ts'
import { weatherLayerNames } from '#domain/weather/layers.ts'

export const layoutSections = [
  'summary',
  'findings',
  'map',
  'timeline',
  'events',
  'observations',
  'warnings',
  'imagery',
  'methodology',
] as const
export type LayoutSection = (typeof layoutSections)[number]

export const layoutImagery = ['aerial', 'street_view', 'radar'] as const
export type LayoutImagery = (typeof layoutImagery)[number]

export const layoutElements = [
  'key_figures',
  'timeline_chart',
  'distance_rings',
  'narratives',
  'evidence_badges',
  'prior_events',
  'branding',
] as const
export type LayoutElement = (typeof layoutElements)[number]

export const mapBases = ['plain', 'streets', 'aerial'] as const
export type MapBase = (typeof mapBases)[number]

export const mapLayers = [...weatherLayerNames, 'warnings', 'rings'] as const
export type MapLayer = (typeof mapLayers)[number]

/** What the pages of a report contain, and in which order. */
export interface Layout {
  sections: LayoutSection[]
  imagery: LayoutImagery[]
  elements: LayoutElement[]
  map: { base: MapBase; layers: MapLayer[] } | null
}

/** A layout as stored with its report. */
export interface StoredLayout extends Layout {
  /** The elements were sent, whatever they are: one that is missing was left out. Undefined if they were not, or before this was stored. */
  elements_sent?: true
}

/**
 * Returns the layout for a plan without composed layouts, and for every part that a composed layout leaves out. It includes photographs
 * only if the plan includes them and a provider is configured.
 */
export function defaultLayout(plan: Pick<Plan, 'includes'>, config: Pick<Config, 'aerial_imagery' | 'mapillary_token'>): Layout {
  const photographs = plan.includes.imagery && (config.aerial_imagery || config.mapillary_token !== null)
  return {
    sections: ['summary', 'findings', 'map', 'events'],
    imagery: photographs ? ['aerial', 'street_view'] : [],
    elements: ['key_figures'],
    map: { base: 'plain', layers: ['hail', 'wind', 'tornado', 'radar_hail', 'rings'] },
  }
}

const listOf = <const Value extends string>(name: string, item: string, values: readonly Value[]) =>
  optional(mapped(list(name, oneOf(item, values)), (chosen) => [...new Set(chosen)]))

const mapForm = {
  base: preset(oneOf('The base of the map', mapBases), 'plain'),
  layers: listOf('The layers of the map', 'A layer of the map', mapLayers),
}

const CLOSED: JsonSchema = { additionalProperties: false }

const layoutForm = {
  sections: listOf('The sections', 'A section', layoutSections),
  imagery: listOf('The imagery', 'A kind of imagery', layoutImagery),
  elements: listOf('The elements', 'An element', layoutElements),
  map: optional(checkedLater('The map', orNull(schemaOfForm(mapForm, 'new', CLOSED)))),
}

/** A layout as it may be sent: an object of its parts, or a list of its sections only. */
export const layoutSchema: JsonSchema = { oneOf: [schemaOfForm(layoutForm, 'new', CLOSED), layoutForm.sections.schema] }

/**
 * Reads a layout as sent: an object of its four parts, or a bare list of sections. A part that is missing or null gets the
 * default, except that a null `map` means no map. A value named twice counts once.
 * @returns null if nothing was sent; faults are noted under `layout` and its dot paths
 */
export function readLayout(sent: unknown, fallback: Layout, faults: Faults): StoredLayout | null {
  if (sent === undefined || sent === null) return null
  const parts = Array.isArray(sent) ? { sections: sent } : sent
  if (!isObject(parts)) {
    faults.add('layout', 'The layout must be an object with sections, imagery, elements and map.')
    return fallback
  }
  refuseUnknown(layoutForm, parts, faults, 'layout.')
  const { map: _, ...read } = readNew(layoutForm, parts, faults, 'layout.')
  return {
    sections: read.sections ?? fallback.sections,
    imagery: read.imagery ?? fallback.imagery,
    elements: read.elements ?? fallback.elements,
    map: parts.map === null ? null : readMap(parts.map, fallback.map, faults),
    ...(read.elements && { elements_sent: true }),
  }
}

function readMap(sent: unknown, fallback: Layout['map'], faults: Faults): Layout['map'] {
  if (sent === undefined) return fallback
  if (!isObject(sent)) {
    faults.add('layout.map', 'The map must be null, or an object with base and layers.')
    return fallback
  }
  refuseUnknown(mapForm, sent, faults, 'layout.map.')
  const { base, layers } = readNew(mapForm, sent, faults, 'layout.map.')
  return { base, layers: layers ?? fallback?.layers ?? [] }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
