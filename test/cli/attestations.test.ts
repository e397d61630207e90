import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOTE_KEY_TYPES, noteKeyId, signatureLine, signNote } from '#domain/fingerprint-log/signed-note.ts'
import { verifierKey } from '#test/support/verifier-key.ts'
import { readCheckpoint } from '../../cli/log/checkpoint.ts'
import { readTimestamp } from '../../cli/log/timestamp.ts'
import { cosignatureBy, readWitness } from '../../cli/log/witness.ts'

const TEXT = `weather.example.com/log\n7\n${createHash('sha256').update('root').digest('base64')}\n`
let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'weather-stamps-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const at = (name: string) => path.join(folder, name)
const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder })

const keys = { rsa: ['rsa:2048'], ec: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] }

/** Makes an OpenSSL time-stamp authority with its own root; returns its token over a text. */
function stamped(
  text: string,
  { name, key = 'rsa', digest = 'sha256', usage = 'timeStamping', chain = true }: Partial<Authority> & { name: string },
): Buffer {
  writeFileSync(
    at(`${name}.cnf`),
    `[req]\ndistinguished_name=dn\nprompt=no\n[dn]\nCN=Authority ${name}\n[root]\nbasicConstraints=critical,CA:true\n[tsa]\nextendedKeyUsage=critical,${usage}\n
[tsa_config]\nserial=${at(`${name}.serial`)}\ncrypto_device=builtin\nsigner_cert=${at(`${name}.crt`)}\nsigner_key=${at(`${name}.key`)}\n${chain ? `certs=${at(`${name}.root.crt`)}\n` : ''}signer_digest=${digest}\ndefault_policy=1.2.3.4\ndigests=sha256\ness_cert_id_alg=${digest === 'sha256' ? 'sha256' : 'sha1'}\n`,
  )
  writeFileSync(at(`${name}.serial`), '01\n')
  writeFileSync(at('text'), text)
  const config = ['-config', at(`${name}.cnf`)]
  openssl(
    'req',
    '-x509',
    '-newkey',
    ...keys[key],
    '-nodes',
    '-days',
    '30',
    ...config,
    '-extensions',
    'root',
    '-subj',
    `/CN=Root ${name}`,
    '-keyout',
    at(`${name}.root.key`),
    '-out',
    at(`${name}.root.crt`),
  )
  openssl('req', '-newkey', ...keys[key], '-nodes', ...config, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`))
  openssl(
    'x509',
    '-req',
    '-in',
    at(`${name}.csr`),
    '-CA',
    at(`${name}.root.crt`),
    '-CAkey',
    at(`${name}.root.key`),
    '-days',
    '30',
    '-extfile',
    at(`${name}.cnf`),
    '-extensions',
    'tsa',
    '-out',
    at(`${name}.crt`),
  )
  openssl('ts', '-query', '-data', at('text'), '-sha256', '-cert', '-out', at('query'))
  openssl('ts', '-reply', ...config, '-section', 'tsa_config', '-queryfile', at('query'), '-token_out', '-out', at(`${name}.token`))
  return readFileSync(at(`${name}.token`))
}

interface Authority {
  key: keyof typeof keys
  digest: string
  usage: string
  chain: boolean
}

describe('a time stamp', () => {
  it.each([
    { name: 'one', certified_by: 'Root one' },
    { name: 'two', key: 'ec', digest: 'sha384', certified_by: 'Root two' },
    { name: 'three', digest: 'sha512', chain: false, certified_by: 'Root three' },
  ] as const)('of OpenSSL’s authority $name is read correctly: who, when, and who certified it', ({ certified_by, ...authority }) => {
    const startedAt = Math.floor(Date.now() / 1000) * 1000
    const stamp = readTimestamp(stamped(TEXT, authority), TEXT)
    expect(stamp).toEqual({ at: expect.any(Date), authority: `Authority ${authority.name}`, certified_by })
    expect(stamp?.at.getTime()).toBeGreaterThanOrEqual(startedAt)
    expect(stamp?.at.getTime()).toBeLessThanOrEqual(Date.now())
  })

  it('of another text, by a certificate for another purpose, or of other bytes is refused', () => {
    const token = stamped(TEXT, { name: 'four' })
    expect(() => readTimestamp(token, TEXT.replace('\n7\n', '\n8\n'))).toThrow('is for another checkpoint')
    // OpenSSL refuses to stamp with such a certificate: its own check of the signer is for the purpose.
    expect(() => stamped(TEXT, { name: 'five', usage: 'codeSigning' })).toThrow()
    for (const other of [Buffer.alloc(0), Buffer.alloc(200, 0x30), token.subarray(0, -1), Buffer.concat([token, Buffer.alloc(1)])])
      expect(() => readTimestamp(other, TEXT)).toThrow()
  })

  it('is refused if any one bit is flipped in the stamped text, the signed data, or the signature', () => {
    const token = stamped(TEXT, { name: 'six', chain: false })
    const info = token.indexOf(createHash('sha256').update(TEXT).digest())
    const tail = token.length - 400
    const places = [...Array.from({ length: 32 }, (_, byte) => info + byte), ...Array.from({ length: 400 }, (_, byte) => tail + byte)]
    const accepted = places.filter((place) => {
      const flipped = Buffer.from(token)
      flipped[place] = (flipped[place] as number) ^ (1 << (place % 8))
      try {
        return readTimestamp(flipped, TEXT) !== null
      } catch {
        return false
      }
    })
    expect(accepted).toEqual([])
  })
})

describe('a witness', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const log = generateKeyPairSync('ed25519').privateKey
  const key = { name: 'witness.example/w1', type: NOTE_KEY_TYPES.cosignature, key: publicKey }
  const SECONDS = 1_790_000_000n
  const cosigned = (text = TEXT, by = privateKey, time = SECONDS) => {
    const stamp = Buffer.alloc(8)
    stamp.writeBigUInt64BE(time)
    const signature = Buffer.concat([stamp, sign(null, Buffer.from(`cosignature/v1\ntime ${SECONDS}\n${text}`), by)])
    return readCheckpoint(
      `${TEXT}\n${signNote(TEXT, 'weather.example.com/log', log)}${signatureLine({ name: key.name, key_id: noteKeyId(key), signature })}`,
    )
  }

  it('is identified by its verifier key, and by no other key with its name', () => {
    expect(readWitness(verifierKey(key)).name).toBe('witness.example/w1')
    const other = { ...key, type: NOTE_KEY_TYPES.ed25519 }
    for (const wrong of [verifierKey(other), verifierKey(key).replace('w1', 'w2'), 'witness.example', ''])
      expect(() => readWitness(wrong)).toThrow('is not a verifier key of a witness')
  })

  it('confirms what it cosigned and when; a line that it did not sign is forged, and without a line it confirms nothing', () => {
    const witness = readWitness(verifierKey(key))
    expect(cosignatureBy(witness, cosigned())).toEqual({ state: 'signed', at: new Date(Number(SECONDS) * 1000) })
    expect(cosignatureBy(witness, cosigned(TEXT, log))).toEqual({ state: 'forged' })
    expect(cosignatureBy(witness, cosigned(TEXT.replace('\n7\n', '\n8\n')))).toEqual({ state: 'forged' })
    expect(cosignatureBy(witness, cosigned(TEXT, privateKey, SECONDS + 1n))).toEqual({ state: 'forged' })
    expect(cosignatureBy(witness, cosigned(TEXT, privateKey, 2n ** 63n))).toEqual({ state: 'forged' })
    const otherKey = generateKeyPairSync('ed25519').publicKey
    expect(cosignatureBy(readWitness(verifierKey({ ...key, key: otherKey })), cosigned())).toEqual({ state: 'none' })
  })
})
