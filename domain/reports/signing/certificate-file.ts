import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { CertBag, PFX, PKCS8ShroudedKeyBag, PrivateKeyInfo, type SafeBag } from 'pkijs'
import type { DocumentKey } from '#domain/reports/signing/document-key.ts'
import { keyIdOf } from '#domain/reports/signing/key-id.ts'

/**
 * Reads an operator's certificate and its key from PEM (certificates and one private key in any order) or PKCS #12.
 * @throws Error whose message completes "WEATHER_CERTIFICATE ..."
 */
export async function readCertificateFile(bytes: Buffer, password: string | null, now: Date): Promise<DocumentKey> {
  const { certificates, private_key } = bytes.includes('-----BEGIN ') ? readPem(bytes, password) : await readPkcs12(bytes, password)
  requireUsable(private_key)
  const signer = certificates.find((certificate) => certificate.checkPrivateKey(private_key))
  if (!signer) throw new Error('contains no certificate for its private key')
  if (new Date(signer.validTo) <= now) throw new Error(`contains a certificate that expired on ${dayOf(signer.validTo)}`)
  if (new Date(signer.validFrom) > now) throw new Error(`contains a certificate that is valid only from ${dayOf(signer.validFrom)}`)
  return { key_id: keyIdOf(signer.publicKey), certificates: [signer, ...issuersOf(signer, certificates)], private_key }
}

interface CertificateContents {
  certificates: X509Certificate[]
  private_key: KeyObject
}

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g
const PRIVATE_KEY = /-----BEGIN (?:(?:RSA|EC|ENCRYPTED) )?PRIVATE KEY-----[\s\S]+?-----END (?:(?:RSA|EC|ENCRYPTED) )?PRIVATE KEY-----/

function readPem(bytes: Buffer, password: string | null): CertificateContents {
  const text = bytes.toString('latin1')
  const key = PRIVATE_KEY.exec(text)?.[0]
  if (!key) throw new Error('contains no private key')
  return { certificates: [...text.matchAll(CERTIFICATES)].map(([pem]) => certificateOf(pem)), private_key: openKey(key, password) }
}

function certificateOf(bytes: string | Buffer): X509Certificate {
  try {
    return new X509Certificate(bytes)
  } catch {
    throw new Error('contains a certificate that cannot be read')
  }
}

function openKey(pem: string, password: string | null): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(password !== null && { passphrase: password }) })
  } catch {
    throw new Error('contains a private key that does not open with WEATHER_CERTIFICATE_PASSWORD')
  }
}

async function readPkcs12(bytes: Buffer, password: string | null): Promise<CertificateContents> {
  const bags = await openPkcs12(bytes, password ?? '')
  const values = bags.map(({ bagValue }) => bagValue)
  const certificates = values.flatMap((bag) => (bag instanceof CertBag && bag.parsedValue ? [certificateOf(derOf(bag.parsedValue))] : []))
  const key = values.map((bag) => (bag instanceof PKCS8ShroudedKeyBag ? bag.parsedValue : bag)).find((bag) => bag instanceof PrivateKeyInfo)
  if (!key) throw new Error('contains no private key')
  return { certificates, private_key: createPrivateKey({ key: derOf(key), format: 'der', type: 'pkcs8' }) }
}

const derOf = (value: { toSchema(): { toBER(): ArrayBuffer } }) => Buffer.from(value.toSchema().toBER())

/** Ciphers from before 2020 (3DES, RC2) are not supported: the programs that wrote such files can write AES. */
const OLD_CIPHERS =
  'is neither PEM nor PKCS #12 with AES that opens with WEATHER_CERTIFICATE_PASSWORD; convert an older PKCS #12 file to PEM with: openssl pkcs12 -legacy -in FILE -out FILE.pem'

async function openPkcs12(bytes: Buffer, password: string): Promise<SafeBag[]> {
  try {
    const secret = Uint8Array.from(Buffer.from(password, 'utf8')).buffer
    const file = PFX.fromBER(Uint8Array.from(bytes).buffer)
    await file.parseInternalValues({ password: secret, checkIntegrity: true })
    const safe = file.parsedValue?.authenticatedSafe
    if (!safe) throw new Error('no contents')
    await safe.parseInternalValues({ safeContents: safe.safeContents.map(() => ({ password: secret })) })
    const bags = (safe.parsedValue.safeContents as { value: { safeBags: SafeBag[] } }[]).flatMap(({ value }) => value.safeBags)
    for (const { bagValue } of bags) if (bagValue instanceof PKCS8ShroudedKeyBag) await openBag(bagValue, secret)
    return bags
  } catch {
    throw new Error(OLD_CIPHERS)
  }
}

/** The library's type declarations leave out the method that opens a bag. */
const openBag = (bag: PKCS8ShroudedKeyBag, password: ArrayBuffer) =>
  (bag as unknown as { parseInternalValues(options: { password: ArrayBuffer }): Promise<void> }).parseInternalValues({ password })

const RSA_BITS_MIN = 2048
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1']

/** Requires RSA of 2048 bits or more, or one of NIST's curves: every PDF reader verifies these. */
function requireUsable({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): void {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails
  if (asymmetricKeyType === 'rsa' && modulusLength >= RSA_BITS_MIN) return
  if (asymmetricKeyType === 'ec' && CURVES.includes(namedCurve)) return
  throw new Error('contains a key that PDF readers do not verify: it must be RSA of 2048 bits or more, or ECDSA on P-256, P-384 or P-521')
}

/** Returns the signer's issuer, then its issuer, and so on, as far as the file contains them; the last may be self-signed. */
function issuersOf(certificate: X509Certificate, candidates: X509Certificate[]): X509Certificate[] {
  const issuer = candidates.find((other) => other !== certificate && certificate.checkIssued(other) && certificate.verify(other.publicKey))
  return issuer
    ? [
        issuer,
        ...issuersOf(
          issuer,
          candidates.filter((other) => other !== certificate),
        ),
      ]
    : []
}

const dayOf = (date: string) => new Date(date).toISOString().slice(0, 10)
