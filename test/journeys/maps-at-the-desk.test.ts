import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ElementHandle, KeyInput, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { paintMaps, resize } from '#test/support/chromium.ts'
import { SECOND } from '#test/support/clock.ts'
import { chromium, type Desk, drawnMap, faultsInEveryLook, fill, follow, openDesk, press, saved, says } from '#test/support/desk.ts'
import { aKeptProperty, aKeptTerritory, anExposure, aWarning } from '#test/support/exposures.ts'
import { aTeam } from '#test/support/factories.ts'
import { OWN_DARK_COLORS } from '#test/support/looks.ts'
import { waitUntil } from '#test/support/wait-until.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

let desk: Desk
let team: Team
let exposure: number
let warning: number
let north: string

beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  const { world } = desk
  team = await aTeam(world, { name: 'Roof works', plan: 'professional' })
  const depot = await aKeptProperty(world, team, { latitude: 33.15, longitude: -96.82, label: 'Depot' })
  const hail = await storeRecord(world, { latitude: 33.17, longitude: -96.8, hail_size_in: 2, occurred_on: '2025-05-28' })
  const gust = await storeRecord(world, {
    latitude: 33.14,
    longitude: -96.84,
    type: 'thunderstorm_wind',
    wind_gust_mph: 70,
    occurred_on: '2025-05-28',
  })
  exposure = await anExposure(world, team, {
    property_id: depot.id,
    date: '2025-05-28',
    headline: 'Hail up to 2.00 in reported 1.8 mi NE of Depot on 2025-05-28',
    largest_measured_in: 2,
    record_ids: [hail.id, gust.id],
    observed: true,
  })
  const { id: north_id } = await aKeptTerritory(world, team)
  north = north_id
  warning = await anExposure(world, team, {
    territory_id: north_id,
    kind: 'warning',
    warning: aWarning as never,
    warning_key: 'KOUN.SV.W.0142.2026',
    headline: aWarning.headline,
  })
})
afterAll(() => desk?.close())

async function boxOfMap(page: Page) {
  const map = await page.waitForSelector('.map-canvas')
  const box = await map?.boundingBox()
  if (!box) throw new Error('the map is not to be seen')
  return box
}

describe.skipIf(!chromium)(`maps at the desk${skipped}`, () => {
  it('the link in a post leads through sign-in to its exposure', async () => {
    const { world, console_url } = desk
    const link = `${world.app.config.base_url}/map?exposure=${exposure}`
    const visitor = await desk.newPage()
    await visitor.goto(link)
    await visitor.waitForFunction(() => location.pathname === '/app/sign-in')
    expect(new URL(visitor.url()).searchParams.get('return_to')).toBe(`/app/exposures/${exposure}`)
    await visitor.browserContext().close()

    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await page.goto(link)
    await says(page, 'Hail up to 2.00 in reported 1.8 mi NE of Depot')
    expect(page.url()).toBe(`${console_url}/exposures/${exposure}`)
    await drawnMap(page)
    expect(await page.$$eval('tbody tr strong', (kinds) => kinds.map((kind) => kind.textContent))).toEqual(['Hail', 'Thunderstorm wind'])
    await press(page, 'Acknowledge')
    await says(page, 'Reopen')
    await page.goto(`${console_url}/exposures/${warning}`)
    await says(page, aWarning.event)
    await page.browserContext().close()
  })

  it('times of records and warnings are those of the place, wherever the reader is', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await page.emulateTimezone('Asia/Tokyo')
    await page.goto(`${desk.console_url}/exposures/${exposure}`)
    await says(page, 'Records of this day at this place')
    expect(await page.$eval('tbody tr', (row) => row.textContent)).toMatch(/May 28, 2025, 1:00\sPM CDT/)
    await page.goto(`${desk.console_url}/exposures/${warning}`)
    await says(page, aWarning.event)
    expect(await page.$eval('main', (main) => main.textContent)).toMatch(/May 20, 2026, 6:10\sPM CDT by NWS Norman/)
    await page.browserContext().close()
  })

  it('a warning is no longer said to be in force once its time is over, without a reload', async () => {
    const { app, clock } = desk.world
    const end = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString()
    const lasting = (ends_at: string) =>
      app.db.exposure.update({ where: { id: warning }, data: { warning: { ...aWarning, expires_at: ends_at, ends_at } as never } })
    await lasting(end(1))
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    // The minute between two requests passes at once, and the page hears of no change.
    await page.evaluateOnNewDocument(() => {
      const { setInterval: every } = window
      Object.assign(window, { setInterval: (work: () => void, ms: number) => every(work, ms === 60_000 ? 100 : ms) })
    })
    await page.setRequestInterception(true)
    page.on('request', (request) => void (request.postData()?.includes('subscription') || request.continue()))
    await page.goto(`${desk.console_url}/exposures/${warning}`)
    await says(page, 'In force now')
    await lasting(end(-1))
    await page.waitForFunction(() => !document.body.innerText.includes('In force now'))
    await page.browserContext().close()
  })

  it('a member who is in another of their teams is switched to the exposure’s team; other users find nothing', async () => {
    const other = await aTeam(desk.world, { name: 'Gutters' })
    const outsider = await desk.signIn(other.id, 'odd@example.com', 'owner')
    await outsider.goto(`${desk.console_url}/exposures/${exposure}`)
    await says(outsider, 'This exposure was not found')
    await outsider.browserContext().close()
    await desk.signIn(other.id, 'two@example.com', 'owner').then((page) => page.browserContext().close())
    const page = await desk.signIn(team.id, 'two@example.com', 'viewer')
    await page.evaluate((id) => localStorage.setItem('weather-team', id), other.id)
    await page.goto(`${desk.console_url}/exposures/${exposure}`)
    await says(page, 'This belongs to Roof works')
    await press(page, 'Go to Roof works')
    await says(page, 'Hail up to 2.00 in reported')
    await page.browserContext().close()
  })

  it('the drawing tools take clicks from the moment at which the map is ready', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await page.evaluateOnNewDocument(() => {
      new MutationObserver((_, observer) => {
        const map = document.querySelector('.map-canvas[data-ready]')
        if (!map) return
        observer.disconnect()
        // The tools change the pointer as soon as they take it.
        Object.assign(window, { pointerAtReady: map.querySelector('canvas')?.style.cursor })
      }).observe(document, { subtree: true, childList: true, attributeFilter: ['data-ready'] })
    })
    await page.goto(`${desk.console_url}/territories/new`)
    await drawnMap(page)
    expect(await page.evaluate(() => (window as unknown as { pointerAtReady: string }).pointerAtReady)).toBe('crosshair')
    await page.browserContext().close()
  })

  it('an analyst draws a territory with the mouse, reads its share of the plan, and saves it', async () => {
    const page = await desk.signIn(team.id, 'bea@example.com', 'analyst')
    await page.goto(`${desk.console_url}/territories/new`)
    await drawnMap(page)
    await fill(page, 'Name', 'Drawn by hand')
    const { x, y, width, height } = await boxOfMap(page)
    const at = (across: number, down: number) => [x + width * across, y + height * down] as const
    for (const corner of [at(0.45, 0.5), at(0.55, 0.5), at(0.5, 0.6), at(0.45, 0.5)]) {
      await page.mouse.move(...corner, { steps: 4 })
      await page.mouse.click(...corner)
    }
    await page.waitForFunction(() => document.querySelector('textarea')?.value.split('\n').length === 3)
    // The first view is the whole country: a drawing there is far above the plan, and the page says so.
    await says(page, 'sq mi of 5,000 sq mi allowed per territory')
    await page.waitForSelector('.quote .fault')
    expect(await page.$eval('button[type=submit]', (button) => (button as HTMLButtonElement).disabled)).toBe(true)
    await press(page, 'Clear the drawing')
    // A circle has the centre that is clicked, also on a map that was moved beyond the 180th meridian.
    await (await page.waitForSelector('[name=kind][value=radius]'))?.click()
    for (const _ of ['over the Pacific', 'into the east']) {
      const before = await page.$eval('.map-centre .mono', ({ textContent }) => textContent)
      await page.mouse.move(...at(0.1, 0.3))
      await page.mouse.down()
      await page.mouse.move(...at(0.9, 0.3), { steps: 4 })
      // A map that is let go in motion glides on, on a slow machine once round the world.
      await pause(300)
      await page.mouse.up()
      // The map moves in the next frame only: until then it is as still as before.
      await page.waitForFunction(
        (was) => document.querySelector('.map-centre .mono')?.textContent !== was && document.querySelector('.map-canvas[data-still]'),
        {},
        before,
      )
    }
    for (const point of [at(0.5, 0.5), at(0.6, 0.5)]) {
      await page.mouse.move(...point, { steps: 4 })
      await page.mouse.click(...point)
    }
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[name=centre]')?.value)
    // The radius that was drawn can be sent as it is.
    expect(await page.$eval('[name=radius_miles]', (field) => (field as HTMLInputElement).validity.stepMismatch)).toBe(false)
    const [clicked = [], middle = []] = await page.evaluate(() =>
      [document.querySelector<HTMLInputElement>('[name=centre]')?.value, document.querySelector('.map-centre .mono')?.textContent].map(
        (text) => (text ?? '').split(', ').map(Number),
      ),
    )
    expect(clicked.map((degrees, axis) => Math.abs(degrees - (middle[axis] ?? 0)) < 0.1)).toEqual([true, true])
    // East of Greenwich by now, not at -260.
    expect(middle[1]).toBeGreaterThan(0)
    await (await page.waitForSelector('[name=kind][value=polygon]'))?.click()
    await fill(page, 'Corners', '33.2, -96.9\n33.2, -96.7\n33.05, -96.8')
    await page.waitForFunction(() => /^\d{2,3}\.?\d* sq mi/.test(document.querySelector('.quote')?.textContent ?? ''))
    // The map goes to what was typed: a corner that is set in its middle is within it.
    await page.keyboard.press('Tab')
    await page.focus('.map canvas')
    await waitUntil(async () => {
      await page.keyboard.press('Enter')
      const corners = await page.$eval('textarea', ({ value }) => value)
      await page.keyboard.press('Backspace')
      return /\n33\.1\d*, -96\.[78]\d*$/.test(corners)
    })
    await page.waitForFunction(() => !(document.querySelector('button[type=submit]') as HTMLButtonElement).disabled)
    await press(page, 'Save the territory')
    await says(page, 'Drawn by hand is saved.')
    const saved = await desk.world.app.db.territory.findFirstOrThrow({ where: { name: 'Drawn by hand' } })
    expect(saved.geometry).toBe('{"type":"Polygon","coordinates":[[[-96.9,33.2],[-96.7,33.2],[-96.8,33.05],[-96.9,33.2]]]}')
    await page.browserContext().close()
  })

  it('an address that cannot be measured does not scroll the field away in which it is typed', async () => {
    const page = await desk.signIn(team.id, 'bea@example.com', 'analyst')
    await resize(page, 390, 260)
    await page.goto(`${desk.console_url}/territories/new`)
    await (await page.waitForSelector('[name=kind][value=radius]'))?.click()
    const field = await page.waitForSelector('[name=centre]')
    await field?.evaluate((one) => one.scrollIntoView({ block: 'start' }))
    await field?.type('Nowhereville, OK')
    await page.waitForSelector('.notice.bad')
    expect(await field?.evaluate((one) => innerHeight - one.getBoundingClientRect().bottom)).toBeGreaterThan(0)
    await page.browserContext().close()
  })

  it('a drawing stands out from the ground in the dark, too', async () => {
    const page = await desk.signIn(team.id, 'bea@example.com', 'analyst')
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
    await page.goto(`${desk.console_url}/territories/new`)
    await drawnMap(page)
    await paintMaps(page)
    const { x, y, width, height } = await boxOfMap(page)
    const at = (across: number, down: number) => [x + width * across, y + height * down] as const
    for (const corner of [at(0.4, 0.4), at(0.6, 0.4), at(0.5, 0.6), at(0.4, 0.4)]) {
      await page.mouse.move(...corner, { steps: 4 })
      await page.mouse.click(...corner)
    }
    await page.waitForFunction(() => document.querySelector('textarea')?.value.split('\n').length === 3)
    await page.mouse.move(...at(0.9, 0.9))
    const clip = { x: x + width * 0.35, y: y + height * 0.35, width: width * 0.3, height: height * 0.3 }
    const blank = await desk.newPage()
    const bluePixels = async () => {
      const seen = await page.screenshot({ clip, encoding: 'base64' })
      return blank.evaluate(async (seen) => {
        const image = new Image()
        image.src = `data:image/png;base64,${seen}`
        await image.decode()
        const drawn = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }).getContext('2d')
        drawn?.drawImage(image, 0, 0)
        const { data } = drawn?.getImageData(0, 0, image.width, image.height) ?? { data: [] }
        let count = 0
        for (let at = 0; at < data.length; at += 4) if (Number(data[at]) > 60 && Number(data[at + 2]) - Number(data[at]) > 60) count++
        return count
      }, seen)
    }
    // The light blue of the dark theme: the dark blue of the light one has a contrast of only 2.5:1 to this ground.
    await expect.poll(bluePixels).toBeGreaterThan(100)
    await page.browserContext().close()
    await blank.browserContext().close()
  })

  /** The desk has the packaged basemap again. */
  const withoutStyle = () => void Object.assign(desk.world.app.config, { basemap_style_url: null })

  it('a basemap that cannot be loaded is reported, and the map is drawn without it', async () => {
    const { config } = desk.world.app
    const basemap_style_url = `${new URL(desk.console_url).origin}/no-style.json`
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    Object.assign(config, { basemap_style_url })
    onTestFinished(withoutStyle)
    await page.goto(`${desk.console_url}/exposures/${exposure}`)
    await says(page, 'The basemap could not be loaded (')
    withoutStyle()
    await says(page, 'The map is shown without it.')
    await drawnMap(page)
    await page.browserContext().close()
  })

  it('a basemap whose tiles never arrive does not keep the map from what it shows', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await page.setRequestInterception(true)
    page.on('request', (request) => void (request.url().includes('/map/ground/') || request.continue()))
    await page.goto(`${desk.console_url}/exposures/${exposure}`)
    await drawnMap(page)
    await page.browserContext().close()
  })

  it('an open map keeps its basemap, and what is being drawn, when the service has another', async () => {
    const page = await desk.signIn(team.id, 'bea@example.com', 'analyst')
    await page.goto(`${desk.console_url}/territories/new`)
    await drawnMap(page)
    await page.$eval('.map-canvas canvas', (canvas) => canvas.setAttribute('data-same', ''))
    Object.assign(desk.world.app.config, { basemap_style_url: `${new URL(desk.console_url).origin}/no-style.json` })
    onTestFinished(withoutStyle)
    // The session is read again when the person comes back after a while.
    const read = page.waitForResponse((response) => response.url().endsWith('/app/session'))
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 120_000
      window.dispatchEvent(new Event('visibilitychange'))
    })
    expect((await (await read).json()).basemap_style_url).toContain('no-style.json')
    withoutStyle()
    // A map that is built anew replaces its canvas as soon as the session is known.
    await pause(SECOND)
    expect(await page.$('.map-canvas canvas[data-same]')).not.toBeNull()
    await page.browserContext().close()
  })

  it('a report is about the roof that was set on the map, under the typed address', async () => {
    const page = await desk.signIn(team.id, 'bea@example.com', 'analyst')
    const { id } = await desk.world.app.db.property.findFirstOrThrow({ where: { label: 'Depot' } })
    await page.goto(`${desk.console_url}/reports/new?property=${id}&day=2025-05-28`)
    await drawnMap(page)
    const { x, y, width, height } = await boxOfMap(page)
    await page.mouse.click(x + width * 0.5, y + height * 0.5)
    await page.waitForFunction(() =>
      /^33\.1\d+, -96\.8\d+$/.test(Array.from(document.querySelectorAll<HTMLInputElement>('form input')).at(-1)?.value ?? ''),
    )
    await page.focus('.map canvas')
    await page.keyboard.press('Enter')
    await press(page, 'Create report')
    await page.waitForFunction(() => /\/reports\/[0-9a-f-]{36}$/.test(location.pathname))
    const report = await desk.world.app.db.report.findFirstOrThrow({ where: { team_id: team.id } })
    expect(report.sent_latitude).toBeCloseTo(33.15, 2)
    expect(report.sent_longitude).toBeCloseTo(-96.82, 2)
    await page.browserContext().close()
  })

  it('a territory is uploaded as GeoJSON and downloaded to the last digit', async () => {
    const shape =
      '{"type":"Polygon","coordinates":[[[-96.9000,33.20],[-96.700000000000017,33.2],[-96.80,33.0500000000000001],[-96.9000,33.20]]]}'
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'shape-')), 'shape.geojson')
    writeFileSync(file, shape)
    const page = await desk.signIn(team.id, 'bea@example.com', 'analyst')
    await page.goto(`${desk.console_url}/territories/new`)
    await drawnMap(page)
    const input = (await page.waitForSelector('[name="geojson"]')) as ElementHandle<HTMLInputElement>
    // A file that is refused can be corrected and chosen again.
    writeFileSync(file, '{"type":"Polygon"')
    await input.uploadFile(file)
    await says(page, 'The file is not JSON.')
    writeFileSync(file, shape)
    await input.uploadFile(file)
    await fill(page, 'Name', 'From a file')
    await page.waitForFunction(() => !(document.querySelector('button[type=submit]') as HTMLButtonElement).disabled)
    await press(page, 'Save the territory')
    await says(page, 'From a file is saved.')
    const kept = await desk.world.app.db.territory.findFirstOrThrow({ where: { name: 'From a file' } })
    expect(kept.geometry).toBe(shape)
    // Read from the service, in a page that has never seen the file.
    await page.goto(`${desk.console_url}/territories/${kept.id}`)
    expect(await saved(page, 'Save as GeoJSON')).toBe(`${shape}\n`)
    await page.browserContext().close()
  })

  it('a territory is drawn without a mouse: arrows, Enter and Backspace', async () => {
    const page = await desk.signIn(team.id, 'bea@example.com', 'analyst')
    await page.goto(`${desk.console_url}/territories/new`)
    await drawnMap(page)
    await fill(page, 'Name', 'Drawn by keys')
    const town = { name: 'Moore', full_name: 'Moore, OK', state: 'OK', search_key: 'moore', latitude: 35.34, longitude: -97.49 }
    await desk.world.app.db.place.createMany({ data: town, skipDuplicates: true })
    await page.focus('[name=place]')
    await page.keyboard.type('Moore')
    await page.waitForSelector('.offers button')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await says(page, 'Map centre: 35.3')
    // The button is gone with its list: the focus stays where it was used.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('place')
    await page.focus('.map canvas')
    const key = async (...names: KeyInput[]) => {
      for (const name of names) {
        await page.keyboard.press(name)
        await page.waitForFunction(() => document.querySelector('.map-canvas')?.getAttribute('data-still') === '')
      }
    }
    await key('+', '+')
    await key('Enter', 'ArrowRight', 'Enter', 'ArrowUp', 'Enter')
    await page.waitForFunction(() => /^[\d.,]+ sq mi/.test(document.querySelector('.quote')?.textContent ?? ''))
    await (await page.waitForSelector('::-p-aria([name="Clear the drawing"][role="button"])'))?.focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('textarea')?.value === '')
    expect(await page.evaluate(() => document.activeElement?.matches('.map canvas'))).toBe(true)
    await key('Enter', 'ArrowRight', 'Enter', 'ArrowUp', 'Enter', 'ArrowLeft', 'Enter', 'ArrowLeft', 'Enter', 'Backspace')
    const written = await page.$eval('textarea', ({ value }) => value)
    expect(new Set(written.split('\n')).size).toBe(4)
    await says(page, 'of 5,000 sq mi')
    await page.waitForFunction(() => /^[\d.,]+ sq mi/.test(document.querySelector('.quote')?.textContent ?? ''))
    await page.focus('button[type=submit]')
    await page.keyboard.press('Enter')
    await says(page, 'Drawn by keys is saved.')
    const { geometry } = await desk.world.app.db.territory.findFirstOrThrow({ where: { name: 'Drawn by keys' } })
    const [ring = []] = JSON.parse(geometry).coordinates as [number, number][][]
    expect(ring.slice(0, 4).map(([east, north]) => `${north.toFixed(5)}, ${east.toFixed(5)}`)).toEqual(written.split('\n'))
    await page.browserContext().close()
  })

  it('an address is measured once it is typed, and a removed territory counts no longer', async () => {
    const page = await desk.signIn(team.id, 'bea@example.com', 'analyst')
    const { id } = await aKeptTerritory(desk.world, team, { name: 'Short-lived' })
    const held = await desk.world.app.db.territory.count({ where: { team_id: team.id } })
    await page.goto(`${desk.console_url}/territories/${id}`)
    await says(page, `${held} of `)
    // The page reads that the territory is gone before it has read the limits again.
    let readLimits = () => {}
    const isGone = new Promise<void>((resolve) => {
      readLimits = resolve
    })
    await page.setRequestInterception(true)
    page.on('request', async (request) => {
      if (request.postData()?.includes('query TerritoryCeiling')) await isGone
      await request.continue()
    })
    await press(page, 'Remove territory')
    await press(page, 'Remove')
    await says(page, 'Short-lived is removed.')
    await says(page, 'This territory was not found')
    readLimits()
    await follow(page, 'Draw a territory')
    await says(page, `${held - 1} of `)
    const measured: string[] = []
    page.on('request', (request) => {
      const sent = request.postData()
      if (sent?.includes('query Quote')) measured.push(JSON.parse(sent).variables.address)
    })
    await (await page.waitForSelector('[name=kind][value=radius]'))?.click()
    await page.type('[name=centre]', 'Moore, OK')
    await page.waitForFunction(() => /^[\d.,]+ sq mi/.test(document.querySelector('.quote')?.textContent ?? ''))
    // Not one for each letter.
    expect(measured.length).toBeLessThan('Moore, OK'.length)
    expect(measured.at(-1)).toBe('Moore, OK')
    await page.browserContext().close()
  })

  it('a viewer sees a territory on its map, however it is defined', async () => {
    const round = { kind: 'radius', definition: [{ address: null, latitude: 35.5, longitude: -97.5, radius_miles: 30 }] } as const
    const { id } = await aKeptTerritory(desk.world, team, { name: 'Around a point', ...round } as never)
    const page = await desk.signIn(team.id, 'vic@example.com', 'viewer')
    for (const [territory, name] of [
      [north, 'North'],
      [id, 'Around a point'],
    ] as const) {
      await page.goto(`${desk.console_url}/territories/${territory}`)
      await drawnMap(page)
      await page.waitForSelector('.map-canvas[data-still]')
      const { x, y, width, height } = await boxOfMap(page)
      // Beside the mark of the centre.
      const text = async () => {
        await page.mouse.click(x + width * 0.4, y + height * 0.4)
        return page.evaluate(() => document.querySelector('.maplibregl-popup-content')?.textContent)
      }
      await expect.poll(text).toBe(name)
      expect(await page.$('.quote')).toBeNull()
    }
    await page.browserContext().close()
  })

  it('no page with a map has accessibility faults, light and dark, wide and narrow', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    const found: string[] = []
    for (const place of [
      `exposures/${exposure}`,
      `exposures/${warning}`,
      'territories',
      'territories/new',
      'reports/new',
      `territories/${north}`,
    ]) {
      await page.goto(`${desk.console_url}/${place}`)
      await page.waitForSelector('h1')
      await drawnMap(page)
      found.push(...(await faultsInEveryLook(page, place)))
    }
    expect(found).toEqual([])
    // Icons that are drawn for forced colours are not turned into black on black.
    const session = await page.createCDPSession()
    await session.send('Emulation.setEmulatedMedia', { features: OWN_DARK_COLORS })
    expect(await page.$eval('.maplibregl-ctrl-zoom-in .maplibregl-ctrl-icon', (sign) => getComputedStyle(sign).filter)).toBe('none')
    await page.browserContext().close()
  }, 240_000)

  it('the content security policy refused nothing, and no script failed', () => {
    expect(desk.faults).toEqual([])
  })
})
