import { z } from 'zod'

const email = z.email().max(254)

/** The sentence for a text that is no e-mail address. */
export const INVALID_EMAIL = 'The e-mail address must be one like ann@example.com.'

/** Returns an e-mail address as stored: in lower case, so that each person has one spelling. Null if invalid. */
export function readEmail(text: string): string | null {
  const read = email.safeParse(text.trim().toLowerCase())
  return read.success ? read.data : null
}
