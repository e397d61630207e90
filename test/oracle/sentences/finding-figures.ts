import type { CitedRecordView } from '#domain/reports/view.ts'
import { type Finding, isPlaced, isPrecise, isSeen, isSound, type StatedReport, severities, unless } from './claims.ts'

/** Checks that the peaks of a finding come from its records with a place, and from no doubted one. */
export function peakFaults({ records }: StatedReport, finding: Finding): string[] {
  const of = records.filter(({ family }) => family === finding.family)
  const placed = of.filter(isPlaced)
  const peakRecords = (placed.length > 0 ? placed : of).filter(isSound)
  const most = (value: (record: CitedRecordView) => number | null, from = peakRecords) => {
    const values = from.map(value).filter((one) => one !== null)
    return values.length > 0 ? Math.max(...values) : null
  }
  const hail = (record: CitedRecordView) => record.measurements.hail_size_in
  const scale = most(({ measurements }) => measurements.tornado_ef_scale)
  const rated = peakRecords.some(
    (record) => record.measurements.tornado_ef_scale === scale && record.tornado_rating === finding.peak_tornado_rating,
  )
  const expected = {
    peak_severity: severities[Math.max(0, ...peakRecords.map(({ severity }) => severities.indexOf(severity)))],
    peak_hail_in: most(hail, peakRecords.filter(isSeen)) ?? most(hail),
    peak_wind_mph: most(({ measurements }) => measurements.wind_gust_mph ?? measurements.wind_speed_mph),
    peak_tornado_ef: scale,
  }
  return [
    ...Object.entries(expected).flatMap(([key, value]) =>
      unless(finding[key as keyof typeof expected] === value, `${key} is ${finding[key as keyof typeof expected]}, not ${value}`),
    ),
    ...unless(scale === null ? finding.peak_tornado_rating === null : rated, `its tornado is ${finding.peak_tornado_rating}`),
  ]
}

const isPreliminary = ({ provenance }: CitedRecordView) => provenance.source_label.endsWith('preliminary')

/** Whether the reason that a label gives is true. */
export function labelFaults({ report, records }: StatedReport, finding: Finding): string[] {
  const of = records.filter(({ family }) => family === finding.family)
  const sound = of.filter(isSound)
  const primary = sound.filter((record) => isSeen(record) && record.relevance.relevance === 'primary')
  const all = (test: (record: CitedRecordView) => boolean) => sound.length > 0 && sound.every(test)
  const reasons: Record<string, boolean> = {
    'High: independent evidence agrees': primary.length > 0 && of.length > 1,
    'High: measured by an instrument within 3 mi': primary.some(({ provenance }) => provenance.evidence_kind === 'instrument'),
    'High: surveyed tornado path within 1 mi': primary.some(({ provenance }) => provenance.qualifier === 'surveyed'),
    'Medium: the address is located to its ZIP only': report.address.precision === 'zip',
    'Medium: the address is located to its city only': report.address.precision === 'city',
    'Medium: preliminary reports only': of.filter(isSeen).every(isPreliminary),
    'Medium: only preliminary reports would make it high': primary.some(isPreliminary) && !of.filter(isSeen).every(isPreliminary),
    'Medium: one kind of evidence': finding.evidence_kinds.length === 1,
    'Medium: no corroborated report within 3 mi': finding.evidence_kinds.length > 1,
    'Low: county records only': all(({ location }) => location.precision === 'county'),
    'Low: zone records only': all(({ location }) => location.precision === 'zone'),
    'Low: county and zone records only': all((record) => !isPlaced(record)),
    'Low: radar estimates only': all((record) => !isSeen(record)),
    'Low: only records beyond 10 mi': all(({ relevance }) => (relevance.distance_miles ?? 0) > 9.99),
    'Low: only records with a caveat': sound.length === 0,
    'Low: indirect or distant evidence': sound.length > 1,
  }
  return [
    ...unless(reasons[finding.confidence_label] === true, `its label "${finding.confidence_label}" does not hold`),
    ...unless(finding.confidence_label.toLowerCase().startsWith(`${finding.confidence}: `), `its label is not of ${finding.confidence}`),
    ...unless(!(finding.confidence === 'high' && !isPrecise(report)), 'it is high from a centre'),
  ]
}
