import type { App } from '#domain/app.ts'
import { readCheckpoint } from '#domain/fingerprint-log/checkpoint.ts'
import { consistencyRanges } from '#domain/fingerprint-log/merkle.ts'
import { readHashes } from '#domain/fingerprint-log/read.ts'
import {
  cosignedAt,
  NOTE_KEY_TYPES,
  type NoteKey,
  noteKeyId,
  readSignatureLines,
  readVerifierKey,
  signatureLine,
} from '#domain/fingerprint-log/signed-note.ts'
import type { WitnessSetting } from '#domain/kernel/setting-types.ts'

type WitnessDeps = Pick<App, 'pool' | 'config' | 'http' | 'clock' | 'log'>

/** A cosignature is about 100 bytes; a witness may have several keys. */
const ANSWER_BYTES_MAX = 16 * 1024
/** A witness writes one row, and a document may be waiting for it. */
const ANSWER_MS = 5000
/** The most that a witness's clock may be ahead of ours. */
const AHEAD_SECONDS = 600
const CONFLICT = 409

/** A checkpoint to be cosigned. */
interface Checkpoint {
  size: number
  text: string
  note: string
}

/**
 * Asks a witness to cosign a checkpoint (c2sp.org/tlog-witness), and stores the signature line.
 * @throws Error with the reason if it did not; a response is not trusted before its signature is verified
 */
export async function askWitness(app: WitnessDeps, setting: WitnessSetting, note: string): Promise<void> {
  const key = witnessKey(setting)
  const { size, text } = readCheckpoint(note)
  const known = await app.pool.query<{ size: number | null }>({
    name: 'log.cosigned',
    text: 'SELECT max(size)::float8 AS size FROM fingerprint_log_cosignatures WHERE witness = $1',
    values: [key.name],
  })
  const last = known.rows[0]?.size ?? 0
  if (last >= size) return
  const checkpoint = { size, text, note }
  const conflict = await postCheckpoint(app, setting, key, checkpoint, last)
  if (conflict === null) return
  // Another process may have had this very checkpoint cosigned a moment ago: the witness then names its size, and cosigns it again.
  const again = await postCheckpoint(app, setting, key, checkpoint, conflict)
  if (again === null) return
  throw new Error(
    again === conflict ? `it has cosigned ${again} entries of a different tree` : 'it states a different size at every request',
  )
}

/** @throws Error if the setting is not a key of a witness */
function witnessKey({ verifier_key }: WitnessSetting): NoteKey {
  const key = readVerifierKey(verifier_key)
  if (key.type !== NOTE_KEY_TYPES.cosignature) throw new Error('the key is not a witness key')
  return key
}

/** @returns the size that the witness saw last, if that or its tree differs from ours at `old`; null once it has cosigned */
async function postCheckpoint(
  app: WitnessDeps,
  { url }: WitnessSetting,
  key: NoteKey,
  checkpoint: Checkpoint,
  old: number,
): Promise<number | null> {
  const proof = await readHashes(app.pool, consistencyRanges(old, checkpoint.size))
  const lines = [`old ${old}`, ...proof.map((hash) => hash.toString('base64'))]
  const { status, body } = await app.http.post(`${url}/add-checkpoint`, Buffer.from(`${lines.join('\n')}\n\n${checkpoint.note}`, 'utf8'), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    timeout_ms: ANSWER_MS,
    max_bytes: ANSWER_BYTES_MAX,
  })
  if (status === CONFLICT) return readConflictSize(body, checkpoint.size)
  if (status !== 200) throw new Error(`it responded with ${status}`)
  await storeCosignature(app, key, checkpoint, body.toString('utf8'))
  return null
}

/**
 * Reads the size from a conflict. If the witness has seen more entries than there are, the log lost entries or somebody else
 * signs with its key.
 */
function readConflictSize(body: Buffer, size: number): number {
  const [, digits] = /^(0|[1-9]\d{0,12})\n$/.exec(body.toString('utf8')) ?? []
  if (digits === undefined) throw new Error('it responded with a conflict without a size')
  if (Number(digits) > size) throw new Error(`it has seen ${digits} entries of this log, which has ${size}`)
  return Number(digits)
}

async function storeCosignature({ pool, clock }: WitnessDeps, key: NoteKey, { size, text }: Checkpoint, lines: string): Promise<void> {
  const id = noteKeyId(key)
  const line = readSignatureLines(lines).find(({ name, key_id }) => name === key.name && key_id.equals(id))
  const at = line && cosignedAt(text, line, key)
  if (!line || at === undefined || at === null) throw new Error('its response has no cosignature by its own key')
  const now = clock.now()
  if (at > now.getTime() / 1000 + AHEAD_SECONDS) throw new Error('its cosignature has a time in the future')
  await pool.query({
    name: 'log.cosign',
    text: 'INSERT INTO fingerprint_log_cosignatures (size, witness, line, at) VALUES ($1::bigint, $2, $3, $4) ON CONFLICT DO NOTHING',
    values: [size, key.name, signatureLine(line), new Date(at * 1000)],
  })
}
