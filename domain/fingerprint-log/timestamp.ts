import { createHash, randomBytes, webcrypto } from 'node:crypto'
import { Integer, OctetString } from 'asn1js'
import { AlgorithmIdentifier, CryptoEngine, MessageImprint, SignedData, TimeStampReq, TimeStampResp, TSTInfo } from 'pkijs'
import type { App } from '#domain/app.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'

const SHA_256 = '2.16.840.1.101.3.4.2.1'
const SIGNED_DATA = '1.2.840.113549.1.7.2'
const TST_INFO = '1.2.840.113549.1.9.16.1.4'
/** RFC 3161, 2.4.2: granted, and granted with modifications. */
const GRANTED_MAX = 1
const NONCE_BYTES = 8
/** A token with the certificates up to its authority takes about 6 KB. */
const ANSWER_BYTES_MAX = 64 * 1024
const ANSWER_MS = 5000
/** The most that the authority's clock may differ from ours. */
const APART_MS = HOUR_MS

/** A verified time stamp. */
export interface Timestamp {
  /** TimeStampToken, DER. */
  token: Buffer
  at: Date
}

/**
 * Requests a time stamp of a text from an authority (RFC 3161).
 * @throws Error with the reason if the response is not a stamp of this text. The certificate is not checked against trusted
 * authorities: that is up to the relying party.
 */
export async function stampText({ http, clock }: Pick<App, 'http' | 'clock'>, url: string, text: string): Promise<Timestamp> {
  const content = Buffer.from(text, 'utf8')
  const nonce = positive(randomBytes(NONCE_BYTES))
  const { status, body } = await http.post(url, requestFor(content, nonce), {
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    timeout_ms: ANSWER_MS,
    max_bytes: ANSWER_BYTES_MAX,
  })
  if (status !== 200) throw new Error(`it responded with ${status}`)
  const stamp = await readReply(body, content, nonce)
  if (Math.abs(stamp.at.getTime() - clock.now().getTime()) > APART_MS)
    throw new Error(`it stamped ${stamp.at.toISOString()}, which is too far from now`)
  return stamp
}

function requestFor(content: Buffer, nonce: Buffer): Buffer {
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA_256 }),
      hashedMessage: new OctetString({ valueHex: bytesOf(sha256(content)) }),
    }),
    nonce: new Integer({ valueHex: bytesOf(nonce) }),
    certReq: true,
  })
  return Buffer.from(request.toSchema().toBER())
}

async function readReply(body: Buffer, content: Buffer, nonce: Buffer): Promise<Timestamp> {
  const { status, timeStampToken } = TimeStampResp.fromBER(bytesOf(body))
  if (status.status > GRANTED_MAX || !timeStampToken) throw new Error(`it refused with status ${status.status}`)
  if (timeStampToken.contentType !== SIGNED_DATA) throw new Error('its response has no signed token')
  const signed = new SignedData({ schema: timeStampToken.content })
  const { eContent, eContentType } = signed.encapContentInfo
  if (eContentType !== TST_INFO || !eContent) throw new Error('its token is not a time stamp')
  const info = TSTInfo.fromBER(eContent.getValue())
  const imprint = Buffer.from(info.messageImprint.hashedMessage.valueBlock.valueHexView)
  if (info.messageImprint.hashAlgorithm.algorithmId !== SHA_256 || !imprint.equals(sha256(content)))
    throw new Error('it stamped a different text')
  if (!info.nonce || !positive(Buffer.from(info.nonce.valueBlock.valueHexView)).equals(nonce))
    throw new Error('it responded to a different request')
  const { signatureVerified } = await signed.verify({ signer: 0, data: bytesOf(content), checkChain: false, extendedMode: true }, engine)
  if (!signatureVerified) throw new Error('its token is not signed by the certificate in it')
  return { token: Buffer.from(timeStampToken.toSchema().toBER()), at: info.genTime }
}

const engine = new CryptoEngine({ name: 'node', crypto: webcrypto as never })

/** Returns the bytes of a positive integer in DER, where the first bit is the sign. */
function positive(bytes: Buffer): Buffer {
  const from = bytes.findIndex((byte) => byte !== 0)
  const least = from < 0 ? Buffer.from([0]) : bytes.subarray(from)
  return (least[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.from([0]), least]) : least
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest()

const bytesOf = (buffer: Buffer): ArrayBuffer => Uint8Array.from(buffer).buffer
