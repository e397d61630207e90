import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { isUnavailable } from '../api/session.ts'
import { Button } from './button.tsx'

const subscribeToOnline = (changed: () => void) => onlineManager.subscribe(changed)
const isConnected = () => onlineManager.isOnline()

/** Warns that the page may be out of date: while the browser is offline, and while the service does not respond when the page refreshes. */
export function Connection() {
  const connected = useSyncExternalStore(subscribeToOnline, isConnected)
  const [refreshFailed, refresh] = useRefreshFailure()
  return (
    <div aria-live="polite">
      {!connected && (
        <p className="disconnected">You are offline. What you see may be out of date. It is refreshed when the connection is back.</p>
      )}
      {connected && refreshFailed && (
        <p className="disconnected row">
          The service is not responding. What you see may be out of date. <Button onPress={refresh}>Refresh</Button>
        </p>
      )}
    </div>
  )
}

/** Whether something that the page shows could not be refreshed, and a function that reads it again. */
function useRefreshFailure(): [boolean, () => void] {
  const queries = useQueryClient()
  const cache = queries.getQueryCache()
  const subscribeToCache = useCallback((changed: () => void) => cache.subscribe(changed), [cache])
  const failedQueries = () =>
    cache.findAll({ type: 'active' }).filter(({ state }) => state.data !== undefined && state.error && isUnavailable(state.error))
  const refreshFailed = useSyncExternalStore(subscribeToCache, () => failedQueries().length > 0)
  return [refreshFailed, () => void Promise.all(failedQueries().map(({ queryKey }) => queries.refetchQueries({ queryKey, exact: true })))]
}
