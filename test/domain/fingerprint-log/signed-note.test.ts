import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkpointText, readCheckpoint, signCheckpoint } from '#domain/fingerprint-log/checkpoint.ts'
import { logEntry } from '#domain/fingerprint-log/entry.ts'
import { inclusionText } from '#domain/fingerprint-log/inclusion.ts'
import {
  cosignedAt,
  NOTE_KEY_TYPES,
  noteKeyId,
  readNote,
  readVerifierKey,
  signatureLine,
  signsNote,
} from '#domain/fingerprint-log/signed-note.ts'
import { verifierKey } from '#test/support/verifier-key.ts'

/** Output of golang.org/x/mod/sumdb/note for the Ed25519 seed of 32 sevens. */
const GO_KEY = 'weather.example.com/log+b548ced1+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs'
const GO_NOTE = `weather.example.com/log
3
qSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi0sFodV/s=

\u2014 weather.example.com/log tUjO0Tq2EUsnbz3Dn1dSa+tVjkeXbHFADjy3YlSsGA+7uv7RO/mBOtlvIz3gXB1BfkdFdWtPs6//hAKMZIUV/XspoQo=
`

/** PKCS 8 of an Ed25519 key is these bytes followed by its seed (RFC 8410). */
const seeded = (seed: number) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)]),
    format: 'der',
    type: 'pkcs8',
  })

const checkpoint = {
  origin: 'weather.example.com/log',
  size: 3,
  root: Buffer.from('qSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi0sFodV/s=', 'base64'),
  ended: [],
}

test('a checkpoint and its key equal those of another implementation, byte for byte', () => {
  const key = seeded(7)
  expect(signCheckpoint(checkpoint, key)).toBe(GO_NOTE)
  expect(verifierKey({ name: checkpoint.origin, type: NOTE_KEY_TYPES.ed25519, key })).toBe(GO_KEY)
})

test('reads a checkpoint as signed, and rejects another key or another text', () => {
  const { origin, size, root, ended, text, signatures } = readCheckpoint(GO_NOTE)
  expect({ origin, size, root, ended }).toEqual(checkpoint)
  expect(text).toBe(checkpointText(checkpoint))
  const [line] = signatures
  if (!line) throw new Error('no signature was read')
  const known = readVerifierKey(GO_KEY)
  expect(signsNote(text, line, known)).toBe(true)
  expect(signsNote(text.replace('\n3\n', '\n4\n'), line, known)).toBe(false)
  expect(signsNote(text, line, { ...known, name: 'weather.example.com/other' })).toBe(false)
  expect(signsNote(text, line, { ...known, key: createPublicKey(seeded(8)) })).toBe(false)
})

test.each([
  ['no signature', GO_NOTE.slice(0, GO_NOTE.indexOf('\u2014'))],
  ['no empty line', GO_NOTE.replace('\n\n', '\n')],
  ['a signature that is cut', GO_NOTE.slice(0, -4)],
  ['base64 that is not canonical', GO_NOTE.replace('XspoQo=', 'XspoQp=')],
  ['a control character', GO_NOTE.replace('log\n', 'log\r\n')],
  ['a size with a leading zero', GO_NOTE.replace('\n3\n', '\n03\n')],
  ['a root that is too short', GO_NOTE.replace('qSp5O8n9', 'qSp5')],
  ['no size', GO_NOTE.replace('\n3\n', '\n')],
  ['a plus sign in its name', GO_NOTE.replace('\u2014 weather', '\u2014 wea+ther')],
])('a note with %s is not a checkpoint', (_what, note) => {
  expect(() => readCheckpoint(note)).toThrow(/^not /)
})

test.each(['', 'name', GO_KEY.replace('b548ced1', 'b548ced2'), GO_KEY.replace('+Aep', '+Bep'), `${GO_KEY} `])(
  '%j is not a verifier key',
  (text) => {
    expect(() => readVerifierKey(text)).toThrow('not a verifier key')
  },
)

test('the text of a note ends at its last empty line', () => {
  const { text, signatures } = readNote(`one\n\ntwo\n\n${GO_NOTE.slice(GO_NOTE.indexOf('\u2014'))}`)
  expect(text).toBe('one\n\ntwo\n')
  expect(signatures).toHaveLength(1)
})

test("a witness's cosignature signs time and text with its own key", () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const witness = { name: 'witness.example/w1', type: NOTE_KEY_TYPES.cosignature, key: publicKey }
  const text = checkpointText(checkpoint)
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(1_790_000_000n)
  const signature = Buffer.concat([time, sign(null, Buffer.from(`cosignature/v1\ntime 1790000000\n${text}`), privateKey)])
  const line = { name: witness.name, key_id: noteKeyId(witness), signature }
  expect(cosignedAt(text, line, witness)).toBe(1_790_000_000)
  expect(signsNote(text, line, readVerifierKey(verifierKey(witness)))).toBe(true)
  expect(cosignedAt(`${text}more\n`, line, witness)).toBeNull()
  expect(cosignedAt(text, { ...line, signature: Buffer.alloc(72, 255) }, witness)).toBeNull()
  const [read] = readNote(`${text}\n${signatureLine(line)}`).signatures
  expect(read).toEqual(line)
})

test('a proof is one text with the salt as extra data', () => {
  const [hash, salt] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
  expect(inclusionText({ index: 12, inclusion_proof: [hash, salt], checkpoint: GO_NOTE, salt, timestamp: null })).toBe(
    `c2sp.org/tlog-proof@v1\nextra ${salt}\nindex 12\n${hash}\n${salt}\n\n${GO_NOTE}`,
  )
})

test('an entry is the documented hash, and another salt gives another entry', () => {
  const fingerprint = '58fe727052c520a9'.repeat(4)
  // sha256sum of 'weather-report-log/1\n', 32 bytes 01 and the bytes of the fingerprint.
  expect(logEntry(Buffer.alloc(32, 1), fingerprint).toString('hex')).toBe(
    '653ccd9ccd545b2e0c7316d180e0ede939623997d57a94fd1871d48ee40ea379',
  )
  expect(logEntry(Buffer.alloc(32, 2), fingerprint)).not.toEqual(logEntry(Buffer.alloc(32, 1), fingerprint))
})
