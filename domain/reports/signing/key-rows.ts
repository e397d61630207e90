import type { KeyObject } from 'node:crypto'
import type { KeyPurpose } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { keyIdOf } from '#domain/reports/signing/key-id.ts'
import type { SigningKey } from '#generated/prisma/client.ts'

/** Allows one process at a time to make and record keys. */
export async function lockSigningKeys(tx: Tx): Promise<void> {
  await tx.$queryRaw`SELECT 1 AS taken FROM pg_advisory_xact_lock(hashtextextended('signing keys', 26))`
}

/** Returns the name under which a private key is sealed in its row. */
export const sealedAs = (key_id: string) => `signing key ${key_id}` as const

/** Returns the key in use that the install made, else the one retired last: `created_at` may come from hosts whose clocks differ. */
export function newestMade(tx: Pick<Tx, 'signingKey'>, purpose: KeyPurpose): Promise<SigningKey | null> {
  return tx.signingKey.findFirst({
    where: { purpose, sealed_private_key: { not: null } },
    orderBy: [{ retired_at: { sort: 'desc', nulls: 'first' } }, { created_at: 'desc' }],
  })
}

/** Records a public key as the one in use for its purpose; retires the previous key without removing it. */
export async function recordKey(
  tx: Tx,
  now: Date,
  purpose: KeyPurpose,
  public_key: KeyObject,
  certificate: Buffer | null = null,
): Promise<void> {
  const id = keyIdOf(public_key)
  const bytes = { certificate: certificate && Uint8Array.from(certificate) }
  const spki = Uint8Array.from(public_key.export({ format: 'der', type: 'spki' }))
  await tx.signingKey.upsert({
    where: { id },
    create: { id, purpose, public_key: spki, ...bytes, created_at: now },
    update: { ...bytes, retired_at: null },
  })
  await retireOthers(tx, now, purpose, id)
}

/** @param current the key that stays in use; null if none does */
export async function retireOthers(tx: Tx, now: Date, purpose: KeyPurpose, current: string | null): Promise<void> {
  await tx.signingKey.updateMany({
    where: { purpose, retired_at: null, ...(current !== null && { id: { not: current } }) },
    data: { retired_at: now },
  })
}

/** Deletes the private keys of a purpose, except for one key. */
export async function deleteOtherPrivateKeys(tx: Tx, purpose: KeyPurpose, current: string): Promise<void> {
  await tx.signingKey.updateMany({
    where: { purpose, id: { not: current }, sealed_private_key: { not: null } },
    data: { sealed_private_key: null },
  })
}
