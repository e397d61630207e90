import { useEffect, useState } from 'react'

/** A value once it has stayed the same for so long: what is typed is not asked about letter by letter. */
export function useLater<Value>(value: Value, ms: number): Value {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return later
}

/** Milliseconds for which what was found before stays: an answer that comes at once moves nothing. */
const STAYS_MS = 500

/** Whether what was found stands for what is asked now, and has for so long that somebody would take it for the answer. */
export function useOutdated({ isPlaceholderData }: { isPlaceholderData: boolean }): boolean {
  return useLater(isPlaceholderData, STAYS_MS) && isPlaceholderData
}
