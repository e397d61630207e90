import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ResultOf, VariablesOf } from 'gql.tada'
import { ask, graphql } from '../api/graphql.ts'
import { type OnWait, retryLater } from '../api/retry-later.ts'
import { useCurrentSession } from '../signed-in.tsx'
import { counted } from './format.ts'
import { useNotify } from './toasts.tsx'

const ACKNOWLEDGE = graphql(
  `mutation Settle($ids: [Int!]!, $dismiss: Boolean, $decided_at: DateTime, $only_if_open: Boolean) { acknowledgeExposures(ids: $ids, dismiss: $dismiss, decided_at: $decided_at, only_if_open: $only_if_open) { id outcome before decided_at } }`,
)
const REOPEN = graphql(
  `mutation Reopen($ids: [Int!]!, $decided_at: DateTime) { reopenExposures(ids: $ids, decided_at: $decided_at) { id outcome before decided_at } }`,
)

type Row = NonNullable<ResultOf<typeof ACKNOWLEDGE>['acknowledgeExposures']>[number]
type State = NonNullable<Row['before']>
/** Which exposures are moved; the others stay as they are. */
type Condition = Pick<VariablesOf<typeof ACKNOWLEDGE>, 'decided_at' | 'only_if_open'>

/** Exposures that the service accepts in one call. */
const BATCH_SIZE = 500

/** An exposure that was moved, with its state before and the time at which it was acknowledged or dismissed, if it was. */
interface Moved {
  id: number
  before: State
  decided_at: string | null
}

/** The progress. If a batch is refused, it and the batches after it are left. */
interface Progress {
  moved: Moved[]
  /** Exposures that stayed as they are, because somebody else decided on them. */
  decidedSince: number
  left: number[]
  fault: Error | null
}

/**
 * Acknowledges or dismisses exposures in batches, and offers an undo that restores the state that each had before. What somebody has
 * decided since stays, also what was decided since the person saw the exposures: `only_if_open` says that they saw open ones.
 * @param done receives the ids that were handled: all of them, or those before the call that failed
 */
export function useAcknowledge(done?: (handled: readonly number[]) => void) {
  const queries = useQueryClient()
  const notify = useNotify()
  const { team } = useCurrentSession()
  const onWait: OnWait = (sentence) => sentence && notify(sentence)
  const shared = {
    onError: (fault: Error) => notify(fault.message),
    onSettled: () => Promise.all(['exposures', 'exposure'].map((of) => queries.invalidateQueries({ queryKey: [of] }))),
  }
  const acknowledge = useMutation({
    mutationFn: async ({ ids, dismiss, only_if_open }: { ids: number[]; dismiss: boolean; only_if_open: boolean }) => {
      const progress = await moveAll(ids, dismiss ? 'dismissed' : 'acknowledged', { only_if_open }, team.id, onWait)
      if (progress.fault && progress.left.length === ids.length) throw progress.fault
      return progress
    },
    ...shared,
    onSuccess: ({ moved, decidedSince, left, fault }, { ids, dismiss }) => {
      done?.(ids.slice(0, ids.length - left.length))
      const outcome = dismiss ? 'dismissed' : 'acknowledged'
      const count = moved.length === 1 ? `One exposure ${outcome}.` : `${formatCount(moved.length)} exposures ${outcome}.`
      const sentences = [moved.length > 0 && count, ...outcomesOf(decidedSince, fault)].filter(Boolean)
      if (sentences.length === 0) return notify(`Nothing changed: already ${outcome}, or removed.`)
      notify(sentences.join(' '), moved.length > 0 ? () => undo.mutate(moved) : undefined)
    },
  })
  const undo = useMutation({
    mutationFn: async (moved: Moved[]) => {
      const outcome = { restored: 0, decidedSince: 0, fault: null as Error | null }
      for (const { ids, before, decided_at } of groupMoves(moved)) {
        const { left, decidedSince, fault } = await moveAll(ids, before, { decided_at }, team.id, onWait)
        outcome.restored += ids.length - left.length - decidedSince
        outcome.decidedSince += decidedSince
        if (fault && outcome.restored === 0) throw fault
        if (fault) return { ...outcome, fault }
      }
      return outcome
    },
    ...shared,
    onSuccess: ({ restored, decidedSince, fault }, { length }) => {
      const sentences = [
        fault
          ? `${formatCount(restored)} of ${counted(length, 'exposure')} ${restored === 1 ? 'was' : 'were'} restored.`
          : restored > 0 && `${counted(restored, 'exposure')} restored.`,
        ...outcomesOf(decidedSince, fault),
      ].filter(Boolean)
      if (sentences.length > 0) notify(sentences.join(' '))
    },
  })
  return acknowledge
}

/** What is said of exposures that did not move. */
const outcomesOf = (decidedSince: number, fault: Error | null) => [
  decidedSince === 1 && 'One exposure was changed since, and stays as it is.',
  decidedSince > 1 && `${formatCount(decidedSince)} exposures were changed since, and stay as they are.`,
  fault && `Then it stopped: ${fault.message}`,
]

const formatCount = (count: number) => count.toLocaleString('en-US')

/** Groups what was moved by the state before and the time of the decision: one call restores one group. */
function groupMoves(moved: readonly Moved[]): (Omit<Moved, 'id'> & { ids: number[] })[] {
  const groups = new Map<string, Omit<Moved, 'id'> & { ids: number[] }>()
  for (const { id, before, decided_at } of moved) {
    const key = `${before} ${decided_at}`
    const group = groups.get(key) ?? { before, decided_at, ids: [] }
    groups.set(key, group)
    group.ids.push(id)
  }
  return [...groups.values()]
}

/** Moves exposures of a team to one state, in batches. */
async function moveAll(ids: readonly number[], state: State, condition: Condition, team_id: string, onWait: OnWait): Promise<Progress> {
  const moved: Moved[] = []
  let decidedSince = 0
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    try {
      const batch = { ids: ids.slice(from, from + BATCH_SIZE), ...condition }
      const rows = await retryLater(() => moveBatch(batch, state, team_id), onWait)
      for (const { id, outcome, before, decided_at: at } of rows)
        if (outcome === 'moved' && before) moved.push({ id, before, decided_at: at })
        else if (outcome === 'decided_since') decidedSince += 1
    } catch (fault) {
      return { moved, decidedSince, left: ids.slice(from), fault: fault as Error }
    }
  }
  return { moved, decidedSince, left: [], fault: null }
}

async function moveBatch(batch: { ids: number[] } & Condition, state: State, team_id: string): Promise<Row[]> {
  if (state === 'open') return (await ask(REOPEN, batch, team_id)).reopenExposures ?? []
  return (await ask(ACKNOWLEDGE, { ...batch, dismiss: state === 'dismissed' }, team_id)).acknowledgeExposures ?? []
}
