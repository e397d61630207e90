import { createPrivateKey } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { messageOf } from '#domain/kernel/fault.ts'
import { isDecodable, readRedisAddress } from '#domain/kernel/redis-address.ts'
import { readRing } from '#domain/kernel/secret-ring.ts'
import { type BucketAddress, readBucketAddress } from '#domain/kernel/store-address.ts'

/** docker-compose.yml passes an unset variable as an empty text. */
export const emptyIsUnset = (value: unknown) => (value === '' ? undefined : value)
export const optional = <T extends z.ZodType>(type: T) => z.preprocess(emptyIsUnset, type.optional())
export const flag = z
  .preprocess(emptyIsUnset, z.enum(['0', '1', 'true', 'false'], 'must be 1 or 0').default('0'))
  .transform((v) => v === '1' || v === 'true')
/** A whole number; `why` ends the message for a value below the minimum. */
export const integer = (min: number, max: number, fallback: number, why = '') =>
  z.preprocess(
    emptyIsUnset,
    z.coerce
      .number(`must be a whole number from ${min} to ${max}`)
      .int(`must be a whole number from ${min} to ${max}`)
      .min(min, `must be at least ${min}${why}`)
      .max(max, `must be at most ${max}`)
      .default(fallback),
  )
const PORT_MESSAGE = 'must be a port from 0 to 65535'
export const port = z.coerce.number(PORT_MESSAGE).int(PORT_MESSAGE).min(0, PORT_MESSAGE).max(65535, PORT_MESSAGE)

/** A URL of one of these schemes, such as redis. */
export const url = (schemes: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)) && isDecodable(new URL(text)),
      `must be a URL beginning with ${schemes.map((s) => `${s}://`).join(' or ')}`,
    )

export const redisAddress = z
  .string()
  .refine(
    (text) => readRedisAddress(text) !== null,
    'must be a URL beginning with redis:// or rediss://, such as redis://HOST:PORT/0, or redis+sentinel://HOST:PORT,HOST:PORT/MASTER',
  )
export const certificates = z.string().refine((text) => text.includes('-----BEGIN CERTIFICATE-----'), 'must be certificates in PEM')

/** An OpenID Connect issuer. Its keys prove who somebody is, so plain http is allowed only on this machine. */
export const issuer = url(['http', 'https']).refine(
  (text) => URL.canParse(text) && (text.startsWith('https:') || ['localhost', '127.0.0.1', '[::1]'].includes(new URL(text).hostname)),
  'must begin with https://',
)

export const domains = z.string().transform((text, context): string[] => {
  const entries = text.split(',').map((one) => one.trim().toLowerCase())
  if (entries.every((one) => /^(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/.test(one))) return entries
  context.addIssue('must be domains such as example.com, separated by commas')
  return z.NEVER
})

/** Origins for a content security policy: a path or a space would change the policy. */
export const origins = z.string().transform((text, context): string[] => {
  const entries = text.split(',').map((one) => one.trim())
  if (entries.every((one) => URL.canParse(one) && /^https?:$/.test(new URL(one).protocol) && new URL(one).origin === one)) return entries
  context.addIssue('must be origins such as https://tiles.example.com, separated by commas')
  return z.NEVER
})

/** Networks in full notation: a short form such as 10/8 would be read as a different network. */
export const networks = z.string().transform((text, context): string[] => {
  const entries = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (entries.every((one) => isIP(one.split('/', 1)[0] ?? '') !== 0 && ipaddr.isValidCIDR(one))) return entries
  context.addIssue('must be networks such as 10.0.0.0/8, separated by commas')
  return z.NEVER
})

/** Source of the map page's basemap: a PMTiles file, a PMTiles file on a web server, or tiles that browsers fetch from their host. */
export type BasemapSetting =
  | { kind: 'file'; path: string }
  | { kind: 'archive'; url: string }
  | { kind: 'tiles'; url: string; origin: string }

const BASEMAP_MESSAGE =
  'must be the path of a PMTiles file, the address of one (https://maps.example.com/us.pmtiles), or of tiles (https://maps.example.com/{z}/{x}/{y}.mvt)'
export const basemap = z.string().transform((text, context): BasemapSetting => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { kind: 'file', path: text }
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password
  if (isWeb && ['{z}', '{x}', '{y}'].every((part) => text.split(part).length === 2)) return { kind: 'tiles', url: text, origin: url.origin }
  if (isWeb && url.pathname.endsWith('.pmtiles')) return { kind: 'archive', url: text }
  context.addIssue(BASEMAP_MESSAGE)
  return z.NEVER
})

export const secretRing = z.string().transform((text, context) => {
  try {
    return readRing(text)
  } catch (fault) {
    context.addIssue(messageOf(fault))
    return z.NEVER
  }
})

/** A folder, or a bucket. */
export const blobs = z.string().transform((text, context): string | BucketAddress => {
  if (!/^[a-z0-9+.-]+:\/\//i.test(text)) return text
  const address = readBucketAddress(text)
  if (typeof address !== 'string') return address
  context.addIssue(address)
  return z.NEVER
})

/**
 * Name of a log: readers split a signed note at spaces and lines, and a key's name at plus signs. Without characters that change the text
 * direction, which could make it look like another.
 */
export const LOG_NAME = /^[^\s+\p{Cc}\p{Cs}\p{Bidi_Control}]{1,200}$/u

const SIGNING_KEY_MESSAGE = 'must be an Ed25519 private key: PEM, or base64 of its PKCS #8 form'
export const signingKey = z.string().transform((text, context) => {
  try {
    const key = createPrivateKey(text.includes('BEGIN') ? text : { key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {}
  context.addIssue(SIGNING_KEY_MESSAGE)
  return z.NEVER
})

/** A witness of the log (c2sp.org/tlog-witness). */
export interface WitnessSetting {
  /** Name, key id and key: witness.example/w1+0123abcd+BASE64. */
  verifier_key: string
  /** Without a trailing slash. */
  url: string
}

const WITNESSES_MESSAGE = 'must be verifier keys and addresses of witnesses, "NAME+ID+KEY https://..." each, separated by commas'
/** Each witness is queried at every checkpoint, and its line is part of every proof. */
const WITNESSES_MAX = 8
export const witnesses = z.string().transform((text, context): WitnessSetting[] => {
  const entries = text.split(',').map((one) => one.trim().split(/\s+/))
  const parsed = entries.flatMap(([verifier_key = '', address = '', ...more]) =>
    /^[^+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+$/.test(verifier_key) && /^https?:\/\//.test(address) && URL.canParse(address) && more.length === 0
      ? [{ verifier_key, url: address.replace(/\/+$/, '') }]
      : [],
  )
  if (parsed.length === entries.length && parsed.length <= WITNESSES_MAX) return parsed
  context.addIssue(WITNESSES_MESSAGE)
  return z.NEVER
})

/** NAME=VALUE,NAME=VALUE, the list format of OpenTelemetry: values may be percent-encoded. */
export const keyValues = (name: RegExp) =>
  z.preprocess(emptyIsUnset, z.string().default('')).transform((text, context): Record<string, string> => {
    const pairs = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [/^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(part)]))
    try {
      if (pairs.every((pair) => pair && name.test(pair[1] ?? '')))
        return Object.fromEntries(pairs.map((pair) => [pair?.[1], decodeURIComponent(pair?.[2] ?? '')]))
    } catch {
      // An invalid percent-encoding is reported below.
    }
    context.addIssue('must be NAME=VALUE pairs separated by commas, with special characters in values percent-encoded')
    return z.NEVER
  })
