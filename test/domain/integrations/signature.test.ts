import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { newSigningSecret, sign, signatureHeaders } from '#domain/integrations/signature.ts'
import { isSigned } from '#test/support/post-signature.ts'

const NOW = new Date('2026-05-20T12:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const body = JSON.stringify({ id: '1', object: 'alert', headline: 'Hail up to 1.75 in reported 0.8 mi NNE of HQ' })

describe('signatures', () => {
  const secret = newSigningSecret()
  const header = sign(secret, body, NOW)
  const { webhooks } = new Stripe('sk_test_unused')
  const constructed = (text: string, key: string, at: Date) => webhooks.constructEvent(text, header, key, 300, undefined, at.getTime())

  it('are accepted by another implementation with the whole secret as key', () => {
    expect(constructed(body, secret, later(10))).toMatchObject({ object: 'alert' })
    expect(isSigned(secret, header, body, later(300))).toBe(true)
    expect(isSigned(secret, header, body, later(-300))).toBe(true)
  })

  it('are refused by both with a changed byte, an old secret, or after they expire', () => {
    const changed = body.replace('1.75', '1.76')
    expect(() => constructed(changed, secret, NOW)).toThrow()
    expect(() => constructed(body, newSigningSecret(), NOW)).toThrow()
    expect(() => constructed(body, secret, later(302))).toThrow()
    expect(isSigned(secret, header, changed, NOW)).toBe(false)
    expect(isSigned(newSigningSecret(), header, body, NOW)).toBe(false)
    expect(isSigned(secret, header, body, later(302))).toBe(false)
    expect(isSigned(secret, header, body, later(300.001))).toBe(false)
  })

  it('are refused from the future, with a second v1, or in any other form', () => {
    expect(isSigned(secret, header, body, later(-302))).toBe(false)
    const forged = `${header},v1=${'0'.repeat(64)}`
    for (const text of [forged, header.replace('v1=', 'v0='), header.toUpperCase(), '', 't=,v1=', `${header} `, `x${header}`, ` ${header}`])
      expect(isSigned(secret, text, body, NOW)).toBe(false)
  })
})

describe('secrets', () => {
  it('are whsec_ and 44 letters and digits, which encode 33 bytes', () => {
    const secrets = Array.from({ length: 2000 }, newSigningSecret)
    expect(new Set(secrets).size).toBe(2000)
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9]{44}$/)
    expect(new Set(secrets.map((secret) => Buffer.from(secret.slice(6), 'base64').length))).toEqual(new Set([33]))
    // All 62 letters and digits appear in 88,000 draws.
    expect(new Set(secrets.map((secret) => secret.slice(6)).join('')).size).toBe(62)
  })
})

describe('the headers of Standard Webhooks', () => {
  const now = new Date()
  const key = (secret: string) => new Uint8Array(Buffer.from(secret.slice(6), 'base64url'))

  it('are accepted by its library with the decoded bytes as key, beside our own', () => {
    const secret = newSigningSecret()
    const headers = signatureHeaders(secret, 'd-1', body, now)
    expect(Object.keys(headers)).toEqual(['X-Service-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'])
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ object: 'alert' })
    expect(isSigned(secret, headers['X-Service-Signature'] as string, body, now)).toBe(true)
    expect(() => new Webhook(secret).verify(body.replace('1.75', '1.76'), headers)).toThrow('No matching signature')
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'd-2' })).toThrow('No matching signature')
    expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow('No matching signature')
  })

  it.each(['whsec_0Jx9_-2mZqLr7sVt1uWxYz3A4B5C6D7E8F9G0H1I2Jk', `whsec_${'a'.repeat(43)}`])(
    'of an older secret, %s, use its 32 bytes as key',
    (old) => {
      const headers = signatureHeaders(old, 'd-1', body, now)
      expect(key(old)).toHaveLength(32)
      expect(new Webhook(key(old), { format: 'raw' }).verify(body, headers)).toMatchObject({ object: 'alert' })
      expect(isSigned(old, headers['X-Service-Signature'] as string, body, now)).toBe(true)
    },
  )
})
