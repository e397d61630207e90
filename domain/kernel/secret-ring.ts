import { hkdfSync } from 'node:crypto'

/** One key of WEATHER_SECRET_KEY. */
export interface SecretKey {
  /** The key's name in the setting, for people; null if the setting is one bare key. */
  name: string | null
  /** Derived from the key, 16 hex digits. Sealed values carry it; it does not depend on the key's name. */
  id: string
  /** 32 bytes. */
  bytes: Buffer
}

/** The secret keys of an install. The first one seals and signs; each can open what it sealed and verify what it signed. */
export type SecretRing = [SecretKey, ...SecretKey[]]

const KEY_BYTES = 32
const ID_BYTES = 8
const NAMED = /^\s*([A-Za-z0-9][A-Za-z0-9._-]{0,31}):(.*)$/s

/**
 * Reads the setting: one bare key, or several with names, `name:base64,name:base64`.
 * @throws Error whose message completes "WEATHER_SECRET_KEY ..." and reveals no part of a key
 */
export function readRing(text: string): SecretRing {
  const ring = text.includes(':') || text.includes(',') ? text.split(',').map(namedKey) : [secretKey(null, Buffer.from(text, 'base64'))]
  const twice = (values: (string | null)[]) => new Set(values).size < values.length
  if (twice(ring.map(({ name }) => name))) throw new Error('gives two keys the same name')
  if (twice(ring.map(({ id }) => id))) throw new Error('contains the same key twice')
  const [first, ...others] = ring
  if (!first) throw new Error('contains no key')
  return [first, ...others]
}

/** @throws Error unless the key has 32 bytes */
export function secretKey(name: string | null, bytes: Buffer): SecretKey {
  if (bytes.length !== KEY_BYTES) throw new Error('must be 32 bytes in base64, as `openssl rand -base64 32` prints')
  return { name, id: Buffer.from(hkdfSync('sha256', bytes, Buffer.alloc(0), 'weather secret key id', ID_BYTES)).toString('hex'), bytes }
}

function namedKey(text: string): SecretKey {
  const [, name, base64] = NAMED.exec(text) ?? []
  if (name === undefined || base64 === undefined) throw new Error('must name each key if it contains several: NAME:BASE64,NAME:BASE64')
  return secretKey(name, Buffer.from(base64, 'base64'))
}
