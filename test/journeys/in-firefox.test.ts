import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { type Desk, fill, openDesk, press, says } from '#test/support/desk.ts'
import { aKeptProperty, anExposure } from '#test/support/exposures.ts'
import { aTeam } from '#test/support/factories.ts'
import { firefox, launchFirefox } from '#test/support/firefox.ts'
import { hasProgram, skippedWithout, textsOf } from '#test/support/pdf.ts'

const skipped = firefox ? '' : ' (skipped: no Firefox present)'

let desk: Desk
let page: Page
beforeAll(async () => {
  if (!firefox) return
  desk = await openDesk({}, { launch: launchFirefox })
  const team = await aTeam(desk.world, { name: 'Roof works' })
  await seedSample(desk.world.app)
  const depot = await aKeptProperty(desk.world, team, { latitude: 33.15, longitude: -96.82, label: 'Depot' })
  await anExposure(desk.world, team, { property_id: depot.id, date: '2025-05-28' })
  page = await desk.signIn(team.id, 'ann@example.com', 'owner')
})
afterAll(() => desk?.close())

const WIDTHS = [390, 1440]

/** Pixels by which a page is wider than the screen, for each screen size. */
async function overhang(shown: Page): Promise<number[]> {
  const over: number[] = []
  for (const width of WIDTHS) {
    await shown.setViewport({ width, height: 900 })
    const wider = await shown.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (wider > 0) over.push(wider)
  }
  return over
}

/** A date as typed into the browser's date field: month, day, year. */
async function typeDate(label: string, date: string): Promise<void> {
  const field = await page.waitForSelector(`::-p-aria([name="${label}"])`)
  await field?.focus()
  await page.keyboard.type(date.slice(5, 7) + date.slice(8) + date.slice(0, 4))
}

describe.skipIf(!firefox)(`in Firefox${skipped}`, () => {
  it('every page of the console is shown, on a desktop and on a phone', async () => {
    await page.waitForSelector('nav.places a')
    const places = await page.$$eval('nav.places a', (links) => links.map((link) => link.getAttribute('href')))
    expect(places.length).toBeGreaterThan(10)
    // The first is the page after signing in.
    for (const place of [...places.slice(1), places[0]]) {
      const before = await page.title()
      await page.click(`nav.places a[href="${place}"]`)
      await page.waitForFunction((title) => document.title !== title && document.querySelector('main h1'), {}, before)
      await page.waitForFunction(
        () => ![...document.querySelectorAll('main [role=status]')].some((one) => /^Loading/.test(one.textContent)),
      )
      expect([place, await overhang(page)]).toEqual([place, []])
    }
    expect(desk.faults).toEqual([])
  })

  it('a report is previewed and made with typed dates, and a citation of it is copied', async () => {
    await page.goto(`${desk.console_url}/reports/new`)
    await says(page, 'This browser cannot draw maps.')
    expect(await page.$eval('main', (main) => main.innerText)).not.toContain('arrow keys move the map')
    await fill(page, 'Address or coordinates', sampleStorm.address)
    await page.keyboard.press('Escape')
    await typeDate('From', sampleStorm.window_start)
    await typeDate('To', sampleStorm.window_end)
    await press(page, 'Preview')
    await page.waitForSelector('[aria-label="Preview"] tbody tr')
    await press(page, 'Create report')
    await page.waitForFunction(() => /\/reports\/[0-9a-f-]{36}$/.test(location.pathname))
    await desk.world.drain()
    await says(page, 'Verification')
    await page.waitForSelector('::-p-text(Copy)').then((button) => button?.click())
    await says(page, 'Citation copied.')
    expect(desk.faults).toEqual([])
  })

  it('a storm day is described in words instead of a map, and nothing is offered that needs a map', async () => {
    await page.goto(`${desk.console_url}/storms?day=2025-05-28`)
    await says(page, 'This browser cannot draw maps.')
    expect(await page.$eval('main', (main) => main.innerText)).not.toContain('Show all records of the day')
    const range = await page.waitForSelector('input[type=range]')
    await range?.press('End')
    await page.waitForSelector('::-p-aria([name="Reported by this time, newest first"][role="table"])')
    const rows = await page.$$eval('.storm-day tbody tr', (found) => found.map((row) => row.textContent))
    expect(rows).toContainEqual(expect.stringMatching(/May 28, 2025.*Hail2\.00 in33\.\d+, -96\.\d+/))
    await page.goto(`${desk.console_url}/territories/new`)
    await says(page, 'This browser cannot draw maps.')
    const offered = await page.$eval('main', (main) => main.innerText)
    expect(offered).toContain('Latitude, longitude of each')
    expect(offered).not.toMatch(/Moves the map|On the map/)
    expect(desk.faults).toEqual([])
  })

  it.skipIf(!hasProgram('pdftotext'))(
    `a page prints from its first sheet on, without the navigation${skippedWithout('pdftotext')}`,
    async () => {
      await page.goto(`${desk.console_url}/inbox`)
      await says(page, 'Depot')
      const folder = await mkdtemp(path.join(os.tmpdir(), 'printed-'))
      const file = path.join(folder, 'inbox.pdf')
      await page.pdf({ path: file, format: 'letter' })
      const [first] = textsOf(file)
      expect(first).toMatch(/^Inbox.*Depot/)
      await rm(folder, { recursive: true })
    },
  )

  it('a dialog traps the focus, closes with Escape and returns the focus', async () => {
    await page.click('nav.places a[href="/app/tokens"]')
    await press(page, 'Issue a token')
    await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'))
    await page.keyboard.down('Shift')
    await page.keyboard.press('Tab')
    await page.keyboard.up('Shift')
    expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => !document.querySelector('[role=dialog]') && document.activeElement?.textContent === 'Issue a token')
    expect(desk.faults).toEqual([])
  })

  it('the public pages are shown too', async () => {
    const origin = new URL(desk.console_url).origin
    const publicPage = await desk.newPage()
    for (const [path, words] of [
      ['/', 'Weather Report Service'],
      ['/docs', 'A first report'],
      ['/docs/reference', 'Account and platform'],
      ['/map', 'This browser cannot draw the map.'],
      ['/nowhere', 'There is nothing here'],
      [`/verify/${'0'.repeat(64)}`, 'Unknown fingerprint'],
    ] as const) {
      await publicPage.goto(`${origin}${path}`)
      await says(publicPage, words)
      expect([path, await overhang(publicPage)]).toEqual([path, []])
    }
    // The reference's package checks whether it may create scripts from text, and works without.
    expect(desk.faults.filter((fault) => !fault.includes('blocked a JavaScript eval'))).toEqual([])
  })
})
