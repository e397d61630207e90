import { sourceOf } from '#domain/archive/sources/index.ts'
import { capitalize, joinList, spanText } from '#domain/kernel/text.ts'
import { typeName } from '#domain/reports/wording/phrases.ts'
import { absentMonths } from '#domain/weather/absent-months.ts'
import { listedTypes } from '#domain/weather/listed-types.ts'
import { FINAL_SOURCE, preliminarySources } from '#domain/weather/sources.ts'

/** The days and sources of a search. */
export interface Searched {
  start: string
  end: string
  /** Identifiers. */
  sources: readonly string[]
  /** True if part of the days is after the end of the final record. */
  provisional: boolean
}

/**
 * States what the searched sources never have of these days: lost months, and weather of types that they do not list. Without it, a reader
 * would take 1994 for a year without floods. Empty if they have all of it.
 */
export function sourceLimitsClauses(searched: Searched): string[] {
  return [...absentMonthsClauses(searched), ...listedTypesClauses(searched)]
}

/** Returns the same as sentences; null if there are none. */
export function sourceLimitsSentences(searched: Searched): string | null {
  const clauses = sourceLimitsClauses(searched)
  return clauses.length === 0 ? null : clauses.map((clause) => `${capitalize(clause)}.`).join(' ')
}

function absentMonthsClauses({ start, end, sources }: Searched): string[] {
  const { from, to } = absentMonths
  if (!sources.includes(FINAL_SOURCE) || end.slice(0, 7) < from || start.slice(0, 7) > to) return []
  return [`the ${sourceOf({ source: FINAL_SOURCE }).label} has nothing filed under ${spanText(from, to)}, of any state`]
}

/** "before 1996 the only records in the NOAA Storm Events Database are of tornado, thunderstorm wind and hail" */
function listedTypesClauses({ start, end, sources, provisional }: Searched): string[] {
  const years = { first: Number(start.slice(0, 4)), last: Number(end.slice(0, 4)) }
  const others = (source: string) => preliminarySources.filter((one) => one !== source && sources.includes(one))
  return (
    listedTypes
      .filter(({ from = years.last, before = Infinity }) => years.first < before && years.last >= from)
      .filter(({ source }) => sources.includes(source))
      // What one preliminary source does not list, another may.
      .filter(({ source }) => !preliminarySources.includes(source) || (provisional && others(source).length === 0))
      .map(({ source, before, types }) => {
        const when = before === undefined ? '' : `before ${before} `
        return `${when}the only records in the ${sourceOf({ source }).label} are of ${joinList(types.map(typeName))}`
      })
  )
}
