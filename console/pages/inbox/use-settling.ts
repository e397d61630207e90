import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ask, graphql } from '../../api/graphql.ts'
import { withinLimit } from '../../api/within-limit.ts'
import { useSay } from '../../parts/passing.tsx'

const SETTLE = graphql(
  `mutation Settle($ids: [Int!]!, $dismiss: Boolean) { acknowledgeExposures(ids: $ids, dismiss: $dismiss) { id outcome } }`,
)
const REOPEN = graphql(`mutation Reopen($ids: [Int!]!) { reopenExposures(ids: $ids) { id } }`)

/** Exposures that the service moves in one call. */
const AT_ONCE = 500

/** Acknowledges or dismisses exposures, many in one call, and offers to take that back; `done` is called when all are settled. */
export function useSettling(done: () => void) {
  const queries = useQueryClient()
  const say = useSay()
  const settle = useMutation({
    mutationFn: async ({ ids, dismiss }: { ids: number[]; dismiss: boolean }) => {
      const moved: number[] = []
      for (const part of partsOf(ids)) {
        const { acknowledgeExposures: rows } = await withinLimit(() => ask(SETTLE, { ids: part, dismiss }))
        moved.push(...(rows ?? []).flatMap(({ id, outcome }) => (outcome === 'moved' ? [id] : [])))
      }
      return { ids: moved, dismiss }
    },
    onSuccess: ({ ids, dismiss }) => {
      done()
      const did = dismiss ? 'dismissed' : 'acknowledged'
      const count = ids.length.toLocaleString('en-US')
      say(ids.length === 1 ? `One exposure ${did}.` : `${count} exposures ${did}.`, () => reopen.mutate(ids))
    },
    onError: (fault) => say(fault.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['exposures'] }),
  })
  const reopen = useMutation({
    mutationFn: async (ids: number[]) => {
      for (const part of partsOf(ids)) await withinLimit(() => ask(REOPEN, { ids: part }))
    },
    onError: (fault) => say(fault.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['exposures'] }),
  })
  return settle
}

const partsOf = (ids: number[]) =>
  Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, part) => ids.slice(part * AT_ONCE, (part + 1) * AT_ONCE))
