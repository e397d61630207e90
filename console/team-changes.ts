import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followChanges } from './api/changes.ts'
import type { Here } from './signed-in.tsx'

/** The first words of the queries that each subject's changes make old. */
const shownFrom: Record<string, readonly string[]> = {
  exposures: ['exposures', 'exposure', 'storm-days'],
  reports: ['reports', 'report'],
  properties: ['properties', 'property', 'storm-days'],
  territories: ['territories', 'territory', 'storm-days'],
  memberships: ['session', 'people'],
}

/** Keeps what is shown of a team as new as the service's own, while there is a session to ask with. */
export function useTeamChanges({ team: { id: team_id }, ended }: Pick<Here, 'team' | 'ended'>): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (ended) return
    const renew = (subjects: readonly string[]) => {
      const old = subjects.flatMap((subject) => shownFrom[subject] ?? [])
      void queries.invalidateQueries({ predicate: ({ queryKey: [of] }) => old.includes(String(of)) })
    }
    return followChanges(team_id, {
      // Where changes are heard again, anything may have changed meanwhile.
      changed: (subjects) => renew(subjects.length > 0 ? subjects : Object.keys(shownFrom).filter((subject) => subject !== 'memberships')),
      refused: () => renew(['memberships']),
    })
  }, [team_id, ended, queries])
}
