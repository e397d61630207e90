import type { KeyObject } from 'node:crypto'
import { HASH_BYTES } from '#domain/fingerprint-log/merkle.ts'
import { readNote, type SignatureLine, signNote } from '#domain/fingerprint-log/signed-note.ts'

/** What a log says of itself: so many leaves, under this root (c2sp.org/tlog-checkpoint). */
export interface Checkpoint {
  /** The name of the log, for good. */
  origin: string
  size: number
  root: Buffer
}

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`
}

/** The checkpoint as it is served: its text, and the log's signature. */
export function signCheckpoint(checkpoint: Checkpoint, key: KeyObject): string {
  const text = checkpointText(checkpoint)
  return `${text}\n${signNote(text, checkpoint.origin, key)}`
}

/** Reads a checkpoint, whose signatures are still to be verified. @throws Error where the note is none */
export function readCheckpoint(note: string): Checkpoint & { text: string; signatures: SignatureLine[] } {
  const { text, signatures } = readNote(note)
  const [, origin, size, hash = ''] = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/.exec(text) ?? []
  const root = Buffer.from(hash, 'base64')
  if (origin === undefined || root.length !== HASH_BYTES || root.toString('base64') !== hash) throw new Error('not a checkpoint')
  return { origin, size: Number(size), root, text, signatures }
}
