import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { ask, graphql } from '../api/graphql.ts'
import { retryRateLimited } from '../api/within-limit.ts'
import { useCurrentSession } from '../signed-in.tsx'
import { counted } from './format.ts'
import { useNotify } from './toasts.tsx'

const ACKNOWLEDGE = graphql(
  `mutation Settle($ids: [Int!]!, $dismiss: Boolean) { acknowledgeExposures(ids: $ids, dismiss: $dismiss) { id outcome before } }`,
)
const REOPEN = graphql(`mutation Reopen($ids: [Int!]!) { reopenExposures(ids: $ids) { id outcome before } }`)

type Row = NonNullable<ResultOf<typeof ACKNOWLEDGE>['acknowledgeExposures']>[number]
type State = NonNullable<Row['before']>

/** Exposures that the service accepts in one call. */
const BATCH_SIZE = 500

/** The progress: each moved exposure with its state before. If a batch is refused, it and the batches after it are left. */
interface Progress {
  moved: { id: number; before: State }[]
  left: number[]
  fault: Error | null
}

/**
 * Acknowledges or dismisses exposures in batches, and offers an undo that restores the state that each had before.
 * @param done receives the ids that are left, if not all could be settled
 */
export function useAcknowledge(done?: (left: number[]) => void) {
  const queries = useQueryClient()
  const notify = useNotify()
  const { team } = useCurrentSession()
  const shared = {
    onError: (fault: Error) => notify(fault.message),
    onSettled: () => Promise.all(['exposures', 'exposure'].map((of) => queries.invalidateQueries({ queryKey: [of] }))),
  }
  const acknowledge = useMutation({
    mutationFn: async ({ ids, dismiss }: { ids: number[]; dismiss: boolean }) => {
      const progress = await moveAll(ids, dismiss ? 'dismissed' : 'acknowledged', team.id)
      if (progress.fault && progress.left.length === ids.length) throw progress.fault
      return progress
    },
    ...shared,
    onSuccess: ({ moved, left, fault }, { dismiss }) => {
      done?.(left)
      const outcome = dismiss ? 'dismissed' : 'acknowledged'
      if (moved.length === 0 && !fault) return notify(`Nothing changed: already ${outcome}, or removed.`)
      const count = moved.length === 1 ? `One exposure ${outcome}.` : `${formatCount(moved.length)} exposures ${outcome}.`
      notify(fault ? `${count} Then it stopped: ${fault.message}` : count, () => undo.mutate(moved))
    },
  })
  const undo = useMutation({
    mutationFn: async (moved: Progress['moved']) => {
      let restored = 0
      for (const state of ['open', 'acknowledged', 'dismissed'] as const) {
        const ids = moved.flatMap(({ id, before }) => (before === state ? [id] : []))
        const { left, fault } = await moveAll(ids, state, team.id)
        restored += ids.length - left.length
        if (fault && restored === 0) throw fault
        if (fault) return { back: restored, fault }
      }
      return { back: restored, fault: null }
    },
    ...shared,
    onSuccess: ({ back, fault }, { length }) =>
      fault &&
      notify(
        `${formatCount(back)} of ${counted(length, 'exposure')} ${back === 1 ? 'was' : 'were'} restored. Then it stopped: ${fault.message}`,
      ),
  })
  return acknowledge
}

const formatCount = (count: number) => count.toLocaleString('en-US')

/** Moves exposures of a team to one state, in batches. */
async function moveAll(ids: readonly number[], state: State, team_id: string): Promise<Progress> {
  const moved: Progress['moved'] = []
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    try {
      const rows = await retryRateLimited(() => moveBatch(ids.slice(from, from + BATCH_SIZE), state, team_id))
      for (const { id, outcome, before } of rows) if (outcome === 'moved' && before) moved.push({ id, before })
    } catch (fault) {
      return { moved, left: ids.slice(from), fault: fault as Error }
    }
  }
  return { moved, left: [], fault: null }
}

async function moveBatch(ids: number[], state: State, team_id: string): Promise<Row[]> {
  if (state === 'open') return (await ask(REOPEN, { ids }, team_id)).reopenExposures ?? []
  return (await ask(ACKNOWLEDGE, { ids, dismiss: state === 'dismissed' }, team_id)).acknowledgeExposures ?? []
}
