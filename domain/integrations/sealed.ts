import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { App } from '#domain/app.ts'

type Keyed = Pick<App, 'config'>

const CIPHER = 'aes-256-gcm'
/** Sizes that the cipher was specified with (NIST SP 800-38D). */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a text at rest under WEATHER_SECRET_KEY: nonce, tag, cipher text.
 * @param belongs what the text is of ("url 01a1..."): it opens there and nowhere else, so that rows cannot be swapped.
 */
export function seal({ config }: Keyed, text: string, belongs: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, config.secret_key, nonce).setAAD(Buffer.from(belongs))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), sealed]))
}

/** @throws Error where the key is another one, or the bytes are not those that were sealed there */
export function unseal({ config }: Keyed, bytes: Uint8Array, belongs: string): string {
  const all = Buffer.from(bytes)
  const decipher = createDecipheriv(CIPHER, config.secret_key, all.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(belongs))
  decipher.setAuthTag(all.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(all.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}
