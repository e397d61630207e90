import { createCipheriv, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { headerOf, openSealed, seal, unseal } from '#domain/engines/sealed.ts'
import { readLink, signLink } from '#domain/engines/signed-link.ts'
import { readRing, type SecretRing, secretKey } from '#domain/kernel/secret-ring.ts'

const [OLD, NEW, OTHER] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
const base64 = (bytes: Buffer) => bytes.toString('base64')
const ring = (text: string) => ({ config: { secret_keys: readRing(text) } })
const BARE = ring(base64(OLD))
const BEGUN = ring(`old:${base64(OLD)},new:${base64(NEW)}`)
const TURNED = ring(`new:${base64(NEW)},old:${base64(OLD)}`)
const DONE = ring(`new:${base64(NEW)}`)
const IS = 'url 0190' as const

/** Seals a value as earlier versions did, when keys had no names. */
function sealedBefore(key: Buffer, text: string, nonce = randomBytes(12)): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(IS))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

describe('a sealed value', () => {
  it('opens at every step of a rotation, in processes before and after the step', () => {
    for (const [one, other] of [
      [BARE, BEGUN],
      [BEGUN, TURNED],
      [TURNED, TURNED],
      [TURNED, DONE],
    ] as const) {
      expect(unseal(other, seal(one, 'https://a.example/1', IS), IS)).toBe('https://a.example/1')
      if (other !== DONE) expect(unseal(one, seal(other, 'https://a.example/1', IS), IS)).toBe('https://a.example/1')
    }
    expect(() => unseal(DONE, seal(BEGUN, 'text', IS), IS)).toThrow('under any key of WEATHER_SECRET_KEY')
  })

  it('from before keys had names opens, and an unnamed key still seals in that form', () => {
    const before = sealedBefore(OLD, 'text')
    for (const keyed of [BARE, BEGUN, TURNED]) expect(unseal(keyed, before, IS)).toBe('text')
    expect(openSealed(DONE, before, IS)).toBeNull()
    expect(seal(BARE, 'text', IS)).toHaveLength(before.length)
  })

  it('from before keys had names opens even if its nonce starts like a header', () => {
    const header = headerOf(TURNED.config.secret_keys[0])
    expect(header).toHaveLength(11)
    const nonce = Buffer.concat([header, randomBytes(1)])
    expect(unseal(TURNED, sealedBefore(NEW, 'text', nonce), IS)).toBe('text')
  })

  it('carries the id of its key and is opened by it, whatever the key is named', () => {
    const sealed = seal(TURNED, 'text', IS)
    const [key] = TURNED.config.secret_keys
    expect(Buffer.from(sealed).subarray(0, 11).toString('hex')).toBe(`575301${key.id}`)
    const renamed = ring(`old:${base64(NEW)},new:${base64(OLD)}`)
    expect(openSealed(renamed, sealed, IS)?.key.bytes).toEqual(NEW)
  })

  it('opens only in its own place and complete', () => {
    const sealed = Buffer.from(seal(TURNED, 'text', IS))
    expect(openSealed(TURNED, sealed, 'url 0191')).toBeNull()
    expect(openSealed(TURNED, sealed, 'secret 0190')).toBeNull()
    for (let place = 0; place < sealed.length; place++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place)
      expect([place, openSealed(TURNED, changed, IS)]).toEqual([place, null])
      expect(openSealed(TURNED, sealed.subarray(0, place), IS)).toBeNull()
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
    const token = signLink(BEGUN.config, claim)
    for (const { config } of [BARE, BEGUN, TURNED]) expect(readLink(config, token)).toEqual(claim)
    const foreign: SecretRing = [secretKey('other', OTHER)]
    expect(readLink({ secret_keys: foreign }, token)).toBeNull()
    expect(readLink(DONE.config, token)).toBeNull()
    expect(readLink(BEGUN.config, signLink(TURNED.config, claim))).toEqual(claim)
  })
})
