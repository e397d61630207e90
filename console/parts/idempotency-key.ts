import { useRef } from 'react'

/** The key of a request, one for the same however often it is sent: what is pressed again after an answer was lost is not done twice. */
export function useIdempotencyKey(): (request: object) => string {
  const keys = useRef(new Map<string, string>())
  return (request) => {
    const text = JSON.stringify(request)
    const key = keys.current.get(text) ?? crypto.randomUUID()
    keys.current.set(text, key)
    return key
  }
}
