import { type NoteKey, noteKeyId, rawPublicKey } from '#domain/fingerprint-log/signed-note.ts'

/** "name+0123abcd+base64": the form in which such a key is published. */
export function verifierKey(key: NoteKey): string {
  const material = Buffer.concat([Buffer.from([key.type]), rawPublicKey(key.key)])
  return `${key.name}+${noteKeyId(key).toString('hex')}+${material.toString('base64')}`
}
