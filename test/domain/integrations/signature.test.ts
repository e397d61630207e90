import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { newSigningSecret, sign, verify } from '#domain/integrations/signature.ts'

const NOW = new Date('2026-05-20T12:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const body = JSON.stringify({ id: '1', object: 'alert', headline: 'Hail up to 1.75 in reported 0.8 mi NNE of HQ' })

describe('signatures', () => {
  const secret = newSigningSecret()
  const header = sign(secret, body, NOW)
  const { webhooks } = new Stripe('sk_test_unused')
  const constructed = (text: string, key: string, at: Date) => webhooks.constructEvent(text, header, key, 300, undefined, at.getTime())

  it('are accepted by another implementation, keyed with the whole secret', () => {
    expect(constructed(body, secret, later(10))).toMatchObject({ object: 'alert' })
    expect(verify(secret, header, body, later(300))).toBe(true)
    expect(verify(secret, header, body, later(-300))).toBe(true)
  })

  it('are refused by both with a changed byte, an old secret, or after their time', () => {
    const changed = body.replace('1.75', '1.76')
    expect(() => constructed(changed, secret, NOW)).toThrow()
    expect(() => constructed(body, newSigningSecret(), NOW)).toThrow()
    expect(() => constructed(body, secret, later(302))).toThrow()
    expect(verify(secret, header, changed, NOW)).toBe(false)
    expect(verify(newSigningSecret(), header, body, NOW)).toBe(false)
    expect(verify(secret, header, body, later(302))).toBe(false)
  })

  it('are refused from the future, with a second v1, and in any other form', () => {
    expect(verify(secret, header, body, later(-302))).toBe(false)
    const forged = `${header},v1=${'0'.repeat(64)}`
    for (const text of [forged, header.replace('v1=', 'v0='), header.toUpperCase(), '', 't=,v1=', `${header} `])
      expect(verify(secret, text, body, NOW)).toBe(false)
  })
})
