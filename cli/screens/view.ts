import type { Press } from './keys.ts'
import type { Layout } from './listing.ts'
import type { Row } from './listing-pages.ts'
import type { Rows } from './rows.ts'

/** The user's position in a listing. */
export interface View {
  cursor: number
  /** Id of the row at the cursor, which the cursor follows when rows come before it. */
  id: Row['id'] | null
  chosen: ReadonlyMap<Row['id'], Row>
  opened: { row: Row; layout: Layout } | null
  /** Scroll offset of the opened row, in lines. */
  scrolled: number
  /** Whether keys scroll the opened row instead of the list. */
  inside: boolean
}

export const INITIAL_VIEW: View = { cursor: 0, id: null, chosen: new Map(), opened: null, scrolled: 0, inside: false }

/** How far a press can move. */
export interface Extent {
  /** Rows of the listing, and number of visible rows. */
  total: number
  visible: number
  /** Lines of the opened row, and number of visible lines. */
  lines: number
  height: number
}

/** The view after a press; null if the key moves nothing. */
export function viewAfter(view: View, press: Press, extent: Extent): View | null {
  if (press.key === 'escape' || (press.key === 'left' && view.opened)) return { ...view, opened: null, inside: false }
  if (press.key === 'tab') return { ...view, inside: view.opened !== null && view.inside === (press.times % 2 === 0) }
  const by = view.inside ? stepOf(press, extent.height) : stepOf(press, extent.visible)
  if (by === null) return null
  if (view.inside) return { ...view, scrolled: clamp(view.scrolled + by, extent.lines - extent.height) }
  return { ...view, cursor: clamp(view.cursor + by, extent.total - 1), id: null }
}

const clamp = (at: number, last: number) => Math.max(0, Math.min(at, last))

/**
 * The view with its cursor at its row, when rows before it came or went, and within a list that became shorter; the same view if nothing
 * moved.
 */
export function viewFollowing(view: View, list: Pick<Rows, 'at' | 'indexOf' | 'total'>): View {
  const here = list.at(view.cursor)
  const last = Math.max((list.total() ?? Number.POSITIVE_INFINITY) - 1, 0)
  // Its page is still being read.
  if (here ? here.id === view.id : view.cursor <= last) return view
  const newCursor = view.id === null ? -1 : list.indexOf(view.id)
  return newCursor === -1 ? { ...view, cursor: Math.min(view.cursor, last), id: here?.id ?? null } : { ...view, cursor: newCursor }
}

/** Rows that a press moves down, negative for up; null for a key that does not move. */
function stepOf({ key, times }: Press, page: number): number | null {
  if (key === 'j' || key === 'down') return times
  if (key === 'k' || key === 'up') return -times
  if (key === 'pagedown') return times * page
  if (key === 'pageup') return -times * page
  if (key === 'g' || key === 'home') return Number.NEGATIVE_INFINITY
  return key === 'G' || key === 'end' ? Number.POSITIVE_INFINITY : null
}

/** Toggles the choice of rows from the cursor on, and moves the cursor after them. */
export function choose(view: View, rows: readonly (Row | null)[], total: number): View {
  const chosen = new Map(view.chosen)
  for (const row of rows) if (row && !chosen.delete(row.id)) chosen.set(row.id, row)
  return { ...view, chosen, cursor: clamp(view.cursor + rows.length, total - 1), id: null }
}
