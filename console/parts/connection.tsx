import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const hear = (changed: () => void) => onlineManager.subscribe(changed)
const isConnected = () => onlineManager.isOnline()

/** Says as long as the browser has no network that what is shown may be old: nothing is read then, and nothing fails before somebody acts. */
export function Connection() {
  const connected = useSyncExternalStore(hear, isConnected)
  return (
    <div aria-live="polite">
      {!connected && <p className="disconnected">Not connected. What you see may be old; it is read again when the network is back.</p>}
    </div>
  )
}
