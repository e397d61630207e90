import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followChanges } from './api/changes.ts'
import type { CurrentSession } from './signed-in.tsx'

/** Subject of a change -> first key of the queries that it makes stale. */
const queryKeysOf: Record<string, readonly string[]> = {
  exposures: ['exposures', 'exposure', 'storm-days'],
  reports: ['reports', 'report'],
  properties: ['properties', 'property', 'storm-days'],
  territories: ['territories', 'territory', 'territory-ceiling', 'storm-days'],
  memberships: ['session', 'people'],
}

/** Refreshes what is shown of a team when it changes in the service, as long as the session lasts. */
export function useTeamChanges({ team: { id: team_id }, ended }: Pick<CurrentSession, 'team' | 'ended'>): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (ended) return
    const invalidate = (subjects: readonly string[]) => {
      const staleKeys = subjects.flatMap((subject) => queryKeysOf[subject] ?? [])
      void queries.invalidateQueries({ predicate: ({ queryKey: [of] }) => staleKeys.includes(String(of)) })
    }
    return followChanges(team_id, {
      // No subjects: the stream has just connected, and anything may have changed before.
      changed: (subjects) =>
        invalidate(subjects.length > 0 ? subjects : Object.keys(queryKeysOf).filter((subject) => subject !== 'memberships')),
      refused: () => invalidate(['memberships']),
    })
  }, [team_id, ended, queries])
}
