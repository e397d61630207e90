import type { Evidence, EvidenceRecord } from './evidence-shape.ts'

/** Summary of a report's evidence, with the stamp of its document. */
export interface Summary {
  latitude: string
  longitude: string
  window: { start: string; end: string; radius_miles: string }
  records: number
  days: number
  sources_searched: string[]
  sources_found: number
  peaks: Record<Kind, Peak | null>
  /** Null if it is unknown whether the report is more than INCOMPLETE. */
  stamp: Stamp | null
}

/** The stamps of a whole report, most cautious first. */
export const stamps = ['SAMPLE', 'INCOMPLETE', 'PROVISIONAL', 'FINAL'] as const
export type Stamp = (typeof stamps)[number]

/** The largest value of a kind, with the record that states it. */
export interface Peak {
  /** "2.00 in", "gust 70 mph", "EF1". */
  value: string
  qualifier: string | null
  distance_miles: string | null
  bearing: string | null
  county: string | null
  state: string | null
  occurred_on: string
}

export const kinds = ['hail_reported', 'hail_by_radar', 'wind', 'tornado'] as const
export type Kind = (typeof kinds)[number]

/**
 * @param suspects records that give no largest value
 * @param cover the stamp on the cover of its document
 */
export function summaryOf(evidence: Evidence, suspects: ReadonlySet<EvidenceRecord> = new Set(), cover: Stamp | null = null): Summary {
  const { place, window, coverage, records } = evidence
  const of = (kind: Kind) => peakOf(records, kind, suspects)
  return {
    ...place,
    window,
    records: records.length,
    days: new Set(records.map(({ occurred_on }) => occurred_on)).size,
    sources_searched: coverage.sources_searched,
    sources_found: new Set(records.map(({ provenance }) => provenance.source)).size,
    peaks: { hail_reported: of('hail_reported'), hail_by_radar: of('hail_by_radar'), wind: of('wind'), tornado: of('tornado') },
    stamp: stampOf(allowedStamp(evidence), cover),
  }
}

/** The value of a kind that a record states; null if it states none. */
export function statedValue({ type, measurements, provenance }: EvidenceRecord, kind: Kind): number | null {
  const is_radar = provenance.evidence_kind === 'radar'
  const { hail_size_in, wind_gust_mph, wind_speed_mph, tornado_ef_scale } = measurements
  const value = {
    hail_reported: type.endsWith('hail') && !is_radar ? hail_size_in : null,
    hail_by_radar: is_radar ? hail_size_in : null,
    wind: wind_gust_mph ?? wind_speed_mph,
    tornado: tornado_ef_scale,
  }[kind]
  return value === null ? null : Number(value)
}

/**
 * Finds the record with the largest value of a kind: among records with a point if any states one, else among the others. The nearest wins
 * a tie.
 */
export function largestOf(
  records: readonly EvidenceRecord[],
  kind: Kind,
  suspects: ReadonlySet<EvidenceRecord>,
  among: 'placed first' | 'anywhere' = 'placed first',
): EvidenceRecord | null {
  const stating = records.filter((record) => statedValue(record, kind) !== null && !suspects.has(record))
  const placed = stating.filter(({ relevance }) => relevance.distance_miles !== null)
  const miles = ({ relevance }: EvidenceRecord) => Number(relevance.distance_miles ?? 0)
  const [largest] = (among === 'placed first' && placed.length > 0 ? placed : stating).toSorted(
    (one, other) => (statedValue(other, kind) as number) - (statedValue(one, kind) as number) || miles(one) - miles(other),
  )
  return largest ?? null
}

function peakOf(records: readonly EvidenceRecord[], kind: Kind, suspects: ReadonlySet<EvidenceRecord>): Peak | null {
  const largest = largestOf(records, kind, suspects)
  if (!largest) return null
  const { relevance, location, provenance, occurred_on } = largest
  const { distance_miles, bearing } = relevance
  const { county, state } = location
  return { value: figureOf(largest, kind), qualifier: provenance.qualifier, distance_miles, bearing, county, state, occurred_on }
}

/** The Enhanced Fujita scale is used from this day on, the Fujita scale before it. */
const EF_SINCE = '2007-02-01'

/** The figure of a kind as documents write it. */
export function figureOf(record: EvidenceRecord, kind: Kind): string {
  const { measurements, occurred_on, description } = record
  if (kind === 'hail_reported' || kind === 'hail_by_radar') return `${measurements.hail_size_in} in`
  if (kind === 'wind') {
    const { wind_gust_mph, wind_speed_mph } = measurements
    return wind_gust_mph === null ? `sustained ${Number(wind_speed_mph)} mph` : `gust ${Number(wind_gust_mph)} mph`
  }
  const rated = /\bRated (E?F[0-5U]) by the source\./.exec(description)?.[1]
  return rated ?? `${occurred_on < EF_SINCE ? 'F' : 'EF'}${Number(measurements.tornado_ef_scale)}`
}

/**
 * Whether a text states the figure of a record. Gust and sustained wind count as the same, because some rows do not state which it was. F
 * and EF ratings do too, because older documents write every rating as EF.
 */
export function statesFigure(text: string, record: EvidenceRecord, kind: Kind): boolean {
  const figure = figureOf(record, kind)
    .replace(/^(gust|sustained) /, '')
    .replace(/^E?F/, 'E?F')
    .replaceAll('.', '\\.')
  return new RegExp(`(?<![\\d.])${figure}\\b`).test(text)
}

/**
 * The stamp that the evidence allows. The evidence does not contain the zone records that could not be placed, which make a report
 * INCOMPLETE.
 */
export function allowedStamp({ coverage, records }: Evidence): Stamp {
  const { complete, provisional, sources_searched } = coverage
  if (sources_searched.includes('sample') || records.some(({ provenance }) => provenance.source === 'sample')) return 'SAMPLE'
  if (!complete) return 'INCOMPLETE'
  return provisional ? 'PROVISIONAL' : 'FINAL'
}

function stampOf(least: Stamp, cover: Stamp | null): Stamp | null {
  const coverStamp = cover ?? 'INCOMPLETE'
  if (stamps.indexOf(least) <= stamps.indexOf(coverStamp)) return least
  return cover
}
