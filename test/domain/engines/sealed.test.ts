import { createCipheriv, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { headerOf, openSealed, seal, unseal } from '#domain/engines/sealed.ts'
import { readLink, signLink } from '#domain/engines/signed-link.ts'
import { readRing, type SecretRing, secretKey } from '#domain/kernel/secret-ring.ts'

const [OLD, NEW, OTHER] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
const base64 = (bytes: Buffer) => bytes.toString('base64')
const ring = (text: string) => ({ config: { secret_keys: readRing(text) } })
const UNNAMED_KEY = ring(base64(OLD))
const OLD_FIRST = ring(`old:${base64(OLD)},new:${base64(NEW)}`)
const NEW_FIRST = ring(`new:${base64(NEW)},old:${base64(OLD)}`)
const NEW_ONLY = ring(`new:${base64(NEW)}`)
const CONTEXT = 'url 0190' as const

/** Seals a value as earlier versions did, when keys had no names. */
function sealedBefore(key: Buffer, text: string, nonce = randomBytes(12)): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(CONTEXT))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

describe('a sealed value', () => {
  it('opens at every step of a rotation, in processes before and after the step', () => {
    for (const [one, other] of [
      [UNNAMED_KEY, OLD_FIRST],
      [OLD_FIRST, NEW_FIRST],
      [NEW_FIRST, NEW_FIRST],
      [NEW_FIRST, NEW_ONLY],
    ] as const) {
      expect(unseal(other, seal(one, 'https://a.example/1', CONTEXT), CONTEXT)).toBe('https://a.example/1')
      if (other !== NEW_ONLY) expect(unseal(one, seal(other, 'https://a.example/1', CONTEXT), CONTEXT)).toBe('https://a.example/1')
    }
    expect(() => unseal(NEW_ONLY, seal(OLD_FIRST, 'text', CONTEXT), CONTEXT)).toThrow('under any key of WEATHER_SECRET_KEY')
  })

  it('from before keys had names opens, and an unnamed key still seals in that form', () => {
    const before = sealedBefore(OLD, 'text')
    for (const keyed of [UNNAMED_KEY, OLD_FIRST, NEW_FIRST]) expect(unseal(keyed, before, CONTEXT)).toBe('text')
    expect(openSealed(NEW_ONLY, before, CONTEXT)).toBeNull()
    expect(seal(UNNAMED_KEY, 'text', CONTEXT)).toHaveLength(before.length)
  })

  it('from before keys had names opens even if its nonce starts like a header', () => {
    const header = headerOf(NEW_FIRST.config.secret_keys[0])
    expect(header).toHaveLength(11)
    const nonce = Buffer.concat([header, randomBytes(1)])
    expect(unseal(NEW_FIRST, sealedBefore(NEW, 'text', nonce), CONTEXT)).toBe('text')
  })

  it('carries the id of its key and is opened by it, whatever the key is named', () => {
    const sealed = seal(NEW_FIRST, 'text', CONTEXT)
    const [key] = NEW_FIRST.config.secret_keys
    expect(Buffer.from(sealed).subarray(0, 11).toString('hex')).toBe(`575301${key.id}`)
    const renamed = ring(`old:${base64(NEW)},new:${base64(OLD)}`)
    expect(openSealed(renamed, sealed, CONTEXT)?.key.bytes).toEqual(NEW)
  })

  it('opens only in its own place and complete', () => {
    const sealed = Buffer.from(seal(NEW_FIRST, 'text', CONTEXT))
    expect(openSealed(NEW_FIRST, sealed, 'url 0191')).toBeNull()
    expect(openSealed(NEW_FIRST, sealed, 'secret 0190')).toBeNull()
    for (let place = 0; place < sealed.length; place++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place)
      expect([place, openSealed(NEW_FIRST, changed, CONTEXT)]).toEqual([place, null])
      expect(openSealed(NEW_FIRST, sealed.subarray(0, place), CONTEXT)).toBeNull()
    }
  })
})

describe('the setting', () => {
  it.each([
    ['c2hvcnQ=', 'must be 32 bytes'],
    [`new:${base64(NEW)},old:c2hvcnQ=`, 'must be 32 bytes'],
    [`${base64(NEW)},${base64(OLD)}`, 'must name each key'],
    [`new:${base64(NEW)},${base64(OLD)}`, 'must name each key'],
    [`a b:${base64(NEW)}`, 'must name each key'],
    [`new:${base64(NEW)},`, 'must name each key'],
    [`new:${base64(NEW)},new:${base64(OLD)}`, 'gives two keys the same name'],
    [`new:${base64(NEW)},old:${base64(NEW)}`, 'contains the same key twice'],
  ])('%s is refused', (text, why) => {
    expect(() => readRing(text)).toThrow(why)
    // No key may get into a log by way of the message.
    for (const key of [OLD, NEW]) expect(() => readRing(text)).not.toThrow(base64(key))
  })

  it('ignores white space around its parts', () => {
    expect(readRing(` new:${base64(NEW)} , old:${base64(OLD)}\n`).map(({ name, bytes }) => [name, bytes])).toEqual([
      ['new', NEW],
      ['old', OLD],
    ])
  })
})

describe('a link to a document', () => {
  const claim = { report_id: randomUUID(), expires_at: new Date('2026-05-01T00:15:00Z') }

  it('is accepted if any key of the ring signed it, and otherwise refused', () => {
    const token = signLink(OLD_FIRST.config, claim)
    for (const { config } of [UNNAMED_KEY, OLD_FIRST, NEW_FIRST]) expect(readLink(config, token)).toEqual(claim)
    const foreign: SecretRing = [secretKey('other', OTHER)]
    expect(readLink({ secret_keys: foreign }, token)).toBeNull()
    expect(readLink(NEW_ONLY.config, token)).toBeNull()
    expect(readLink(OLD_FIRST.config, signLink(NEW_FIRST.config, claim))).toEqual(claim)
  })
})
