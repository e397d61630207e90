import type { KeyObject } from 'node:crypto'
import { HASH_BYTES } from '#domain/fingerprint-log/merkle.ts'
import { readNote, type SignatureLine, signNote } from '#domain/fingerprint-log/signed-note.ts'

/** A log's name, size and root. */
export interface LogHead {
  /** The permanent name of the log. */
  origin: string
  size: number
  root: Buffer
}

/** The state of a log: its number of leaves and their root (c2sp.org/tlog-checkpoint). */
export interface Checkpoint extends LogHead {
  /** The last known state of each log that the service ended before this one, the latest last. Nothing proves that this one extends them. */
  ended: readonly LogHead[]
}

/** Returns the text that a checkpoint signs: origin, size and root (C2SP tlog-checkpoint), then a line for each log that ended. */
export function checkpointText({ origin, size, root, ended }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n${ended.map(endedLine).join('')}`
}

/** The extension line of a checkpoint for a log that has ended. */
export const endedLine = ({ origin, size, root }: LogHead) => `ended ${origin} ${size} ${root.toString('base64')}\n`

/** Returns the checkpoint as it is served: its text and the log's signature. */
export function signCheckpoint(checkpoint: Checkpoint, key: KeyObject): string {
  const text = checkpointText(checkpoint)
  return `${text}\n${signNote(text, checkpoint.origin, key)}`
}

/** Reads a checkpoint. The caller still has to verify its signatures. @throws Error if the note is not a checkpoint */
export function readCheckpoint(note: string): Checkpoint & { text: string; signatures: SignatureLine[] } {
  const { text, signatures } = readNote(note)
  const [, origin, size, hash = '', extensions = ''] =
    /^([^\n]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n((?:[^\n]+\n)*)$/.exec(text) ?? []
  if (origin === undefined) throw new Error('not a checkpoint')
  return { origin, size: Number(size), root: rootFrom(hash), ended: endedIn(extensions), text, signatures }
}

function rootFrom(base64: string): Buffer {
  const root = Buffer.from(base64, 'base64')
  if (root.length !== HASH_BYTES || root.toString('base64') !== base64) throw new Error('not a checkpoint')
  return root
}

function endedIn(extensions: string): LogHead[] {
  const lines = extensions.matchAll(/^ended ([^\s+]+) (0|[1-9]\d{0,15}) ([A-Za-z0-9+/]{43}=)$/gm)
  return [...lines].map(([, origin = '', size, root = '']) => ({ origin, size: Number(size), root: rootFrom(root) }))
}
