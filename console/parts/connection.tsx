import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { isUnavailable } from '../api/session.ts'
import { Button } from './button.tsx'

const hear = (changed: () => void) => onlineManager.subscribe(changed)
const isConnected = () => onlineManager.isOnline()

/** Warns that the page may be out of date: while the browser is offline, and while the service does not respond when the page refreshes. */
export function Connection() {
  const connected = useSyncExternalStore(hear, isConnected)
  const [away, again] = useAway()
  return (
    <div aria-live="polite">
      {!connected && (
        <p className="disconnected">You are offline. What you see may be out of date. It is refreshed when the connection is back.</p>
      )}
      {connected && away && (
        <p className="disconnected row">
          The service is not responding. What you see may be out of date. <Button onPress={again}>Refresh</Button>
        </p>
      )}
    </div>
  )
}

/** Whether something that the page shows could not be refreshed, and a function that reads it again. */
function useAway(): [boolean, () => void] {
  const queries = useQueryClient()
  const cache = queries.getQueryCache()
  const listen = useCallback((changed: () => void) => cache.subscribe(changed), [cache])
  const old = () =>
    cache.findAll({ type: 'active' }).filter(({ state }) => state.data !== undefined && state.error && isUnavailable(state.error))
  const away = useSyncExternalStore(listen, () => old().length > 0)
  return [away, () => void Promise.all(old().map(({ queryKey }) => queries.refetchQueries({ queryKey, exact: true })))]
}
