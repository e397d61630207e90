import { useRef } from 'react'

/** The key of a request, one for the same however often it is sent: what is pressed again after an answer was lost is not done twice. */
export function useIdempotencyKey(): (request: object) => string {
  const last = useRef({ request: '', key: '' })
  return (request) => {
    const text = JSON.stringify(request)
    if (last.current.request !== text) last.current = { request: text, key: crypto.randomUUID() }
    return last.current.key
  }
}
