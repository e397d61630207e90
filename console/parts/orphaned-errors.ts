import { type Mutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isUnavailable } from '../api/session.ts'

/** Meta of a mutation that is started by a press but only reads. */
export const READ_ONLY = { reads: true }

/**
 * Reports changes that fail after the person has left the page that started them, which can no longer show the error.
 * @param currentTeam the team in which changes are started now
 */
export function useOrphanedErrors<Team>(currentTeam: Team, onError: (message: string, fault: Error, team: Team) => void): void {
  const cache = useQueryClient().getMutationCache()
  const [teams] = useState(() => new WeakMap<Mutation, Team>())
  useEffect(() => {
    return cache.subscribe((event) => {
      const { type, mutation } = event
      if (type === 'observerRemoved' && mutation.state.status === 'pending' && !mutation.meta?.reads) teams.set(mutation, currentTeam)
      if (type !== 'updated' || event.action.type !== 'error' || !teams.has(mutation)) return
      const { error } = event.action
      onError(
        `Your change on the previous page${isUnavailable(error) ? ':' : ' was refused:'} ${error.message}`,
        error,
        teams.get(mutation) as Team,
      )
    })
  }, [cache, teams, currentTeam, onError])
}
