import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** Signature types of a signed note's keys (c2sp.org/signed-note): the log signs checkpoints, a witness cosignatures. */
export const NOTE_KEY_TYPES = { ed25519: 1, cosignature: 4 } as const
export type NoteKeyType = (typeof NOTE_KEY_TYPES)[keyof typeof NOTE_KEY_TYPES]

/** A key and the name under which it signs notes. */
export interface NoteKey {
  /** Without spaces and plus signs; for a log, its origin. */
  name: string
  type: NoteKeyType
  key: KeyObject
}

export interface SignatureLine {
  name: string
  /** Four bytes. */
  key_id: Buffer
  signature: Buffer
}

export interface SignedNote {
  /** Ends in a newline. */
  text: string
  signatures: SignatureLine[]
}

/** Returns the 32 bytes of an Ed25519 public key (RFC 8032). */
export function rawPublicKey(key: KeyObject): Buffer {
  const { x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })
  if (x === undefined) throw new Error('not an Ed25519 key')
  return Buffer.from(x, 'base64url')
}

/** Returns the key id: the first four bytes of the SHA-256 of name, newline, type and public key. */
export function noteKeyId({ name, type, key }: NoteKey): Buffer {
  const hash = createHash('sha256')
    .update(`${name}\n`, 'utf8')
    .update(Buffer.from([type]))
    .update(rawPublicKey(key))
  return hash.digest().subarray(0, KEY_ID_BYTES)
}
const KEY_ID_BYTES = 4

/**
 * Reads "name+0123abcd+base64", the form in which such a key is published.
 * @throws Error if the text is not an Ed25519 verifier key, or its id is not that of its name and key
 */
export function readVerifierKey(text: string): NoteKey {
  const [, name = '', id, material = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44}={0,2})$/.exec(text) ?? []
  const bytes = Buffer.from(material, 'base64')
  const type = Object.values(NOTE_KEY_TYPES).find((known) => known === bytes[0])
  if (type === undefined || bytes.length !== 1 + PUBLIC_KEY_BYTES) throw new Error('not a verifier key')
  const x = bytes.subarray(1).toString('base64url')
  const read = { name, type, key: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }) }
  if (noteKeyId(read).toString('hex') !== id) throw new Error('not a verifier key')
  return read
}
const PUBLIC_KEY_BYTES = 32

/** Signs a note's text and returns the signature line. */
export function signNote(text: string, name: string, private_key: KeyObject): string {
  const key_id = noteKeyId({ name, type: NOTE_KEY_TYPES.ed25519, key: private_key })
  return signatureLine({ name, key_id, signature: sign(null, Buffer.from(text, 'utf8'), private_key) })
}

/** Returns a line of signatures: name, and in base64 the key's id (4 bytes) with the signature (C2SP signed-note). */
export function signatureLine({ name, key_id, signature }: SignatureLine): string {
  return `\u2014 ${name} ${Buffer.concat([key_id, signature]).toString('base64')}\n`
}

/** Reads a note. Do not trust it before a signature of a known key is verified. @throws Error if the text is not a note */
export function readNote(note: string): SignedNote {
  const end = note.lastIndexOf('\n\n')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a note must not hold
  if (end < 0 || /[\u0000-\u0009\u000b-\u001f]/.test(note)) throw new Error('not a signed note')
  return { text: note.slice(0, end + 1), signatures: readSignatureLines(note.slice(end + 2)) }
}

/** More than any checkpoint has: the limit keeps a long note from slowing the verifier. */
const SIGNATURES_MAX = 64

/** @throws Error if the lines are not signature lines */
export function readSignatureLines(lines: string): SignatureLine[] {
  const each = lines.split('\n')
  if (each.pop() !== '' || each.length === 0 || each.length > SIGNATURES_MAX) throw new Error('not the signatures of a note')
  return each.map((line) => {
    const [, name = '', signed = ''] = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? []
    const bytes = Buffer.from(signed, 'base64')
    if (bytes.length <= KEY_ID_BYTES || bytes.toString('base64') !== signed) throw new Error('not the signatures of a note')
    return { name, key_id: bytes.subarray(0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES) }
  })
}

/** Whether a line is a signature of the text by a key. */
export function signsNote(text: string, line: SignatureLine, key: NoteKey): boolean {
  if (line.name !== key.name || !line.key_id.equals(noteKeyId(key))) return false
  if (key.type === NOTE_KEY_TYPES.ed25519) return verify(null, Buffer.from(text, 'utf8'), key.key, line.signature)
  return cosignedAt(text, line, key) !== null
}

const TIME_BYTES = 8

/**
 * Returns the Unix time in seconds at which a witness states that the text was the log's largest tree; null if the signature is
 * not the witness's.
 */
export function cosignedAt(text: string, { signature }: SignatureLine, { key }: NoteKey): number | null {
  if (signature.length <= TIME_BYTES) return null
  const time = signature.readBigUInt64BE(0)
  if (time > BigInt(Number.MAX_SAFE_INTEGER)) return null
  const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`, 'utf8')
  return verify(null, message, key, signature.subarray(TIME_BYTES)) ? Number(time) : null
}
