import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Config } from '#domain/kernel/config.ts'
import type { SecretKey } from '#domain/kernel/secret-ring.ts'

interface Keyed {
  config: Pick<Config, 'secret_keys'>
}

/** Every column with sealed values, by the kind of value. `id` is the type of the table's id. */
export const sealedColumns = {
  url: { table: 'integrations', column: 'url_encrypted', id: 'uuid' },
  secret: { table: 'integrations', column: 'secret_encrypted', id: 'uuid' },
  'signing key': { table: 'signing_keys', column: 'sealed_private_key', id: 'text' },
} as const

/** Kind of a value and id of its row ("url 01a1..."). A value opens only in its own row, so that rows cannot be swapped. */
export type Belonging = `${keyof typeof sealedColumns} ${string}`

const CIPHER = 'aes-256-gcm'
/** Sizes that the cipher was specified with (NIST SP 800-38D). */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a text with the first key of WEATHER_SECRET_KEY. Format: header that names the key, nonce, tag, cipher text. A bare key
 * has no header, so that processes of a version that knows only a single key can open the value.
 */
export function seal({ config }: Keyed, text: string, belongs: Belonging): Uint8Array<ArrayBuffer> {
  const [key] = config.secret_keys
  const header = headerOf(key)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key.bytes, nonce).setAAD(Buffer.concat([header, Buffer.from(belongs)]))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return new Uint8Array(Buffer.concat([header, nonce, cipher.getAuthTag(), sealed]))
}

/** Decrypts a sealed value. @throws Error if no key of WEATHER_SECRET_KEY opens it, or the bytes were not sealed for this row */
export function unseal(keyed: Keyed, bytes: Uint8Array, belongs: Belonging): string {
  const opened = openSealed(keyed, bytes, belongs)
  if (!opened) throw new Error('a sealed value does not open under any key of WEATHER_SECRET_KEY')
  return opened.text
}

/** Returns the text of a sealed value and the key that opened it; null if no key does. */
export function openSealed({ config }: Keyed, bytes: Uint8Array, belongs: Belonging): { text: string; key: SecretKey } | null {
  const all = Buffer.from(bytes)
  for (const key of config.secret_keys) {
    const named = namedHeader(key)
    // The nonce of a value without a header may look like a header: only the tag shows which it is.
    const text = (startsWith(all, named) ? decrypt(key, all, named, belongs) : null) ?? decrypt(key, all, UNNAMED, belongs)
    if (text !== null) return { text, key }
  }
  return null
}

/** First bytes of a value that names its key, in format version 1: two letters and the version. The key's id follows. */
export const NAMED_FORM = Buffer.from([0x57, 0x53, 1])
const UNNAMED = Buffer.alloc(0)

/** Returns the header of every value that a key seals; empty for a bare key. */
export function headerOf(key: SecretKey): Buffer {
  return key.name === null ? UNNAMED : namedHeader(key)
}

const namedHeader = ({ id }: SecretKey) => Buffer.concat([NAMED_FORM, Buffer.from(id, 'hex')])

const startsWith = (all: Buffer, header: Buffer) => all.subarray(0, header.length).equals(header)

function decrypt(key: SecretKey, all: Buffer, header: Buffer, belongs: string): string | null {
  const sealed = all.subarray(header.length)
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv(CIPHER, key.bytes, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.concat([header, Buffer.from(belongs)])).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
