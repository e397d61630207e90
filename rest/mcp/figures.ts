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

/** A peak of a finding for which no record was found. */
type UncitedFigure = Pick<CitedFigure, 'family' | 'what'>

/** Pages read of the records that match a filter. The tool for records reads more. */
const PAGES_MAX = 10
const PER_PAGE = 100

/** Reads the records of a complete report that match the filters, newest first, up to the limit. */
export async function recordsOf(calls: Calls, report: string, filters: Record<string, unknown> = {}): Promise<CitedRecordView[]> {
  const records: CitedRecordView[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const path = `/reports/${encodeURIComponent(report)}/events`
    const { data, links } = await calls.rest<{ data: CitedRecordView[]; links: { next: string | null } }>({
      method: 'GET',
      path,
      query: { ...filters, page, per_page: PER_PAGE },
    })
    records.push(...data)
    if (links.next === null) break
  }
  return records
}

/**
 * Returns the peaks of a complete report with the records that state them, and the peaks for which none was found. Asks for each peak by
 * its value: a report may cite thousands of records, and every page counts against the rate limit.
 */
export async function figuresOf(
  calls: Calls,
  { id, findings }: Pick<ReportView, 'id' | 'findings'>,
): Promise<{ figures: CitedFigure[]; uncited: UncitedFigure[] }> {
  const records: CitedRecordView[] = []
  const uncited: UncitedFigure[] = []
  for (const finding of findings ?? [])
    for (const measure of measures) {
      const largest = measure.peak(finding)
      if (largest === null) continue
      const isCited = () => citedFigures([finding], records).some(({ what }) => what === measure.what)
      for (const filters of measure.filters(largest)) {
        if (isCited()) break
        records.push(...(await recordsOf(calls, id, { family: finding.family, ...filters })))
      }
      if (!isCited()) uncited.push({ family: finding.family, what: measure.what })
    }
  return { figures: citedFigures(findings ?? [], records), uncited }
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
  /** Filters of the records among which one that states the peak is sought, one after another. */
  filters(peak: number): Record<string, unknown>[]
  value(record: CitedRecordView): number | null
  text(record: CitedRecordView): string
}[] = [
  {
    what: 'largest hail',
    peak: ({ peak_hail_in }) => peak_hail_in,
    // The peak is the largest size that an observed record states, if there is one; radar may have estimated many larger ones.
    filters: (peak) => [{ min_hail_in: peak, observed: true }, { min_hail_in: peak }],
    value: ({ measurements }) => measurements.hail_size_in,
    text: ({ measurements }) => `${measurements.hail_size_in?.toFixed(2)} in`,
  },
  {
    what: 'strongest wind',
    peak: ({ peak_wind_mph }) => peak_wind_mph,
    // The filter excludes records that state a sustained speed and no gust.
    filters: (peak) => [{ min_gust_mph: peak }, {}],
    value: ({ measurements }) => measurements.wind_gust_mph ?? measurements.wind_speed_mph,
    text: ({ measurements }) => `${measurements.wind_gust_mph ?? measurements.wind_speed_mph} mph`,
  },
  {
    what: 'strongest tornado',
    peak: ({ peak_tornado_ef }) => peak_tornado_ef,
    filters: () => [{ type: 'tornado' }],
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
