import type { ArchiveRecord } from '#domain/archive/record.ts'
import { localReports } from '#domain/archive/sources/local-reports.ts'
import { mesh } from '#domain/archive/sources/mesh.ts'
import { observations } from '#domain/archive/sources/observations.ts'
import { radarHail } from '#domain/archive/sources/radar-hail.ts'
import { sample } from '#domain/archive/sources/sample.ts'
import type { Source } from '#domain/archive/sources/source.ts'
import { spcReports } from '#domain/archive/sources/spc-reports.ts'
import { stormEvents } from '#domain/archive/sources/storm-events.ts'
import { warnings } from '#domain/archive/sources/warnings.ts'
import { zones } from '#domain/archive/sources/zones.ts'
import { isSample, type RecordSource, recordSources, type SourceId } from '#domain/weather/sources.ts'

/** Every source of the archive. To add one, add a file beside this one and a row here. */
export const sources = [
  stormEvents,
  spcReports,
  localReports,
  mesh,
  radarHail,
  warnings,
  observations,
  zones,
  sample,
] as const satisfies readonly Source[]

export const sourceIds: readonly SourceId[] = sources.map(({ id }) => id)

/** The source with an identifier of records, such as noaa_storm_events. */
export function sourceById(id: string): Source | undefined {
  return sources.find((source) => source.id === id)
}

/** The source with a name of the command line, such as storm-events. */
export function sourceBySlug(slug: string): Source | undefined {
  return sources.find((source) => source.slug === slug)
}

/** Returns the source of a cited record. */
export function sourceOf(record: { source: RecordSource }): Source {
  const source = sourceById(record.source)
  if (!source) throw new Error(`no source is called ${record.source}`)
  return source
}

/**
 * Returns the product and the state of the record: "NOAA Storm Events Database, final". For a made-up record it states only
 * that it is made up.
 */
export function sourceLabel(record: Pick<ArchiveRecord, 'source' | 'preliminary'>): string {
  const { label } = sourceOf(record)
  if (isSample(record)) return label
  return `${label}, ${record.preliminary ? 'preliminary' : 'final'}`
}

/** SQL: the same for a record `r`. */
export const SOURCE_LABEL = `CASE r.source ${recordSources.map((source) => `WHEN '${source}' THEN ${labelCase(source)}`).join(' ')} END`

function labelCase(source: RecordSource): string {
  const [preliminary, final] = [true, false].map((preliminary) => sourceLabel({ source, preliminary }).replaceAll("'", "''"))
  return `CASE WHEN r.preliminary THEN '${preliminary}' ELSE '${final}' END`
}
