import { expresses } from './doubts.ts'
import { type Cited, type Expected, type ExpectedFinding, findingsOf, type Question } from './expected.ts'
import type { Fact } from './facts.ts'
import type { Spot } from './geography.ts'
import type { LiveAnswer, LiveFinding, LiveRecord } from './service.ts'

/** Returns every difference between an answer and the raw rows; empty if there is none. */
export function differences(question: Question, expected: Expected, { report, records }: Pick<LiveAnswer, 'report' | 'records'>): string[] {
  const { place, start, end, radius_miles } = question
  const found =
    report.status === 'complete'
      ? compareReport(question, expected, { report, records })
      : [`it is ${report.status}: ${report.failure_reason}`]
  return found.map((difference) => `${place[1]}, ${place[0]}, ${radius_miles} mi, ${start} to ${end}: ${difference}`)
}

function compareReport({ place }: Question, expected: Expected, { report, records }: Pick<LiveAnswer, 'report' | 'records'>): string[] {
  const recordById = new Map(records.map((record) => [eventIdOf(record), record]))
  const findings = findingsOf(expected)
  const families = new Set([...findings.keys(), ...report.findings.map(({ family }) => family)])
  return [
    ...unless(
      report.address.latitude === place[1] && report.address.longitude === place[0],
      `it lies at ${report.address.latitude}, ${report.address.longitude}`,
    ),
    ...unless(report.event_count === expected.cited.size, `event_count is ${report.event_count}, not ${expected.cited.size}`),
    ...unless(records.length === recordById.size, `${records.length} records cite ${recordById.size} events`),
    ...[...expected.cited.keys()]
      .filter((id) => !recordById.has(id))
      .map((id) => `${describe(expected.cited.get(id) as Cited)} is not cited`),
    ...[...recordById]
      .filter(([id]) => !expected.cited.has(id))
      .map(([id, record]) => `${record.type} ${id} at ${record.relevance.distance_miles} mi on ${record.occurred_on} is cited`),
    ...[...recordById].flatMap(([id, record]) => compareRecord(expected.cited.get(id), record)),
    ...[...families].flatMap((family) =>
      compareFinding(
        family,
        findings.get(family),
        report.findings.find((finding) => finding.family === family),
      ),
    ),
  ]
}

/** The EVENT_ID at the end of the citation's address. */
function eventIdOf({ provenance }: LiveRecord): string {
  return /[?&]id=(\d+)$/.exec(provenance.citation_url)?.[1] ?? `(${provenance.citation_url})`
}

const describe = ({ fact, near }: Cited) => `${fact.type} ${fact.event_id} at ${near?.miles ?? 'no'} mi on ${fact.occurred_on}`

/** Below this distance a direction means nothing, and none is given. */
const BEARING_FROM_MILES = 0.05

function compareRecord(cited: Cited | undefined, live: LiveRecord): string[] {
  if (!cited) return []
  const { fact, near } = cited
  const want = {
    type: fact.type,
    family: fact.family,
    severity: fact.severity,
    occurred_on: fact.occurred_on,
    begins_at: fact.begins_at,
    source: 'noaa_storm_events',
    hail_size_in: fact.hail_size_in,
    wind_gust_mph: fact.wind_gust_mph,
    wind_speed_mph: fact.wind_speed_mph,
    tornado_ef_scale: fact.tornado_ef_scale,
    bearing: near && near.miles >= BEARING_FROM_MILES ? near.toward : null,
    precision: fact.location.as,
  }
  const { type, family, severity, occurred_on, begins_at, measurements, location, relevance, provenance } = live
  const have: Record<string, unknown> = {
    type,
    family,
    severity,
    occurred_on,
    begins_at,
    source: provenance.source,
    ...measurements,
    bearing: relevance.bearing,
    precision: location.precision,
  }
  const spot = spotShown(cited)
  return [
    ...Object.entries(want).flatMap(([key, value]) =>
      unless(have[key] === value, `${key} of ${fact.event_id} is ${have[key]}, not ${value}`),
    ),
    ...unless(
      sameMiles(relevance.distance_miles, near?.miles ?? null),
      `distance of ${fact.event_id} is ${relevance.distance_miles}, not ${near?.miles}`,
    ),
    ...unless(
      sameDegrees(location.longitude, spot?.[0]) && sameDegrees(location.latitude, spot?.[1]),
      `${fact.event_id} lies at ${location.latitude}, ${location.longitude}, not ${spot?.[1]}, ${spot?.[0]}`,
    ),
    ...compareCaveats(fact, provenance.caveats),
  ]
}

/** Where a path or a flood began; of two points the correct one. */
function spotShown({ fact, near }: Cited): Spot | null {
  if (fact.location.as !== 'point') return fact.start_point
  return near?.at ?? fact.start_point
}

/** Half of the fifth decimal. */
const HALF_A_METRE = 0.000005 + 1e-12

function sameDegrees(have: number | null, want: number | undefined): boolean {
  return have === null ? want === undefined : want !== undefined && Math.abs(have - want) <= HALF_A_METRE
}

/** Each doubt must be reported once, with its figures, and nothing else. */
function compareCaveats({ event_id, doubts }: Fact, caveats: readonly string[]): string[] {
  return [
    ...doubts
      .filter((doubt) => !caveats.some((caveat) => expresses(caveat, doubt)))
      .map((doubt) => `${event_id} does not state ${JSON.stringify(doubt)}`),
    ...caveats.filter((caveat) => !doubts.some((doubt) => expresses(caveat, doubt))).map((caveat) => `${event_id} states "${caveat}"`),
  ]
}

function compareFinding(family: string, want: ExpectedFinding | undefined, have: LiveFinding | undefined): string[] {
  if (!want || !have) return [`the finding ${family} is ${have ? 'there' : 'missing'}`]
  const keys = ['event_count', 'peak_severity', 'peak_hail_in', 'peak_wind_mph', 'peak_tornado_ef'] as const
  const isLow = have.confidence === 'low'
  return [
    ...unless(isLow === want.low, `the confidence of ${family} is ${have.confidence}`),
    ...keys.flatMap((key) => unless(have[key] === want[key], `${key} of ${family} is ${have[key]}, not ${want[key]}`)),
    ...unless(
      sameMiles(have.nearest_miles, want.nearest_miles),
      `nearest_miles of ${family} is ${have.nearest_miles}, not ${want.nearest_miles}`,
    ),
  ]
}

/** Half of the last decimal shown, plus the last bit of a double. */
const HALF_A_HUNDREDTH = 0.005 + 1e-9

function sameMiles(have: number | null, want: number | null): boolean {
  return have === null || want === null ? have === want : Math.abs(have - want) <= HALF_A_HUNDREDTH
}

const unless = (holds: boolean, difference: string) => (holds ? [] : [difference])
