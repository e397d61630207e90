import type { Clock } from '#domain/engines/clock.ts'
import { moment } from '#domain/kernel/fields.ts'
import { type Faults, isDate } from '#domain/kernel/validation.ts'

const expiry = moment('The expiry')

/**
 * Reads when a token or an operator key expires: a moment with its zone, or a day, which begins at 00:00 UTC; null: never. Without a zone, the
 * zone of the process would decide. Adds a fault for any other text, and for a time that is over.
 */
export function readExpiry(sent: string | null, faults: Faults, clock: Clock): Date | null {
  if (sent === null) return null
  const text = isDate(sent) ? `${sent}T00:00:00Z` : expiry.read(sent, 'expires_at', faults)
  if (text === null) return null
  const expires_at = new Date(text)
  faults.unless(expires_at > clock.now(), 'expires_at', 'The expiry must be in the future.')
  return expires_at
}
