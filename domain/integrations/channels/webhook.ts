import type { Payload } from '#domain/integrations/payload.ts'

/** The payload itself: its receiver checks the signature over these exact bytes. */
export function webhookBody(payload: Payload): string {
  return JSON.stringify(payload)
}
