import { type Mutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isAway } from '../api/session.ts'

/** Of something that is asked for by a press, as a change is, and changes nothing. */
export const READS = { reads: true }

/**
 * Hears of changes that fail once the page that began them was left: nothing of that page is there to say so.
 * @param begun in which team a change is begun now
 */
export function useLeftBehind<Team>(begun: Team, hear: (said: string, fault: Error, team: Team) => void): void {
  const cache = useQueryClient().getMutationCache()
  const [teams] = useState(() => new WeakMap<Mutation, Team>())
  useEffect(() => {
    return cache.subscribe((event) => {
      const { type, mutation } = event
      if (type === 'observerRemoved' && mutation.state.status === 'pending' && !mutation.meta?.reads) teams.set(mutation, begun)
      if (type !== 'updated' || event.action.type !== 'error' || !teams.has(mutation)) return
      const { error } = event.action
      hear(`Your change on the previous page${isAway(error) ? ':' : ' was refused:'} ${error.message}`, error, teams.get(mutation) as Team)
    })
  }, [cache, teams, begun, hear])
}
