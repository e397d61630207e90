import { setTimeout as pause } from 'node:timers/promises'
import { useRef } from 'react'
import { isLost, retryAfterOf } from '../failure.ts'
import type { Connection } from '../settings.ts'
import type { Action } from './listing.ts'
import type { Row } from './listing-pages.ts'

/** Milliseconds during which an action can be undone. */
const UNDO_MS = 10_000

interface ActionEvents {
  /** Called with each row after an action. */
  done(row: Row): void
  /** Called if the state of the rows is unknown. */
  refresh(): void
  say(line: string): void
  reportFault(fault: Error): void
}

/** A row that was processed: as it was, and as it is afterwards; null if it was left as it is. */
interface Done {
  before: Row
  after: Row | null
}

/** Runs the actions of keys on rows, one at a time, and undoes the last. */
export function useActions(connection: Connection, actions: Readonly<Record<string, Action>>, events: ActionEvents) {
  const busy = useRef(false)
  const last = useRef<{ done: Done[]; act: Action; until: number } | null>(null)

  /**
   * Returns the rows that were processed.
   * @param act returns the row as it is afterwards; null if it was left as it is
   */
  const runOnRows = async (label: string, rows: readonly Row[], act: (row: Row) => Promise<Row | null>): Promise<Done[]> => {
    const done: Done[] = []
    let left = 0
    busy.current = true
    try {
      for (const row of rows) {
        if (rows.length > 1) events.say(`${label}: ${done.length} of ${rows.length}`)
        const after = await act(row).catch(retryAfterLimit(row, act))
        if (after) events.done(after)
        else left += 1
        done.push({ before: row, after })
      }
      events.say(left === 0 ? `${label}: ${done.length}` : `${label}: ${done.length - left}. Changed by somebody since, and left: ${left}.`)
      if (left > 0) events.refresh()
    } catch (fault) {
      const { message } = fault as Error
      const progress = `${label}: ${done.length - left} of ${rows.length}.`
      if (isLost(fault)) {
        events.say(`${progress} The outcome of the next one is unknown: ${message}`)
        events.refresh()
      } else if (rows.length > 1) events.say(`${progress} ${message.split('\n').join(' ')}`)
      else events.reportFault(fault as Error)
    }
    busy.current = false
    return done
  }
  /** Bulk actions may reach the rate limit: this waits as long as Retry-After states. */
  const retryAfterLimit = (row: Row, act: (row: Row) => Promise<Row | null>) => {
    const retry = async (fault: unknown): Promise<Row | null> => {
      const retryAfter = retryAfterOf(fault)
      if (retryAfter === null) throw fault
      const seconds = Math.max(retryAfter, 1)
      events.say(`${(fault as Error).message} Continuing in ${seconds} s.`)
      await pause(seconds * 1000)
      return act(row).catch(retry)
    }
    return retry
  }

  return {
    async run(key: string, rows: readonly Row[]): Promise<void> {
      const act = actions[key]
      if (!act || rows.length === 0) return
      if (busy.current) return events.say('The previous action is still running.')
      const done = await runOnRows(act.label, rows, (row) => act.run(connection, row))
      last.current = act.undoKey && done.length > 0 ? { done, act, until: Date.now() + UNDO_MS } : null
      if (last.current && done.length === rows.length) events.say(`${act.label}: ${done.length}. u undoes it within ${UNDO_MS / 1000} s.`)
    },
    async undo(): Promise<void> {
      if (busy.current) return
      const undone = last.current
      last.current = null
      if (!undone || Date.now() > undone.until) return events.say('There is nothing to undo.')
      const afterById = new Map(undone.done.map(({ before, after }) => [before.id, after]))
      const rows = undone.done.map(({ before }) => before)
      await runOnRows('undone', rows, async (row) => {
        const after = afterById.get(row.id)
        if (after && (await undone.act.isChangedSince?.(connection, after))) return null
        return (await actions[undone.act.undoKey?.(row) ?? '']?.run(connection, row)) ?? null
      })
    },
  }
}
