import { useRef } from 'react'

/** Returns the idempotency key of a request. Equal requests get the same key, so that a retry after a lost response is not done twice. */
export function useIdempotencyKey(): (request: object) => string {
  const keys = useRef(new Map<string, string>())
  return (request) => {
    const text = JSON.stringify(request)
    const key = keys.current.get(text) ?? crypto.randomUUID()
    keys.current.set(text, key)
    return key
  }
}
