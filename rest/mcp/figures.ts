import type { CitedRecordView, FindingView, ReportView } from '#domain/reports/view.ts'
import type { Calls } from '#rest/mcp/calls.ts'

/** A figure of a report with the record that states it. */
interface CitedFigure {
  family: string
  what: 'largest hail' | 'strongest wind' | 'strongest tornado'
  value: string
  /** ground, instrument or radar. */
  kind: string
  qualifier: string | null
  occurred_on: string
  distance_miles: number | null
  citation_url: string
}

/** Records of a report that are read for its figures: more are read by the tool for records. */
const PAGES_MAX = 10
const PER_PAGE = 100

/** The records of a complete report, the newest first, as far as they are read. */
export async function recordsOf(calls: Calls, report: string): Promise<CitedRecordView[]> {
  const records: CitedRecordView[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const path = `/reports/${encodeURIComponent(report)}/events`
    const { data, links } = await calls.rest<{ data: CitedRecordView[]; links: { next: string | null } }>({
      method: 'GET',
      path,
      query: { page, per_page: PER_PAGE },
    })
    records.push(...data)
    if (links.next === null) break
  }
  return records
}

/**
 * The peaks of the findings, each with the record that states it: one that was seen before one that radar estimated as large, and of those
 * the nearest. One whose record was not read is left out.
 */
export function citedFigures(findings: readonly FindingView[], records: readonly CitedRecordView[]): CitedFigure[] {
  return findings.flatMap((finding) =>
    measures.flatMap(({ what, peak, value, text }) => {
      const largest = peak(finding)
      const stating = records.filter((record) => record.family === finding.family && value(record) === largest)
      const [record] = stating.filter(({ provenance }) => provenance.caveats.length === 0).sort(seenFirst)
      if (largest === null || !record) return []
      const { evidence_kind: kind, qualifier, citation_url } = record.provenance
      const { occurred_on, relevance, family } = record
      return [{ family, what, value: text(record), kind, qualifier, occurred_on, distance_miles: relevance.distance_miles, citation_url }]
    }),
  )
}

const seenFirst = (one: CitedRecordView, other: CitedRecordView) =>
  Number(other.provenance.is_observed) - Number(one.provenance.is_observed) || milesOf(one) - milesOf(other)
const milesOf = ({ relevance }: CitedRecordView) => relevance.distance_miles ?? Number.MAX_VALUE

const measures: {
  what: CitedFigure['what']
  peak(finding: FindingView): number | null
  value(record: CitedRecordView): number | null
  text(record: CitedRecordView): string
}[] = [
  {
    what: 'largest hail',
    peak: ({ peak_hail_in }) => peak_hail_in,
    value: ({ measurements }) => measurements.hail_size_in,
    text: ({ measurements }) => `${measurements.hail_size_in?.toFixed(2)} in`,
  },
  {
    what: 'strongest wind',
    peak: ({ peak_wind_mph }) => peak_wind_mph,
    value: ({ measurements }) => measurements.wind_gust_mph ?? measurements.wind_speed_mph,
    text: ({ measurements }) => `${measurements.wind_gust_mph ?? measurements.wind_speed_mph} mph`,
  },
  {
    what: 'strongest tornado',
    peak: ({ peak_tornado_ef }) => peak_tornado_ef,
    value: ({ measurements }) => measurements.tornado_ef_scale,
    text: ({ tornado_rating, measurements }) => tornado_rating ?? `EF${measurements.tornado_ef_scale}`,
  },
]

/** A report without the figures of its findings that name no record: those stand beside it, cited. */
export function withoutBareFigures(report: ReportView) {
  const findings = report.findings?.map((finding) => {
    const { peak_hail_in: _h, peak_wind_mph: _w, peak_tornado_ef: _t, peak_tornado_rating: _r, nearest_miles: _n, ...said } = finding
    return said
  })
  return { ...report, findings: findings ?? null }
}
