import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import puppeteer, { type Browser, type HTTPRequest, type Page } from 'puppeteer'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { keepFrame } from '#domain/archive/radar/frames.ts'
import { sampleFrames } from '#domain/archive/sample/frames.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { holdRecord } from '#test/domain/maps/records.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aKeptProperty, aKeptTerritory, anExposure } from '#test/support/exposures.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

const chromium = [process.env.PUPPETEER_EXECUTABLE_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (one) => one && existsSync(one),
)
const skipped = chromium ? '' : ' (skipped: no browser present)'

/** Five storms apart from one another. */
const storms = [
  { latitude: 33.15, longitude: -96.82, hail_size_in: 2, qualifier: 'unknown', occurred_on: '2025-05-28' },
  { latitude: 35.33, longitude: -97.49, type: 'tornado', tornado_ef_scale: 4, occurred_on: '2013-05-20' },
  { latitude: 41.6, longitude: -93.6, type: 'thunderstorm_wind', wind_gust_mph: 90, occurred_on: '2020-08-10' },
  { latitude: 39.74, longitude: -104.99, hail_size_in: 2.75, occurred_on: '2017-05-08' },
  { latitude: 29.76, longitude: -95.37, type: 'flash_flood', occurred_on: '2017-08-27' },
] as const

let world: World
let rest: Rest
let browser: Browser
let page: Page
let origin: string
const asked: string[] = []
const faults: string[] = []
const ids: number[] = []
/** What is said to a token that is none. */
let refusal: string | null

/** A team with an exposed property and, around it, a territory that is not. */
async function watchingTeam() {
  const team = await aTeam(world)
  const { id: property_id } = await aKeptProperty(world, team, { latitude: 35.7, longitude: -97.8 })
  await aKeptTerritory(world, team)
  await anExposure(world, team, { property_id })
  return team
}

describe.skipIf(skipped)(`the map page${skipped}`, () => {
  beforeAll(async () => {
    world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
    rest = await openRest(world)
    for (const storm of storms) ids.push((await holdRecord(world, storm)).id)
    for (const frame of sampleFrames()) await keepFrame(world.app, 'sample', frame)
    await refreshMaps(world.app)
    origin = await rest.fastify.listen({ host: '127.0.0.1', port: 0 })
    browser = await puppeteer.launch({
      executablePath: chromium as string,
      args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    })
    page = await browser.newPage()
    await page.setViewport({ width: 1100, height: 700 })
    await page.goto(`${origin}/map`)
    await page.type('#token', 'wt_wrong')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#said.wrong')
    refusal = await page.$eval('#said', (said) => said.textContent)
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (fault) => faults.push(String(fault)))
    await page.goto(`${origin}/map`)
    await page.type('#token', (await aToken(world, await watchingTeam())).token)
    await page.keyboard.press('Enter')
    await settled()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await rest?.close()
  })

  /** Until every tile in view is drawn, and the drawing is on the screen. */
  const settled = async () => {
    await page.waitForFunction('window.weatherMap?.loaded() && window.weatherMap.areTilesLoaded()', { timeout: 60_000 })
    await page.evaluate(`new Promise((done) => {
      weatherMap.once('idle', () => requestAnimationFrame(() => requestAnimationFrame(done)))
      weatherMap.triggerRepaint()
    })`)
  }
  const shown = () =>
    page.evaluate(
      `weatherMap.queryRenderedFeatures({ layers: ['hail', 'wind', 'tornado', 'flood', 'other'] }).map(({ properties }) => properties.id)`,
    ) as Promise<number[]>
  const set = (selector: string, value: string) =>
    page.$eval(
      selector,
      (input, text) => {
        ;(input as HTMLInputElement).value = text
        input.dispatchEvent(new Event('change', { bubbles: true }))
      },
      value,
    )
  const goTo = async ({ latitude, longitude }: { latitude: number; longitude: number }, zoom: number) => {
    await page.evaluate(`weatherMap.jumpTo({ center: [${longitude}, ${latitude}], zoom: ${zoom} })`)
    await settled()
  }
  const canvasCentre = async () => {
    const box = await (await page.$('#map'))?.boundingBox()
    return box ? ([box.x + box.width / 2, box.y + box.height / 2] as const) : ([0, 0] as const)
  }
  const picture = async (name: string) => {
    const folder = path.join(world.app.config.home, 'pictures')
    await mkdir(process.env.MAP_PICTURES ?? folder, { recursive: true })
    await page.screenshot({ path: path.join(process.env.MAP_PICTURES ?? folder, `${name}.png`) as `${string}.png` })
  }

  it('shows the archive’s records at five known storms, and they can be seen', async () => {
    expect((await shown()).sort()).toEqual([...ids].sort())
    await picture('country')
    for (const [index, storm] of storms.entries()) {
      await goTo(storm, 9)
      expect(await shown()).toEqual([ids[index]])
      const [x, y] = await canvasCentre()
      const at = async (left: number) =>
        Buffer.from(await page.screenshot({ clip: { x: left, y: y - 1, width: 2, height: 2 }, encoding: 'binary' }))
      await vi.waitFor(async () => expect((await at(x - 1)).equals(await at(x + 150))).toBe(false), { timeout: 20_000 })
    }
  }, 120_000)

  it('draws what the team watches, and which of it is exposed', async () => {
    await goTo({ latitude: 35.5, longitude: -97.5 }, 8)
    // A shape over several tiles is found in each.
    const exposed = (layer: string) =>
      page.evaluate(
        `Object.fromEntries(weatherMap.queryRenderedFeatures({ layers: ['${layer}'] }).map(({ properties }) => [properties.name, properties.exposed]))`,
      )
    expect([await exposed('team-places'), await exposed('team-areas')]).toEqual([{ HQ: true }, { North: false }])
    await picture('watched')
  }, 60_000)

  it('says what is missing: a token, an ability, records', async () => {
    expect(refusal).toBe('This token is unknown, expired or revoked.')
    const empty = () => page.$eval('#empty', (said) => said.textContent)
    await goTo({ latitude: 30, longitude: -40 }, 6)
    await page.waitForFunction(`document.getElementById('empty').textContent.startsWith('No records here')`)
    await picture('empty')
    await goTo(storms[0], 9)
    await expect.poll(empty).toBe('')
    const other = await browser.newPage()
    await other.goto(`${origin}/map`)
    await other.type('#token', (await aToken(world, await aTeam(world), ['account:read'])).token)
    await other.keyboard.press('Enter')
    await other.waitForFunction(`document.getElementById('said').textContent === 'This token lacks the ability maps:read.'`)
    await other.close()
  }, 60_000)

  it('waits where the token has asked too often, says so, and is whole by itself', async () => {
    const said: (string | null)[] = []
    let refused = 0
    await page.setRequestInterception(true)
    const refuse = async (request: HTTPRequest) => {
      if (!request.url().endsWith('.mvt') || refused === 4) return request.continue()
      refused++
      await request.respond({ status: 429, headers: { 'retry-after': '1' }, body: '' })
      said.push(await page.$eval('#said', (told) => told.textContent))
    }
    page.on('request', refuse)
    // No tile of this zoom was shown yet.
    await goTo(storms[3], 11)
    page.off('request', refuse)
    await page.setRequestInterception(false)
    expect(refused).toBe(4)
    expect(said).toContain('Many requests in a minute: the rest of the map comes in 1 s.')
    expect([await shown(), await page.$eval('#said', (told) => told.textContent)]).toEqual([[ids[3]], ''])
    // The browser tells of each answer that is a refusal, and of nothing else.
    expect(faults.splice(0)).toEqual(Array.from({ length: 4 }, () => expect.stringContaining('429')))
  }, 60_000)

  it('names a record that is clicked, with its citation; by keyboard too', async () => {
    await goTo(storms[0], 10)
    const [x, y] = await canvasCentre()
    await page.mouse.click(x, y)
    const text = () => page.$eval('#record', (record) => record.textContent ?? '')
    expect(await text()).toContain('2025-05-28')
    await page.waitForSelector('#record a')
    expect(await text()).toContain(`NOAA Storm Events Database, final, record ${ids[0]}`)
    expect(await text()).toContain('2 in, measured or estimated: not stated')
    const link = await page.$eval('#record a', (a) => [
      a.textContent,
      (a as HTMLAnchorElement).href,
      a.getAttribute('rel'),
      (a as HTMLAnchorElement).target,
    ])
    expect(link).toEqual(['https://example.com/record', 'https://example.com/record', 'noopener noreferrer', '_blank'])
    await page.click('#record .close')
    expect(await page.$eval('#record', (record) => (record as HTMLElement).hidden)).toBe(true)
    await world.app.pool.query(
      `UPDATE archive_records SET citation_url = 'javascript:alert(1)', description = '<b>Hail</b>' WHERE id = $1`,
      [ids[0]],
    )
    await page.mouse.click(x, y)
    await page.waitForFunction(`document.getElementById('record').textContent.includes('javascript:alert(1)<b>Hail</b>')`)
    expect(await page.$('#record a, #record b')).toBe(null)
    await goTo(storms[1], 10)
    await page.focus('#map canvas')
    await page.keyboard.press('Enter')
    expect(await text()).toContain('EF4')
  }, 60_000)

  it('moves by keyboard and filters by family, date and size', async () => {
    await goTo({ latitude: 37, longitude: -98 }, 4)
    await page.focus('#map canvas')
    await page.keyboard.press('ArrowRight')
    await page.waitForFunction('weatherMap.getCenter().lng > -98 && !weatherMap.isMoving()')
    await settled()
    await page.click('#show-tornado')
    await settled()
    expect((await shown()).sort()).toEqual(ids.filter((_, index) => index !== 1).sort())
    await page.click('#show-tornado')
    await set('#from', '2017-06-01')
    await settled()
    expect((await shown()).sort()).toEqual([ids[0], ids[2], ids[4]].sort())
    await set('#from', '')
    await set('#hail', '2.5')
    await settled()
    expect((await shown()).sort()).toEqual([ids[1], ids[2], ids[3], ids[4]].sort())
    await set('#hail', '0')
  }, 60_000)

  it('plays the radar of a storm day', async () => {
    await goTo(storms[0], 9.5)
    await set('#day', '2025-05-28')
    await page.click('#load')
    await page.waitForSelector('#player:not([hidden])')
    expect(await page.$eval('#loaded', (said) => said.textContent)).toBe('Radar moments: 17. Reports: 1. Warnings: 0.')
    await page.click('#play')
    await page.waitForFunction(`Number(document.getElementById('moment').value) >= 6`)
    await page.click('#play')
    await settled()
    expect(await page.evaluate(`weatherMap.queryRenderedFeatures({ layers: ['moment'] }).length`)).toBeGreaterThan(20)
    expect(await page.evaluate(`weatherMap.queryRenderedFeatures({ layers: ['radar_hail'] }).length`)).toBeGreaterThan(1)
    await picture('storm-day')
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
    await settled()
    await picture('dark')
  }, 60_000)

  it('has no serious fault of accessibility, light or dark', async () => {
    const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
    for (const [value, width, height] of [
      ['light', 1100, 700],
      ['dark', 390, 844],
    ] as const) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
      await page.setViewport({ width, height })
      await picture(`${value}-${width}`)
      // The page's own policy lets no script in: it is put in from outside.
      await page.evaluate((await import('node:fs')).readFileSync(axe, 'utf8'))
      const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as { id: string; impact: string }[]
      expect(found.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)).toEqual([])
    }
  }, 60_000)

  it('asks nobody else, keeps the token nowhere, and runs without a fault', async () => {
    expect(asked.filter((url) => !url.startsWith(origin) && !/^(data|blob):/.test(url))).toEqual([])
    expect(asked.some((url) => url.includes('wt_'))).toBe(false)
    expect(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length')).toBe(0)
    expect(faults).toEqual([])
  })
})
