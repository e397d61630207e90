import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type Checkpoint, noteKeyId } from './checkpoint.ts'

/** A log witness (c2sp.org/tlog-witness), by its verifier key. */
export interface Witness {
  name: string
  /** First four bytes of a hash of name and key, hex. */
  key_id: string
  key: KeyObject
}

/** Signature type in a verifier key (c2sp.org/signed-note). */
const COSIGNATURE = 4
const PUBLIC_KEY_BYTES = 32

/** @throws Error if the text is not a verifier key of a witness */
export function readWitness(text: string): Witness {
  const [, name = '', key_id = '', material = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44}={0,2})$/.exec(text.trim()) ?? []
  const bytes = Buffer.from(material, 'base64')
  if (bytes.length !== 1 + PUBLIC_KEY_BYTES || bytes[0] !== COSIGNATURE) throw new Error('is not a verifier key of a witness')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.subarray(1).toString('base64url') }, format: 'jwk' })
  if (noteKeyId(name, COSIGNATURE, key) !== key_id) throw new Error('is not a verifier key of a witness')
  return { name, key_id, key }
}

/** A witness's line in a checkpoint: signed with the time of its cosignature, missing, or not signed by the witness. */
export type Cosignature = { state: 'signed'; at: Date } | { state: 'none' } | { state: 'forged' }

const TIME_BYTES = 8

/** Parses a cosignature (c2sp.org/tlog-cosignature): a time, and the signature of the time followed by the text. */
export function cosignatureBy({ name, key_id, key }: Witness, { text, signatures }: Checkpoint): Cosignature {
  const line = signatures.find((one) => one.name === name && one.key_id === key_id)
  if (!line) return { state: 'none' }
  if (line.signature.length <= TIME_BYTES) return { state: 'forged' }
  const time = line.signature.readBigUInt64BE(0)
  const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`, 'utf8')
  const at = new Date(Number(time) * 1000)
  if (Number.isNaN(at.getTime()) || !verify(null, message, key, line.signature.subarray(TIME_BYTES))) return { state: 'forged' }
  return { state: 'signed', at }
}
