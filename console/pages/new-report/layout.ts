import type { ResultOf } from 'gql.tada'
import type { REPORT_OPTIONS } from './ceilings.ts'

/** What the pages of a report contain, and in which order. */
export type Layout = NonNullable<ResultOf<typeof REPORT_OPTIONS>['presetLayout']>
export type Section = Layout['sections'][number]
export type Imagery = Layout['imagery'][number]
export type Element = Layout['elements'][number]
export type MapLayer = NonNullable<Layout['map']>['layers'][number]

export const sections: Record<Section, string> = {
  summary: 'Summary',
  findings: 'Findings',
  map: 'Map',
  timeline: 'Timeline',
  events: 'Cited records',
  observations: 'Station observations',
  warnings: 'Official warnings',
  imagery: 'Imagery',
  methodology: 'Methodology',
}

/** The kinds of imagery that documents can show. Radar is not one of them yet. */
export const imageries = { aerial: 'Aerial photograph', street_view: 'Street-level photograph' } satisfies Partial<Record<Imagery, string>>

/** Elements that are chosen one by one. Rings are a layer of the map, and the logo belongs to the letterhead. */
export const elements = {
  key_figures: 'Key figures',
  timeline_chart: 'Timeline chart, if the timeline is not a section',
  narratives: 'Narratives of the cited records',
  evidence_badges: 'Kind of evidence on each record',
  prior_events: 'Earlier days with records',
} satisfies Partial<Record<Element, string>>

/** What a map can show besides the layers of the weather vocabulary. */
export const mapExtras = { warnings: 'Areas of official warnings', rings: 'Distance rings' } satisfies Partial<Record<MapLayer, string>>

/** How a part of the picture is drawn. */
export type BlockKind = 'cover' | 'figures' | 'lines' | 'table' | 'map' | 'bars' | 'records' | 'photographs'

/** A part of the document: its heading, and its height in the picture, in which a sheet is 286 high. */
export interface Block {
  heading: string
  kind: BlockKind
  height: number
}

export const SHEET = { width: 220, height: 286, margin: 14 }

const sectionBlocks: Record<Section, [kind: BlockKind, height: number]> = {
  summary: ['table', 42],
  findings: ['lines', 52],
  map: ['map', 104],
  timeline: ['bars', 56],
  events: ['records', 82],
  observations: ['lines', 28],
  warnings: ['table', 36],
  imagery: ['photographs', 62],
  methodology: ['lines', 44],
}
/** Extra height of the cited records when they have narratives. */
const NARRATIVES_HEIGHT = 34

/** The document from its cover on: the fixed parts, and those of the layout in its order. */
export function blocksOf({ sections: chosen, elements: includedElements, map }: Layout): Block[] {
  const blockOf = (section: Section): Block => {
    const [kind, height] = sectionBlocks[section]
    const more = section === 'events' && includedElements.includes('narratives') ? NARRATIVES_HEIGHT : 0
    return { heading: sections[section], kind, height: height + more }
  }
  return [
    { heading: '', kind: 'cover', height: 60 },
    { heading: 'Three questions', kind: 'lines', height: 60 },
    ...(includedElements.includes('key_figures') ? [{ heading: 'Key figures', kind: 'figures', height: 42 } as const] : []),
    { heading: 'Coverage and limits', kind: 'lines', height: 40 },
    ...chosen.filter((section) => section !== 'map' || map !== null).map(blockOf),
    ...(includedElements.includes('timeline_chart') && !chosen.includes('timeline') ? [blockOf('timeline')] : []),
    ...(includedElements.includes('prior_events') ? [{ heading: 'Earlier days with records', kind: 'table', height: 36 } as const] : []),
    ...(chosen.includes('methodology') ? [] : [blockOf('methodology')]),
    { heading: 'Verification', kind: 'lines', height: 36 },
    { heading: 'Appendix: how this file can be authenticated', kind: 'lines', height: 44 },
  ]
}

/** Places the parts on sheets. A part that does not fit on the rest of a sheet starts the next one. */
export function sheetsOf(blocks: readonly Block[]): (Block & { top: number })[][] {
  const sheets: (Block & { top: number })[][] = []
  let top = Number.POSITIVE_INFINITY
  for (const block of blocks) {
    if (top + block.height > SHEET.height - SHEET.margin) {
      sheets.push([])
      top = SHEET.margin
    }
    sheets.at(-1)?.push({ ...block, top })
    top += block.height
  }
  return sheets
}

/** Moves a section one position up (-1) or down (1) among the chosen sections. */
export function move(chosen: readonly Section[], section: Section, by: -1 | 1): Section[] {
  const at = chosen.indexOf(section)
  const other = chosen[at + by]
  if (at < 0 || other === undefined) return [...chosen]
  return chosen.map((one) => (one === section ? other : one === other ? section : one))
}

/** Adds an item at the end, or removes it. */
export function toggle<One>(of: readonly One[], one: One, on: boolean): One[] {
  const rest = of.filter((other) => other !== one)
  return on ? [...rest, one] : rest
}
