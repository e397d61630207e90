import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, HTTPRequest, Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Ability } from '#domain/access/abilities.ts'
import { storeFrame } from '#domain/archive/radar/frames.ts'
import { sampleFrames } from '#domain/archive/sample/frames.ts'
import type { Geocode } from '#domain/engines/geocoder.ts'
import { importBasemap, removeBasemap } from '#domain/maps/basemap/store.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import type { Team } from '#generated/prisma/client.ts'
import { readAlerts } from '#test/domain/archive/warnings/alerts.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { violationsOf } from '#test/support/axe.ts'
import { aBasemap } from '#test/support/basemap.ts'
import { chromium, interceptRequests, launchChromium, paintMaps, resize } from '#test/support/chromium.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { looksOf, OWN_DARK_COLORS, SCREENS } from '#test/support/looks.ts'
import { openWorld, type World } from '#test/support/world.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

/** The path of the made-up storm. */
const FRISCO = { latitude: 33.15, longitude: -96.82 }
const STORM = 'at=33.15,-96.82,9.5&day=2025-05-28'

/** A house that a geocoder knows only by its street. */
const STREET = { street: '2500 GAYLORD PKWY', city: 'FRISCO', state: 'TX', postal_code: '75034', county_fips: '48085' }
const geocode: Geocode = {
  provider: 'census',
  streets_only: true,
  async find(query) {
    // The embedded tables replace a geocoder that is unavailable.
    if (!query.includes('Gaylord')) throw new Error('away')
    return [{ ...STREET, latitude: 33.1012, longitude: -96.8253, precision: 'range', in_us: true }]
  },
}

/** Holds back a page's requests until the test releases them, each by its number. */
async function holdRequests(page: Page, isTarget: (request: HTTPRequest) => boolean) {
  const pending: HTTPRequest[] = []
  const end = await interceptRequests(page, (request) => (isTarget(request) ? pending.push(request) : request.continue()))
  return {
    until: (count: number) => expect.poll(() => pending.length).toBe(count),
    async letGo(number: number) {
      const answered = page.waitForResponse((response) => response.request() === pending[number])
      await pending[number]?.continue()
      await (await answered).text()
    },
    async releaseAll() {
      for (const request of pending) await request.continue()
      await end()
    },
    end,
  }
}

/** Replaces the text of the search field. */
async function write(page: Page, text: string) {
  await page.focus('#sought')
  await page.$eval('#sought', (input) => (input as HTMLInputElement).select())
  await page.keyboard.type(text)
}

async function seek(page: Page, text: string) {
  await write(page, text)
  await page.keyboard.press('Enter')
}

/** Half a degree wide and high. */
const ringAround = ({ latitude, longitude }: typeof FRISCO) =>
  [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ].map(([east = 0, north = 0]) => [longitude + east / 4, latitude + north / 4])

let world: World
let rest: Rest
let browser: Browser
let origin: string
let team: Team

/** Opens the page at an address with a token of the team. */
async function openPage({ hash = '', granted, size = [1100, 700] }: { hash?: string; granted?: Ability[]; size?: [number, number] } = {}) {
  const page = await browser.newPage()
  await resize(page, ...size)
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }])
  await page.goto(`${origin}/map${hash}`)
  await page.type('#token', (await aToken(world, team, granted)).token)
  await page.keyboard.press('Enter')
  await waitForMap(page)
  return page
}

/** What keeps the map from coming to rest: a WebGL program that failed, a source that is loading, a day that is still playing. */
const UNSETTLED = `({
  said: document.getElementById('said').textContent,
  lost: window.weatherMap?.painter.context.gl.isContextLost(),
  waiting: Object.entries(window.weatherMap?.style.tileManagers ?? {}).flatMap(([id, tiles]) => (tiles.loaded() ? [] : [id])),
  play: document.getElementById('play').textContent,
})`

async function waitForMap(page: Page) {
  await page
    .waitForFunction('window.weatherMap?.loaded() && window.weatherMap.areTilesLoaded()', { timeout: 60_000 })
    .catch(async (fault: Error) => {
      throw new Error(`${fault.message} ${JSON.stringify(await page.evaluate(UNSETTLED))}`)
    })
  await page.evaluate(`new Promise((done) => {
    weatherMap.once('idle', done)
    weatherMap.triggerRepaint()
  })`)
}

/** Gives a test the page's own instance of one of its modules, as `pageModule`. In a text: vitest would replace the import of a function. */
const withModule = (page: Page, name: string) =>
  page.evaluate(`import('/map/${name}.js').then((module) => void Object.assign(window, { pageModule: module }))`)

const textOf = (page: Page, id: string) => page.$eval(`#${id}`, (one) => one.textContent?.trim())
const waitForText = (page: Page, id: string, part: string) =>
  page.waitForFunction((id, part) => document.getElementById(id)?.textContent?.includes(part), { timeout: 60_000 }, id, part)
const centre = (page: Page) => page.evaluate('(({ lng, lat }) => [Number(lat.toFixed(2)), Number(lng.toFixed(2))])(weatherMap.getCenter())')
const focused = (page: Page) => page.evaluate('document.activeElement.id || document.activeElement.tagName')

async function picture(page: Page, name: string) {
  const folder = process.env.MAP_PICTURES
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, `${name}.png`) as `${string}.png` })
}

/** Imports a basemap in place of the one before, and waits until every process uses it. */
async function useBasemap() {
  const bytes = aBasemap()
  await importBasemap(
    world.app,
    (async function* () {
      yield bytes
    })(),
    'texas.pmtiles',
  )
  world.clock.advance(60_000)
}

describe.skipIf(skipped)(`working with the map page${skipped}`, () => {
  beforeAll(async () => {
    world = await openWorld({ config: { rate_limit_per_minute: 100_000 }, replace: { geocode } })
    rest = await openRest(world)
    await storeRecord(world, { ...FRISCO, hail_size_in: 2, occurred_on: '2025-05-28' })
    await storeRecord(world, { ...FRISCO, type: 'thunderstorm_wind', wind_gust_mph: 70, occurred_on: '2024-05-28' })
    for (const frame of sampleFrames()) await storeFrame(world.app, 'sample', frame)
    const shape = { type: 'Polygon', coordinates: [ringAround(FRISCO)] }
    const alert = { action: 'NEW', shape, event: 'Severe Thunderstorm Warning' }
    await readAlerts(world, {
      ...alert,
      number: 1,
      sent: '2025-05-28T22:30:00Z',
      begins: '250528T2230Z',
      ends: '250528T2325Z',
      hail: '2.00',
    })
    await readAlerts(world, { ...alert, number: 2, sent: '2025-05-28T23:30:00Z', begins: '250528T2330Z', ends: '250529T0015Z' })
    // No agency has verified it yet.
    await storeRecord(world, { latitude: 33.2, longitude: -96.7, hail_size_in: 1.75, occurred_on: '2025-05-28', source: 'nws_lsr' })
    // Real radar is next to real records.
    for (const frame of sampleFrames()) await storeFrame(world.app, 'noaa_mesh', frame)
    await refreshMaps(world.app)
    team = await aTeam(world)
    origin = await rest.fastify.listen({ host: '127.0.0.1', port: 0 })
    browser = await launchChromium()
  })
  afterEach(async () => {
    const [, ...pages] = await browser.pages()
    for (const page of pages) await page.close()
  })
  afterAll(async () => {
    await browser?.close()
    await rest?.close()
  })

  it('leads by keyboard alone from a search for a place to a report about it', async () => {
    const page = await openPage()
    await page.focus('#sought')
    await page.keyboard.type('frisco')
    await page.waitForSelector('#found:not([hidden]) [role=option]')
    expect(await page.$$eval('#found > *', (lines) => lines.map((line) => line.textContent))).toEqual(
      expect.arrayContaining(['Frisco, TX', 'Find the address “frisco”']),
    )
    await picture(page, 'search')
    for (let presses = 0; presses < 10; presses++) {
      await page.keyboard.press('ArrowDown')
      const active = await page.$eval('#found [aria-selected=true]', (line) => [line.textContent, line.id])
      expect(await page.$eval('#sought', (input) => input.getAttribute('aria-activedescendant'))).toBe(active[1])
      if (active[0] === 'Frisco, TX') break
    }
    await page.keyboard.press('Enter')
    await waitForMap(page)
    expect(await centre(page)).toEqual([33.15, -96.82])
    expect([await textOf(page, 'here'), await focused(page), (await page.$$('.maplibregl-marker')).length]).toEqual([
      'Frisco, TX',
      'CANVAS',
      1,
    ])
    for (let tabs = 0; tabs < 8 && (await focused(page)) !== 'search-around'; tabs++) await page.keyboard.press('Tab')
    const before = await world.app.db.reportPreviews.findMany()
    // The second press changes nothing.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#recorded-around h3')
    // Three circles use one preview of the thirty that a team has in a minute.
    const used = (rows: { used: number }[]) => rows.reduce((sum, row) => sum + row.used, 0)
    expect(used(await world.app.db.reportPreviews.findMany()) - used(before)).toBe(1)
    const days = await page.$$eval('#recorded-around h3, #recorded-around li', (parts) => parts.map((part) => part.textContent))
    expect(days.filter((text) => text?.startsWith('Within'))).toEqual(['Within 1 mi', 'Within 3 mi', 'Within 10 mi'])
    // A radar estimate is never described as reported or measured.
    expect(days.find((text) => text?.startsWith('2025-05-28'))).toMatch(
      /^2025-05-28: hail 1\.75 to 2\.75 in reported or measured; hail [^;]+ in estimated by radar$/,
    )
    expect(days).toContain('2024-05-28: wind 70 to 80 mph reported')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('make-report')
    await picture(page, 'found')
  })

  it('keeps the keyboard focus at the current control', async () => {
    const page = await openPage({ hash: `#at=33.15,-96.82,9.5` })
    expect(await focused(page)).toBe('CANVAS')
    const described = String(await page.$eval('#map canvas', (canvas) => canvas.getAttribute('aria-describedby')))
    expect(await textOf(page, described)).toMatch(/^Arrow keys move the map/)
    let loads = 0
    page.on('request', (request) => {
      if (request.url().includes('/playback')) loads++
    })
    await page.$eval('#day', (input) => {
      ;(input as HTMLInputElement).value = '2025-05-28'
    })
    const interceptor = await holdRequests(page, (request) => request.url().includes('/playback'))
    await page.focus('#day')
    await page.keyboard.press('Enter')
    await interceptor.until(1)
    await page.focus('#load')
    await page.keyboard.press('Enter')
    await interceptor.letGo(0)
    await waitForText(page, 'loaded', 'Radar moments: 17.')
    expect([await focused(page), loads]).toEqual(['load', 1])
    await interceptor.end()
    // Moments of a playing day are not read out one by one.
    const live = () => page.$eval('#clock', (clock) => clock.ariaLive)
    await page.focus('#play')
    await page.keyboard.press('Enter')
    expect(await live()).toBe('off')
    await page.keyboard.press('Enter')
    expect(await live()).toBe('polite')
  })

  it('keeps different things distinguishable in forced colours', async () => {
    const page = await openPage()
    const colors = () =>
      page.$$eval('#bands li, .mark', (marks) =>
        marks.map((mark) => [getComputedStyle(mark).background, getComputedStyle(mark).borderTopColor]),
      )
    const before = await colors()
    const session = await page.createCDPSession()
    await session.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] })
    expect(await colors()).toEqual(before)
    expect(await page.$eval('#load', (button) => getComputedStyle(button).borderTopWidth)).not.toBe('0px')
    // Icons that are drawn for forced colours are not turned into black on black.
    await session.send('Emulation.setEmulatedMedia', { features: OWN_DARK_COLORS })
    expect(await page.$eval('.maplibregl-ctrl-zoom-in .maplibregl-ctrl-icon', (sign) => getComputedStyle(sign).filter)).toBe('none')
  })

  it('finds an address, states how exactly, and states why one is not found', async () => {
    const page = await openPage()
    await seek(page, '100 Main Street, Frisco, TX 75034')
    await waitForText(page, 'notice', 'Found as the centre of its ZIP code.')
    await seek(page, '1 Nowhere Lane, Nosuchtown, ZZ')
    await page.waitForSelector('#notice.wrong')
    expect(await textOf(page, 'notice')).toMatch(/^The address /)
    await seek(page, '33.15, -96.82')
    await page.waitForFunction(`document.getElementById('here').textContent.startsWith('33.15')`)
    expect(await centre(page)).toEqual([33.15, -96.82])
    await seek(page, '2500 Gaylord Pkwy, Frisco, TX 75034')
    await waitForText(page, 'notice', 'Found as a point along its street.')
  })

  it('ignores answers to an outdated search, and does not disturb typing', async () => {
    const page = await openPage({ hash: '#at=40,-100,9' })
    const interceptor = await holdRequests(page, (request) => /locate\(|\/places\?/.test(request.url() + (request.postData() ?? '')))
    await seek(page, '41.88, -87.63')
    await interceptor.until(1)
    await seek(page, '30.27, -97.74')
    await interceptor.until(2)
    await interceptor.letGo(1)
    await page.waitForFunction(`document.getElementById('here').textContent.startsWith('30.27')`)
    await seek(page, '39.1, -94.58')
    await interceptor.until(3)
    expect(await textOf(page, 'notice')).toBe('Looking up the address …')
    await write(page, '33.1')
    expect(await textOf(page, 'notice')).toBe('')
    for (const late of [0, 2]) await interceptor.letGo(late)
    await page.keyboard.type('5, -96.82')
    expect([await centre(page), await focused(page)]).toEqual([[30.27, -97.74], 'sought'])
    expect(await page.$eval('#sought', (input) => (input as HTMLInputElement).value)).toBe('33.15, -96.82')
    await interceptor.end()
    await page.keyboard.press('Enter')
    await page.waitForFunction(`document.getElementById('here').textContent.startsWith('33.15')`)
    expect(await centre(page)).toEqual([33.15, -96.82])
  })

  it('searches for the typed text, not for the suggestion that the arrow keys selected before', async () => {
    const page = await openPage({ hash: '#at=40,-100,9' })
    await write(page, 'frisco')
    await page.waitForSelector('#found:not([hidden]) [role=option]')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type(' 41.88, -87.63')
    await page.$eval('#sought', (input) => (input as HTMLInputElement).setSelectionRange(0, 7))
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await page.waitForFunction(`document.getElementById('here').textContent.startsWith('41.88')`)
    expect(await centre(page)).toEqual([41.88, -87.63])
  })

  it('keeps the view in the address, without the token, and restores it', async () => {
    const page = await openPage({ hash: `#${STORM}&off=wind,flood&hail=1` })
    await page.waitForSelector('#player:not([hidden])')
    await page.click('#show-other')
    await page.click('#step-on')
    await page.click('#step-on')
    const [, utc] = /(\d\d:\d\d) UTC/.exec((await textOf(page, 'clock')) ?? '') ?? []
    await page.waitForFunction(`location.hash.includes('T${utc}') && location.hash.includes('other')`)
    const link = await page.evaluate('location.href')
    expect(link).not.toContain('wt_')
    const again = await openPage({ hash: `#${String(link).split('#')[1]}` })
    await again.waitForSelector('#player:not([hidden])')
    await again.waitForFunction(`document.getElementById('moment').value === '2'`)
    const state = (on: Page) =>
      on.evaluate(`[weatherMap.getZoom(), document.getElementById('clock').textContent, document.getElementById('hail').value,
        ...['wind', 'flood', 'other', 'hail'].map((id) => document.getElementById('show-' + id).checked)]`)
    expect(await state(again)).toEqual(await state(page))
    expect((await state(again)) as unknown[]).toEqual([9.5, expect.stringMatching(/CDT \(.*UTC\)$/), '1', false, false, false, true])
    // Text that another page wrote behind the # is read as a view or ignored.
    const hostile = await openPage({ hash: '#at=1,2&day=<b>&moment=x&off=%3Cimg%3E,hail&hail=9999&from=2025' })
    expect(
      await hostile.evaluate(
        `[document.getElementById('hail').value, document.getElementById('from').value, document.getElementById('show-hail').checked]`,
      ),
    ).toEqual(['0', '', false])
  })

  it('restores the layers and filters of a link before the first tiles arrive, and keeps what is changed meanwhile', async () => {
    const page = await browser.newPage()
    await resize(page, 1100, 700)
    const interceptor = await holdRequests(page, (request) => request.url().includes('/api/v1/tiles/'))
    await page.goto(`${origin}/map#at=33.15,-96.82,9&off=wind,warnings,tornado_paths&hail=1`)
    await page.type('#token', (await aToken(world, team)).token)
    await page.keyboard.press('Enter')
    await page.waitForFunction(`document.getElementById('hail')?.value === '1'`)
    const layers = () =>
      page.evaluate(`['wind', 'warnings', 'warnings-edges', 'tornado_paths', 'tornado_widths', 'hail', 'flood']
        .filter((id) => weatherMap.getLayoutProperty(id, 'visibility') === 'none')`)
    const off = ['wind', 'warnings', 'warnings-edges', 'tornado_paths', 'tornado_widths']
    expect(await layers()).toEqual(off)
    expect(await page.evaluate(`JSON.stringify(weatherMap.getFilter('hail'))`)).toBe('["all",[">=",["coalesce",["get","value"],0],1]]')
    await page.click('#show-flood')
    await page.click('#show-wind')
    await interceptor.releaseAll()
    await waitForMap(page)
    expect(await layers()).toEqual([...off.slice(1), 'flood'])
  })

  it('draws the storm day, its filters and the switched-off layers again once a lost drawing context is restored', async () => {
    const page = await openPage({ hash: `#${STORM}&off=other&hail=1` })
    await page.waitForSelector('#player:not([hidden])')
    for (let steps = 0; steps < 6; steps++) await page.click('#step-on')
    await waitForMap(page)
    const state = () =>
      page.evaluate(`(() => {
        const filters = ['hail', 'warnings'].map((id) => JSON.stringify(weatherMap.getFilter(id)))
        const drawn = ['moment', 'swaths', 'reports', 'hail'].map((id) => weatherMap.queryRenderedFeatures({ layers: [id] }).length > 0)
        return [...filters, weatherMap.getLayoutProperty('other', 'visibility'), ...drawn]
      })()`)
    const before = await state()
    expect((before as unknown[]).slice(-5)).toEqual(['none', true, true, true, true])
    await page.evaluate(`(() => {
      window.drawing = weatherMap.getCanvas().getContext('webgl2').getExtension('WEBGL_lose_context')
      drawing.loseContext()
    })()`)
    await waitForText(page, 'said', 'The browser no longer draws the map')
    // The day goes on meanwhile.
    await page.click('#step-on')
    await page.evaluate('drawing.restoreContext()')
    await page.waitForFunction(`document.getElementById('said').textContent === ''`)
    await waitForMap(page)
    await page.click('#step-back')
    await waitForMap(page)
    expect(await state()).toEqual(before)
  })

  it('leaves a storm day that is shown, or on its way, for the view of a link without a day', async () => {
    const page = await openPage({ hash: `#${STORM}` })
    await page.waitForSelector('#player:not([hidden])')
    const state = () =>
      page.evaluate(`({
        cells: weatherMap.querySourceFeatures('moment').length,
        day: document.getElementById('storm-day').hidden,
        player: document.getElementById('player').hidden,
        busy: document.getElementById('load').getAttribute('aria-disabled'),
        said: document.getElementById('loaded').textContent,
        filter: JSON.stringify(weatherMap.getFilter('hail')),
      })`)
    const left = { cells: 0, day: true, player: true, busy: null, said: '', filter: '["all"]' }
    await page.evaluate(`document.getElementById('play').click(); location.hash = '#at=33.15,-96.82,9'`)
    await page.waitForFunction(`document.getElementById('player').hidden`)
    await waitForMap(page)
    expect(await state()).toEqual(left)

    const interceptor = await holdRequests(page, (request) => request.url().includes('/playback?'))
    await page.evaluate(`location.hash = '#${STORM}'`)
    await interceptor.until(1)
    await page.evaluate(`location.hash = '#at=33.15,-96.82,9.1'`)
    await page.waitForFunction(`document.getElementById('loaded').textContent === ''`)
    await interceptor.letGo(0)
    await interceptor.end()
    await waitForMap(page)
    expect(await state()).toEqual(left)
    await page.waitForFunction(`location.hash.includes('at=') && !location.hash.includes('day=')`)
  })

  it('shows a clicked mark before the areas around it, the strongest and newest first, and each record once', async () => {
    const page = await openPage()
    await withModule(page, 'record')
    await page.evaluate(() => {
      const { showRecords } = (window as unknown as { pageModule: { showRecords(found: object[], place: object): void } }).pageModule
      const one = (layer: string, properties: object) => ({
        layer: { id: layer },
        properties: { source: 'ncei_storm_events', ...properties },
      })
      const hail = (id: number, value: number, severity: string, date: string) => one('hail', { id, type: 'hail', value, severity, date })
      const from = '2025-05-28T22:30:00Z'
      const times = { issued: from, expires: from, from, until: from }
      showRecords(
        [
          one('warnings', { id: 7, type: 'tornado warning', severity: 'extreme', ...times }),
          one('radar_hail', { type: 'radar', value: 4, severity: 'extreme', date: '2025-05-28', source: 'noaa_mesh' }),
          one('other', { id: 6, type: 'unsized', severity: 'minor', date: '2025-05-30' }),
          hail(1, 1, 'moderate', '2024-07-01'),
          hail(2, 1, 'moderate', '2025-07-01'),
          hail(3, 1.75, 'severe', '2023-07-01'),
          hail(4, 1.5, 'severe', '2024-07-01'),
          one('tornado_paths', { id: 5, type: 'tornado', value: 4, severity: 'extreme', date: '2013-05-20' }),
          one('tornado', { id: 5, type: 'tornado', value: 4, severity: 'extreme', date: '2013-05-20' }),
        ],
        { lat: 33.15, lng: -96.82 },
      )
    })
    const seen = []
    for (let turn = 0; turn < 8; turn++) {
      const [name, date] = (await page.evaluate(
        `['h2', 'dd'].map((one) => document.querySelector('#record-details ' + one).textContent)`,
      )) as string[]
      seen.push([await textOf(page, 'turn'), name, date?.slice(0, 10)])
      await page.click('#after')
    }
    expect(seen).toEqual([
      ['1 of 8 here', 'tornado', '2013-05-20'],
      ['2 of 8 here', 'hail', '2023-07-01'],
      ['3 of 8 here', 'hail', '2024-07-01'],
      ['4 of 8 here', 'hail', '2025-07-01'],
      ['5 of 8 here', 'hail', '2024-07-01'],
      ['6 of 8 here', 'unsized', '2025-05-30'],
      ['7 of 8 here', 'radar', '2025-05-28'],
      ['8 of 8 here', 'tornado warning', '2025-05-28'],
    ])
    expect(await textOf(page, 'turn')).toBe('1 of 8 here')
  })

  it('searches around a place up to the date in Guam, the latest of any place in the United States', async () => {
    const page = await openPage()
    await withModule(page, 'around')
    const endAt = (now: string) =>
      page.evaluate(async (now) => {
        const { startAround } = (window as unknown as { pageModule: { startAround(place: object, name: string): void } }).pageModule
        const real = { now: Date.now, fetch: window.fetch }
        const asked = new Promise<string>((done) => {
          window.fetch = async (_path, options) => {
            done(JSON.parse(String(options?.body)).variables.end)
            return new Response(JSON.stringify({ data: { reportPreview: { failure_message: 'No place.' } } }))
          }
        })
        Date.now = () => Date.parse(now)
        startAround({ lat: 13.4757, lng: 144.7489 }, 'Hagåtña')
        document.getElementById('search-around')?.click()
        Object.assign(Date, { now: real.now })
        const end = await asked
        window.fetch = real.fetch
        return end
      }, now)
    // Midnight in Guam, and in Honolulu; the last day of a year and of a February.
    expect(await endAt('2025-05-28T13:59:59Z')).toBe('2025-05-28')
    expect(await endAt('2025-05-28T14:00:00Z')).toBe('2025-05-29')
    expect(await endAt('2025-05-28T10:00:00Z')).toBe('2025-05-28')
    expect(await endAt('2024-12-31T14:00:00Z')).toBe('2025-01-01')
    expect(await endAt('2024-02-28T23:00:00Z')).toBe('2024-02-29')
    await waitForText(page, 'recorded-around', 'No place.')
  })

  it('says without JavaScript where the records are in words', async () => {
    const page = await browser.newPage()
    await page.setJavaScriptEnabled(false)
    await page.goto(`${origin}/map`)
    expect(await page.$eval('noscript', (part) => [part.innerText.trim(), part.checkVisibility()])).toEqual([
      'The map needs JavaScript. The console and reports have the same records in words.',
      true,
    ])
  })

  it('plays a storm day with every control in its place, on a desktop, a tablet and a phone', async () => {
    for (const size of SCREENS) {
      const page = await openPage({ hash: `#${STORM}`, size })
      await page.waitForSelector('#player:not([hidden])')
      await waitForMap(page)
      expect(await page.evaluate(`weatherMap.queryRenderedFeatures({ layers: ['swaths'] }).length`)).toBeGreaterThan(0)
      await page.evaluate(`(() => {
        window.played = { moments: 0, dropped: [], places: {} }
        const controls = ['map', 'sought', 'play', 'step-back', 'step-on', 'moment', 'speed', 'unload', 'clock', 'locate', 'measure', 'share']
        new MutationObserver(() => {
          played.moments++
          for (const id of controls) {
            const { top, bottom, left, right } = document.getElementById(id).getBoundingClientRect()
            const inView = top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && bottom - top > 10 && right - left > 10
            if (!inView || document.getElementById(id).disabled) played.dropped.push(id)
            ;(played.places[id] ??= new Set()).add(Math.round(top))
          }
        }).observe(document.getElementById('clock'), { childList: true })
      })()`)
      await page.select('#speed', '4')
      await page.click('#play')
      // The day has 17: it starts again.
      await page.waitForFunction('played.moments >= 20', { timeout: 60_000 })
      await page.click('#play')
      expect(await page.evaluate('played.dropped')).toEqual([])
      // A control that is pressed during playback does not move when warnings appear and expire.
      expect(await page.evaluate(`['play', 'step-back', 'step-on', 'moment', 'speed'].map((id) => played.places[id].size)`)).toEqual(
        Array(5).fill(1),
      )
      await waitForMap(page)
      await picture(page, `storm-${size[0]}`)
      await page.close()
    }
  })

  it('shows the warnings in force at the moment, with their times in local time and UTC', async () => {
    const page = await openPage({ hash: `#${STORM}`, size: [1440, 900] })
    await page.waitForSelector('#player:not([hidden])')
    const inForce = () =>
      page.evaluate(`[...new Set(weatherMap.queryRenderedFeatures({ layers: ['warnings'] }).map(({ properties }) => properties.issued))]`)
    const seen = new Map<string, unknown>()
    const moments = Number(await page.$eval('#moment', (one) => (one as HTMLInputElement).max))
    for (let at = 0; at <= moments; at++) {
      const [, utc] = /(\d\d:\d\d) UTC/.exec((await textOf(page, 'clock')) ?? '') ?? []
      await waitForMap(page)
      seen.set(String(utc), await inForce())
      await page.click('#step-on')
    }
    const during = (from: string, until: string) => [...seen].filter(([at]) => at >= from && at < until).map(([, found]) => found)
    for (const found of during('22:30', '23:25')) expect(found).toEqual(['2025-05-28T22:30:00Z'])
    for (const found of during('23:25', '23:30')) expect(found).toEqual([])
    for (const found of during('23:30', '23:59')) expect(found).toEqual(['2025-05-28T23:30:00Z'])
    expect([during('22:30', '23:25').length, during('23:30', '23:59').length].every((count) => count > 0)).toBe(true)

    await page.evaluate('weatherMap.jumpTo({ center: [-96.95, 33.05] })')
    await waitForMap(page)
    await page.focus('#map canvas')
    await page.keyboard.press('Enter')
    await waitForText(page, 'record-details', 'Severe Thunderstorm Warning')
    expect(await textOf(page, 'record-details')).toMatch(
      /Issued2025-05-28 17:30 CDT \(22:30 UTC\)Expires2025-05-28 18:25 CDT \(23:25 UTC\)Hailup to 2\.00 in/,
    )
    await picture(page, 'warning')
    await page.click('#show-warnings')
    await waitForMap(page)
    expect(await inForce()).toEqual([])
    await page.click('#show-warnings')
    // Warnings of another day: none is in force now.
    await page.click('#unload')
    await waitForMap(page)
    expect(await inForce()).toEqual([])
  })

  it('draws unverified reports as outlines, and final records filled', async () => {
    const page = await openPage({ hash: '#at=33.175,-96.76,11&from=2025-05-28&to=2025-05-28&off=radar_hail,wind' })
    await paintMaps(page)
    await waitForMap(page)
    const fill = (longitude: number, latitude: number) =>
      page.evaluate(`(() => {
        const { x, y } = weatherMap.project([${longitude}, ${latitude}])
        const gl = weatherMap.getCanvas().getContext('webgl2'), ratio = devicePixelRatio, pixel = new Uint8Array(4)
        gl.readPixels(Math.round(x * ratio), gl.drawingBufferHeight - Math.round(y * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel)
        return [...pixel].slice(0, 3).join()
      })()`)
    expect([await fill(FRISCO.longitude, FRISCO.latitude), await fill(-96.7, 33.2)]).toEqual(['11,92,173', '255,255,255'])
    await picture(page, 'preliminary')
  })

  it('measures in miles and feet, by pointer and by keyboard', async () => {
    const page = await openPage({ hash: '#at=33.15,-96.82,11' })
    await page.click('#measure')
    expect([await textOf(page, 'distance'), await focused(page)]).toEqual(['Set the first point.', 'CANVAS'])
    await page.keyboard.press('Enter')
    await page.evaluate('weatherMap.jumpTo({ center: [-96.82, 33.25] })')
    await page.keyboard.press('Enter')
    // A tenth of a degree of latitude is 6.91 miles.
    expect(await textOf(page, 'distance')).toMatch(/^6\.91 mi \(36,4\d\d ft\)$/)
    const box = await (await page.$('#map'))?.boundingBox()
    await page.mouse.click((box?.x ?? 0) + 600, (box?.y ?? 0) + 400)
    expect(await textOf(page, 'distance')).toContain('; the last leg ')
    await waitForMap(page)
    await picture(page, 'measure')
    await page.focus('#map canvas')
    await page.keyboard.press('Backspace')
    expect(await textOf(page, 'distance')).toMatch(/^6\.91 mi /)
    await page.focus('#undo')
    for (let left = 2; left > 0; left--) await page.keyboard.press('Enter')
    expect([await textOf(page, 'distance'), await focused(page)]).toEqual(['Set the first point.', 'undo'])
    await page.focus('#map canvas')
    await page.keyboard.press('Escape')
    expect(await page.$eval('#measured', (part) => (part as HTMLElement).hidden)).toBe(true)
    expect(await page.$eval('#record', (part) => (part as HTMLElement).hidden)).toBe(true)
  })

  it('moves to the browser’s location, and handles a refusal', async () => {
    const page = await openPage()
    await page.click('#locate')
    await waitForText(page, 'notice', 'The browser may not share your position: allow it in the browser settings, or search for the place.')
    await browser.defaultBrowserContext().overridePermissions(origin, ['geolocation'])
    await page.setGeolocation({ ...FRISCO, accuracy: 30 })
    await page.click('#locate')
    await waitForText(page, 'notice', 'You are within 99 ft of here, according to the browser.')
    expect(await centre(page)).toEqual([33.15, -96.82])
    await page.mouse.move(600, 300)
    await page.waitForFunction(`document.getElementById('position').textContent.startsWith('Pointer 33.')`)
  })

  it('uses the basemap of the install, without requests to other hosts, in light and dark', async () => {
    await useBasemap()
    try {
      for (const { size, scheme } of looksOf(SCREENS)) {
        const page = await openPage({ hash: '#at=33.15,-96.82,9', size })
        const faults: string[] = []
        page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
        const requests: string[] = []
        page.on('request', (request) => requests.push(request.url()))
        const drawn = (layer: string) => page.evaluate(`weatherMap.queryRenderedFeatures({ layers: ['${layer}'] }).length`)
        for (const layer of ['earth', 'water', 'roads_highway', 'places_locality'])
          expect([layer, Number(await drawn(layer)) > 0]).toEqual([layer, true])
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
        await waitForMap(page)
        await picture(page, `basemap-${size[0]}-${scheme}`)
        expect(await violationsOf(page)).toEqual([])
        if (scheme === 'dark') expect(await page.evaluate(`weatherMap.getPaintProperty('water', 'fill-color')`)).toBe('#0f1a22')
        expect(await page.$eval('.maplibregl-ctrl-attrib', (part) => part.textContent)).toContain('© OpenStreetMap contributors')
        expect([faults, requests.filter((url) => !url.startsWith(origin) && !/^(data|blob):/.test(url))]).toEqual([[], []])
        await page.close()
      }
    } finally {
      await removeBasemap(world.app)
      world.clock.advance(60_000)
    }
  }, 240_000)

  it('asks for a reload once its basemap is replaced, but to try again if the service only fails', async () => {
    await useBasemap()
    try {
      const page = await openPage({ hash: '#at=33.15,-96.82,7' })
      await page.evaluate(`(() => {
        const real = window.fetch
        window.fails = true
        window.fetch = (path, options) =>
          window.fails && String(path).includes('/map/basemap/') ? Promise.resolve(new Response('', { status: 503 })) : real(path, options)
        weatherMap.jumpTo({ zoom: 8 })
      })()`)
      await waitForText(page, 'said', 'A part of the map could not be loaded: move the map to try again.')
      await page.evaluate('window.fails = false; weatherMap.panBy([1, 0], { animate: false })')
      await page.waitForFunction(`document.getElementById('said').textContent === ''`)
      await useBasemap()
      await page.evaluate('weatherMap.jumpTo({ zoom: 9 })')
      await waitForText(page, 'said', 'The basemap was replaced or removed: reload the page.')
      await page.evaluate('weatherMap.jumpTo({ zoom: 8 })')
      await waitForMap(page)
      expect(await textOf(page, 'said')).toBe('The basemap was replaced or removed: reload the page.')
    } finally {
      await removeBasemap(world.app)
      world.clock.advance(60_000)
    }
  })

  it('prints in light colours, with the map and its legend and without controls', async () => {
    const page = await openPage({ hash: `#${STORM}` })
    await page.waitForSelector('#player:not([hidden])')
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
    const land = () => page.evaluate(`weatherMap.getPaintProperty('land', 'fill-color')`)
    await expect.poll(land).toBe('#182027')
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    expect(await land()).toBe('#f6f4ef')
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    expect(await land()).toBe('#182027')
    await page.emulateMediaType('print')
    await picture(page, 'print')
    const seen = (ids: string[]) => page.evaluate((ids) => ids.filter((id) => document.getElementById(id)?.checkVisibility()), ids)
    expect(await seen(['map', 'bands', 'layers', 'clock', 'search', 'tools', 'play', 'load', 'unload'])).toEqual([
      'map',
      'bands',
      'layers',
      'clock',
    ])
  })
})
