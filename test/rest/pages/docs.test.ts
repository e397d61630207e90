import { createHmac } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureReasons } from '#domain/closed-sets.ts'
import { eventNames } from '#domain/events/catalogue.ts'
import { refusalStatus } from '#domain/kernel/refusal.ts'
import { teamSchema } from '#graphql/schema.ts'
import { endpoints } from '#rest/endpoints.ts'
import { guidePictures, readGuide } from '#rest/pages/guide.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { violationsOf } from '#test/support/axe.ts'
import { chromium, launchChromium } from '#test/support/chromium.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

let world: World
let rest: Rest
beforeAll(async () => {
  world = await openWorld()
  rest = await openRest(world)
})
afterAll(() => rest.close())

const get = (url: string) => rest.fastify.inject({ method: 'GET', url, headers: { 'accept-encoding': 'gzip' } })

describe('the guide', () => {
  it('has the sections that error responses and pages link to', async () => {
    const guide = String(await readGuide())
    const anchors = [...guide.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id)
    expect(anchors).toEqual(
      expect.arrayContaining(['authentication', 'idempotency', 'destinations', 'verification', 'errors', 'rate-limits']),
    )
    for (const [, named] of guide.matchAll(/href="#([\w-]+)"/g)) expect(anchors).toContain(named)
  })

  it('describes the verification of a post correctly', async () => {
    const guide = String(await readGuide())
    const code = /<code>(import \{ createHmac[\s\S]*?)<\/code>/.exec(guide)?.[1] ?? ''
    const plain = code.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    const { cameFromTheService } = await import(`data:text/javascript,${encodeURIComponent(plain)}`)
    const now = Date.parse('2026-01-01T00:00:00Z')
    const signed = (seconds: number) => `t=${seconds},v1=${createHmac('sha256', 'whsec_x').update(`${seconds}.{}`).digest('hex')}`
    expect(cameFromTheService('whsec_x', signed(now / 1000), '{}', now)).toBe(true)
    expect(cameFromTheService('whsec_x', signed(now / 1000), '{} ', now)).toBe(false)
    expect(cameFromTheService('whsec_x', signed(now / 1000 - 301), '{}', now)).toBe(false)
    expect(cameFromTheService('whsec_x', undefined, '{}', now)).toBe(false)
  })

  it('names every operation that takes an idempotency key, and no other', async () => {
    const section = /<h2 id="idempotency">([\s\S]*?)<h2/.exec(String(await readGuide()))?.[1] ?? ''
    const named = [...section.matchAll(/<code>POST ([^<]+)<\/code>/g)].map(([, url]) => url)
    expect(named.toSorted()).toEqual(endpoints.flatMap(({ replays, path }) => (replays ? [`/api/v1${path}`] : [])).toSorted())
    const ofRest = endpoints.flatMap((row) => ('field' in row && row.replays ? [row.field.replace('Mutation.', '')] : []))
    const fields = Object.values(teamSchema.getMutationType()?.getFields() ?? {})
    const keyed = fields.filter(({ args }) => args.some(({ name }) => name === 'idempotency_key')).map(({ name }) => name)
    expect([...section.matchAll(/<code>((?:create|order)\w+)<\/code>/g)].map(([, name]) => name).toSorted()).toEqual(
      keyed.filter((name) => !ofRest.includes(name)).toSorted(),
    )
  })

  it('names every reason for which a report fails', async () => {
    const [section = ''] = /<h2 id="first-report">[\s\S]*?<h2/.exec(String(await readGuide())) ?? []
    expect(failureReasons.filter((reason) => !section.includes(`<code>${reason}</code>`))).toEqual([])
  })

  it('has every code of an error, with its status, and what to do', async () => {
    const table = /<h2 id="errors">[\s\S]*?<\/table>/.exec(String(await readGuide()))?.[0] ?? ''
    const rows = [...table.matchAll(/<tr><td>(\d+) (\w+)<\/td><td>.{10,}<\/td><\/tr>/g)].map(([, status, code]) => `${status} ${code}`)
    const known = Object.entries(refusalStatus).map(([code, status]) => `${status} ${code}`)
    expect(rows.toSorted()).toEqual([...known, '500 server_error'].toSorted())
  })

  it('shows its pictures, each with a text alternative, in less than a megabyte', async () => {
    const shown = [...String(await readGuide()).matchAll(/<img src="([^"]+)" width="(\d+)" height="(\d+)"[^>]*\salt="([^"]{40,})"/g)]
    expect(shown.map(([, url]) => url).sort()).toEqual(guidePictures.map((name) => `/docs/pictures/${name}.png`).sort())
    let bytes = 0
    for (const [, url, width, height] of shown) {
      const { headers, rawPayload } = await rest.fastify.inject(String(url))
      expect(headers['content-type']).toBe('image/png')
      expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([Number(width), Number(height)])
      bytes += rawPayload.length
    }
    expect(bytes).toBeLessThan(1_000_000)
  })

  it('describes the post of every event by keys that the post has', async () => {
    const table = /<table id="posts">([\s\S]*?)<\/table>/.exec(String(await readGuide()))?.[1] ?? ''
    const rows = [...table.matchAll(/<tr><td><code>([\w.]+)<\/code><\/td><td>(.*?)<\/td>/g)]
    expect(rows.map(([, event]) => event)).toEqual(eventNames)
    const { webhooks, components } = JSON.parse((await rest.fastify.inject('/docs/openapi.json')).payload)
    for (const [, event, description] of rows) {
      const [{ $ref }] = webhooks[String(event)].post.requestBody.content['application/json'].schema.allOf
      const { properties } = components.schemas[$ref.split('/').at(-1)]
      const things = JSON.stringify(properties.data).match(/(?<=schemas\/)\w+/g) ?? []
      const known = [...Object.keys(properties), ...things.flatMap((name) => Object.keys(components.schemas[name].properties))]
      const named = [...String(description).matchAll(/<code>(\w+)<\/code>/g)].map(([, key]) => key)
      expect([event, named.filter((key) => !known.includes(String(key)))]).toEqual([event, []])
    }
  })

  it('describes the same API as the contract does', async () => {
    const { token } = await aToken(world, await aTeam(world))
    const { text } = await rest.call('GET', '/openapi.json', { token })
    expect(gunzipSync((await get('/docs/openapi.json')).rawPayload).toString()).toBe(text)
    expect((await rest.fastify.inject({ url: '/docs/openapi.json' })).payload).toBe(text)
  })

  it('is public, and may load nothing from other hosts', async () => {
    for (const url of ['/', '/docs', '/docs/reference', '/docs/openapi.json']) {
      const answer = await get(url)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /)
      expect((await rest.fastify.inject({ url, headers: { 'if-none-match': String(answer.headers.etag) } })).statusCode).toBe(304)
    }
  })
})

describe('the first page', () => {
  it('links to pages that exist: the docs, the console, the map and the health of the service', async () => {
    const html = gunzipSync((await get('/')).rawPayload).toString()
    const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, url]) => url as string)
    const { console_url } = world.app.config
    expect(links).toEqual(expect.arrayContaining(['/docs', '/docs/reference', console_url, '/map', '/readyz', '/healthz']))
    expect(console_url).toMatch(/^http:\/\/localhost:/)
    for (const url of links) expect([url, (await rest.fastify.inject(url)).statusCode]).toEqual([url, 200])
  })
})

describe.skipIf(skipped)(`in a browser${skipped}`, () => {
  let browser: Browser
  let page: Page
  let origin: string
  const requests: string[] = []
  const faults: string[] = []
  beforeAll(async () => {
    origin = await rest.fastify.listen({ host: '127.0.0.1', port: 0 })
    browser = await launchChromium()
    page = await browser.newPage()
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (fault) => faults.push(String(fault)))
  })
  afterAll(() => browser?.close())

  const show = async (url: string, width: number, scheme: 'light' | 'dark') => {
    await page.setViewport({ width, height: 900 })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    await page.goto(`${origin}${url}`, { waitUntil: 'load' })
  }
  const picture = async (name: string) => {
    const folder = process.env.DOCS_PICTURES
    if (!folder) return
    await mkdir(folder, { recursive: true })
    await page.screenshot({ path: path.join(folder, `${name}.png`) as `${string}.png` })
  }

  it.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'dark'],
  ] as const)('the first page is accessible at %i px, %s', async (width, scheme) => {
    await show('/', width, scheme)
    await picture(`home-${width}-${scheme}`)
    const ground = String(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
    expect(Number(/\d+/.exec(ground)?.[0]) < 128).toBe(scheme === 'dark')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await violationsOf(page)).toEqual([])
  })

  it.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)('the guide is accessible at %i px, %s, and does not scroll sideways', async (width, scheme) => {
    await show('/docs#destinations', width, scheme)
    await picture(`guide-${width}-${scheme}`)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await violationsOf(page)).toEqual([])
  })

  it.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
  ] as const)('the reference shows the operations at %i px, %s', async (width, scheme) => {
    await show('/docs/reference', width, scheme)
    await page.waitForSelector('#reference h1', { timeout: 60_000 })
    const ground = await page.evaluate('getComputedStyle(document.querySelector("#reference h1")).color')
    expect(Number(/\d+/.exec(String(ground))?.[0]) > 128).toBe(scheme === 'dark')
    await picture(`reference-${width}-${scheme}`)
    if (width === 390) return
    await page.evaluate(
      `[...document.querySelectorAll('#reference a, #reference [role=button], #reference button, #reference label')].find((one) => one.innerText.trim() === 'Reports').click()`,
    )
    await page.waitForFunction('document.body.innerText.includes("/api/v1/reports/{report}")', { timeout: 60_000 })
    await picture(`reference-reports-${width}-${scheme}`)
  })

  it('requests nothing from other hosts, and breaks no rule of its policy', async () => {
    expect(requests.length).toBeGreaterThan(8)
    expect(requests.filter((url) => !url.startsWith(origin) && !/^(data|blob):/.test(url))).toEqual([])
    expect(faults.map((fault) => fault.slice(0, 200))).toEqual([])
  })
})
