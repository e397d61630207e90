import { keysOf } from '#domain/kernel/keys-of.ts'

/** Facts about a source that the rules need; domain/archive/sources/ defines what it fetches and how it is read. */
interface SourceFacts {
  /**
   * final: verified. preliminary: reports as they arrive, hours after a storm, not yet verified. radar: radar estimates. sample:
   * made up. context: no records of its own.
   */
  role: 'final' | 'preliminary' | 'radar' | 'sample' | 'context'
  /**
   * Unit of its coverage: a state's months, or a state's local days of which anything was read. A source stored by the day never counts
   * as missing for a month, and its data of one day says nothing about the next. Null: it supports searches and is not searched itself.
   */
  coverage_unit: 'month' | 'day' | null
  /** It has frames of the radar mosaic; their days are stored in addition to its months. */
  has_mosaic?: true
  /** The source of the reports from which its lists are compiled: of duplicate records, that source's record is kept. */
  compiled_from?: string
}

/** The sources whose records may be cited. `code` is what packed lists store: it never changes and is never reused. */
export const recordSourceTable = {
  noaa_storm_events: { code: 0, role: 'final', coverage_unit: 'month' },
  noaa_spc_reports: { code: 1, role: 'preliminary', coverage_unit: 'month', compiled_from: 'nws_lsr' },
  nws_lsr: { code: 2, role: 'preliminary', coverage_unit: 'month' },
  noaa_mesh: { code: 3, role: 'radar', coverage_unit: 'day', has_mosaic: true },
  nexrad_hail: { code: 4, role: 'radar', coverage_unit: 'day' },
  sample: { code: 5, role: 'sample', coverage_unit: 'month', has_mosaic: true },
} as const satisfies Record<string, SourceFacts & { code: number }>

/** Every source; those without a code have no records. */
const sourceTable = {
  ...recordSourceTable,
  nws_warnings: { role: 'context', coverage_unit: 'day' },
  asos: { role: 'context', coverage_unit: 'day' },
  nws_zones: { role: 'context', coverage_unit: null },
} as const satisfies Record<string, SourceFacts>

export type RecordSource = keyof typeof recordSourceTable
export const recordSources = keysOf(recordSourceTable)

export type SourceId = keyof typeof sourceTable
const sourceIds = keysOf(sourceTable)

/** The sources with these facts in the table. */
type SourceWith<Facts> = { [Id in SourceId]: (typeof sourceTable)[Id] extends Facts ? Id : never }[SourceId]

export const FINAL_SOURCE: SourceWith<{ role: 'final' }> = 'noaa_storm_events'
export const SAMPLE_SOURCE: SourceWith<{ role: 'sample' }> = 'sample'
export const ZONE_SOURCE: SourceWith<{ coverage_unit: null }> = 'nws_zones'

/** The period after the final record is covered if either of them covers it. */
export const preliminarySources: readonly SourceId[] = sourceIds.filter((id) => factsOf(id).role === 'preliminary')
export const radarSources: readonly SourceId[] = sourceIds.filter((id) => factsOf(id).role === 'radar')

export type DaySource = SourceWith<{ coverage_unit: 'day' }>
export const daySources: readonly SourceId[] = sourceIds.filter((id) => factsOf(id).coverage_unit === 'day')

export type MosaicSource = SourceWith<{ has_mosaic: true }>
export const mosaicSources: readonly SourceId[] = sourceIds.filter((id) => factsOf(id).has_mosaic)

/**
 * Sources without real records: the sample, which is made up, and the context sources. The sample's records of a month are dropped
 * when any other source holds that month, in reports and exposures alike.
 */
export const unrealSources: readonly SourceId[] = sourceIds.filter((id) => ['sample', 'context'].includes(factsOf(id).role))

/** Begins every text about the made-up sample, so that nobody takes it for a record. */
export const MADE_UP = 'Sample, made up'

/** Whether a record is made up. */
export function isSample({ source }: { source: string }): boolean {
  return source === SAMPLE_SOURCE
}

/** Returns the real records, or the made-up ones if there are no real ones. */
export function realElseSample<Row extends { source: string }>(rows: Row[]): Row[] {
  const real = rows.filter((row) => !isSample(row))
  return real.length > 0 ? real : rows
}

/** SQL: the sources as a list for IN. */
export function sourcesInSql(sources: readonly SourceId[]): string {
  return `(${sources.map((source) => `'${source}'`).join(', ')})`
}

/** Whether the source compiles its lists from the reports of another. */
export function isCompiledFromOther(source: RecordSource): boolean {
  return factsOf(source).compiled_from !== undefined
}

function factsOf(id: SourceId): SourceFacts {
  return sourceTable[id]
}

/** How a record was obtained. `code` is what packed lists store: it never changes and is never reused. */
export const evidenceKindTable = {
  ground: { code: 0, label: 'Ground report' },
  instrument: { code: 1, label: 'Instrument measurement' },
  radar: { code: 2, label: 'Radar estimate' },
} as const

export type EvidenceKind = keyof typeof evidenceKindTable
export const evidenceKinds = keysOf(evidenceKindTable)
