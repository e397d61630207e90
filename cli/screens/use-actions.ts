import { setTimeout as pause } from 'node:timers/promises'
import { useRef } from 'react'
import { isLost, retryAfterOf } from '../failure.ts'
import type { Connection } from '../settings.ts'
import type { Action } from './listing.ts'
import type { Row } from './listing-pages.ts'

/** Milliseconds during which an action can be undone. */
const UNDO_MS = 10_000
const STILL_RUNNING = 'The previous action is still running.'

interface ActionEvents {
  /** Called with each row after an action. */
  done(row: Row): void
  /** Called if the state of the rows is unknown. */
  refresh(): void
  say(line: string): void
  reportFault(fault: Error): void
  /** It outlives the screen. */
  last: LastAction
}

/** A row that an action changed: as it was, and as it is afterwards. */
interface Done {
  before: Row
  after: Row
}

/** The last action that can be undone. */
export interface LastAction {
  current: {
    /** Of the action. */
    label: string
    done: Done[]
    undo: NonNullable<Action['undo']>
    /** Milliseconds since 1970. */
    until: number
    /** The list that it was done on. One that was read later may lack the rows. */
    list: object
  } | null
}

/** Runs the actions of keys on rows, one at a time, and undoes the last. */
export function useActions(connection: Connection, actions: Readonly<Record<string, Action>>, events: ActionEvents) {
  const busy = useRef(false)
  const { last } = events
  const list = useRef({}).current

  /** @param act returns the row as it is afterwards; null if it was left as it is */
  const actOnEach = async <Item>(label: string, items: readonly Item[], act: (item: Item) => Promise<Row | null>): Promise<void> => {
    let done = 0
    let left = 0
    busy.current = true
    try {
      for (const item of items) {
        if (items.length > 1) events.say(`${label}: ${done + left} of ${items.length}`)
        const after = await act(item).catch(retryAfterLimit(() => act(item)))
        if (after) {
          events.done(after)
          done++
        } else left++
      }
      events.say(left === 0 ? `${label}: ${done}` : `${label}: ${done}. Changed by somebody since, and left: ${left}.`)
      if (left > 0) events.refresh()
    } catch (fault) {
      const { message } = fault as Error
      const progress = `${label}: ${done} of ${items.length}.`
      if (isLost(fault)) {
        events.say(`${progress} The outcome of the next one is unknown: ${message}`)
        events.refresh()
      } else if (items.length > 1) events.say(`${progress} ${message.split('\n').join(' ')}`)
      else events.reportFault(fault as Error)
    }
    busy.current = false
  }
  /** Bulk actions may reach the rate limit: this waits as long as Retry-After states. */
  const retryAfterLimit = (act: () => Promise<Row | null>) => {
    const retry = async (fault: unknown): Promise<Row | null> => {
      const retryAfter = retryAfterOf(fault)
      if (retryAfter === null) throw fault
      const seconds = Math.max(retryAfter, 1)
      events.say(`${(fault as Error).message} Continuing in ${seconds} s.`)
      await pause(seconds * 1000)
      return act().catch(retry)
    }
    return retry
  }

  return {
    async run(key: string, rows: readonly Row[]): Promise<void> {
      const act = actions[key]
      if (!act || rows.length === 0) return
      if (busy.current) return events.say(STILL_RUNNING)
      const done: Done[] = []
      await actOnEach(act.label, rows, async (before) => {
        const after = await act.run(connection, before)
        done.push({ before, after })
        return after
      })
      last.current = act.undo && done.length > 0 ? { label: act.label, done, undo: act.undo, until: Date.now() + UNDO_MS, list } : null
      if (last.current && done.length === rows.length) events.say(`${act.label}: ${done.length}. u undoes it within ${UNDO_MS / 1000} s.`)
    },
    async undo(): Promise<void> {
      if (busy.current) return events.say(STILL_RUNNING)
      const undone = last.current
      // What was done on another screen is undone there.
      const isHere = Object.values(actions).some(({ undo }) => undo === undone?.undo)
      if (!undone || !isHere || Date.now() > undone.until) return events.say('There is nothing to undo.')
      last.current = null
      await actOnEach(`${undone.label}, undone`, undone.done, ({ before, after }) => undone.undo(connection, before, after))
      if (undone.list !== list) events.refresh()
    },
  }
}
