import type { StoredMonth } from '#domain/archive/coverage/stored-coverage.ts'
import type { CoveringSource } from '#domain/archive/coverage/window-coverage.ts'
import { sourceById } from '#domain/archive/sources/index.ts'

/** Returns each stored source once, with its oldest and newest compile dates, sorted by identifier. */
export function coveringSources(stored: Pick<StoredMonth, 'source' | 'compiled_on' | 'preliminary'>[]): CoveringSource[] {
  const sources = [...new Set(stored.map(({ source }) => source))].sort()
  return sources.map((source) => {
    const months = stored.filter((month) => month.source === source)
    const compiled = months
      .map(({ compiled_on }) => compiled_on)
      .filter((day) => day !== null)
      .sort()
    const newest = compiled.at(-1)
    return {
      source,
      label: sourceById(source)?.label ?? source,
      compiled_on: compiled[0] ?? null,
      ...(newest === undefined || newest === compiled[0] ? {} : { compiled_to: newest }),
      preliminary: months.some(({ preliminary }) => preliminary),
    }
  })
}

/** Sorts sources by their identifiers, the order in which reports list them. */
export function byIdentifier(one: CoveringSource, other: CoveringSource): number {
  return one.source < other.source ? -1 : 1
}
