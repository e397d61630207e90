import { createHash, type KeyObject, verify } from 'node:crypto'
import type { PublishedKey } from '../verify/keys.ts'
import { HASH_BYTES, type Tree } from './merkle.ts'

/** A log's name and tree. */
export interface LogHead extends Tree {
  origin: string
}

/** A log's checkpoint, a signed note (c2sp.org/tlog-checkpoint). It proves nothing until a signature is verified. */
export interface Checkpoint extends LogHead {
  /** Last known states of the logs that the service ended before this one. Nothing proves that this one extends them. */
  ended: LogHead[]
  /** The signed text. */
  text: string
  signatures: { name: string; key_id: string; signature: Buffer }[]
  /** The whole note, as received. */
  note: string
}

/** Longer than any checkpoint with the cosignatures of many witnesses. */
const NOTE_MAX = 64 * 1024

/** @throws Error if the text is not a checkpoint */
export function readCheckpoint(note: string): Checkpoint {
  const end = note.lastIndexOf('\n\n')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note must not contain these
  if (end < 0 || note.length > NOTE_MAX || !note.endsWith('\n') || /[\u0000-\u0009\u000b-\u001f]/.test(note)) throw notOne()
  const text = note.slice(0, end + 1)
  const [, origin, size, hash = '', extensions = ''] =
    /^([^\n]+)\n(0|[1-9]\d{0,12})\n([A-Za-z0-9+/]{43}=)\n((?:[^\n]+\n)*)$/.exec(text) ?? []
  if (origin === undefined) throw notOne()
  return {
    origin,
    size: Number(size),
    root: hashFrom(hash),
    ended: endedIn(extensions),
    text,
    signatures: note
      .slice(end + 2, -1)
      .split('\n')
      .map(readSignature),
    note,
  }
}

function endedIn(extensions: string): LogHead[] {
  const lines = extensions.matchAll(/^ended ([^\s+]+) (0|[1-9]\d{0,12}) ([A-Za-z0-9+/]{43}=)$/gm)
  return [...lines].map(([, origin = '', size, root = '']) => ({ origin, size: Number(size), root: hashFrom(root) }))
}

/**
 * Returns the state that a log stated for an earlier one when that ended; null if it does not state that it ended.
 * The caller has verified the signature of the checkpoint.
 */
export function endOf(before: LogHead, now: Checkpoint): LogHead | null {
  return now.ended.find(({ origin }) => origin === before.origin) ?? null
}

/** Whether a service signed two trees of one size for the same log, the later when it stated how the log ended. */
export const contradictsEnd = (before: LogHead, end: LogHead) => end.size === before.size && !end.root.equals(before.root)

const notOne = () => new Error('it is not a checkpoint of a log')

function readSignature(line: string): Checkpoint['signatures'][number] {
  const [, name = '', signed = ''] = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? []
  const bytes = Buffer.from(signed, 'base64')
  if (name === '' || bytes.length <= KEY_ID_BYTES || bytes.toString('base64') !== signed) throw notOne()
  return { name, key_id: bytes.subarray(0, KEY_ID_BYTES).toString('hex'), signature: bytes.subarray(KEY_ID_BYTES) }
}
const KEY_ID_BYTES = 4

/** @throws Error if the text is not a SHA-256 in base64 */
export function hashFrom(base64: string): Buffer {
  const hash = Buffer.from(base64, 'base64')
  if (hash.length !== HASH_BYTES || hash.toString('base64') !== base64) throw new Error('it contains an invalid hash')
  return hash
}

/** Returns the published key that signed a checkpoint; null if none did. */
export function signerOf(checkpoint: Checkpoint, keys: readonly PublishedKey[]): PublishedKey | null {
  return keys.find((published) => isLogKey(published) && isSignedBy(checkpoint, published.key)) ?? null
}

const isLogKey = ({ key, purpose }: PublishedKey) => key.asymmetricKeyType === 'ed25519' && (purpose ?? 'log') === 'log'

/** Whether the key signed the note under the log's own name: the key id in the note depends on name and key. */
function isSignedBy({ origin, text, signatures }: Checkpoint, key: KeyObject): boolean {
  const id = noteKeyId(origin, ED25519, key)
  return signatures.some(
    ({ name, key_id, signature }) => name === origin && key_id === id && verify(null, Buffer.from(text, 'utf8'), key, signature),
  )
}
const ED25519 = 1

/** Returns the id of an Ed25519 key in notes as hex, derived from its name, signature type and 32 bytes (c2sp.org/signed-note). */
export function noteKeyId(name: string, type: number, key: KeyObject): string {
  const raw = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
  const hash = createHash('sha256')
    .update(`${name}\n`, 'utf8')
    .update(Buffer.from([type]))
    .update(raw)
    .digest()
  return hash.subarray(0, KEY_ID_BYTES).toString('hex')
}
