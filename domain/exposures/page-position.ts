import { type Field, moment, single } from '#domain/kernel/fields.ts'
import { INT4_MAX } from '#domain/kernel/int4.ts'
import { gatherFaults, isDate } from '#domain/kernel/validation.ts'

/**
 * Where a page of an exposure listing begins, and what the pages of one sync have in common. By number alone, a page would skip
 * rows when an exposure of an earlier page is removed, and a later page would show changes from after the first page was read:
 * their moment, sent as the next `since`, would leave out what was changed with them on the earlier pages.
 */
export interface PagePosition {
  /** The last change that the first page can show. Later pages leave out what changed after it: the next sync returns that. */
  seen_through: string
  /** Date and id of the last row of the previous page. */
  date: string
  id: number
}

/** The text of a position, as links contain it: "2026-05-20T12:00:00.000001Z,2026-05-20,17". */
export function positionText({ seen_through, date, id }: PagePosition): string {
  return [seen_through, date, id].join()
}

/** A position, as a link to the next page contains it. */
export function pagePosition(name: string): Field<PagePosition> {
  return {
    name,
    schema: { type: 'string' },
    read: single(name, (sent, refuse) => {
      const position = typeof sent === 'string' ? readPosition(sent) : null
      return position ?? refuse(`${name} must be copied from the link to the next page.`)
    }),
  }
}

function readPosition(text: string): PagePosition | null {
  const [through = '', date = '', digits = '', ...others] = text.split(',')
  const seen_through = moment('The moment').read(through, 'after', gatherFaults())
  const id = /^\d{1,10}$/.test(digits) ? Number(digits) : Number.NaN
  return seen_through && isDate(date) && id <= INT4_MAX && others.length === 0 ? { seen_through, date, id } : null
}
