import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { Refusal } from '#domain/kernel/refusal.ts'

/** base64url; the longest credential id of a browser is 1023 bytes, the longest supported public key some hundred. */
const bytes = z
  .string()
  .regex(/^[\w-]+$/)
  .max(4096)
const id = bytes.max(1400)
/** How browsers can reach a passkey: stored, and sent back to them. */
const transports = z.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])).max(7)

const signIn = z.object({
  id,
  response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes.max(100) }),
})
const registration = z.object({
  id,
  response: z.object({ clientDataJSON: bytes, attestationObject: bytes, transports: transports.catch([]).default([]) }),
})

/**
 * Reads a passkey's signature from a browser, with only the fields that are used.
 * @throws Refusal unauthenticated if it is invalid, or was made in a frame of another site
 */
export function readSignIn(sent: unknown): AuthenticationResponseJSON & z.infer<typeof signIn> {
  return completed(signIn, sent)
}

/** Reads a new passkey in the same way. */
export function readRegistration(sent: unknown): RegistrationResponseJSON & z.infer<typeof registration> {
  return completed(registration, sent)
}

function completed<Sent extends { id: string; response: { clientDataJSON: string } }>(schema: z.ZodType<Sent>, sent: unknown) {
  const read = schema.safeParse(sent)
  if (!read.success || inFrame(read.data.response.clientDataJSON)) throw notAccepted()
  return { ...read.data, rawId: read.data.id, type: 'public-key' as const, clientExtensionResults: {} }
}

/** Whether the browser reports that the page was in another site's frame. Invalid JSON is left to the verifier. */
function inFrame(clientDataJSON: string): boolean {
  const framed = z.object({ crossOrigin: z.literal(true) })
  try {
    return framed.safeParse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).success
  } catch {
    return false
  }
}

/** The same message for every fault, so that an attacker learns nothing. */
export const notAccepted = () => new Refusal('unauthenticated', 'This passkey was not accepted. Try again, or ask for a link by e-mail.')
