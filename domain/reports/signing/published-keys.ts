import { createPublicKey } from 'node:crypto'
import type { App } from '#domain/app.ts'
import type { KeyPurpose } from '#domain/closed-sets.ts'

/** The path of the public keys (RFC 8615). */
export const KEYS_PATH = '/.well-known/jwks.json'

/** A public key as published: a JSON Web Key (RFC 7517) with what it signs and when it was retired. */
export interface PublishedKey {
  kid: string
  use: 'sig'
  alg: string
  /** fingerprint: signs report fingerprints. document: signs whole PDFs. log: signs the checkpoints of the fingerprint log. */
  purpose: KeyPurpose
  /** Null for a key in use. Signatures of a retired key stay valid. */
  retired_at: string | null
  /** The signer's certificate, base64 of DER. */
  x5c?: [string]
  [member: string]: unknown
}

/** Returns every key that has signed anything here: keys in use first, then the newest first. */
export async function publishedKeys({ db }: Pick<App, 'db'>): Promise<{ keys: PublishedKey[] }> {
  const rows = await db.signingKey.findMany({
    select: { id: true, purpose: true, public_key: true, certificate: true, retired_at: true },
    orderBy: [{ retired_at: { sort: 'desc', nulls: 'first' } }, { created_at: 'desc' }],
  })
  const keys = rows.map(({ id, purpose, public_key, certificate, retired_at }): PublishedKey => {
    const jwk = createPublicKey({ key: Buffer.from(public_key), format: 'der', type: 'spki' }).export({ format: 'jwk' })
    return {
      ...jwk,
      kid: id,
      use: 'sig',
      alg: algorithmOf(jwk),
      purpose,
      retired_at: retired_at?.toISOString() ?? null,
      ...(certificate && { x5c: [Buffer.from(certificate).toString('base64')] }),
    }
  })
  return { keys }
}

/** Returns the name of this key's signatures in RFC 7518 and RFC 8037. Every document is hashed by SHA-256, whatever the curve. */
function algorithmOf({ kty, crv }: { kty?: string | undefined; crv?: string | undefined }): string {
  if (kty === 'OKP') return 'EdDSA'
  if (kty === 'RSA') return 'RS256'
  return crv === 'P-256' ? 'ES256' : `ECDSA ${crv} SHA-256`
}
