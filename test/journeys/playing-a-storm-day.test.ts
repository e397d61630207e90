import type { HTTPRequest, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frameOfCells } from '#domain/archive/radar/frame.ts'
import { storeFrame } from '#domain/archive/radar/frames.ts'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import type { Team } from '#generated/prisma/client.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { chromium, type Desk, drawnMap, faultsInEveryLook, openDesk, press, says } from '#test/support/desk.ts'
import { aKeptProperty, anExposure } from '#test/support/exposures.ts'
import { aTeam } from '#test/support/factories.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

let desk: Desk
let team: Team

beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  const { world } = desk
  team = await aTeam(world, { name: 'Roof works', plan: 'professional' })
  for (const [at, longitude] of [
    ['2025-05-28T20:00:00Z', -96.86],
    ['2025-05-28T20:20:00Z', -96.82],
    ['2025-05-28T21:05:00Z', -96.78],
  ] as const)
    await storeRecord(world, { latitude: 33.17, longitude, hail_size_in: 2, occurred_on: '2025-05-28', begins_at: new Date(at) })
  const depot = await aKeptProperty(world, team, { latitude: 33.15, longitude: -96.82, label: 'Depot' })
  const yard = await aKeptProperty(world, team, { latitude: 33.2, longitude: -96.7, label: 'Yard' })
  for (const { id: property_id } of [depot, yard]) await anExposure(world, team, { property_id, date: '2025-05-28' })
  await anExposure(world, team, { property_id: depot.id, date: '2025-04-20' })
  // Radar hail over the places: more over the yard. Another, made-up day without exposures has hail over the depot alone.
  const over = { depot: gridCellAt(33.15, -96.82), yard: gridCellAt(33.2, -96.7) }
  for (const [source, at, depot_mm, yard_mm] of [
    ['noaa_mesh', '2025-05-28T20:00:00Z', 30, 51],
    ['sample', '2025-05-20T20:00:00Z', 26, 1],
  ] as const) {
    const cells = [
      { ...over.depot, size_mm: depot_mm },
      { ...over.yard, size_mm: yard_mm },
    ]
    await storeFrame(world.app, source, frameOfCells(new Date(at), cells))
  }
  await refreshMaps(world.app)
})
afterAll(() => desk?.close())

/** While this holds, moments that play come by `next` and not by time: a slow machine would be late for one of them. */
async function holdPlayback(page: Page, step_ms: number): Promise<{ next(): Promise<unknown>; end(): Promise<void> }> {
  await page.evaluate((ms) => {
    const real = window.setTimeout
    window.setTimeout = ((act: () => void, after = 0) => {
      if (after !== ms) return real(act, after)
      document.addEventListener(
        'next',
        (event) => {
          event.preventDefault()
          act()
        },
        { once: true },
      )
      return 0
    }) as typeof setTimeout
    document.addEventListener('end', () => Object.assign(window, { setTimeout: real }), { once: true })
  }, step_ms)
  return {
    // Playing may begin a moment after the press.
    next: () => page.waitForFunction(() => !document.dispatchEvent(new CustomEvent('next', { cancelable: true }))),
    end: () => page.evaluate(() => void document.dispatchEvent(new Event('end'))),
  }
}

const atOf = (page: Page) => new URL(page.url()).searchParams.get('at')

describe.skipIf(!chromium)(`playing a storm day at the desk${skipped}`, () => {
  let page: Page
  beforeAll(async () => {
    if (chromium) page = await desk.signIn(team.id, 'ann@example.com', 'viewer')
  })

  it('the newest day that touched a place is loaded at once, with the places and both clocks', async () => {
    await page.waitForSelector('nav [href="/app/storms"]')
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.waitForFunction(() => location.pathname === '/app/storms')
    await says(page, '3:00 PM CDT')
    await says(page, '8:00 PM UTC')
    await drawnMap(page)
    expect(await page.$$eval('.touched li', (all) => all.map((one) => one.textContent))).toEqual([
      expect.stringMatching(/^YardRadar estimated up to 2\.01 in at the centre of its city\./),
      expect.stringMatching(/^DepotRadar estimated up to 1\.18 in at the centre of its city\./),
    ])
  })

  it('the days of hail over its places show the largest estimate and the number of places, and link to the day', async () => {
    const days = await page.$$eval('.storm-days a', (all) => all.map((one) => [one.innerText, one.getAttribute('aria-current')]))
    expect(days).toEqual([
      ['May 28, 2025\nup to 2.01 in\n2 properties', 'date'],
      ['May 20, 2025\nSample\nup to 1.02 in\n1 property', null],
    ])
    await (await page.waitForSelector('.storm-days li:nth-child(2) a'))?.click()
    await says(page, 'Radar estimated up to 1.02 in')
    expect(new URL(page.url()).searchParams.get('day')).toBe('2025-05-20')
    expect(await page.$$eval('.touched li', (all) => all.map((one) => one.textContent))).toEqual([
      'DepotRadar estimated up to 1.02 in at the centre of its city. SampleShowProperty',
    ])
    await page.goBack()
    await says(page, 'Radar estimated up to 2.01 in')
    await drawnMap(page)
  })

  it('a page without swaths says that this is no proof; if the days cannot be loaded, the chosen day still works', async () => {
    const other = await aTeam(desk.world, { name: 'Gutters' })
    const otherPage = await desk.signIn(other.id, 'gus@example.com', 'viewer')
    await otherPage.goto(`${desk.console_url}/storms`)
    await says(otherPage, 'That does not prove that no hail fell.')
    await says(otherPage, 'No storm days yet')
    expect(await faultsInEveryLook(otherPage, 'no storm days')).toEqual([])
    await otherPage.browserContext().close()
    const cut = await desk.signIn(team.id, 'dee@example.com', 'viewer')
    await cut.setRequestInterception(true)
    let isCut = true
    cut.on('request', (request) => (isCut && request.postData()?.includes('query StormDays') ? request.abort() : request.continue()))
    await cut.goto(`${desk.console_url}/storms?day=2025-05-28`)
    await says(cut, 'Radar estimated up to 2.01 in')
    await says(cut, 'Try again')
    isCut = false
    await press(cut, 'Try again')
    await says(cut, 'up to 1.02 in')
    // The days are read again after a change, and that fails: another try must send a request.
    isCut = true
    const shed = await aKeptProperty(desk.world, team, { latitude: 33.2, longitude: -96.7, label: 'Shed' })
    await says(cut, 'Try again')
    isCut = false
    await press(cut, 'Try again')
    await says(cut, '3 properties')
    await desk.world.app.db.property.delete({ where: { id: shed.id } })
    await says(cut, '2 properties')
    expect(new Set(desk.faults.splice(0))).toEqual(new Set(['Failed to load resource: net::ERR_FAILED']))
    await cut.browserContext().close()
  })

  it('it can be stepped and played by keys and buttons, and the address bar has the moment', async () => {
    await page.keyboard.press('.')
    await says(page, '3:20 PM CDT')
    // The page was opened without a day: a newer one must not take its place in a link.
    await page.waitForFunction(() => location.search.includes('day=2025-05-28') && location.search.includes('place='))
    expect(atOf(page)).toBe('2025-05-28T20:20:00.000Z')
    await page.keyboard.press(',')
    await says(page, '3:00 PM CDT')
    await page.keyboard.press('>')
    await page.keyboard.press(' ')
    await says(page, '4:05 PM CDT')
    await page.waitForFunction(() => new URL(location.href).searchParams.get('at') === '2025-05-28T21:05:00.000Z')
    await press(page, 'Back')
    await says(page, '3:20 PM CDT')
    expect(await page.$eval('.player select', (one) => (one as HTMLSelectElement).value)).toBe('8')
  })

  it('its first and last step keep the focus, and a step is read out, but not each of those played', async () => {
    const live = () => page.$eval('.player-clock', (one) => one.getAttribute('aria-live'))
    const back = await page.waitForSelector('::-p-aria([name="Back"])')
    await back?.press('Enter')
    await says(page, '3:00 PM CDT')
    const state = () => page.evaluate(() => [document.activeElement?.textContent, document.activeElement?.getAttribute('aria-disabled')])
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-disabled') === 'true')
    expect(await state()).toEqual(['Back', 'true'])
    await page.keyboard.press('Enter')
    expect([await state(), await live()]).toEqual([['Back', 'true'], 'polite'])
    const forward = await page.waitForSelector('::-p-aria([name="Forward"])')
    await forward?.press('Enter')
    await says(page, '3:20 PM CDT')
    const held = await holdPlayback(page, 1000 / 8)
    await press(page, 'Play')
    await page.waitForSelector('.player-clock[aria-live=off]')
    await press(page, 'Pause')
    await held.end()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press(',')
    await page.keyboard.press(',')
    await page.keyboard.press('.')
    await says(page, '3:20 PM CDT')
    await page.waitForFunction(() => new URL(location.href).searchParams.get('at') === '2025-05-28T20:20:00.000Z')
  })

  it('all records of the day are shown and hidden on the same map, which stays where it was moved', async () => {
    await drawnMap(page)
    const tiles: string[] = []
    const open = new Set<string>()
    const note = (request: HTTPRequest) => {
      if (!request.url().includes('/app/tiles/')) return
      tiles.push(request.url())
      open.add(request.url())
    }
    const close = (request: HTTPRequest) => open.delete(request.url())
    page.on('request', note).on('requestfinished', close).on('requestfailed', close)
    await page.$eval('.map-canvas canvas', (canvas) => canvas.setAttribute('data-same', ''))
    const toggle = async () => (await page.waitForSelector('::-p-text(Show all records of the day)'))?.click()
    await toggle()
    await expect.poll(() => tiles.length).toBeGreaterThan(0)
    await toggle()
    await drawnMap(page)
    await expect.poll(() => open.size).toBe(0)
    expect(await page.$('.map-canvas canvas[data-same]')).not.toBeNull()
    const shown = tiles.length
    await page.focus('.map-canvas canvas')
    await page.keyboard.press('ArrowUp')
    await page.waitForSelector('.map-canvas[data-still]')
    expect(tiles.length).toBe(shown)
    page.off('request', note).off('requestfinished', close).off('requestfailed', close)
  })

  it('a moment stays the same when an earlier report arrives', async () => {
    const record = await storeRecord(desk.world, {
      latitude: 33.17,
      longitude: -96.8,
      hail_size_in: 1,
      occurred_on: '2025-05-28',
      begins_at: new Date('2025-05-28T20:10:00Z'),
    })
    await refreshMaps(desk.world.app)
    const range = () => page.$eval('.player [type=range]', (one) => [(one as HTMLInputElement).value, (one as HTMLInputElement).max])
    expect(await range()).toEqual(['1', '2'])
    // The day is read again when the person comes back after a while.
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 120_000
      window.dispatchEvent(new Event('visibilitychange'))
    })
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('.player [type=range]')?.max === '3')
    expect(await range()).toEqual(['2', '3'])
    await says(page, '3:20 PM CDT')
    await desk.world.app.db.archiveRecord.delete({ where: { id: record.id } })
  })

  it('the list of days updates as properties are added and removed, without a reload', async () => {
    const listed = () => page.$$eval('.storm-days .small', ([newest]) => newest?.textContent)
    expect(await listed()).toBe('2 properties')
    const barn = await aKeptProperty(desk.world, team, { latitude: 33.2, longitude: -96.7, label: 'Barn' })
    await says(page, '3 properties')
    await desk.world.app.db.property.delete({ where: { id: barn.id } })
    await page.waitForFunction(() => document.querySelector('.storm-days .small')?.textContent?.startsWith('2 properties'))
  })

  it('the swaths of the day are a layer with a switch, labelled as radar estimates', async () => {
    const toggle = async () => (await page.waitForSelector('::-p-text(Show the swaths of the day)'))?.click()
    await toggle()
    await says(page, 'Radar estimated, largest of the day: 1.00 in to 1.25 in; 2.00 in to 2.50 in.')
    await drawnMap(page)
    await toggle()
    await page.waitForFunction(() => !document.body.innerText.includes('largest of the day:'))
  })

  it('another place shows the moment that was reached, though playback had not settled there', async () => {
    await page.goto(`${desk.console_url}/storms?day=2025-05-28`)
    await says(page, '3:00 PM CDT')
    await (await page.waitForSelector('.player select'))?.select('1')
    const held = await holdPlayback(page, 1000)
    await press(page, 'Play')
    await held.next()
    await says(page, '3:20 PM CDT')
    expect(atOf(page)).toBeNull()
    await press(page, 'Show Depot')
    await page.waitForFunction(() => document.querySelector('[aria-label="Show Depot"]')?.getAttribute('aria-pressed') === 'true')
    await says(page, '3:20 PM CDT')
    expect(atOf(page)).toBe('2025-05-28T20:20:00.000Z')
  })

  it('the link to a moment opens that moment over that place for users with access', async () => {
    await press(page, 'Show Yard')
    await page.waitForFunction(() => document.querySelector('[aria-label="Show Yard"]')?.getAttribute('aria-pressed') === 'true')
    await says(page, '3:20 PM CDT')
    const other = await desk.signIn(team.id, 'bea@example.com', 'viewer')
    await other.goto(page.url())
    await says(other, '3:20 PM CDT')
    expect(await other.$eval('[aria-label="Show Yard"]', (one) => one.getAttribute('aria-pressed'))).toBe('true')
    await other.browserContext().close()
  })

  it('an analyst orders a report for every property that the day reached, at the price shown', async () => {
    const analyst = await desk.signIn(team.id, 'cy@example.com', 'analyst')
    await analyst.goto(page.url())
    await press(analyst, 'Order reports')
    await press(analyst, 'Show the price')
    await says(analyst, '2 reports, Apr 28, 2025 to Jun 27, 2025: 2 credits of 100 credits.')
    expect(await faultsInEveryLook(analyst, 'order')).toEqual([])
    // Another property was added meanwhile: the order is refused, and the new price can be shown.
    const barn = await aKeptProperty(desk.world, team, { latitude: 33.21, longitude: -96.7, label: 'Barn' })
    await anExposure(desk.world, team, { property_id: barn.id, date: '2025-05-28' })
    await press(analyst, 'Order 2 reports for 2 credits')
    await says(analyst, 'The order costs 3 credits now.')
    await press(analyst, 'Show the price')
    await says(analyst, '3 reports, Apr 28')
    await desk.world.app.db.property.delete({ where: { id: barn.id } })
    await press(analyst, 'Order 3 reports for 3 credits')
    await says(analyst, 'The order costs 2 credits now.')
    await press(analyst, 'Show the price')
    await press(analyst, 'Order 2 reports for 2 credits')
    await says(analyst, '2 reports ordered.')
    await analyst.waitForFunction(() => location.pathname === '/app/reports')
    const ordered = await desk.world.app.db.report.findMany({ where: { team_id: team.id }, include: { property: true } })
    expect(ordered.map(({ property, date_of_loss }) => [property?.label, date_of_loss])).toEqual(
      expect.arrayContaining(['Depot', 'Yard'].map((name) => [name, new Date('2025-05-28')])),
    )
    await analyst.browserContext().close()
  })

  it('an order is not carried over to another day', async () => {
    const analyst = await desk.signIn(team.id, 'cy@example.com', 'analyst')
    await analyst.goto(`${desk.console_url}/storms?day=2025-05-20`)
    await says(analyst, 'Radar estimated up to 1.02 in')
    await (await analyst.waitForSelector('.storm-days li:nth-child(1) a'))?.click()
    await says(analyst, 'Radar estimated up to 2.01 in')
    await press(analyst, 'Order reports')
    await press(analyst, 'Show the price')
    await says(analyst, '2 reports, Apr 28')
    await analyst.goBack()
    await says(analyst, 'Radar estimated up to 1.02 in')
    expect(await analyst.$('[role=dialog], dialog[open]')).toBeNull()
    await analyst.browserContext().close()
  })

  it('on a day with radar data alone, the reports are for the properties inside its swaths', async () => {
    const analyst = await desk.signIn(team.id, 'cy@example.com', 'analyst')
    await analyst.goto(`${desk.console_url}/storms?day=2025-05-20`)
    await press(analyst, 'Order reports')
    await press(analyst, 'Show the price')
    await says(analyst, '1 report, Apr 20, 2025 to Jun 19, 2025: 1 credit of')
    await press(analyst, 'Order 1 report for 1 credit')
    await says(analyst, '1 report ordered.')
    const ordered = await desk.world.app.db.report.findMany({
      where: { team_id: team.id, date_of_loss: new Date('2025-05-20') },
      include: { property: true },
    })
    expect(ordered.map(({ property }) => property?.label)).toEqual(['Depot'])
    await analyst.browserContext().close()
  })

  it('another day can be chosen, and one without exposures says that this is no proof', async () => {
    await page.goto(`${desk.console_url}/storms?day=2025-04-20`)
    await says(page, 'Nothing to play on this day')
    // Radar put no place inside a swath on that day: it is marked among the days all the same.
    expect(await page.$$eval('.storm-days a[aria-current]', (all) => all.map((one) => one.innerText))).toEqual([
      'Apr 20, 2025\nShown below',
    ])
    expect(await page.$$('.storm-days a')).toHaveLength(3)
    await page.goto(`${desk.console_url}/storms?day=2024-01-01`)
    await says(page, 'No exposures on Jan 1, 2024')
    await says(page, 'That does not show that no storm came')
  })

  it('it has no accessibility faults, light and dark, wide and narrow', async () => {
    await page.goto(`${desk.console_url}/storms?day=2025-05-28&at=2025-05-28T20:20:00Z`, { waitUntil: 'networkidle2' })
    await drawnMap(page)
    await says(page, '3:20 PM CDT')
    expect(await faultsInEveryLook(page, 'storms')).toEqual([])
    expect(desk.faults).toEqual([])
  })
})
