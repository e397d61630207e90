import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import type { Tx } from '#domain/engines/database.ts'
import { seal, unseal } from '#domain/engines/sealed.ts'
import { keyIdOf } from '#domain/reports/signing/key-id.ts'
import { deleteOtherPrivateKeys, lockSigningKeys, newestMade, recordKey, sealedAs } from '#domain/reports/signing/key-rows.ts'

type Keyed = Pick<App, 'config' | 'db' | 'clock' | 'log'>

/**
 * Returns the Ed25519 key that signs checkpoints. The install creates it at first use, shares it among all its processes and
 * seals it under WEATHER_SECRET_KEY. A key that can no longer be decrypted is replaced: the tree stays, and the old public key
 * stays published for what it signed.
 */
export async function logKey(app: Keyed): Promise<KeyObject> {
  return (
    (await openNewest(app, app.db)) ??
    app.db.$transaction(async (tx) => {
      await lockSigningKeys(tx)
      return (await openNewest(app, tx)) ?? createLogKey(app, tx)
    })
  )
}

/**
 * Replaces the log's current key and deletes its private part. The new key signs the next checkpoint, over the same tree and
 * under the same name: a client that follows the log proves consistency across the change, and finds the new key in the
 * published list.
 */
export async function rotateLogKey(app: Keyed): Promise<{ key_id: string; retired: string | null }> {
  return app.db.$transaction(async (tx) => {
    await lockSigningKeys(tx)
    const current = await tx.signingKey.findFirst({ where: { purpose: 'log', retired_at: null } })
    const key_id = keyIdOf(createPublicKey(await createLogKey(app, tx)))
    await deleteOtherPrivateKeys(tx, 'log', key_id)
    auditWrite(tx, { kind: 'signing_key', id: key_id })
    return { key_id, retired: current?.id ?? null }
  })
}

async function openNewest({ config, log }: Keyed, tx: Pick<Tx, 'signingKey'>): Promise<KeyObject | null> {
  const row = await newestMade(tx, 'log')
  if (!row?.sealed_private_key) return null
  try {
    return createPrivateKey(unseal({ config }, row.sealed_private_key, sealedAs(row.id)))
  } catch {
    log.warn(
      { key_id: row.id },
      'the key that signs the log of fingerprints cannot be decrypted with WEATHER_SECRET_KEY; a new one is created',
    )
    return null
  }
}

async function createLogKey({ config, clock, log }: Keyed, tx: Tx): Promise<KeyObject> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const id = keyIdOf(publicKey)
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  await recordKey(tx, clock.now(), 'log', publicKey)
  await tx.signingKey.update({ where: { id }, data: { sealed_private_key: seal({ config }, pem, sealedAs(id)) } })
  log.info({ key_id: id }, 'created a key that signs the log of fingerprints')
  return privateKey
}
