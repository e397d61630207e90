import { createHash, type KeyObject, webcrypto, type X509Certificate } from 'node:crypto'
import { ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import {
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs'
import { present } from '#domain/kernel/present.ts'
import type { DocumentKey } from '#domain/reports/signing/document-key.ts'

const DATA = '1.2.840.113549.1.7.1'
const SIGNED_DATA = '1.2.840.113549.1.7.2'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
/** RFC 5035: binds the certificates to the signature, so that none of their bytes can be changed. */
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'

/**
 * Returns the detached CMS signature of PAdES baseline B-B (ETSI EN 319 142-1), as DER. Content type, message digest and signing
 * certificate are signed attributes; the time of signing is in the document's signature dictionary.
 */
export async function padesSignature({ certificates, private_key }: DocumentKey, content: Buffer): Promise<Buffer> {
  const chain = certificates.map(parsed)
  const leaf = present(chain[0])
  const info = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer: leaf.issuer, serialNumber: leaf.serialNumber }),
    signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes: signedAttributes(certificates, content) }),
  })
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: DATA }),
    certificates: chain,
    signerInfos: [info],
  })
  await signed.sign(await signingKey(private_key), 0, 'SHA-256')
  return Buffer.from(new ContentInfo({ contentType: SIGNED_DATA, content: signed.toSchema(true) }).toSchema().toBER())
}

const parsed = ({ raw }: X509Certificate) => Certificate.fromBER(Uint8Array.from(raw).buffer)

/** Sorted by their encodings, as DER requires for the members of a set. */
function signedAttributes(certificates: DocumentKey['certificates'], content: Buffer): Attribute[] {
  const attributes = [
    new Attribute({ type: CONTENT_TYPE, values: [new ObjectIdentifier({ value: DATA })] }),
    new Attribute({ type: MESSAGE_DIGEST, values: [octets(sha256(content))] }),
    // The hash algorithm is left out if it is SHA-256, the default.
    new Attribute({
      type: SIGNING_CERTIFICATE_V2,
      values: [sequence(sequence(...certificates.map(({ raw }) => sequence(octets(sha256(raw))))))],
    }),
  ]
  const encoded = (attribute: Attribute) => Buffer.from(attribute.toSchema().toBER())
  return attributes.sort((one, other) => Buffer.compare(encoded(one), encoded(other)))
}

const sequence = (...value: (Sequence | OctetString)[]) => new Sequence({ value })

const octets = (bytes: Buffer) => new OctetString({ valueHex: Uint8Array.from(bytes).buffer })

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

const CURVES: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }

/** Imports the key for the signing library. RSA signs by PKCS #1 v1.5, which every reader supports. */
function signingKey(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const curve = key.asymmetricKeyDetails?.namedCurve
  const algorithm = curve ? { name: 'ECDSA', namedCurve: present(CURVES[curve]) } : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  return webcrypto.subtle.importKey('pkcs8', key.export({ format: 'der', type: 'pkcs8' }), algorithm, false, ['sign'])
}
