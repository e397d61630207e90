import type pg from 'pg'
import type { WatchSubject } from '#domain/closed-sets.ts'
import { pagesOf } from '#domain/engines/cursor.ts'
import { MAY_REACH } from '#domain/exposures/may-reach.ts'

/** A place and a date whose exposure may have changed. */
export interface TouchedDay {
  team_id: string
  subject: WatchSubject
  subject_id: string
  /** YYYY-MM-DD */
  date: string
}

/** Some touched days, all of one team. */
export interface TouchedDaysOfTeam {
  team_id: string
  days: TouchedDay[]
}

/** The part of the archive that changed. */
export interface ChangedCells {
  cells: number[]
  /** First and last local date of the records that changed, YYYY-MM-DD. */
  from: string
  to: string
}

/**
 * Yields the days of watched places that a change may have touched, team by team, each page of one team: days with a record in
 * a changed cell within reach, and days of existing exposures. A page is small enough to update in one transaction, so the
 * team's row is locked only briefly.
 */
export async function* touchedDays(pool: pg.Pool, { cells, from, to }: ChangedCells): AsyncGenerator<TouchedDaysOfTeam> {
  if (cells.length === 0) return
  for await (const page of pagesOf<TouchedDay>(pool, TOUCHED_DAYS, [cells, from, to])) yield* byTeam(page)
}

/** Splits days that are sorted by team. */
function byTeam(days: TouchedDay[]): TouchedDaysOfTeam[] {
  const pages: TouchedDaysOfTeam[] = []
  for (const day of days) {
    const page = pages.at(-1)
    if (page?.team_id === day.team_id) page.days.push(day)
    else pages.push({ team_id: day.team_id, days: [day] })
  }
  return pages
}

/** The watches that may reach a record in the given cells and days, with the record's day. */
export const REACHED = `
  SELECT DISTINCT w.team_id, w.subject, w.subject_id, c.occurred_on AS date
    FROM record_cells c JOIN watch_cells w ON w.cell = c.cell
   WHERE c.cell = ANY ($1::int[]) AND c.occurred_on BETWEEN $2::date AND $3::date AND ${MAY_REACH}`

const TOUCHED_DAYS = `
  ${REACHED}
  UNION
  SELECT e.team_id, w.subject, w.subject_id, e.date
    FROM exposures e JOIN watch_cells w ON w.subject_id = coalesce(e.property_id, e.territory_id)
   WHERE e.kind = 'record' AND e.date BETWEEN $2::date AND $3::date AND w.cell = ANY ($1::int[])
   ORDER BY team_id, date, subject_id`
