import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import type { Tx } from '#domain/engines/database.ts'
import { seal, unseal } from '#domain/engines/sealed.ts'
import { BadSettings } from '#domain/kernel/config.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { readCertificateFile } from '#domain/reports/signing/certificate-file.ts'
import type { DocumentKey } from '#domain/reports/signing/document-key.ts'
import { deleteOtherPrivateKeys, lockSigningKeys, newestMade, recordKey, retireOthers, sealedAs } from '#domain/reports/signing/key-rows.ts'
import { makeDocumentKey } from '#domain/reports/signing/make-certificate.ts'

/** The keys that sign at present. */
export interface SigningKeys {
  document: DocumentKey
  /** Null if no key signs fingerprints. */
  fingerprint: KeyObject | null
}

type Keyed = Pick<App, 'config' | 'db' | 'pool' | 'clock' | 'log'>

/**
 * Returns the install's keys: the operator's if the settings name them, else a document key that the install makes at its first start and
 * that all its processes share. Opens them once per process, and again when another document key was made or the certificate expired. Records their public keys
 * before they sign anything.
 * @throws BadSettings if the operator's certificate cannot be used
 */
export async function signingKeys(app: Keyed): Promise<SigningKeys> {
  const known = opened.get(app.pool)
  if (known) {
    const keys = await known
    if (await areCurrent(app, keys)) return keys
  }
  const current = opened.get(app.pool)
  // A concurrent call is opening them already.
  if (current !== known && current) return current
  const opening = open(app)
  opened.set(app.pool, opening)
  // After a failure, such as an unavailable database, the next call tries again.
  opening.catch(() => opened.delete(app.pool))
  return opening
}

/**
 * Makes a document key that replaces the one that this install made, and deletes the old private key. Every process signs with the new key
 * from its next document on. The old public key stays in the published list, so older documents can still be verified.
 * @throws Refusal if the operator's certificate signs documents
 */
export async function rotateDocumentKey(app: Keyed): Promise<{ key_id: string; retired: string | null }> {
  return app.db.$transaction(async (tx) => {
    await lockSigningKeys(tx)
    const current = await tx.signingKey.findFirst({ where: { purpose: 'document', retired_at: null } })
    if (current && !current.sealed_private_key) {
      throw new Refusal('validation_failed', 'WEATHER_CERTIFICATE signs documents: replace its file, and restart the processes that print.')
    }
    const { key_id } = await createDocumentKey(app, tx)
    await deleteOtherPrivateKeys(tx, 'document', key_id)
    auditWrite(tx, { kind: 'signing_key', id: key_id })
    return { key_id, retired: current?.id ?? null }
  })
}

/** The operator's certificate is current until it expires: its file is then read again. */
async function areCurrent({ config, db, clock }: Keyed, { document }: SigningKeys): Promise<boolean> {
  if (config.certificate !== null) return new Date(document.certificates[0].validTo) > clock.now()
  return (await newestMade(db, 'document'))?.id === document.key_id
}

const opened = new WeakMap<App['pool'], Promise<SigningKeys>>()

async function open(app: Keyed): Promise<SigningKeys> {
  const own = app.config.certificate === null ? null : await readOperatorKey(app, app.config.certificate)
  return app.db.$transaction(async (tx) => {
    await lockSigningKeys(tx)
    const document = own ?? (await readInstallKey(app, tx)) ?? (await createDocumentKey(app, tx))
    await recordKey(tx, app.clock.now(), 'document', document.certificates[0].publicKey, document.certificates[0].raw)
    const fingerprint = app.config.signing_key
    if (fingerprint) await recordKey(tx, app.clock.now(), 'fingerprint', createPublicKey(fingerprint))
    else await retireOthers(tx, app.clock.now(), 'fingerprint', null)
    return { document, fingerprint }
  })
}

/** @throws BadSettings that names the file's fault, never its contents */
async function readOperatorKey({ config, clock }: Pick<App, 'config' | 'clock'>, file: string): Promise<DocumentKey> {
  const bytes = await readFile(file).catch((fault: NodeJS.ErrnoException) => {
    throw new BadSettings([`WEATHER_CERTIFICATE cannot be read: ${fault.code}`])
  })
  return readCertificateFile(bytes, config.certificate_password, clock.now()).catch((fault: Error) => {
    throw new BadSettings([`WEATHER_CERTIFICATE ${fault.message}`])
  })
}

/** Returns the newest key that this install made; null if there is none, or if it cannot be decrypted with WEATHER_SECRET_KEY. */
async function readInstallKey({ config, log }: Pick<App, 'config' | 'log'>, tx: Tx): Promise<DocumentKey | null> {
  const row = await newestMade(tx, 'document')
  if (!row?.sealed_private_key || !row.certificate) return null
  try {
    const pem = unseal({ config }, row.sealed_private_key, sealedAs(row.id))
    return { key_id: row.id, certificates: [new X509Certificate(row.certificate)], private_key: createPrivateKey(pem) }
  } catch {
    log.warn({ key_id: row.id }, 'the document signing key cannot be decrypted with WEATHER_SECRET_KEY; a new one is created')
    return null
  }
}

async function createDocumentKey({ config, clock, log }: Pick<App, 'config' | 'clock' | 'log'>, tx: Tx): Promise<DocumentKey> {
  const now = clock.now()
  const made = await makeDocumentKey(`Weather reports of ${new URL(config.base_url).host}`, now)
  const pem = made.private_key.export({ format: 'pem', type: 'pkcs8' }).toString()
  await recordKey(tx, now, 'document', made.certificates[0].publicKey, made.certificates[0].raw)
  await tx.signingKey.update({ where: { id: made.key_id }, data: { sealed_private_key: seal({ config }, pem, sealedAs(made.key_id)) } })
  log.info({ key_id: made.key_id }, 'created a document signing key')
  return made
}
