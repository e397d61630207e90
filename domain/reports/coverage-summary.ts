import type { RunningRecord, WindowCoverage } from '#domain/archive/coverage.ts'
import { counted, listed, typeName } from '#domain/reports/phrases.ts'
import { marked, placeNote, spansOf, type Viewpoint } from '#domain/reports/wording.ts'

/** Events named one by one; more of them are counted. */
const RUNNING_NAMED = 5

/**
 * What was held of the window and searched, and what was not: final and preliminary spans, missing months, forecast
 * zones, radar, how many sources, events that were going on already, and where distances are measured from.
 * @param found distinct sources with at least one cited record
 */
export function coverageSummary(coverage: WindowCoverage, found: number, view: Viewpoint): string {
  const held = [settled(coverage), ...missing(coverage), ...unsearched(coverage)].join('; ')
  const searched = `${counted(coverage.sources.length, 'source')} searched, ${found} with records.`
  return marked([`${held}.`, searched, running(coverage.running_into), placeNote(view)], view)
}

function settled({ final_through, final_in_part, preliminary }: WindowCoverage): string {
  const final = final_in_part ? 'Final records in part' : 'No final records'
  const reports = preliminary && `preliminary reports for ${preliminary.from} to ${preliminary.to}`
  return [final_through ? `Final records through ${final_through}` : final, ...(reports ? [reports] : [])].join('; ')
}

function missing({ missing, in_part }: WindowCoverage): string[] {
  return [
    ...(missing.length === 0 ? [] : [`no records held for ${spansOf(missing)}`]),
    ...(in_part.length === 0 ? [] : [`records of ${spansOf(in_part)} held in part`]),
  ]
}

function unsearched({ zones_searched, radar_held, radar_reaches }: WindowCoverage): string[] {
  const radar = radar_held ? (radar_reaches === false ? 'no radar coverage' : null) : 'radar not held'
  return [...(zones_searched ? [] : ['forecast-zone records not searched']), ...(radar ? [radar] : [])]
}

function running(records: RunningRecord[]): string | null {
  if (records.length === 0) return null
  const names = [...new Set(records.map(({ type, occurred_on }) => `${typeName(type)} from ${occurred_on}`))]
  const more = names.length - RUNNING_NAMED
  return `Still going on as the window began: ${listed([...names.slice(0, RUNNING_NAMED), ...(more > 0 ? [`${more} more`] : [])])}.`
}
