import type { MonthSpan, UnplacedZones } from '#domain/archive/coverage/window-coverage.ts'
import { isSuspect } from '#domain/archive/plausibility.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import type { Centre } from '#domain/evidence/distance-text.ts'
import { isRadar } from '#domain/evidence/episodes.ts'
import { nearestOf, trusted } from '#domain/evidence/extremes.ts'
import { relevanceOf } from '#domain/evidence/relevance.ts'
import { formatNumber } from '#domain/evidence/rounding.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { present } from '#domain/kernel/present.ts'
import { joinList, pluralize, spanText } from '#domain/kernel/text.ts'
import { arealSentences } from '#domain/reports/wording/areal-sentences.ts'
import { observedSentence } from '#domain/reports/wording/observed-sentence.ts'
import { type ObservedWeather, radarSentences } from '#domain/reports/wording/radar-sentences.ts'
import { sourceLimitsSentences } from '#domain/reports/wording/source-limits.ts'
import { sourcesSentence, zonesSentence } from '#domain/reports/wording/sources-sentence.ts'
import { unplacedZonesClause } from '#domain/reports/wording/unplaced-zones.ts'
import { joinSentences, placeNote, type Viewpoint } from '#domain/reports/wording/viewpoint.ts'
import { severityRank } from '#domain/weather/severities.ts'
import { recordSources } from '#domain/weather/sources.ts'
import { hailTypes, type RecordType, recordTypes } from '#domain/weather/types.ts'

/**
 * Sums up the records of one family in sentences: how many, how strong by whose account, how near, on which day, from which source.
 * @param cited the records of all families: what the report cites, no sentence of a family may deny
 */
export function statementOf(records: NearbyRecord[], view: Viewpoint, cited = records): string {
  const placed = records.filter(({ distance_miles }) => distance_miles !== null)
  const areal = records.filter(({ distance_miles }) => distance_miles === null)
  const types = typesBySeverity(records)
  const byType = groupBy(placed, ({ type }) => type)
  const observedWeather = observedWeatherOf(cited, view)
  const sentences = [
    ...types.flatMap((type) => sentencesOf(type, byType.get(type) ?? [], observedWeather, view)),
    ...arealSentences(areal, types),
  ]
  return joinSentences(
    [...sentences, suspectSentence(records), sourcesSentence(records), zonesSentence(records, view), placeNote(view.place)],
    view,
  )
}

/** The facts about a report that cites nothing. */
export interface EmptySearch {
  place: Centre
  window: Viewpoint['window']
  /** Identifiers. */
  sources: string[]
  /** True if part of the window is after the end of the final record. */
  provisional: boolean
  unplaced_zones: UnplacedZones[]
}

/** Returns the text of a report that cites nothing. Unplaced zone records come first, because they may concern this very place. */
export function nothingFound({ place, window, sources, provisional, unplaced_zones }: EmptySearch): string {
  const { start, end, radius_miles } = window
  // Warnings and station observations make no record, however many are searched.
  const hasRecords = recordSources.some((source) => sources.includes(source))
  const searched = hasRecords
    ? ` in the ${pluralize(sources.length, 'source')} searched`
    : `: no source ${sources.length > 0 ? 'of storm reports or radar ' : ''}was searched for that time`
  const unplaced = unplacedZonesClause(unplaced_zones)
  // While zone records are not placed, the text must not state that wind, flood or winter weather was absent.
  const absent = unplaced ? 'No record that names a point or a county was' : 'No records were'
  const when = start === end ? `on ${start}` : `from ${start} to ${end}`
  const nothing = `${absent} found within ${formatNumber(radius_miles)} mi ${when}${searched}.`
  const limits = sourceLimitsSentences({ ...window, sources, provisional })
  const sentences = [unplaced && `${unplaced}.`, nothing, limits, 'Absence of a record does not show that none occurred.', placeNote(place)]
  return joinSentences(sentences, { sample: sources.includes('sample') })
}

/** "2018-01 to 2018-12 and 2020-03" */
export function monthSpansText(months: MonthSpan[]): string {
  return joinList(months.map(({ from, to }) => spanText(from, to)))
}

/** The types that people ask about first, then the rest in the vocabulary's order. */
const leadingTypes: RecordType[] = ['tornado', 'hail', 'marine_hail', 'thunderstorm_wind', 'marine_thunderstorm_wind']
export const usualOrder: RecordType[] = [...leadingTypes, ...recordTypes.filter((type) => !leadingTypes.includes(type))]

/** Orders the types by the severity of their nearest primary record, the most severe first; equal ones in the usual order. */
function typesBySeverity(records: NearbyRecord[]): RecordType[] {
  const primary = trusted(records).filter((record) => !isRadar(record) && relevanceOf(record) === 'primary')
  const rank = (type: RecordType) => {
    const nearest = nearestOf(
      primary.filter((record) => record.type === type),
      ({ severity }) => severityRank(severity),
    )
    return nearest ? severityRank(nearest.severity) : -1
  }
  const ranks = new Map([...new Set(records.map(({ type }) => type))].map((type) => [type, rank(type)]))
  return usualOrder.filter((type) => ranks.has(type)).sort((a, b) => present(ranks.get(b)) - present(ranks.get(a)))
}

function sentencesOf(type: RecordType, placed: NearbyRecord[], observedWeather: ObservedWeather, view: Viewpoint): string[] {
  const observed = placed.filter((record) => !isRadar(record))
  const scanned = placed.filter(isRadar)
  return [
    ...(observed.length > 0 ? [observedSentence(type, observed, view)] : []),
    ...(scanned.length > 0 ? radarSentences(scanned, observedWeather, view) : []),
  ]
}

/** Hail counts if a report of it names a place; other weather counts anywhere. Zone records that are not placed may be of this place. */
function observedWeatherOf(records: NearbyRecord[], { unplaced_zones = [] }: Viewpoint): ObservedWeather {
  const observed = records.filter((record) => !isRadar(record))
  if (observed.some(({ type, distance_miles }) => hailTypes.includes(type) && distance_miles !== null)) return 'hail'
  return observed.length + unplaced_zones.length > 0 ? 'other' : 'nothing'
}

/** States that no figure comes from the suspect records, if there are others beside them. */
function suspectSentence(records: NearbyRecord[]): string | null {
  const suspectCount = records.filter(isSuspect).length
  if (suspectCount === 0 || suspectCount === records.length) return null
  return `${suspectCount} of the ${records.length} records ${suspectCount === 1 ? 'carries' : 'carry'} a caveat: no figure here is of ${suspectCount === 1 ? 'it' : 'them'}.`
}
