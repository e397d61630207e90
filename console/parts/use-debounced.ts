import { useEffect, useState } from 'react'

/** Milliseconds without a letter after which what somebody types is searched for. */
export const TYPING_PAUSE_MS = 250

/** Debounces a value: returns it once it has not changed for `ms`, so that typing does not send a request per letter. */
export function useDebounced<Value>(value: Value, ms: number): Value {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return debounced
}

/** How long old results stay on the screen, so that a quick response does not make the page flicker. */
const MIN_SHOWN_MS = 500

/** Whether the shown results are of an earlier query, and for so long that somebody could take them for the current ones. */
export function useStaleResults({ isPlaceholderData }: { isPlaceholderData: boolean }): boolean {
  return useDebounced(isPlaceholderData, MIN_SHOWN_MS) && isPlaceholderData
}
