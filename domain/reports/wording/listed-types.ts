import { sourceOf } from '#domain/archive/sources/index.ts'
import { capitalize, joinList } from '#domain/kernel/text.ts'
import { typeName } from '#domain/reports/wording/phrases.ts'
import { listedTypes } from '#domain/weather/listed-types.ts'
import { preliminarySources } from '#domain/weather/sources.ts'

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
 * States of which weather alone the searched sources have records: "before 1996 the only records in the NOAA Storm Events Database are of
 * tornado, thunderstorm wind and hail". Without it, a reader would take 1994 for a year without floods. Empty if the sources list all types.
 */
export function listedTypesClauses({ start, end, sources, provisional }: Searched): string[] {
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

/** Returns the same as sentences; null if the sources list all types. */
export function listedTypesSentences(searched: Searched): string | null {
  const clauses = listedTypesClauses(searched)
  return clauses.length === 0 ? null : clauses.map((clause) => `${capitalize(clause)}.`).join(' ')
}
