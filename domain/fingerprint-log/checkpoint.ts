import type { KeyObject } from 'node:crypto'
import { HASH_BYTES } from '#domain/fingerprint-log/merkle.ts'
import { readNote, type SignatureLine, signNote } from '#domain/fingerprint-log/signed-note.ts'

/** The state of a log: its number of leaves and their root (c2sp.org/tlog-checkpoint). */
export interface Checkpoint {
  /** The permanent name of the log. */
  origin: string
  size: number
  root: Buffer
}

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`
}

/** Returns the checkpoint as it is served: its text and the log's signature. */
export function signCheckpoint(checkpoint: Checkpoint, key: KeyObject): string {
  const text = checkpointText(checkpoint)
  return `${text}\n${signNote(text, checkpoint.origin, key)}`
}

/** Reads a checkpoint. The caller still has to verify its signatures. @throws Error if the note is not a checkpoint */
export function readCheckpoint(note: string): Checkpoint & { text: string; signatures: SignatureLine[] } {
  const { text, signatures } = readNote(note)
  const [, origin, size, hash = ''] = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/.exec(text) ?? []
  const root = Buffer.from(hash, 'base64')
  if (origin === undefined || root.length !== HASH_BYTES || root.toString('base64') !== hash) throw new Error('not a checkpoint')
  return { origin, size: Number(size), root, text, signatures }
}
