import { z } from 'zod'

const email = z.email().max(254)

/** An e-mail address as it is kept: in lower case, so that one person has one. Null for what is none. */
export function readEmail(text: string): string | null {
  const read = email.safeParse(text.trim().toLowerCase())
  return read.success ? read.data : null
}
