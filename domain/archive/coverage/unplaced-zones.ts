import type { App } from '#domain/app.ts'
import { sharedLongQuery } from '#domain/archive/shared-long-query.ts'

/** Forecast-zone records of a state, of all time, that no report cites because their zones are not in the zone table. */
export interface UnplacedState {
  /** Two-letter code. */
  state: string
  records: number
  /** True if a zone table of the state is stored but lacks these zones: they are retired or new. */
  table_held: boolean
}

/** Returns the states that have forecast-zone records whose zones are not in the zone table, sorted by code. */
export function unplacedStates({ pool }: Pick<App, 'pool'>): Promise<UnplacedState[]> {
  return readUnplaced(pool)
}

const readUnplaced = sharedLongQuery<UnplacedState>(`
  SELECT state, records, EXISTS (SELECT FROM zone_counties z WHERE z.zone BETWEEN state || 'Z000' AND state || 'Z999') AS table_held
    FROM (SELECT r.state, count(*)::int AS records FROM archive_records r
           WHERE r.precision = 'zone' AND r.withdrawn_at IS NULL AND r.state IS NOT NULL
             AND NOT EXISTS (SELECT FROM zone_counties z WHERE z.zone = r.zone)
           GROUP BY r.state) unplaced
   ORDER BY state`)
