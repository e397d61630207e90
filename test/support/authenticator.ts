import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** How a device with one passkey can behave: correctly, as WebAuthn defines it, or like an attacker. */
export interface Twist {
  origin?: string
  rp_id?: string
  challenge?: string
  type?: string
  /** False: the device did not verify the user by finger, face or PIN. */
  verified?: boolean
  crossOrigin?: boolean
  user_handle?: string
  counter?: number
}

interface Options {
  challenge: string
  rp?: { id?: string }
  rpId?: string
  user?: { id: string }
}

/** A device with one ES256 key. It counts its signatures. */
export function openAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0
  let handle = ''

  const clientData = (type: string, challenge: string, twist: Twist) =>
    Buffer.from(
      JSON.stringify({
        type: twist.type ?? type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? origin,
        crossOrigin: twist.crossOrigin ?? false,
      }),
    )
  const authData = (rp_id: string, twist: Twist, attested: Buffer | null) => {
    const head = Buffer.alloc(5)
    head[0] = 0x01 | (twist.verified === false ? 0 : 0x04) | (attested ? 0x40 : 0)
    counter = twist.counter ?? counter + 1
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(twist.rp_id ?? rp_id), head, attested ?? Buffer.alloc(0)])
  }

  return {
    /** Returns the response to the options of a registration. */
    register(options: Options, twist: Twist = {}) {
      handle = options.user?.id ?? ''
      // COSE: kty EC2, alg ES256, crv P-256, x, y.
      const key = Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), unbased(x), Buffer.from('225820', 'hex'), unbased(y)])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const data = authData(options.rp?.id ?? '', twist, attested)
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes of a length in one byte}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return {
        id: based(id),
        response: {
          clientDataJSON: based(clientData('webauthn.create', options.challenge, twist)),
          attestationObject: based(attestation),
          transports: ['internal'],
        },
      }
    },
    /** Returns the response to the options of a sign-in. */
    signIn(options: Options, twist: Twist = {}) {
      const client = clientData('webauthn.get', options.challenge, twist)
      const data = authData(options.rpId ?? '', twist, null)
      return {
        id: based(id),
        response: {
          clientDataJSON: based(client),
          authenticatorData: based(data),
          signature: based(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
          userHandle: twist.user_handle ?? handle,
        },
      }
    },
  }
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()
const based = (bytes: Buffer) => bytes.toString('base64url')
const unbased = (text: string) => Buffer.from(text, 'base64url')
