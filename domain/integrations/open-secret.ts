import type { App } from '#domain/app.ts'
import { openSealed } from '#domain/engines/sealed.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/**
 * Decrypts the signing secret of a destination.
 * @throws Refusal 409 `no_signing_secret` if no key of this install opens it: the key was replaced, or the row was tampered with. The
 * operator sees it in the log
 */
export function openSecret(app: Pick<App, 'config' | 'log'>, sealed: Uint8Array, integration_id: string): string {
  const opened = openSealed(app, sealed, `secret ${integration_id}`)
  if (opened) return opened.text
  app.log.error({ integration_id }, 'a signing secret cannot be decrypted with WEATHER_SECRET_KEY')
  throw new Refusal(
    'no_signing_secret',
    `The signing secret of the destination ${integration_id} cannot be decrypted with this install's key. Rotate it: the new one can be read again.`,
  )
}
