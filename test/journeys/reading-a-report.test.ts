import type { HTTPRequest, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestReport } from '#domain/reports/request.ts'
import { reportVerification } from '#domain/reports/verification.ts'
import type { Team } from '#generated/prisma/client.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { resize } from '#test/support/chromium.ts'
import { chromium, type Desk, drawnMap, faultsInEveryLook, fill, follow, openDesk, press, says } from '#test/support/desk.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { sections } from '../../console/pages/new-report/layout.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

const roof = { latitude: 33.15, longitude: -96.82 }

let desk: Desk
let team: Team
let report: string

beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  const { world } = desk
  team = await aTeam(world, { name: 'Roof works', plan: 'business' })
  await storeRecord(world, { latitude: 33.17, longitude: -96.8, hail_size_in: 2, occurred_on: '2025-05-28' })
  await storeRecord(world, { latitude: 33.14, longitude: -96.84, type: 'thunderstorm_wind', wind_gust_mph: 70, occurred_on: '2025-05-28' })
  for (let at = 0; at < 28; at += 1)
    await storeRecord(world, { latitude: 33.2, longitude: -96.82 + at / 1000, hail_size_in: 1, occurred_on: '2025-04-20' })
  const input = { ...roof, window_start: '2025-01-01', window_end: '2025-06-30', radius_miles: 10 }
  report = (await requestReport(world.app, await aCaller(world, team), input, null)).report.id
  await world.drain()
})
afterAll(() => desk?.close())

const firstRow = (page: Page) => page.$eval('.records tbody tr', (row) => row.textContent ?? '')
const pick = async (page: Page, label: string, value: string) => {
  const field = await page.waitForSelector(`::-p-aria([name="${label}"][role="combobox"])`)
  await field?.select(value)
}

describe.skipIf(!chromium)(`reading a report at the desk${skipped}`, () => {
  let page: Page
  beforeAll(async () => {
    if (chromium) page = await desk.signIn(team.id, 'ann@example.com', 'analyst')
  })

  it('a report is previewed before it is paid for: days in bands with the date of loss among them, and nothing that could replace the report', async () => {
    await page.goto(`${desk.console_url}/reports/new?address=33.15,-96.82`)
    const dates = { window_start: '2025-01-01', window_end: '2025-06-30', date_of_loss: '2025-05-27' }
    for (const [name, value] of Object.entries(dates)) {
      const field = await page.waitForSelector(`[name="${name}"]`)
      await field?.evaluate((one, set) => Object.assign(one, { value: set }), value)
    }
    await press(page, 'Preview')
    await says(page, '30 records on 2 days')
    // The map for setting the roof opens at the place that was found.
    await page.waitForFunction(() => /33\.1[45]\d*, -96\.8[12]/.test(document.querySelector('.map-centre')?.textContent ?? ''))
    const rows = await page.$$eval('[aria-label="Preview"] tbody tr', (found) => found.map((row) => row.textContent ?? ''))
    expect(rows).toEqual([
      expect.stringMatching(/May 28, 2025.*Near date of loss.*1\.75 to 2\.75 in.*70 to 80 mph/),
      expect.stringMatching(/May 27, 2025.*Date of loss/),
      expect.stringMatching(/Apr 20, 2025.*28.*1 to 1\.75 in/),
    ])
    expect(await faultsInEveryLook(page, 'preview')).toEqual([])
    // A card on a phone leaves out what has no value.
    expect(await page.$$('[aria-label="Preview"] td[data-none]')).not.toEqual([])
    await page.type('[name="reference"]', '7')
    await page.waitForFunction(() => !document.querySelector('[aria-label="Preview"]'))
    // Another new report does not begin with the address and the dates of this one, and does not replace it without a question.
    await page.focus('h1')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    for (const key of ['g', 'n'] as const) await page.keyboard.press(key)
    await says(page, 'What you have entered on this page will be lost.')
    await press(page, 'Leave')
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[name="address"]')?.value === '')
  })

  it('its document is laid out next to a preview of its sheets that changes with each choice, and is ordered in that layout', async () => {
    await page.goto(`${desk.console_url}/reports/new?address=33.15,-96.82&day=2025-05-28`)
    await (await page.waitForSelector('details.panel summary'))?.click()
    const pictured = () => page.$eval('.sheets [role=img]', (picture) => picture.getAttribute('aria-label'))
    await page.waitForSelector('.sheets .sheet')
    expect(await pictured()).not.toContain('Imagery')
    await press(page, 'Imagery')
    await page.waitForSelector('.sheets .photograph')
    const before = await pictured()
    await press(page, 'Move Imagery up')
    expect(await pictured()).not.toBe(before)
    const chosen = await page.$$eval('.sections li:has(input:checked) label', (labels) => labels.map((one) => one.textContent?.trim()))
    expect(await faultsInEveryLook(page, 'layout')).toEqual([])
    await press(page, 'Create report')
    await page.waitForFunction(() => /\/reports\/[0-9a-f-]{36}$/.test(location.pathname))
    const ordered = await desk.world.app.db.report.findUniqueOrThrow({ where: { id: page.url().slice(-36) } })
    const nameOf = (words: string | undefined) => Object.entries(sections).find(([, label]) => label === words)?.[0]
    expect(chosen).toContain('Imagery')
    expect(ordered.layout).toMatchObject({ sections: chosen.map(nameOf) })
    await desk.world.drain()
  })

  it('a report that names a date of loss begins with that day: by distance, by source, and with the warnings in force', async () => {
    const { world } = desk
    const input = { ...roof, window_start: '2025-01-01', window_end: '2025-06-30', radius_miles: 10, date_of_loss: '2025-05-28' }
    const { id } = (await requestReport(world.app, await aCaller(world, team), input, null)).report
    await world.drain()
    const warning = {
      relation: 'date_of_loss',
      event: 'Severe Thunderstorm Warning',
      office_name: 'NWS Fort Worth TX',
      from: '2025-05-28T22:50:00Z',
      until: '2025-05-28T23:30:00Z',
      citation_url: 'https://mesonet.agron.iastate.edu/vtec/',
    }
    // No warning is stored for that day here: a report with one shows it in that column.
    await world.owner.query(`UPDATE reports SET day_of_loss = jsonb_set(day_of_loss::jsonb, '{warnings}', $2::jsonb)::json WHERE id = $1`, [
      id,
      JSON.stringify([warning]),
    ])
    await page.goto(`${desk.console_url}/reports/${id}`)
    await says(page, 'Date of loss, May 28, 2025')
    const rows = await page.$$eval('[aria-label="Date of loss"] tbody tr', (found) => found.map((row) => row.textContent ?? ''))
    expect(rows[1]).toMatch(/^3 mi2hail reported 2\.00 in, .*wind reported 70 mph, /)
    expect(rows[3]).toContain('Severe Thunderstorm Warning')
    expect(await faultsInEveryLook(page, 'date of loss')).toEqual([])
  })

  it('its page title names its subject, and its place in the log and its standing are stated as in its document', async () => {
    await page.goto(`${desk.console_url}/reports`)
    await page.waitForFunction(() => document.title === 'Reports · Weather desk')
    await resize(page, 800, 900)
    const finding = await page.waitForSelector('td[data-label="Finding"]')
    expect(await finding?.evaluate((cell) => cell.clientWidth)).toBeGreaterThan(150)
    expect(await page.$eval('.table-holder', (list) => list.scrollWidth - list.clientWidth)).toBe(0)
    await resize(page, 1440, 900)
    await page.goto(`${desk.console_url}/reports/${report}`)
    await page.waitForFunction(() => document.title === `${document.querySelector('h1')?.textContent} · Report · Weather desk`)
    const { title, pageName } = await page.evaluate(() => ({
      title: document.title,
      pageName: document.querySelector('#page-name')?.textContent,
    }))
    expect(title).toMatch(/^\d.* · Report/)
    expect(pageName).toBe(title.split(' · ').slice(0, 2).join(', '))
    await says(page, 'Its coverage, above, says why.')
    const { log } = await reportVerification(desk.world.app, await aCaller(desk.world, team), report)
    await says(page, `Entry ${log?.index} of the log`)
    // A day that is none, in an address typed by hand, is ignored.
    await page.goto(`${desk.console_url}/reports/${report}?day=soon`)
    await says(page, '1 to 25 of 30')
  })

  it('the search of the list is that of the address bar, not a request per letter, and a page past the end leads to the last', async () => {
    await page.goto(`${desk.console_url}/reports`)
    const searches: string[] = []
    const note = (request: HTTPRequest) => void (request.postData()?.includes('query Reports') && searches.push(request.postData() ?? ''))
    page.on('request', note)
    await fill(page, 'Address', 'no such street')
    await page.waitForFunction(() => new URL(location.href).searchParams.get('address') === 'no such street')
    await says(page, 'No reports match')
    page.off('request', note)
    expect(searches.length).toBeLessThan('no such street'.length)
    await follow(page, 'Show all reports')
    await page.waitForSelector('tbody tr')
    expect(await page.$eval('[type=search]', (field) => (field as HTMLInputElement).value)).toBe('')
    await page.goto(`${desk.console_url}/reports?page=9`)
    await says(page, 'This page has no rows')
    await press(page, 'Go to the last page')
    await page.waitForSelector('tbody tr')
  })

  it('the days of the window are a chart and a table, and a day leads to its records', async () => {
    await page.goto(`${desk.console_url}/reports/${report}`)
    await says(page, 'Hail sizes reported on 2 days, at most 2.00 in; Wind speeds on 1 day, at most 70 mph.')
    expect(await page.$$eval('.timeline .seen', (marks) => marks.length)).toBe(3)
    // On a phone the chart has the whole width, beneath its label.
    await resize(page, 390, 900)
    const leftOfLane = await page.$eval('.lane', (lane) => lane.getBoundingClientRect().left)
    const lefts = await page.$$eval('.lane svg, .timeline .moments', (parts) => parts.map((part) => part.getBoundingClientRect().left))
    expect(new Set(lefts)).toEqual(new Set([leftOfLane]))
    await resize(page, 1440, 900)
    await press(page, 'Show records: May 28, 2025')
    await says(page, '1 to 2 of 2')
    expect(new URL(page.url()).searchParams.get('day')).toBe('2025-05-28')
    await press(page, 'Only May 28, 2025: show all days')
    await says(page, '1 to 25 of 30')
  })

  it('records are sorted and filtered through the address bar, and paged', async () => {
    await pick(page, 'Order', 'oldest')
    await page.waitForFunction(() => document.querySelector('.records tbody tr')?.textContent?.includes('Apr 20, 2025, 1:00 PM CDT'))
    await press(page, 'Next')
    await says(page, '26 to 30 of 30')
    await pick(page, 'Order', 'hail')
    await says(page, '1 to 25 of 30')
    expect(await firstRow(page)).toContain('2.00 in')
    await pick(page, 'Kind', 'thunderstorm_wind')
    await says(page, '1 to 1 of 1')
    await page.reload()
    await says(page, '1 to 1 of 1')
    expect(await firstRow(page)).toContain('70 mph')
    await pick(page, 'Evidence', 'radar')
    await says(page, 'No records match')
    await press(page, 'Show all records')
    await says(page, '1 to 25 of 30')
  })

  it('a citation can be copied, and a record shown on the map', async () => {
    await page
      .browserContext()
      .overridePermissions(new URL(desk.console_url).origin, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write'])
    await page.bringToFront()
    await (await page.waitForSelector('[aria-label^="Copy the citation"]'))?.click()
    await says(page, 'Citation copied.')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/2025-05-28: [A-Z].*https:/s)
    // On an insecure origin there is no clipboard.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }))
    await (await page.waitForSelector('[aria-label^="Copy the citation"]'))?.click()
    await says(page, 'The browser did not allow copying.')
    await drawnMap(page)
    await (await page.waitForSelector('[aria-label^="Show on the map"]'))?.click()
    await page.waitForSelector('.records tr.at')
    expect(new URL(page.url()).searchParams.get('record')).toMatch(/^\d+$/)
  })

  it('nothing changed since; after a late record today’s report is offered, and costs nothing', async () => {
    const { world } = desk
    await press(page, 'Compare')
    await says(page, 'Nothing differs')
    await storeRecord(world, { latitude: 33.16, longitude: -96.81, hail_size_in: 2.75, occurred_on: '2025-05-28' })
    await press(page, 'Compare')
    await says(page, '1 record,')
    const before = await world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
    await press(page, 'Create an updated report')
    await says(page, 'It costs no credit')
    await press(page, 'Create report')
    await page.waitForFunction((old) => !location.pathname.endsWith(old), {}, report)
    await world.drain()
    await says(page, 'at most 2.75 in')
    const after = await world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
    expect(after.balance).toBe(before.balance)
  })

  it('a user who requests it again on the same day, as after a lost response, is led to it', async () => {
    const fresh = new URL(page.url()).pathname
    await page.goto(`${desk.console_url}/reports/${report}`)
    await press(page, 'Compare')
    await press(page, 'Create an updated report')
    await press(page, 'Create report')
    await says(page, 'This report was already refreshed within the last day.')
    await follow(page, 'View that report')
    await page.waitForFunction((path) => location.pathname === path, {}, fresh)
    await page.waitForSelector('[role=dialog]', { hidden: true })
    expect(await page.$('.differences')).toBeNull()
  })

  it('a comparison disappears once another is chosen', async () => {
    await press(page, 'Compare')
    await says(page, 'Nothing differs')
    await pick(page, 'Compare with', report)
    expect(await page.evaluate(() => document.body.innerText.includes('Nothing differs'))).toBe(false)
    await press(page, 'Compare')
    await says(page, '1 record,')
  })

  it('it has no accessibility faults, light and dark, wide and narrow', async () => {
    await page.goto(`${desk.console_url}/reports/${report}`, { waitUntil: 'networkidle2' })
    await press(page, 'Compare')
    await says(page, 'Create an updated report')
    expect(await faultsInEveryLook(page, 'report')).toEqual([])
    expect(desk.faults).toEqual([])
  })
})
