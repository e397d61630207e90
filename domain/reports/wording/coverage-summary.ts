import { REPORTED_WITHIN_DAYS } from '#domain/archive/coverage/coverage-months.ts'
import type { StoredRadar, WindowCoverage } from '#domain/archive/coverage/window-coverage.ts'
import { joinList, pluralize, spanText } from '#domain/kernel/text.ts'
import { typeName } from '#domain/reports/wording/phrases.ts'
import { sourceLimitsClauses } from '#domain/reports/wording/source-limits.ts'
import { monthSpansText } from '#domain/reports/wording/statement.ts'
import { unplacedZonesClause } from '#domain/reports/wording/unplaced-zones.ts'
import { joinSentences, placeNote, type Viewpoint } from '#domain/reports/wording/viewpoint.ts'

/** The most events that are named one by one; further ones are counted. */
const RUNNING_NAMED = 5

/**
 * States what the archive had of the window and what it lacked: final and preliminary spans, missing months, those compiled early, what the sources
 * never have, forecast-zone records that could not be placed, radar, how many sources, events already in progress, and where distances are measured from.
 * @param found number of distinct sources with at least one cited record
 */
export function coverageSummary(coverage: WindowCoverage, found: number, view: Viewpoint): string {
  const { provisional } = coverage
  const sources = coverage.sources.map(({ source }) => source)
  const limits = sourceLimitsClauses({ ...view.window, sources, provisional })
  const clauses = [
    finalityClause(coverage),
    ...missingClauses(coverage),
    ...earlyClauses(coverage),
    ...limits,
    ...unsearchedClauses(coverage),
  ].join('; ')
  const searched = `${pluralize(coverage.sources.length, 'source')} searched, ${found} with records.`
  return joinSentences([asOfNote(view), `${clauses}.`, searched, inProgressSentence(coverage), placeNote(view.place)], view)
}

/** Removes the `as_of` note from a report's summary. */
export function withoutAsOf(summary: string | null, as_of: Date | null): string | null {
  const note = asOfNote({ as_of })
  return note && summary ? summary.replace(`${note} `, '') : summary
}

/** Returns the note on a report that leaves out what the archive learned later. */
function asOfNote({ as_of }: Pick<Viewpoint, 'as_of'>): string | null {
  return as_of ? `Compiled from what the archive knew at ${as_of.toISOString()}.` : null
}

function finalityClause({ final_through, final_in_part, preliminary }: WindowCoverage): string {
  const final = final_in_part ? 'Final records in part' : 'No final records'
  const reports = preliminary && `preliminary reports for ${spanText(preliminary.from, preliminary.to)}`
  return [final_through ? `Final records through ${final_through}` : final, ...(reports ? [reports] : [])].join('; ')
}

function missingClauses({ missing, in_part }: WindowCoverage): string[] {
  return [
    ...(missing.length === 0 ? [] : [`no records held for ${monthSpansText(missing)}`]),
    ...(in_part.length === 0 ? [] : [`records of ${monthSpansText(in_part)} held in part`]),
  ]
}

/** The source names no office that has not reported: its month looks like one without storms. */
function earlyClauses({ early }: WindowCoverage): string[] {
  if (early === null) return []
  const unused = early.has_preliminary ? ['preliminary reports of these months are held, but not used beside final records'] : []
  return [
    `records of ${monthSpansText([early])} may lack whole offices: they were compiled on ${early.compiled_on}, and offices report up to ${REPORTED_WITHIN_DAYS} days later`,
    ...unused,
  ]
}

function unsearchedClauses({ unplaced_zones, radar }: WindowCoverage): string[] {
  return [unplacedZonesClause(unplaced_zones), radarClause(radar), maximaClause(radar)].filter((clause) => clause !== null)
}

/** States how many days have radar data, and how much: a day counts from its first moment on, and also if only its largest values are stored. */
function radarClause({ of, days, moments, largest_only, reaches }: StoredRadar): string {
  if (days === 0) return reaches === false ? 'no radar coverage' : 'radar not held'
  const details = [
    ...(moments > 0 ? [`${moments.toLocaleString('en')} ${moments === 1 ? 'moment' : 'moments'}`] : []),
    ...(largest_only > 0 ? [`of ${pluralize(largest_only, 'day')} the largest alone`] : []),
  ]
  return `radar held for ${days} of ${pluralize(of, 'day')}${details.length > 0 ? ` (${details.join('; ')})` : ''}`
}

function maximaClause({ maxima }: StoredRadar): string | null {
  if (maxima === 0) return null
  return `${pluralize(maxima, 'radar grid')} of the largest of 24 hours held that ${maxima === 1 ? 'spans' : 'span'} two dates`
}

function inProgressSentence({ running_into, unplaced_running }: WindowCoverage): string | null {
  const names = [...new Set(running_into.map(({ type, occurred_on }) => `${typeName(type)} from ${occurred_on}`))]
  const more = names.length - RUNNING_NAMED
  const named = [...names.slice(0, RUNNING_NAMED), ...(more > 0 ? [`${more} more`] : [])]
  const unplaced = unplaced_running > 0 ? [`${pluralize(unplaced_running, 'forecast-zone record')} that could not be placed`] : []
  if (named.length + unplaced.length === 0) return null
  return `Still going on as the window began: ${joinList([...named, ...unplaced])}.`
}
