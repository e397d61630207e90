import { generateKeyPair, randomBytes, webcrypto, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { BitString, Integer, Utf8String } from 'asn1js'
import { AttributeTypeAndValue, BasicConstraints, Certificate, Extension, Time } from 'pkijs'
import { present } from '#domain/kernel/present.ts'
import type { DocumentKey } from '#domain/reports/signing/document-key.ts'
import { keyIdOf } from '#domain/reports/signing/key-id.ts'

/** Longer than disputes about a document last. A reader judges the key by the published list, not by this date. */
const VALID_YEARS = 20
/** RFC 5280 allows 20; 16 random bytes are unique in practice. */
const SERIAL_BYTES = 16
const COMMON_NAME = '2.5.4.3'
const NAME_MAX = 64
const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'
/** Bits 0 and 1: digital signature, content commitment. */
const SIGNS_CONTENT = new Uint8Array([0b1100_0000])

/**
 * Makes a key (ECDSA P-256) and a self-signed certificate, for an install whose operator has none.
 * @param name what readers show as the signer: a common name of at most 64 characters (RFC 5280)
 */
export async function makeDocumentKey(name: string, now: Date): Promise<DocumentKey> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'prime256v1' })
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' })
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  const signing = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
  const verifying = await webcrypto.subtle.importKey('spki', spki, algorithm, true, ['verify'])

  const certificate = new Certificate({ version: 2, serialNumber: new Integer({ valueHex: serialNumber() }) })
  certificate.issuer.typesAndValues = subjectOf(name)
  certificate.subject.typesAndValues = subjectOf(name)
  certificate.notBefore = new Time({ value: now })
  certificate.notAfter = new Time({ value: yearsAfter(now) })
  certificate.extensions = [
    extension(BASIC_CONSTRAINTS, new BasicConstraints({ cA: false }).toSchema().toBER()),
    extension(KEY_USAGE, new BitString({ valueHex: SIGNS_CONTENT.buffer, unusedBits: 6 }).toBER()),
  ]
  await certificate.subjectPublicKeyInfo.importKey(verifying)
  await certificate.sign(signing, 'SHA-256')
  return {
    key_id: keyIdOf(publicKey),
    certificates: [new X509Certificate(Buffer.from(certificate.toSchema().toBER()))],
    private_key: privateKey,
  }
}

const subjectOf = (name: string) => [
  new AttributeTypeAndValue({ type: COMMON_NAME, value: new Utf8String({ value: name.slice(0, NAME_MAX) }) }),
]

const extension = (extnID: string, extnValue: ArrayBuffer) => new Extension({ extnID, critical: true, extnValue })

/** Positive, and of constant length: its first byte is never zero. */
function serialNumber(): ArrayBuffer {
  const bytes = Uint8Array.from(randomBytes(SERIAL_BYTES))
  bytes[0] = (present(bytes[0]) & 0x7f) | 0x40
  return bytes.buffer
}

function yearsAfter(now: Date): Date {
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() + VALID_YEARS)
  return end
}
