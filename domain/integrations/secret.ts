import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { seal } from '#domain/engines/sealed.ts'
import { lockDestination } from '#domain/integrations/destinations.ts'
import { noSuchIntegration } from '#domain/integrations/integration-rows.ts'
import { openSecret } from '#domain/integrations/open-secret.ts'
import { newSigningSecret, SIGNATURE_ALGORITHM, SIGNATURE_HEADER, TOLERANCE_SECONDS } from '#domain/integrations/signature.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid } from '#domain/kernel/validation.ts'

export interface SigningSecretView {
  object: 'signing_secret'
  integration_id: string
  secret: string
  header: string
  algorithm: string
  tolerance_seconds: number
}

export interface RotatedSecretView {
  object: 'signing_secret'
  integration_id: string
  secret: string
  header: string
  notice: string
}

/** @throws Refusal 404, 409 `no_signing_secret` for a channel that is not signed, or if the secret was sealed with another key */
export async function readSecret(app: App, caller: Caller, id: string): Promise<SigningSecretView> {
  const secret = openSecret(app, await sealedSecret(caller, id), id)
  return {
    object: 'signing_secret',
    integration_id: id,
    secret,
    header: SIGNATURE_HEADER,
    algorithm: SIGNATURE_ALGORITHM,
    tolerance_seconds: TOLERANCE_SECONDS,
  }
}

/**
 * Replaces the secret. The old one signs nothing from now on, not even waiting retries.
 * @throws Refusal 404, 409 `no_signing_secret`
 */
export async function rotateSecret(app: App, caller: Caller, id: string): Promise<RotatedSecretView> {
  if (!isUuid(id)) throw noSuchIntegration()
  const secret = newSigningSecret()
  await caller.db.$transaction(async (tx) => {
    const { secret_encrypted } = await lockDestination(tx, caller.team.id, id)
    if (!secret_encrypted) throw unsigned()
    await tx.integration.updateMany({
      where: { id },
      data: { secret_encrypted: seal(app, secret, `secret ${id}`), updated_at: app.clock.now() },
    })
    auditWrite(tx, { kind: 'integration', id, changed: ['secret'] })
  })
  return {
    object: 'signing_secret',
    integration_id: id,
    secret,
    header: SIGNATURE_HEADER,
    notice: 'The old secret no longer works: all posts are signed with this one from now on, waiting retries included.',
  }
}

async function sealedSecret(caller: Caller, id: string): Promise<Uint8Array> {
  const destination = isUuid(id) ? await caller.db.integration.findFirst({ where: { id }, select: { secret_encrypted: true } }) : null
  if (!destination) throw noSuchIntegration()
  if (!destination.secret_encrypted) throw unsigned()
  return destination.secret_encrypted
}

function unsigned(): Refusal {
  return new Refusal('no_signing_secret', 'Posts on this channel are not signed, so it has no signing secret.')
}
