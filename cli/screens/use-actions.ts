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

/** Runs the actions of keys on rows, one at a time, and undoes the last. */
export function useActions(connection: Connection, actions: Readonly<Record<string, Action>>, events: ActionEvents) {
  const busy = useRef(false)
  const last = useRef<{ before: Row[]; act: Action; until: number } | null>(null)

  /** Returns the rows that were processed, in their earlier state. */
  const runOnRows = async (label: string, rows: readonly Row[], actFor: (row: Row) => Action | undefined): Promise<Row[]> => {
    const before: Row[] = []
    busy.current = true
    try {
      for (const row of rows) {
        if (rows.length > 1) events.say(`${label}: ${before.length} of ${rows.length}`)
        const after = await actFor(row)?.run(connection, row).catch(retryAfterLimit(row, actFor))
        if (after) events.done(after)
        before.push(row)
      }
      events.say(`${label}: ${before.length}`)
    } catch (fault) {
      const { message } = fault as Error
      const progress = `${label}: ${before.length} of ${rows.length}.`
      if (isLost(fault)) {
        events.say(`${progress} The outcome of the next one is unknown: ${message}`)
        events.refresh()
      } else if (rows.length > 1) events.say(`${progress} ${message.split('\n').join(' ')}`)
      else events.reportFault(fault as Error)
    }
    busy.current = false
    return before
  }
  /** Bulk actions may reach the rate limit: this waits as long as Retry-After states. */
  const retryAfterLimit = (row: Row, actFor: (row: Row) => Action | undefined) => {
    const retry = async (fault: unknown): Promise<Row | undefined> => {
      const retryAfter = retryAfterOf(fault)
      if (retryAfter === null) throw fault
      const seconds = Math.max(retryAfter, 1)
      events.say(`${(fault as Error).message} Continuing in ${seconds} s.`)
      await pause(seconds * 1000)
      return actFor(row)?.run(connection, row).catch(retry)
    }
    return retry
  }

  return {
    async run(key: string, rows: readonly Row[]): Promise<void> {
      const act = actions[key]
      if (!act || rows.length === 0) return
      if (busy.current) return events.say('The previous action is still running.')
      const before = await runOnRows(act.label, rows, () => act)
      last.current = act.undoKey && before.length > 0 ? { before, act, until: Date.now() + UNDO_MS } : null
      if (last.current && before.length === rows.length)
        events.say(`${act.label}: ${before.length}. u undoes it within ${UNDO_MS / 1000} s.`)
    },
    async undo(): Promise<void> {
      if (busy.current) return
      const undone = last.current
      last.current = null
      if (!undone || Date.now() > undone.until) return events.say('There is nothing to undo.')
      await runOnRows('undone', undone.before, (row) => actions[undone.act.undoKey?.(row) ?? ''])
    },
  }
}
