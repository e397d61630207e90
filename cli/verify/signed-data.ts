import { createHash, type KeyObject, verify, X509Certificate } from 'node:crypto'
import { type Der, readDer, readFirst } from './der.ts'

/**
 * Checks a detached CMS signature in the only format that the service writes (PAdES baseline B-B): version 1, SHA-256, one signer, signed
 * attributes that bind content and certificates, no unsigned attributes. Every byte is either compared or covered by the signature.
 * @returns the signer's certificate
 * @throws Error with the fault, in words that follow "its signature"
 */
export function checkSignedData(cms: Buffer, content: Buffer): X509Certificate {
  const [type, wrapped] = childrenOf(readFirst(cms), SEQUENCE, 2)
  const [signed] = childrenOf(wrapped, CONTEXT_0, 1)
  const [version, digests, contained, certificates, signers] = childrenOf(signed, SEQUENCE, 5)
  const [signer] = childrenOf(signers, SET, 1)
  const [signer_version, issued, digest, attributes, algorithm, signature] = childrenOf(signer, SEQUENCE, 6)
  const chain = readDer(bodyOf(certificates, CONTEXT_0))
  const [leaf] = chain
  requireSame(type, OID.signed_data)
  requireSame(version, ONE)
  requireSame(signer_version, ONE)
  requireSame(childrenOf(digests, SET, 1)[0], OID.sha256, OID.sha256_null)
  requireSame(digest, OID.sha256, OID.sha256_null)
  requireSame(childrenOf(contained, SEQUENCE, 1)[0], OID.data)
  if (!leaf || !Buffer.concat(issuerAndSerial(leaf)).equals(bodyOf(issued, SEQUENCE))) throw new Error('names another certificate')

  const values = attributesOf(attributes)
  requireSame(values.get(OID.content_type), OID.data)
  if (!bodyOf(values.get(OID.message_digest), OCTETS).equals(sha256(content))) throw new Error('does not match the bytes of the file')
  requireCertificates(values.get(OID.signing_certificate), chain)
  const certificate = new X509Certificate(leaf.raw)
  requireSame(algorithm, ...algorithmsOf(certificate.publicKey))
  // The signature covers the attributes with the tag of a set, which they do not have here.
  const bytes = Buffer.concat([Buffer.from([SET]), attributes.raw.subarray(1)])
  if (!verify('sha256', bytes, certificate.publicKey, bodyOf(signature, OCTETS)))
    throw new Error('was not made with the key of its certificate')
  return certificate
}

const SEQUENCE = 0x30
const SET = 0x31
const OCTETS = 0x04
const CONTEXT_0 = 0xa0
/** The integer 1. */
const ONE = '020101'

/** Whole encoded values in hex, as in a signature. */
const OID = {
  data: '06092a864886f70d010701',
  signed_data: '06092a864886f70d010702',
  content_type: '06092a864886f70d010903',
  message_digest: '06092a864886f70d010904',
  signing_certificate: '060b2a864886f70d010910022f',
  sha256: '300b0609608648016503040201',
  sha256_null: '300d06096086480165030402010500',
  rsa: ['300d06092a864886f70d0101010500', '300d06092a864886f70d01010b0500'],
  ecdsa: ['300a06082a8648ce3d040302'],
} as const

const algorithmsOf = ({ asymmetricKeyType }: KeyObject) => (asymmetricKeyType === 'rsa' ? OID.rsa : OID.ecdsa)

/** @throws Error if the value has another tag, or another number of children */
function childrenOf<N extends number>(value: Der | undefined, tag: number, count: N): Tuple<N> {
  const children = readDer(bodyOf(value, tag))
  if (children.length !== count) throw new Error('has an unknown format')
  return children as Tuple<N>
}

type Tuple<N extends number, T extends Der[] = []> = T['length'] extends N ? T : Tuple<N, [...T, Der]>

function bodyOf(value: Der | undefined, tag: number): Buffer {
  if (value?.tag !== tag) throw new Error('has an unknown format')
  return value.body
}

function requireSame(value: Der | undefined, ...expected: readonly string[]): void {
  if (!value || !expected.includes(value.raw.toString('hex'))) throw new Error('has an unknown format')
}

/** Returns the attributes by their names. @throws Error if an attribute has several values or appears twice */
function attributesOf(attributes: Der): Map<string, Der> {
  const pairs = readDer(bodyOf(attributes, CONTEXT_0)).map((attribute): [string, Der] => {
    const [name, values] = childrenOf(attribute, SEQUENCE, 2)
    return [name.raw.toString('hex'), childrenOf(values, SET, 1)[0]]
  })
  const map = new Map(pairs)
  if (map.size !== pairs.length) throw new Error('has an unknown format')
  return map
}

/** @throws Error unless the signed attribute contains the hash of every certificate, in the order of the certificates */
function requireCertificates(attribute: Der | undefined, chain: Der[]): void {
  const [named] = childrenOf(attribute, SEQUENCE, 1)
  const hashes = readDer(bodyOf(named, SEQUENCE)).map((one) => bodyOf(childrenOf(one, SEQUENCE, 1)[0], OCTETS))
  const same = hashes.length === chain.length && chain.every(({ raw }, at) => sha256(raw).equals(hashes[at] as Buffer))
  if (!same) throw new Error('names another certificate')
}

/** Returns issuer and serial number of a certificate. Its fields (RFC 5280): [version], serial number, algorithm, issuer, ... */
function issuerAndSerial(certificate: Der): Buffer[] {
  const [facts] = childrenOf(certificate, SEQUENCE, 3)
  const [, serial, , issuer] = readDer(bodyOf(facts, SEQUENCE))
  if (!serial || !issuer) throw new Error('has an unknown format')
  return [issuer.raw, serial.raw]
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
