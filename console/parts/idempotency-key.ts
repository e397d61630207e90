import { useRef } from 'react'

/** 128 random bits in hexadecimal. `crypto.randomUUID` does not exist on an insecure origin. */
export const randomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Returns the idempotency key of a request. Equal requests get the same key, so that a retry after a lost response is not done twice. */
export function useIdempotencyKey(): (request: object) => string {
  const keys = useRef(new Map<string, string>())
  return (request) => {
    const text = JSON.stringify(request)
    const key = keys.current.get(text) ?? randomKey()
    keys.current.set(text, key)
    return key
  }
}
