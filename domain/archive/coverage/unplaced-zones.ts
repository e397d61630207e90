import type { App } from '#domain/app.ts'
import { wholeRead } from '#domain/archive/whole-read.ts'

/** Forecast-zone records of a state, of all time, that no report cites because the zone table does not name their zones. */
export interface UnplacedState {
  /** Two-letter code. */
  state: string
  records: number
  /** A zone table of the state is held, which does not name these zones: retired or new ones. */
  table_held: boolean
}

/** The states of which forecast-zone records are held that no zone table places, by code. */
export function unplacedStates({ pool }: Pick<App, 'pool'>): Promise<UnplacedState[]> {
  return readUnplaced(pool)
}

const readUnplaced = wholeRead<UnplacedState>(`
  SELECT state, records, EXISTS (SELECT FROM zone_counties z WHERE z.zone BETWEEN state || 'Z000' AND state || 'Z999') AS table_held
    FROM (SELECT r.state, count(*)::int AS records FROM archive_records r
           WHERE r.precision = 'zone' AND r.withdrawn_at IS NULL AND r.state IS NOT NULL
             AND NOT EXISTS (SELECT FROM zone_counties z WHERE z.zone = r.zone)
           GROUP BY r.state) unplaced
   ORDER BY state`)
