import { createHash, verify, X509Certificate } from 'node:crypto'
import { nameIn } from '../verify/certificate-name.ts'
import { type Der, readDer, readFirst } from '../verify/der.ts'

/** A timestamp of a text (RFC 3161), signed by its own certificate. It cannot show whether its authority is trustworthy. */
export interface Timestamp {
  at: Date
  /** Name of the authority in its certificate. */
  authority: string
  /** Issuer of the last certificate in it. */
  certified_by: string
}

/**
 * Verifies a TimeStampToken: that it is for this text, that the certificate it names signed it, that this certificate is for timestamping
 * and was valid then, and that each certificate in it was signed by the next.
 * @returns null if it uses unknown algorithms
 * @throws Error with the fault, in words that follow "the attached time stamp"
 */
export function readTimestamp(token: Buffer, text: string): Timestamp | null {
  const { content, certificates, signer } = partsOf(token)
  if (!usesKnown(content, signer)) return null
  const at = stampedAt(content, text)
  const certificate = checkSigner(signer, content, certificates)
  if (!certificate.keyUsage?.includes(TIME_STAMPING)) throw new Error('is signed with a certificate that is not for time stamping')
  if (at < new Date(certificate.validFrom) || at > new Date(certificate.validTo))
    throw new Error('has a time at which its certificate was not valid')
  return { at, authority: nameIn(certificate.subject), certified_by: nameIn(endOfChain(certificate, certificates).issuer) }
}

const SEQUENCE = 0x30
const SET = 0x31
const OCTETS = 0x04
const OBJECT_ID = 0x06
const GENERALIZED_TIME = 0x18
const CONTEXT_0 = 0xa0
/** id-kp-timeStamping (RFC 3161, 2.3). */
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'

/** Object identifiers in hex, as their bytes are. */
const SIGNED_DATA = '2a864886f70d010702'
const TST_INFO = '2a864886f70d0109100104'
const CONTENT_TYPE = '2a864886f70d010903'
const MESSAGE_DIGEST = '2a864886f70d010904'
const SIGNING_CERTIFICATE = '2a864886f70d010910020c'
const SIGNING_CERTIFICATE_V2 = '2a864886f70d010910022f'
const digests: Record<string, string> = { '608648016503040201': 'sha256', '608648016503040202': 'sha384', '608648016503040203': 'sha512' }
/** Digests of signature algorithms; null for rsaEncryption, whose digest is stated separately. */
const signatures: Record<string, string | null> = {
  '2a864886f70d010101': null,
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
}

interface Parts {
  /** TSTInfo, DER. */
  content: Buffer
  certificates: X509Certificate[]
  /** The values of SignerInfo. */
  signer: Der[]
}

function partsOf(token: Buffer): Parts {
  const info = readFirst(token)
  if (info.raw.length !== token.length) throw unreadable()
  const [type, wrapped] = readDer(bodyOf(info, SEQUENCE))
  if (idOf(type) !== SIGNED_DATA) throw unreadable()
  const [, , encapsulated, ...rest] = readDer(bodyOf(readFirst(bodyOf(wrapped, CONTEXT_0)), SEQUENCE))
  const [kind, content] = readDer(bodyOf(encapsulated, SEQUENCE))
  if (idOf(kind) !== TST_INFO) throw unreadable()
  const signers = readDer(bodyOf(rest.at(-1), SET))
  if (signers.length !== 1) throw unreadable()
  return {
    content: bodyOf(readFirst(bodyOf(content, CONTEXT_0)), OCTETS),
    certificates: readDer(bodyOf(rest[0], CONTEXT_0)).map(({ raw }) => new X509Certificate(raw)),
    signer: readDer(bodyOf(signers[0], SEQUENCE)),
  }
}

const unreadable = () => new Error('is not an RFC 3161 time stamp that contains its certificate')

function bodyOf(value: Der | undefined, tag: number): Buffer {
  if (value?.tag !== tag) throw unreadable()
  return value.body
}

const idOf = (value: Der | undefined) => bodyOf(value, OBJECT_ID).toString('hex')

const NO_PARAMETERS = '0500'

/** Returns the identifier of an algorithm; empty if it has parameters, which no supported algorithm has. */
function algorithmOf(value: Der | undefined): string {
  const [id, parameters] = readDer(bodyOf(value, SEQUENCE))
  return !parameters || parameters.raw.toString('hex') === NO_PARAMETERS ? idOf(id) : ''
}

function usesKnown(content: Buffer, [, , digest, , algorithm]: Der[]): boolean {
  const [, , imprint] = readDer(bodyOf(readFirst(content), SEQUENCE))
  const [hashed] = readDer(bodyOf(imprint, SEQUENCE))
  return algorithmOf(hashed) in digests && algorithmOf(digest) in digests && algorithmOf(algorithm) in signatures
}

/** Returns the time at which the text was stamped, from the signed content. */
function stampedAt(content: Buffer, text: string): Date {
  const [, , imprint, , time] = readDer(bodyOf(readFirst(content), SEQUENCE))
  const [algorithm, hash] = readDer(bodyOf(imprint, SEQUENCE))
  const digest = known(digests, algorithmOf(algorithm))
  if (!bodyOf(hash, OCTETS).equals(createHash(digest).update(text, 'utf8').digest())) throw new Error('is for another checkpoint')
  const [, year, month, day, hour, minute, second, fraction = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(bodyOf(time, GENERALIZED_TIME).toString('latin1')) ?? []
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`)
  if (Number.isNaN(at.getTime())) throw unreadable()
  return at
}

/** @returns the certificate that signed, by the hash that the signature covers */
function checkSigner(
  [, , digest_algorithm, signed, algorithm, signature]: Der[],
  content: Buffer,
  certificates: X509Certificate[],
): X509Certificate {
  const digest = known(digests, algorithmOf(digest_algorithm))
  const attributes = new Map(
    readDer(bodyOf(signed, CONTEXT_0)).map((attribute): [string, Buffer] => {
      const [name, values] = readDer(bodyOf(attribute, SEQUENCE))
      return [idOf(name), bodyOf(values, SET)]
    }),
  )
  const attributeOf = (name: string, tag: number) => bodyOf(readFirst(attributes.get(name) ?? Buffer.alloc(0)), tag)
  if (attributeOf(CONTENT_TYPE, OBJECT_ID).toString('hex') !== TST_INFO) throw unreadable()
  if (!attributeOf(MESSAGE_DIGEST, OCTETS).equals(createHash(digest).update(content).digest()))
    throw new Error('was changed after it was signed')
  const certificate = certificates.find((one) => isNamed(one, attributes))
  if (!certificate || !signed) throw new Error('is signed with a certificate that it does not contain')
  // The signature covers the attributes with the tag of a set, which they do not have here.
  const bytes = Buffer.concat([Buffer.from([SET]), signed.raw.subarray(1)])
  const by = known(signatures, algorithmOf(algorithm)) ?? digest
  if (!verify(by, bytes, certificate.publicKey, bodyOf(signature, OCTETS))) throw new Error('is not signed with the key of its certificate')
  return certificate
}

/** Whether the signed attributes name this certificate, by its SHA-1 (RFC 2634) or the hash that they state (RFC 5035). */
function isNamed({ raw }: X509Certificate, attributes: Map<string, Buffer>): boolean {
  const value = attributes.get(SIGNING_CERTIFICATE_V2) ?? attributes.get(SIGNING_CERTIFICATE)
  if (!value) return false
  const [list] = readDer(bodyOf(readFirst(value), SEQUENCE))
  const [first, second] = readDer(bodyOf(readFirst(bodyOf(list, SEQUENCE)), SEQUENCE))
  const usual = attributes.has(SIGNING_CERTIFICATE_V2) ? 'sha256' : 'sha1'
  const [digest, hash] = first?.tag === OCTETS ? [usual, first] : [known(digests, algorithmOf(first)), second]
  return bodyOf(hash, OCTETS).equals(createHash(digest).update(raw).digest())
}

/** Follows the chain from a certificate through the others, and returns the last one. */
function endOfChain(certificate: X509Certificate, others: X509Certificate[]): X509Certificate {
  let end = certificate
  for (const _step of others) {
    const issuer = others.find((other) => other.fingerprint256 !== end.fingerprint256 && end.checkIssued(other))
    if (!issuer) return end
    if (!end.verify(issuer.publicKey)) throw new Error(`contains a certificate that ${nameIn(issuer.subject)} did not sign`)
    end = issuer
  }
  return end
}

function known<Value>(names: Record<string, Value>, id: string): Value {
  const name = names[id]
  if (name === undefined) throw unreadable()
  return name
}
