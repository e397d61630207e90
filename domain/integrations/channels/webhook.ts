import type { Payload } from '#domain/integrations/payload.ts'

/** Returns the payload itself: the receiver checks the signature over these exact bytes. */
export function webhookBody(payload: Payload): string {
  return JSON.stringify(payload)
}
