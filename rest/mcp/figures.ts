import type { CitedRecordView, FindingView, ReportView } from '#domain/reports/view.ts'
import type { Calls } from '#rest/mcp/calls.ts'

/** A figure of a report, with the record that states it. */
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

/** Pages of records read for the figures of a report. The tool for records reads more. */
const PAGES_MAX = 10
const PER_PAGE = 100

/** Reads the records of a complete report, newest first, up to the limit. */
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
 * Returns the peaks of the findings, each with the record that states it. An observed record is preferred to a radar estimate of the same
 * size, and then the nearest. A record with a caveat states no peak. A peak without such a record is left out.
 */
export function citedFigures(findings: readonly FindingView[], records: readonly CitedRecordView[]): CitedFigure[] {
  return findings.flatMap((finding) =>
    measures.flatMap(({ what, peak, value, text }) => {
      const largest = peak(finding)
      const matching = records.filter((record) => record.family === finding.family && value(record) === largest)
      const [record] = matching.filter(({ provenance }) => provenance.caveats.length === 0).sort(byPreference)
      if (largest === null || !record) return []
      const { evidence_kind: kind, qualifier, citation_url } = record.provenance
      const { occurred_on, relevance, family } = record
      return [{ family, what, value: text(record), kind, qualifier, occurred_on, distance_miles: relevance.distance_miles, citation_url }]
    }),
  )
}

const byPreference = (one: CitedRecordView, other: CitedRecordView) =>
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

/** Removes from the findings the figures that name no record. The response lists them separately, with citations. */
export function withoutBareFigures(report: ReportView) {
  const findings = report.findings?.map((finding) => {
    const { peak_hail_in: _h, peak_wind_mph: _w, peak_tornado_ef: _t, peak_tornado_rating: _r, nearest_miles: _n, ...rest } = finding
    return rest
  })
  return { ...report, findings: findings ?? null }
}
