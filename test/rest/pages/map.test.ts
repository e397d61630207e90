import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Ability } from '#domain/access/abilities.ts'
import { cellsOf, frameOfCells } from '#domain/archive/radar/frame.ts'
import { storeFrame } from '#domain/archive/radar/frames.ts'
import { sampleFrames } from '#domain/archive/sample/frames.ts'
import { LISTED_ZOOM_MAX, refreshMaps } from '#domain/maps/pyramid.ts'
import { readAlerts } from '#test/domain/archive/warnings/alerts.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { violationsOf } from '#test/support/axe.ts'
import { chromium, interceptRequests, launchChromium, paintMaps, resize } from '#test/support/chromium.ts'
import { aKeptProperty, aKeptTerritory, anExposure } from '#test/support/exposures.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { looksOf, SCREENS } from '#test/support/looks.ts'
import { openWorld, type World } from '#test/support/world.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

/** Five storms in separate places. */
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
const requests: string[] = []
const faults: string[] = []
const ids: number[] = []
/** The message for an invalid token. */
let refusal: string | null

/** Three records at one place, far from the storms and outside the first view. */
const crowded = { latitude: 64.84, longitude: -147.72 }
/** So many records that a tile might leave some out; outside the first view as well. */
const packed = { latitude: 61.2, longitude: -149.9 }
const PACKED_RECORDS = 60
const DAY_MS = 86_400_000
/** Pixels from the left of the map that a record's card may cover. */
const CARD_PX = 400

/** A smaller hail fell on the next day at every place of the storm. */
function nextDaysFrame() {
  const blocks = sampleFrames().flatMap(({ blocks }) => blocks)
  const cells = blocks.flatMap(({ block, data }) => cellsOf(block, data)).map((cell) => ({ ...cell, size_mm: 10 }))
  return frameOfCells(new Date((sampleFrames()[0]?.valid_at.getTime() as number) + DAY_MS), cells)
}

/** A team with an exposed property, a territory around it that is not exposed, and a property at the crowded place. */
async function watchingTeam() {
  const team = await aTeam(world)
  const { id: property_id } = await aKeptProperty(world, team, { latitude: 35.7, longitude: -97.8 })
  await aKeptProperty(world, team, { ...crowded, label: 'North Pole' })
  await aKeptTerritory(world, team)
  await anExposure(world, team, { property_id })
  return team
}

/** Opens the map in a page of its own with a token of the team. */
async function openPage(team: { id: string }, granted?: Ability[], prepare: (page: Page) => Promise<unknown> = async () => undefined) {
  const other = await browser.newPage()
  await resize(other, 1100, 700)
  await prepare(other)
  await other.goto(`${origin}/map`)
  await other.type('#token', (await aToken(world, team, granted)).token)
  await other.keyboard.press('Enter')
  return other
}

/** Replaces the response to a page's first request for an address: 429, or a lost connection. */
const answerInstead = (other: Page, part: string, status: 0 | 429) =>
  other.evaluateOnNewDocument(
    (part, status) => {
      const real = window.fetch
      window.fetch = (input, options) => {
        if ('answeredInstead' in window || !String(input).includes(part)) return real(input, options)
        Object.assign(window, { answeredInstead: true })
        const busy = () => new Response('', { status, headers: { 'retry-after': '1' } })
        return status === 0 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(busy())
      }
    },
    part,
    status,
  )

describe.skipIf(skipped)(`the map page${skipped}`, () => {
  beforeAll(async () => {
    world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
    rest = await openRest(world)
    for (const storm of storms) ids.push((await storeRecord(world, storm)).id)
    for (const frame of [...sampleFrames(), nextDaysFrame()]) await storeFrame(world.app, 'sample', frame)
    await storeRecord(world, { ...crowded, hail_size_in: 1.75, occurred_on: '2024-07-01' })
    await storeRecord(world, { ...crowded, hail_size_in: 1, occurred_on: '2024-07-02' })
    await storeRecord(world, { ...crowded, type: 'heavy_rain', occurred_on: '2024-07-03' })
    for (let nth = 0; nth < PACKED_RECORDS; nth++)
      await storeRecord(world, { ...packed, latitude: packed.latitude + nth / 1000, hail_size_in: 1, occurred_on: '2024-07-04' })
    await refreshMaps(world.app)
    origin = await rest.fastify.listen({ host: '127.0.0.1', port: 0 })
    browser = await launchChromium()
    page = await browser.newPage()
    await resize(page, 1100, 700)
    await page.goto(`${origin}/map`)
    await page.type('#token', 'wt_wrong')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#said.wrong')
    refusal = await page.$eval('#said', (element) => element.textContent)
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (fault) => faults.push(String(fault)))
    await page.goto(`${origin}/map`)
    await page.type('#token', (await aToken(world, await watchingTeam())).token)
    await page.keyboard.press('Enter')
    await waitForMap()
  })
  // A page that a failed test left open would keep later maps from being drawn.
  afterEach(async () => {
    for (const other of await browser.pages()) if (other !== page) await other.close()
    await page.bringToFront()
    await paintMaps(page, false)
  })
  afterAll(async () => {
    await browser?.close()
    await rest?.close()
  })

  /** Waits until every tile in view is drawn, and the drawing is on the screen. */
  const waitForMap = async (on = page) => {
    await on.waitForFunction('window.weatherMap?.loaded() && window.weatherMap.areTilesLoaded()', { timeout: 60_000 })
    await on.evaluate(`new Promise((done) => {
      weatherMap.once('idle', done)
      weatherMap.triggerRepaint()
    })`)
  }
  /** Each once: a mark near the edge of a tile is also found in the neighbouring tile. */
  const shown = () =>
    page.evaluate(
      `[...new Set(weatherMap.queryRenderedFeatures({ layers: ['hail', 'wind', 'tornado', 'flood', 'other'] }).map(({ properties }) => properties.id))]`,
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
  const goTo = async ({ latitude, longitude }: { latitude: number; longitude: number }, zoom: number, on = page) => {
    await on.evaluate(`weatherMap.jumpTo({ center: [${longitude}, ${latitude}], zoom: ${zoom} })`)
    await waitForMap(on)
  }
  const textOf = (id: string, on = page) => on.$eval(`#${id}`, (one) => one.textContent)
  const waitForText = (id: string, text: string, on = page) =>
    on.waitForFunction((id, text) => document.getElementById(id)?.textContent === text, { timeout: 60_000 }, id, text)
  /** Red, green and blue at places on the screen. */
  const colorsAt = async (places: (readonly [x: number, y: number])[]): Promise<string[]> => {
    const seen = await page.screenshot({ encoding: 'base64' })
    return page.evaluate(
      async (seen, places) => {
        const image = new Image()
        image.src = `data:image/png;base64,${seen}`
        await image.decode()
        const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
        const drawn = canvas.getContext('2d') as CanvasRenderingContext2D
        drawn.drawImage(image, 0, 0)
        const scale = image.width / innerWidth
        return places.map(([x, y]) =>
          drawn
            .getImageData(x * scale, y * scale, 1, 1)
            .data.slice(0, 3)
            .join(),
        )
      },
      seen,
      places,
    )
  }
  /** The hail size shown at places of the map, in inches, away from lines and marks. */
  const sizesSeen = async (layer: 'radar_hail' | 'moment'): Promise<{ inches: number; place: readonly [number, number] }[]> => {
    const found = (await page.evaluate(`(() => {
      const largest = (x, y) =>
        Math.max(-1, ...weatherMap.queryRenderedFeatures([x, y], { layers: ['radar_hail'] }).map(({ properties }) => properties.value))
      const grid = []
      for (let x = 0; x < weatherMap.getContainer().clientWidth; x += 5) for (let y = 10; y < weatherMap.getContainer().clientHeight; y += 5) grid.push([largest(x, y), x, y])
      const cells = weatherMap.queryRenderedFeatures({ layers: ['moment'] }).map(({ properties, geometry }) => {
        const { x, y } = weatherMap.project(geometry.coordinates)
        return [properties.mesh_in, Math.round(x), Math.round(y)]
      })
      const corners = (x, y) => [[x - 4, y - 4], [x + 4, y - 4], [x - 4, y + 4], [x + 4, y + 4]]
      const isAlike = ([size, x, y]) => size >= 0 && corners(x, y).every(([x, y]) => largest(x, y) === size)
      const isBare = ([, x, y]) => weatherMap.queryRenderedFeatures([[x - 4, y - 4], [x + 4, y + 4]])
        .every(({ layer }) => ['radar_hail', 'moment', 'land'].includes(layer.id))
      const { clientWidth, clientHeight } = weatherMap.getContainer()
      // Away from the card, the tools and what is written at the lower edge.
      const isOpen = ([, x, y]) => x > ${CARD_PX} && x < clientWidth - 70 && y < clientHeight - 70
      return ('${layer}' === 'moment' ? cells : grid.filter(isAlike)).filter(isOpen).filter(isBare)
    })()`)) as [number, number, number][]
    const box = await (await page.$('#map'))?.boundingBox()
    return found.map(([inches, x, y]) => ({ inches, place: [x + (box?.x ?? 0), y + (box?.y ?? 0)] as const }))
  }
  /** The colours of a layer on the ground and those of the legend, by the lower end of the band. */
  const colorsByBand = async (layer: 'radar_hail' | 'moment') => {
    await page.$eval('#bands', (bands) => bands.scrollIntoView({ block: 'center' }))
    const legend = (await page.evaluate(`[...document.querySelectorAll('#bands li')].map((band) => {
      const { x, y, width } = band.getBoundingClientRect()
      return [Number(band.textContent), Math.round(x + width / 2), Math.round(y + 4)]
    })`)) as [number, number, number][]
    const seen = await sizesSeen(layer)
    const bandOf = (inches: number) => legend.findLast(([from]) => from <= inches)?.[0] as number
    const bands = [...new Set(seen.map(({ inches }) => bandOf(inches)))].sort((one, other) => one - other)
    const places = bands.map((band) => seen.find(({ inches }) => bandOf(inches) === band)?.place as readonly [number, number])
    const keys = bands.map((band) => legend.find(([from]) => from === band)?.slice(1) as [number, number])
    return { bands, ground: await colorsAt(places), legend: await colorsAt(keys) }
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

  it('shows the archive’s records at five known storms, visibly', async () => {
    expect((await shown()).sort()).toEqual([...ids].sort())
    await picture('country')
    await paintMaps(page)
    for (const [index, storm] of storms.entries()) {
      await goTo(storm, 9)
      expect(await shown()).toEqual([ids[index]])
      const [x, y] = await canvasCentre()
      const at = async (left: number) =>
        Buffer.from(await page.screenshot({ clip: { x: left, y: y - 1, width: 2, height: 2 }, encoding: 'binary' }))
      await vi.waitFor(async () => expect((await at(x - 1)).equals(await at(x + 150))).toBe(false), { timeout: 60_000 })
    }
  })

  it('draws the team’s places, and marks those that are exposed', async () => {
    await goTo({ latitude: 35.5, longitude: -97.5 }, 8)
    // A shape that covers several tiles is found in each.
    const exposed = (layer: string) =>
      page.evaluate(
        `Object.fromEntries(weatherMap.queryRenderedFeatures({ layers: ['${layer}'] }).map(({ properties }) => [properties.name, properties.exposed]))`,
      )
    expect([await exposed('team-places'), await exposed('team-areas')]).toEqual([{ HQ: true }, { North: false }])
    await picture('watched')
  })

  it('states what is missing: a token, an ability, records', async () => {
    expect(refusal).toBe('This token is unknown, expired or revoked.')
    const empty = () => page.$eval('#missing', (element) => element.textContent)
    await goTo({ latitude: 30, longitude: -40 }, 6)
    await page.waitForFunction(`document.getElementById('missing').textContent.startsWith('No records here')`)
    await picture('empty')
    await goTo(storms[0], 9)
    await expect.poll(empty).toBe('')
    const other = await browser.newPage()
    await other.goto(`${origin}/map`)
    await other.type('#token', (await aToken(world, await aTeam(world), ['account:read'])).token)
    await other.keyboard.press('Enter')
    await waitForText('said', 'This token lacks the ability maps:read.', other)
    await waitForMap(other)
    expect(await textOf('missing', other)).toBe('')
  })

  it('draws a warning that is issued while the page is open, and states when a view is too wide for warnings', async () => {
    const other = await openPage(await aTeam(world))
    await waitForMap(other)
    await waitForText('undrawn', 'Not drawn in a view this wide: zoom in to see them.', other)
    await goTo({ latitude: 32.8, longitude: -96.8 }, 8, other)
    await waitForText('undrawn', '', other)
    const drawn = () => other.evaluate(`weatherMap.queryRenderedFeatures({ layers: ['warnings'] }).length > 0`)
    expect(await drawn()).toBe(false)
    const at = (minutes: number) => `${new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 16)}:00Z`
    await readAlerts(world, {
      action: 'NEW',
      sent: at(-1),
      ends: at(60)
        .replace(/^20|[-:]|00Z$/g, '')
        .concat('Z'),
    })
    await refreshMaps(world.app)
    // As after some minutes with the page open.
    await other.evaluate(`(() => { const now = Date.now; Date.now = () => now() + 200_000 })()`)
    await other.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await expect.poll(drawn).toBe(true)
    await world.owner.query('DELETE FROM warnings')
  })

  it('draws the places that are watched, and no others', async () => {
    const team = await aTeam(world)
    await aKeptProperty(world, team, { latitude: 35.7, longitude: -97.8, label: 'Watched' })
    await aKeptProperty(world, team, { latitude: 35.8, longitude: -97.9, label: 'Sold', status: 'archived' })
    const other = await openPage(team)
    await waitForMap(other)
    await goTo({ latitude: 35.7, longitude: -97.8 }, 8, other)
    const names = () =>
      other.evaluate(`weatherMap.queryRenderedFeatures({ layers: ['team-places'] }).map(({ properties }) => properties.name)`)
    await expect.poll(names).toEqual(['Watched'])
  })

  it('states that what is shown is made up, wherever a part of it is', async () => {
    await goTo(crowded, 9)
    await waitForText('made-up', '')
    await goTo(storms[0], 9)
    await waitForText('made-up', 'Sample, made up: some of what is shown never happened.')
    await picture('made-up')
    await page.click('#show-radar_hail')
    await waitForText('made-up', '')
    await page.click('#show-radar_hail')
    await waitForText('made-up', 'Sample, made up: some of what is shown never happened.')
  })

  it('states that a wide view leaves out records that match the filter, and shows them when zoomed in', async () => {
    await set('#from', '2024-07-02')
    await set('#to', '2024-07-02')
    await goTo(crowded, LISTED_ZOOM_MAX + 0.9)
    expect(await shown()).toEqual([])
    await waitForText('missing', 'Only the strongest record of each place is shown here: zoom in for this date.')
    await picture('thinned')
    await goTo(crowded, LISTED_ZOOM_MAX + 1)
    expect(await shown()).toHaveLength(1)
    await waitForText('missing', '')
    await set('#to', '2024-07-01')
    await set('#from', '2024-07-01')
    await set('#hail', '2')
    await waitForText('missing', 'No records here match these filters: move the map, or relax the filters.')
    await goTo(packed, 11)
    await waitForText('missing', 'No record shown here matches, but a view of so many leaves some out: zoom in, or move the map.')
    await goTo(crowded, LISTED_ZOOM_MAX + 1)
    for (const [filter, none] of Object.entries({ from: '', to: '', hail: '0' })) await set(`#${filter}`, none)
    await waitForText('missing', '')
  })

  it('states which layers are off, instead of that there are no records', async () => {
    await goTo(crowded, 10)
    await page.click('#show-hail')
    await page.click('#show-other')
    await waitForText('missing', 'No records here in the visible layers: show more layers, or move the map.')
    const others = ['wind', 'tornado', 'flood', 'tornado_paths', 'radar_hail']
    for (const layer of others) await page.click(`#show-${layer}`)
    await waitForText('missing', 'Every layer of records is switched off.')
    for (const layer of ['hail', 'other', ...others]) await page.click(`#show-${layer}`)
    await waitForText('missing', '')
  })

  it('states that a part did not load, instead of that it is empty, until the map is complete again', async () => {
    const other = await openPage(await aTeam(world))
    await waitForMap(other)
    await other.setOfflineMode(true)
    // A place that was not shown before: the browser caches tiles for an hour.
    await other.evaluate(`weatherMap.jumpTo({ center: [-40, 0], zoom: 7 })`)
    const fault = 'A part of the map could not be loaded: move the map to try again.'
    await waitForText('said', fault, other)
    await other.evaluate(`new Promise((done) => weatherMap.once('idle', done) && weatherMap.triggerRepaint())`)
    expect([await textOf('said', other), await textOf('missing', other)]).toEqual([fault, ''])
    await other.setOfflineMode(false)
    await waitForText('said', '', other)
    await waitForText('missing', 'No records here: zoom out or move the map.', other)
  })

  it('states that a part broke off while loading, and loads it once the map is moved', async () => {
    const other = await openPage(await aTeam(world))
    await waitForMap(other)
    await other.evaluate(`(() => {
      const whole = window.fetch
      window.breaksOff = true
      window.fetch = async (path, options) => {
        const answer = await whole(path, options)
        if (!window.breaksOff || !String(path).includes('/tiles/')) return answer
        return new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('network error')) }), { status: 200 })
      }
      weatherMap.jumpTo({ center: [-40, 0], zoom: 7 })
    })()`)
    await waitForText('said', 'A part of the map could not be loaded: move the map to try again.', other)
    await other.evaluate('window.breaksOff = false; weatherMap.panBy([1, 0], { animate: false })')
    await waitForText('said', '', other)
    await waitForText('missing', 'No records here: zoom out or move the map.', other)
  })

  it('states that the browser lost the drawing context, and draws the same once it is restored', async () => {
    const other = await openPage(await aTeam(world))
    await waitForMap(other)
    await other.evaluate(`(() => {
      window.drawing = weatherMap.getCanvas().getContext('webgl2').getExtension('WEBGL_lose_context')
      drawing.loseContext()
    })()`)
    await waitForText('said', 'The browser no longer draws the map: reload the page if it does not come back.', other)
    await other.evaluate('drawing.restoreContext()')
    await waitForText('said', '', other)
    await waitForMap(other)
    expect(await other.evaluate('weatherMap.getStyle().layers.length')).toBeGreaterThan(10)
  })

  it('draws more places than it reads at once, exposed ones on top, and states how many it left out', async () => {
    const team = await aTeam(world)
    const place = { latitude: 39, longitude: -98, located: true, tags: [], query: 'Kansas' }
    const row = (number: number) => ({
      ...place,
      team_id: team.id,
      label: `Place ${number}`,
      query_key: `${number}`,
      address_key: `${number}`,
    })
    await world.app.db.property.createMany({ data: Array.from({ length: 1009 }, (_, number) => row(number)) })
    // Newest, and so first in the list: without a sort order it would be drawn under all others.
    const { id: property_id } = await aKeptProperty(world, team, { ...row(1009), created_at: new Date(Date.now() + DAY_MS) })
    await anExposure(world, team, { property_id })
    const other = await openPage(team, ['maps:read', 'properties:read', 'exposures:read'], (other) =>
      answerInstead(other, 'properties?status=watching&per_page=100&page=2', 429),
    )
    await other.waitForFunction(`document.querySelectorAll('#unwatched p').length === 2`, { timeout: 60_000 })
    const notes = () => other.$$eval('#unwatched p', (notes) => notes.map(({ textContent }) => textContent))
    expect(await notes()).toEqual([
      'Properties: 1,000 of 1,010 shown; the newest of them.',
      'Territories could not be loaded: This token lacks the ability territories:read.',
    ])
    expect(await other.evaluate('answeredInstead')).toBe(true)
    await waitForMap(other)
    const drawn = (await other.evaluate(
      `weatherMap.queryRenderedFeatures({ layers: ['team-places'] }).map(({ properties }) => properties.exposed)`,
    )) as boolean[]
    expect([drawn.length, drawn.indexOf(true)]).toEqual([1000, 0])
  })

  it('states when a response never comes or breaks off', async () => {
    const hang = (other: Page, part: string) =>
      other.evaluateOnNewDocument((part) => {
        const { fetch } = window
        // Only the request that hangs runs out of time: others may be slow. Each has its limit from the call before it.
        let limit = new AbortController()
        AbortSignal.timeout = () => {
          limit = new AbortController()
          return limit.signal
        }
        window.fetch = (input, options) => {
          if (!String(input).includes(part)) return fetch(input, options)
          const { signal } = options ?? {}
          setTimeout((late) => late.abort(), 0, limit)
          return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
        }
      }, part)
    const [team, late] = [await aTeam(world), 'The service did not respond in time.']
    await waitForText('said', late, await openPage(team, undefined, (other) => hang(other, '/account')))
    const tiles = await openPage(team, undefined, (other) => hang(other, '/tiles/'))
    await waitForText('said', 'A part of the map could not be loaded: move the map to try again.', tiles)
    // The packaged ground needs no response.
    await waitForMap(await openPage(team, undefined, (other) => hang(other, '/map/basemap.json')))
    const torn = await openPage(team, undefined, (other) =>
      other.evaluateOnNewDocument(() => {
        const real = window.fetch
        window.fetch = async (input, options) =>
          String(input).includes('/account') ? new Response('{"data":', { status: 200 }) : real(input, options)
      }),
    )
    await waitForText('said', 'The response of the service was cut off.', torn)
  })

  it('states that a list of the team did not load', async () => {
    const other = await openPage(await aTeam(world), undefined, (other) => answerInstead(other, '/exposures?', 0))
    await waitForText('unwatched', 'Open exposures could not be loaded: The service could not be reached.', other)
  })

  it('explains what a token is if it is invalid, and what to do if the map cannot be drawn', async () => {
    const other = await browser.newPage()
    await other.goto(`${origin}/map`)
    await other.type('#token', 'wt_pässword')
    await other.keyboard.press('Enter')
    await waitForText('said', 'This is not a token: a token is wt_ followed by digits and letters without accents.', other)
    await other.evaluateOnNewDocument(() => {
      HTMLCanvasElement.prototype.getContext = () => null
    })
    await other.reload()
    await other.waitForSelector('#said.wrong')
    expect(await textOf('said', other)).toBe(
      'This browser cannot draw the map. Turn on graphics acceleration (WebGL 2) in its settings, or open the page in another browser. The console has storm days, reports and exposures in words, too.',
    )
    const seen = await other.$$eval('#enter, #controls, #keys', (parts) => parts.map((part) => part.checkVisibility()))
    expect(seen).toEqual([false, false, false])
  })

  it('waits when the token is rate-limited, says so, and completes by itself', async () => {
    let refused = 0
    const said = await page.evaluateHandle(() => {
      const [messages, element] = [[] as (string | null)[], document.getElementById('said')]
      if (element) new MutationObserver(() => messages.push(element.textContent)).observe(element, { childList: true, subtree: true })
      return messages
    })
    const end = await interceptRequests(page, (request) => {
      if (!request.url().includes('/api/v1/tiles/') || refused === 4) return request.continue()
      refused++
      return request.respond({ status: 429, headers: { 'retry-after': '1' }, body: '' })
    })
    // No tile of this zoom level was shown yet.
    await goTo(storms[3], 11)
    await end()
    expect(refused).toBe(4)
    expect(await said.jsonValue()).toContain('Rate limit reached: the rest of the map loads in 1 s.')
    expect([await shown(), await page.$eval('#said', (element) => element.textContent)]).toEqual([[ids[3]], ''])
    // The browser logs each refused response, and nothing else.
    expect(faults.splice(0)).toEqual(Array.from({ length: 4 }, () => expect.stringContaining('429')))
  })

  it('shows the details of a clicked record with its citation; by keyboard too', async () => {
    await goTo(storms[0], 10)
    const [x, y] = await canvasCentre()
    await page.mouse.click(x, y)
    const text = () => page.$eval('#record', (record) => record.textContent ?? '')
    expect(await text()).toContain('2025-05-28')
    await page.waitForSelector('#record-details a')
    expect(await text()).toContain(`NOAA Storm Events Database, final, record ${ids[0]}`)
    expect(await text()).toContain('2.00 in, measured or estimated: not stated')
    const link = await page.$eval('#record-details a', (a) => [
      a.textContent,
      (a as HTMLAnchorElement).href,
      a.getAttribute('rel'),
      (a as HTMLAnchorElement).target,
    ])
    expect(link).toEqual(['https://example.com/record', 'https://example.com/record', 'noopener noreferrer', '_blank'])
    await page.click('#record .close')
    expect(await page.$eval('#record', (record) => (record as HTMLElement).hidden)).toBe(true)
    await world.app.pool.query(
      `UPDATE archive_records SET citation_url = 'javascript:alert(1)', description = '<b>Hail</b>', caveats = $2 WHERE id = $1`,
      [ids[0], ['<i>Its point is far away.</i>', 'Its hour is unsure.']],
    )
    await page.mouse.click(x, y)
    await page.waitForFunction(
      `document.getElementById('record').textContent.includes('javascript:alert(1)Doubted<i>Its point is far away.</i>Its hour is unsure.<b>Hail</b>')`,
    )
    expect(await page.$('#record-details a, #record-details b, #record-details i')).toBe(null)
    await goTo(storms[1], 10)
    await page.focus('#map canvas')
    await page.keyboard.press('Enter')
    expect(await text()).toContain('EF4')
  })

  it('shows the strongest of the records at a place first, then the others in turn', async () => {
    await goTo(crowded, 10)
    await page.mouse.click(...(await canvasCentre()))
    const turn = async () => [
      await textOf('turn'),
      await page.$eval('#record-details h2', (name) => name.textContent),
      (await textOf('record-details'))?.slice(0, 40),
    ]
    const first = ['1 of 3 here', 'hail', expect.stringContaining('2024-07-01')]
    expect(await turn()).toEqual(first)
    await page.click('#after')
    expect(await turn()).toEqual(['2 of 3 here', 'hail', expect.stringContaining('2024-07-02')])
    await page.keyboard.press('Enter')
    expect(await turn()).toEqual(['3 of 3 here', 'heavy rain', expect.stringContaining('2024-07-03')])
    await picture('turns')
    await page.click('#after')
    expect(await turn()).toEqual(first)
    await page.click('#before')
    expect((await turn())[0]).toBe('3 of 3 here')
  })

  it('closes a record with Escape and with its button, and returns the focus to the map', async () => {
    const state = () => page.evaluate(`[document.getElementById('record').hidden, document.activeElement.tagName]`)
    await page.focus('#map canvas')
    for (const key of ['Escape', 'Enter'] as const) {
      await page.keyboard.press('Enter')
      await page.focus('#close')
      expect(await state()).toEqual([false, 'BUTTON'])
      await page.keyboard.press(key)
      expect(await state()).toEqual([true, 'CANVAS'])
    }
  })

  it('shows by keyboard alone what was recorded around a place without a record, and leads to a report about it', async () => {
    // Two miles from the three records.
    await goTo({ ...crowded, latitude: 64.869 }, 10)
    await page.focus('#map canvas')
    await page.keyboard.press('Enter')
    expect([await textOf('record-details'), await textOf('coordinates')]).toEqual(['', '64.869, -147.72'])
    const focused = () => page.evaluate('document.activeElement.id') as Promise<string>
    for (let tabs = 0; tabs < 8 && (await focused()) !== 'search-around'; tabs++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#recorded-around h3')
    const texts = await page.$$eval('#recorded-around :is(h3, p:not(.note), summary, li)', (parts) => parts.map((part) => part.textContent))
    const seen = [
      '3 records on 3 days',
      '2024-07-03: 1 record',
      '2024-07-02: hail 1 to 1.75 in reported or measured',
      '2024-07-01: hail 1.75 to 2.75 in reported or measured',
    ]
    expect(texts).toEqual(['Within 1 mi', 'No records.', 'Within 3 mi', ...seen, 'Within 10 mi', ...seen])
    expect(await textOf('recorded-around')).toContain('A day without records is not proof that nothing happened.')
    await picture('around')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('make-report')
    const leadsTo = async (query: string) => (await fetch(`${origin}/map?${query}`, { redirect: 'manual' })).headers.get('location')
    const link = await page.$eval('#make-report', (link) => new URL((link as HTMLAnchorElement).href).search.slice(1))
    expect(await leadsTo(link)).toBe(`${world.app.config.console_url}/reports/new?address=64.86900%2C+-147.72000`)
    for (const none of ['report=here', 'report=1,2//example.com', 'report=1,2&report=3,4']) expect(await leadsTo(none)).toBe(null)
    await page.keyboard.press('Escape')
  })

  it('states why nothing could be searched around a place', async () => {
    const other = await openPage(await aTeam(world), ['maps:read'])
    await waitForMap(other)
    await other.focus('#map canvas')
    await other.keyboard.press('Enter')
    await other.click('#search-around')
    await waitForText('recorded-around', 'This token lacks the ability reports:write.', other)
  })

  it('draws the ring of a watched place without hiding the records inside', async () => {
    await paintMaps(page)
    await goTo(crowded, 12)
    const rendered = (layer: string) => page.evaluate(`weatherMap.queryRenderedFeatures({ layers: ['${layer}'] }).length`)
    expect([await rendered('team-places'), await rendered('other')]).toEqual([1, 1])
    const [x, y] = await canvasCentre()
    const [mark, legend] = await colorsAt([
      [Math.round(x), Math.round(y)],
      (await page.$eval('#mark-other', (mark) => {
        const { x, y, width, height } = mark.getBoundingClientRect()
        return [Math.round(x + width / 2), Math.round(y + height / 2)]
      })) as [number, number],
    ])
    expect(mark).toBe(legend)
  })

  it('moves by keyboard and filters by family, date and size', async () => {
    await goTo({ latitude: 37, longitude: -98 }, 4)
    await page.focus('#map canvas')
    await page.keyboard.press('ArrowRight')
    await page.waitForFunction('weatherMap.getCenter().lng > -98 && !weatherMap.isMoving()')
    await waitForMap()
    await page.click('#show-tornado')
    await waitForMap()
    expect((await shown()).sort()).toEqual(ids.filter((_, index) => index !== 1).sort())
    await page.click('#show-tornado')
    await set('#from', '2017-06-01')
    await waitForMap()
    expect((await shown()).sort()).toEqual([ids[0], ids[2], ids[4]].sort())
    await set('#from', '')
    await set('#hail', '2.5')
    await waitForMap()
    expect((await shown()).sort()).toEqual([ids[1], ids[2], ids[3], ids[4]].sort())
    await set('#hail', '0')
  })

  it('keeps each radar band that reaches the chosen size', async () => {
    await goTo(storms[0], 9.5)
    const bands = async () =>
      page.evaluate(
        `[...new Set(weatherMap.queryRenderedFeatures({ layers: ['radar_hail'] }).map(({ properties }) => properties.value))].sort()`,
      )
    const all = [0, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]
    expect(await bands()).toEqual(all)
    for (const [least, kept] of [
      ['1.75', [1.75, 2]],
      ['1.5', [1.5, 1.75, 2]],
      ['2.25', [2]],
      ['0.25', all],
    ] as const) {
      await set('#hail', least)
      await waitForMap()
      expect(await bands()).toEqual(kept)
    }
    await set('#hail', '0')
  })

  it('draws radar in the colours of its legend, in light and dark, for a day and for a moment', async () => {
    await paintMaps(page)
    for (const value of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
      await goTo(storms[0], 9.5)
      const { bands, ground, legend } = await colorsByBand('radar_hail')
      expect(bands).toEqual([0, 0.5, 0.75, 1, 1.25, 1.5, 1.75])
      expect(ground).toEqual(legend)
      await picture(`radar-${value}`)
      await set('#day', '2025-05-28')
      await page.click('#load')
      await page.waitForSelector('#player:not([hidden])')
      await set('#moment', '6')
      await page.$eval('#moment', (moment) => moment.dispatchEvent(new Event('input')))
      await waitForMap()
      const moment = await colorsByBand('moment')
      expect(moment.bands.length).toBeGreaterThan(3)
      expect(moment.ground).toEqual(moment.legend)
      // No day is chosen: the day that played before disappears.
      await set('#day', '')
      await page.click('#load')
      await page.waitForSelector('#player[hidden]')
    }
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }])
    await waitForMap()
  })

  it('names the source of a radar area in the source’s own words', async () => {
    await goTo(storms[0], 9.5)
    const [
      {
        place: [x, y],
      } = { place: [0, 0] },
    ] = await sizesSeen('radar_hail')
    await page.mouse.click(x, y)
    await page.waitForFunction(`document.getElementById('record-details').textContent.includes('Citation')`)
    expect(await textOf('record-details')).toMatch(
      /Magnitude(less than 0\.50 in|\d+\.\d\d in or more), estimated by radar.*CitationSample, made up: the largest of 2025-05-2[89] by local time$/,
    )
  })

  it('plays the radar of a storm day', async () => {
    await goTo(storms[0], 9.5)
    await set('#day', '2025-05-28')
    await page.click('#load')
    await page.waitForSelector('#player:not([hidden])')
    expect(await page.$eval('#loaded', (element) => element.textContent)).toBe('Radar moments: 17. Reports: 1. Warnings: none stored.')
    await page.click('#play')
    await page.waitForFunction(`Number(document.getElementById('moment').value) >= 6`)
    await page.click('#play')
    await waitForMap()
    expect(await page.evaluate(`weatherMap.queryRenderedFeatures({ layers: ['moment'] }).length`)).toBeGreaterThan(20)
    expect(await page.evaluate(`weatherMap.queryRenderedFeatures({ layers: ['radar_hail'] }).length`)).toBeGreaterThan(1)
    await picture('storm-day')
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
    await waitForMap()
    await picture('dark')
  })

  it('hides records of other days while a day plays, and shows them again', async () => {
    await goTo(storms[0], 9.5)
    const days = () =>
      page.evaluate(
        `[...new Set(weatherMap.queryRenderedFeatures({ layers: ['hail', 'radar_hail'] }).map(({ properties }) => properties.date))].sort()`,
      )
    await page.click('#unload').catch(() => {})
    await waitForMap()
    expect(await days()).toEqual(['2025-05-28', '2025-05-29'])
    await set('#day', '2025-05-28')
    await page.click('#load')
    await page.waitForSelector('#player:not([hidden])')
    await waitForMap()
    expect(await days()).toEqual(['2025-05-28'])
    expect(await page.$eval('#record', (card) => (card as HTMLElement).hidden)).toBe(true)
    await page.click('#unload')
    await waitForMap()
    expect(await days()).toEqual(['2025-05-28', '2025-05-29'])
    expect(await page.$eval('#unload', (button) => button.checkVisibility())).toBe(false)
  })

  it('shows the map and the player together on a phone', async () => {
    await resize(page, 390, 844)
    await goTo(storms[0], 9.5)
    await set('#day', '2025-05-28')
    await page.click('#load')
    await page.waitForSelector('#player:not([hidden])')
    await waitForMap()
    await picture('phone-player')
    const inView = (id: string) =>
      page.$eval(`#${id}`, (part) => {
        const { top, bottom, left, right } = part.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && bottom - top > 10
      })
    for (const id of ['map', 'play', 'clock', 'moment', 'unload']) expect([id, await inView(id)]).toEqual([id, true])
    expect(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true)
    await page.click('#unload')
    await resize(page, 1100, 700)
    await waitForMap()
  })

  it('plays the part in view on a repeated copy of the world, and nothing after a refused load', async () => {
    await goTo({ ...storms[0], longitude: storms[0].longitude - 360 }, 9.5)
    await set('#day', '2025-05-28')
    await page.click('#load')
    await waitForText('loaded', 'Radar moments: 17. Reports: 1. Warnings: none stored.')
    await goTo({ latitude: 0, longitude: 179.9 }, 9)
    await page.click('#load')
    await waitForText(
      'loaded',
      'No radar moments of this day are stored here. Reports: none stored. Warnings: none stored. That is not proof that nothing happened.',
    )
    await goTo(storms[0], 9.5)
    await page.click('#load')
    await page.waitForSelector('#player:not([hidden])')
    await page.click('#play')
    await goTo(storms[0], 5)
    await page.click('#load')
    await waitForText('loaded', 'Zoom in: at most 6 by 6 degrees can be played.')
    expect(await page.$eval('#player', (player) => (player as HTMLElement).hidden)).toBe(true)
    await goTo(storms[0], 9.5)
    expect(await page.evaluate(`weatherMap.queryRenderedFeatures({ layers: ['moment', 'reports'] }).length`)).toBe(0)
  })

  it('offers no future day, and states that one typed by hand has not begun', async () => {
    await page.focus('#day')
    expect(await page.$eval('#day', (day) => (day as HTMLInputElement).max)).toBe(new Date().toLocaleDateString('sv'))
    await goTo(storms[0], 9.5)
    await set('#day', '2099-01-01')
    await page.click('#load')
    await waitForText('loaded', 'This day has not begun here yet.')
    expect(await textOf('loaded')).not.toContain('held')
  })

  it('states the hours whose largest values it shows, if only those exist', async () => {
    const [cells] = sampleFrames()
    await storeFrame(world.app, 'sample', {
      ...(cells as NonNullable<typeof cells>),
      product: 'mesh_max_1440min',
      valid_at: new Date('2024-02-28T10:00:00Z'),
    })
    await goTo(storms[0], 9.5)
    await set('#day', '2024-02-27')
    await page.click('#load')
    await waitForText(
      'loaded',
      'Radar: the largest estimates of 24 hours, not single moments. Reports: none stored. Warnings: none stored. That is not proof that nothing happened.',
    )
    expect(await textOf('clock')).toBe('Largest of 2024-02-27 04:00 CST (10:00 UTC) to 2024-02-28 04:00 CST (10:00 UTC)')
    await set('#day', '2025-05-28')
    await page.click('#load')
    await waitForText('loaded', 'Radar moments: 17. Reports: 1. Warnings: none stored.')
    expect(await textOf('clock')).toBe('2025-05-28 18:20 CDT (23:20 UTC)')
  })

  it('has no accessibility fault, light or dark', async () => {
    await page.focus('#map canvas')
    await page.keyboard.press('Enter')
    await page.focus('#search-around')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#recorded-around h3')
    for (const { size, scheme } of looksOf(SCREENS)) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      await resize(page, ...size)
      await picture(`${scheme}-${size[0]}`)
      expect(await violationsOf(page)).toEqual([])
    }
  })

  it('sends no request to other hosts, does not store the token, and runs without errors', async () => {
    expect(requests.filter((url) => !url.startsWith(origin) && !/^(data|blob):/.test(url))).toEqual([])
    expect(requests.some((url) => url.includes('wt_'))).toBe(false)
    expect(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length')).toBe(0)
    expect(faults).toEqual([])
  })
})
