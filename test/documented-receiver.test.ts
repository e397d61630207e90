import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { newSigningSecret, sign } from '#domain/integrations/signature.ts'

const NOW = new Date('2026-05-20T12:00:00Z')
const later = (seconds: number) => NOW.getTime() + seconds * 1000

const snippets = {
  'the documentation': async () => /```js\n([\s\S]*?)```/.exec(await readFile('docs/receiving-posts.md', 'utf8'))?.[1],
  'the guide': async () => {
    const guide = await readFile('rest/pages/docs/guide/destinations.html', 'utf8')
    const [, shown = ''] = /<code>(import \{ createHmac[\s\S]*?)<\/code>/.exec(guide) ?? []
    return shown.replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  },
}

describe.each(Object.entries(snippets))('the receiver of %s', (_, read) => {
  /** Its function, extracted as a reader would copy it. */
  let cameFromTheService: (secret: string, header: string | undefined, body: Buffer | string, now?: number) => boolean
  let lines: number
  beforeAll(async () => {
    const snippet = (await read()) ?? ''
    lines = snippet.trim().split('\n').length
    ;({ cameFromTheService } = await import(`data:text/javascript,${encodeURIComponent(snippet)}`))
  })

  it('accepts what the service signs, as bytes and as text, up to 300 s early or late', () => {
    const [secret, body] = [newSigningSecret(), JSON.stringify({ headline: 'Hail at Ærø, 1.75 in' })]
    const header = sign(secret, body, NOW)
    for (const now of [later(-300), later(0), later(300)]) {
      expect(cameFromTheService(secret, header, body, now)).toBe(true)
      expect(cameFromTheService(secret, header, Buffer.from(body), now)).toBe(true)
    }
    expect(cameFromTheService(secret, sign(secret, body, new Date()), body)).toBe(true)
    expect(lines).toBeLessThanOrEqual(20)
  })

  it('refuses a changed byte, another secret, another time, a second signature and no header', () => {
    const [secret, body] = [newSigningSecret(), '{"id":"1"}']
    const header = sign(secret, body, NOW)
    expect(cameFromTheService(secret, header, '{"id":"2"}', later(0))).toBe(false)
    expect(cameFromTheService(newSigningSecret(), header, body, later(0))).toBe(false)
    expect(cameFromTheService(secret.slice('whsec_'.length), header, body, later(0))).toBe(false)
    for (const seconds of [-301, 301]) expect(cameFromTheService(secret, header, body, later(seconds))).toBe(false)
    for (const text of [undefined, '', `${header},v1=${'0'.repeat(64)}`, header.replace('v1', 'v0'), header.slice(0, -1), `${header} `])
      expect(cameFromTheService(secret, text, body, later(0))).toBe(false)
  })
})
