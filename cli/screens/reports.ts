import { counted } from '../counted.ts'
import { rangeText } from '../range-text.ts'
import { objectOf, page, type Schemas } from '../service.ts'
import { typeName } from '../type-name.ts'
import { distanceText } from './distance.ts'
import type { Layout, Listing } from './listing.ts'
import type { TerminalStyle } from './terminal.ts'
import { cardOf, fit, type Line, sparkline, wrap } from './text.ts'

type Report = Schemas['Report']
type Cited = Schemas['CitedRecord']
type Finding = Schemas['Finding']

const STATUSES = Object.keys({ pending: 1, complete: 1, failed: 1 } satisfies Record<Report['status'], 1>)
/** Number of cited records shown: one full page. */
const SHOWN = 100

export const reports: Listing<Report> = {
  path: '/reports',
  columns: [
    { title: 'status', width: 8, of: (row) => row.status },
    { title: 'from', width: 10, of: (row) => row.window.start },
    { title: 'to', width: 10, of: (row) => row.window.end },
    { title: 'records', width: 7, of: (row) => row.event_count },
    { title: 'address', width: 0, of: (row) => row.address.query },
  ],
  filters: (search) => (STATUSES.includes(search) ? { status: search } : search ? { address: search } : {}),
  defaultLabel: '',
  searchHint: 'part of an address, or pending, complete, failed',
  banner: async () => [],
  acts: {},
  detailsUrl: ({ url }, { fingerprint }) => fingerprint && `${url}/verify/${fingerprint}`,
  async open(connection, row) {
    const report = await objectOf<Report>(connection, { method: 'GET', path: `/reports/${row.id}` })
    const cited = report.status === 'complete' ? (await page<Cited>(connection, `/reports/${row.id}/events`, { per_page: SHOWN })).data : []
    return layoutOf(report, cited)
  },
}

/** The report's summary, its years, one card per finding, and its cited records. */
const layoutOf =
  (report: Report, cited: readonly Cited[]): Layout =>
  (width, look) => [
    ...headOf(report).flatMap((line) => wrap(line, width)),
    ...(report.findings ? yearsOf(report.window, report.findings, look).flatMap((line) => wrap(line, width)) : []),
    ...(report.findings ?? []).flatMap((finding) => cardOfFinding(finding, report, cited, width, look)),
    ...(report.findings ? citedLines(report, cited, width, look) : []),
  ]

function headOf({ address, window, status, event_count, failure_message, headline, nothing_found, coverage, fingerprint }: Report): Line[] {
  const { radius_miles, start, end } = window
  return [
    { text: address.query, tone: 'title' },
    {
      text: `${rangeText(start, end)}, within ${radius_miles} mi: ${status}, ${counted(event_count, 'record')}`,
      tone: status === 'failed' ? 'alarm' : undefined,
    },
    ...(failure_message ? [{ text: failure_message, tone: 'alarm' as const }] : []),
    ...[headline, nothing_found].flatMap((text) => (text ? [{ text }] : [])),
    ...(coverage.summary ? [{ text: coverage.summary, tone: 'quiet' as const }] : []),
    ...(fingerprint ? [{ text: `fingerprint ${fingerprint}`, tone: 'quiet' as const }] : []),
    { text: '' },
  ]
}

/** Days with a finding, by year. */
function yearsOf(window: Report['window'], findings: readonly Finding[], { marks }: TerminalStyle): Line[] {
  const first = Number(window.start.slice(0, 4))
  const days = new Set<string>(findings.flatMap(({ dates }) => dates))
  const counts = Array.from(
    { length: Number(window.end.slice(0, 4)) - first + 1 },
    (_, at) => [...days].filter((day) => day.startsWith(String(first + at))).length,
  )
  return [
    {
      text: `${first} ${marks.between}${sparkline(counts, marks.bars)}${marks.between} ${window.end.slice(0, 4)}   days with records, most in a year ${Math.max(...counts)}`,
    },
  ]
}

function cardOfFinding(finding: Finding, report: Report, cited: readonly Cited[], width: number, look: TerminalStyle): Line[] {
  const { dates, peak_wind_mph, peak_tornado_ef, peak_tornado_rating, nearest_miles } = finding
  const figures = [
    `${counted(finding.event_count, 'record')} on ${counted(dates.length, 'day')}, last ${finding.most_recent}`,
    hailOf(finding, report, cited),
    peak_wind_mph !== null && `wind ${peak_wind_mph} mph`,
    peak_tornado_ef !== null && `tornado ${peak_tornado_rating ?? peak_tornado_ef}`,
    nearest_miles !== null && `nearest ${distanceText(nearest_miles, report.address.precision)}`,
  ].filter(Boolean)
  const lines = [
    figures.join(` ${look.marks.dot} `),
    `${finding.confidence_label}; ${finding.evidence_labels.join(', ')}`,
    finding.statement,
  ]
  return cardOf(finding.family_label, finding.confidence, lines, width, look)
}

/** The largest hail, marked if it is from radar; null if no shown record states whether it is. */
function hailOf({ family, evidence_kinds, peak_hail_in }: Finding, { event_count }: Report, cited: readonly Cited[]): string | null {
  if (peak_hail_in === null) return null
  const hail = `hail ${peak_hail_in.toFixed(2)} in`
  const isOfPeak = ({ family: of, measurements, provenance, relevance }: Cited) =>
    of === family &&
    provenance.is_observed &&
    provenance.caveats.length === 0 &&
    measurements.hail_size_in === peak_hail_in &&
    relevance.distance_miles !== null
  if (!evidence_kinds.includes('radar') || cited.some(isOfPeak)) return hail
  const is_radar = evidence_kinds.every((kind) => kind === 'radar') || cited.length === event_count
  return is_radar ? `${hail} by radar` : null
}

function citedLines(report: Report, cited: readonly Cited[], width: number, look: TerminalStyle): Line[] {
  const { event_count } = report
  const more = cited.length < event_count ? `, the first ${cited.length} of them` : ''
  return [
    { text: '' },
    { text: `Cited records: ${event_count}${more}`, tone: 'title' },
    ...cited.flatMap((record): Line[] => [
      { text: fit(lineOf(record, report.address.precision), width, look).trimEnd() },
      ...record.provenance.caveats.flatMap((caveat) => wrap({ text: `${CAVEAT_INDENT}Doubted: ${caveat}`, tone: 'alarm' }, width)),
    ]),
  ]
}

/** Indent to the record's type, after the date. */
const CAVEAT_INDENT = ' '.repeat(12)

function lineOf(record: Cited, precision: Report['address']['precision']): string {
  const { occurred_on, type, relevance, provenance } = record
  const at = relevance.distance_miles === null ? '' : `${distanceText(relevance.distance_miles, precision)} ${relevance.bearing ?? ''}`
  return `${occurred_on}  ${typeName(type).padEnd(17)}  ${measuredText(record).padStart(11)}  ${at.padEnd(12)}  ${provenance.evidence_kind.padEnd(10)}  ${provenance.source_label}`
}

/** What a cited record measures: a gust and a sustained wind of the same speed are not the same. Rows before 1996 do not say which it is. */
export function measuredText({
  measurements: { hail_size_in, wind_gust_mph, wind_speed_mph },
  provenance,
  tornado_rating,
}: Pick<Cited, 'measurements' | 'provenance' | 'tornado_rating'>): string {
  if (hail_size_in !== null) return `${hail_size_in.toFixed(2)} in`
  if (wind_gust_mph !== null) return `${provenance.qualifier === 'unknown' ? '' : 'gust '}${wind_gust_mph} mph`
  return wind_speed_mph === null ? (tornado_rating ?? '') : `sustained ${wind_speed_mph} mph`
}
