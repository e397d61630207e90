import type { WindowCoverage } from '#domain/archive/coverage/window-coverage.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import type { Relevance } from '#domain/closed-sets.ts'
import { bearingOf, centreOf, isOver, milesText } from '#domain/evidence/distance-text.ts'
import { isOverAddress, isRadar } from '#domain/evidence/episodes.ts'
import { trusted } from '#domain/evidence/extremes.ts'
import { leadRecord } from '#domain/evidence/lead-record.ts'
import { relevanceOf } from '#domain/evidence/relevance.ts'
import { formatNumber } from '#domain/evidence/rounding.ts'
import { capitalize, pluralize, spanText } from '#domain/kernel/text.ts'
import { isPrecise } from '#domain/places/place.ts'
import type { FindingView } from '#domain/reports/view.ts'
import { hoursUnlessLocalDay } from '#domain/reports/wording/largest-of-hours.ts'
import { areaName, channelWords, inches, typeName } from '#domain/reports/wording/phrases.ts'
import { joinSentences, type Viewpoint } from '#domain/reports/wording/viewpoint.ts'
import type { ExposureFamily } from '#domain/weather/exposure-families.ts'
import { exposureFamilyOf, windTypes } from '#domain/weather/types.ts'

/** Characters: what one line of a list, a chat or a mail subject shows. */
const HEADLINE_MAX = 120

/**
 * Returns one clause about the record that readers want first, then the number of records: "Hail 2.00 in reported
 * 0.8 mi SW of the centre of ZIP 75034 on 2025-05-28; 14 records in all". At most 120 characters.
 * @param findings in the order shown, the strongest first; suspect records are counted, but none of them leads
 */
export function headlineOf(
  records: NearbyRecord[],
  findings: Pick<FindingView, 'family'>[],
  coverage: Pick<WindowCoverage, 'complete' | 'unplaced_zones'>,
  view: Viewpoint,
): string {
  const { start, end, radius_miles } = view.window
  const suffix = coverage.complete && coverage.unplaced_zones.length === 0 ? '' : '; coverage incomplete'
  const withSuffix = (clause: string) => joinSentences([`${clause}${suffix}`], view)
  const all = pluralize(records.length, 'record')
  if (records.length === 0) return withSuffix(`No records within ${formatNumber(radius_miles)} mi, ${spanText(start, end)}`)
  const lead = leadOf(trusted(records), findings, view)
  if (!lead) return withSuffix(`${all} cited, ${records.length === 1 ? 'with' : 'each with'} a caveat`)
  const clauses = wordings(lead, view).flatMap((clause) => [`${clause}; ${all} in all`, `${clause}; ${all}`])
  return clauses.map(withSuffix).find(({ length }) => length <= HEADLINE_MAX) ?? withSuffix(all)
}

// ---------------------------------------------------------------- which record

const headlineFamilies: ExposureFamily[] = ['hail', 'wind', 'tornado']

/**
 * Returns the most severe observed record of hail, wind or tornado within 3 miles, else within 10; else the largest radar
 * estimate over the address; else the lead record of the strongest finding.
 */
function leadOf(records: NearbyRecord[], findings: Pick<FindingView, 'family'>[], { place }: Viewpoint): NearbyRecord | null {
  const storms = records.filter(
    (record) => !isRadar(record) && record.distance_miles !== null && headlineFamilies.includes(exposureFamilyOf(record.type)),
  )
  const ring = (relevance: Relevance) => leadRecord(storms.filter((record) => relevanceOf(record) === relevance))
  const over = records.filter((record) => isOverAddress(record, isPrecise(place)))
  const strongest = findings.map((finding) => leadRecord(records.filter(({ family }) => family === finding.family)))
  return ring('primary') ?? ring('secondary') ?? leadRecord(over) ?? strongest.find((record) => record !== null) ?? null
}

// ---------------------------------------------------------------- in which words

/** Returns the clause about the record, from its longest wording to its shortest: names of places and types have no length limit. */
function wordings(record: NearbyRecord, { place }: Viewpoint): string[] {
  const hours = hoursUnlessLocalDay(record, place.timezone)
  const when = `on ${record.occurred_on}${hours === null ? '' : ` (${hours})`}`
  const [what, brief] = [typeName(record.type), windTypes.includes(record.type) ? 'wind' : typeName(record.type)].map((name) =>
    whatOf(record, capitalize(name)),
  )
  const [where, near] = [nameOf(place), briefNameOf(place)].map((name) => whereOf(record, isPrecise(place), name))
  return [[what, where], [what, near], [brief, near], [brief]].map((parts) => [...parts, when].join(' '))
}

/** "Hail 2.00 in reported", "Tornado F3 reported", "Wind 70 mph measured" */
function whatOf(record: NearbyRecord, name: string): string {
  const { evidence_kind, hail_size_in, wind_gust_mph, wind_speed_mph } = record
  const mph = wind_gust_mph ?? wind_speed_mph
  const figure =
    hail_size_in !== null ? `${inches(hail_size_in)} in` : (tornadoRating(record) ?? (mph === null ? null : `${formatNumber(mph)} mph`))
  return [name, figure, channelWords[evidence_kind]].filter(Boolean).join(' ')
}

/** "0.84 mi SW of the address", "over the address", "for Canadian County" */
function whereOf(record: NearbyRecord, precise: boolean, place: string): string {
  if (record.distance_miles === null) return `for ${areaName(record)}`
  if (isOver(record)) return `over ${place}`
  const bearing = bearingOf(record)
  const miles = milesText(record.distance_miles, precise)
  if (bearing === null) return precise ? `${miles} from ${place}` : `at ${place}`
  return `${miles} ${bearing} of ${place}`
}

function nameOf(place: Viewpoint['place']): string {
  if (!isPrecise(place)) return centreOf(place)
  return place.street === null ? 'this location' : 'the address'
}

function briefNameOf(place: Viewpoint['place']): string {
  return isPrecise(place) ? nameOf(place) : `the ${place.precision === 'zip' ? 'ZIP' : 'city'} centre`
}
