import { keysOf } from '#domain/kernel/keys-of.ts'

/** What the rules need to know of a source; what it fetches and how it is read stands in domain/archive/sources/. */
interface SourceFacts {
  /**
   * What its records are: verified and final; reports as they come in, hours after a storm, which nobody has verified yet; estimates
   * of radar; made up. `context` has no records of its own.
   */
  role: 'final' | 'preliminary' | 'radar' | 'sample' | 'context'
  /**
   * How it is held: by the months of a state, or by the local days of a state of which anything was read. What is held by the day lacks
   * nothing of a month, and what it has of one day says nothing about the next. Null where it is a help of the search, not searched itself.
   */
  held_by: 'month' | 'day' | null
  /** It has moments of the radar mosaic; their days are held beside its months. */
  has_mosaic?: true
  /** The source of the reports that its lists are drawn from: of twins, that one's stays. */
  drawn_from?: string
}

/** The sources whose records may be cited. `code` is what packed lists store: it is never changed, and never given to another. */
export const recordSourceTable = {
  noaa_storm_events: { code: 0, role: 'final', held_by: 'month' },
  noaa_spc_reports: { code: 1, role: 'preliminary', held_by: 'month', drawn_from: 'nws_lsr' },
  nws_lsr: { code: 2, role: 'preliminary', held_by: 'month' },
  noaa_mesh: { code: 3, role: 'radar', held_by: 'day', has_mosaic: true },
  nexrad_hail: { code: 4, role: 'radar', held_by: 'day' },
  sample: { code: 5, role: 'sample', held_by: 'month', has_mosaic: true },
} as const satisfies Record<string, SourceFacts & { code: number }>

/** Every source; those without a code have no records. */
const sourceTable = {
  ...recordSourceTable,
  nws_warnings: { role: 'context', held_by: 'day' },
  asos: { role: 'context', held_by: 'day' },
  nws_zones: { role: 'context', held_by: null },
} as const satisfies Record<string, SourceFacts>

export type RecordSource = keyof typeof recordSourceTable
export const recordSources = keysOf(recordSourceTable)

export type SourceId = keyof typeof sourceTable
const sourceIds = keysOf(sourceTable)

/** The sources of which the table states these facts. */
type SourceWith<Facts> = { [Id in SourceId]: (typeof sourceTable)[Id] extends Facts ? Id : never }[SourceId]

export const FINAL_SOURCE: SourceWith<{ role: 'final' }> = 'noaa_storm_events'
export const SAMPLE_SOURCE: SourceWith<{ role: 'sample' }> = 'sample'
export const ZONE_SOURCE: SourceWith<{ held_by: null }> = 'nws_zones'

/** Either of them answers for the time after the final record. */
export const preliminarySources: readonly SourceId[] = sourceIds.filter((id) => factsOf(id).role === 'preliminary')
export const radarSources: readonly SourceId[] = sourceIds.filter((id) => factsOf(id).role === 'radar')

export type DaySource = SourceWith<{ held_by: 'day' }>
export const daySources: readonly SourceId[] = sourceIds.filter((id) => factsOf(id).held_by === 'day')

export type MosaicSource = SourceWith<{ has_mosaic: true }>
export const mosaicSources: readonly SourceId[] = sourceIds.filter((id) => factsOf(id).has_mosaic)

/**
 * Sources whose months are not held by anything real: the sample is made up, and of others only context is held. The made-up
 * records of a month go when any other source holds it, in reports and exposures alike.
 */
export const unrealSources: readonly SourceId[] = sourceIds.filter((id) => ['sample', 'context'].includes(factsOf(id).role))

/** Whether a record is made up. */
export function isSample({ source }: { source: string }): boolean {
  return source === SAMPLE_SOURCE
}

/** Made-up records answer only where nothing real does: what is real of both, else what is made up. */
export function realElseSample<Row extends { source: string }>(rows: Row[]): Row[] {
  const real = rows.filter((row) => !isSample(row))
  return real.length > 0 ? real : rows
}

/** SQL: the sources as a list after IN. */
export function sourcesInSql(sources: readonly SourceId[]): string {
  return `(${sources.map((source) => `'${source}'`).join(', ')})`
}

/** Whether the source draws its lists from the reports of another. */
export function isDrawnFromOther(source: RecordSource): boolean {
  return factsOf(source).drawn_from !== undefined
}

function factsOf(id: SourceId): SourceFacts {
  return sourceTable[id]
}

/** How a record was obtained. `code` is what packed lists store, as above. */
export const evidenceKindTable = {
  ground: { code: 0, label: 'Ground report' },
  instrument: { code: 1, label: 'Instrument measurement' },
  radar: { code: 2, label: 'Radar estimate' },
} as const

export type EvidenceKind = keyof typeof evidenceKindTable
export const evidenceKinds = keysOf(evidenceKindTable)
