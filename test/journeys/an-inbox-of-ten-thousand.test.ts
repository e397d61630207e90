import type { HTTPRequest, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { interceptRequests, resize } from '#test/support/chromium.ts'
import { chromium, type Desk, faultsInEveryLook, idle, openDesk, press, says, visibleRows } from '#test/support/desk.ts'
import { aKeptProperty, anExposure } from '#test/support/exposures.ts'
import { aTeam } from '#test/support/factories.ts'
import { OWN_DARK_COLORS } from '#test/support/looks.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'
const HELD = 10_000

let desk: Desk
let team: Team

beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  team = await aTeam(desk.world, { name: 'Roof works' })
  const { id } = await aKeptProperty(desk.world, team, { label: 'Depot' })
  await desk.world.owner.query(
    `INSERT INTO exposures (team_id, kind, date, property_id, headline, evidence, record_ids, first_seen_at, last_seen_at)
     SELECT $1, 'record', date '2025-06-01' - n, $2, 'Storm ' || n, '{}', '{}', now(), now() - n * interval '1 second'
       FROM generate_series(1, $3::int) AS n`,
    [team.id, id, HELD],
  )
})
afterAll(() => desk?.close())

const open = () => desk.world.app.db.exposure.count({ where: { team_id: team.id, acknowledged_at: null } })

describe.skipIf(!chromium)(`an inbox of 10,000 exposures at the desk${skipped}`, () => {
  let page: Page
  beforeAll(async () => {
    if (chromium) page = await desk.signIn(team.id, 'ann@example.com', 'analyst')
  })

  it('opens at its top, on a small screen too', async () => {
    const size = page.viewport()
    await page.setViewport({ width: 640, height: 400 })
    await page.reload()
    await page.waitForSelector('.rows tr.at')
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await page.setViewport(size)
    await page.reload()
  })

  it('scrolls to its end without blanks, and renders few of its rows', async () => {
    await says(page, '10,000 exposures')
    await page.waitForSelector('.rows a')
    expect(await visibleRows(page)).not.toContain(undefined)
    await page.$eval('.rows', (list) => list.scrollTo(0, list.scrollHeight / 2))
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.rows tbody a')].some((one) => /^Storm [3-6]\d{3}$/.test(one.textContent ?? '')),
    )
    expect(await visibleRows(page)).not.toContain(undefined)
    expect(await page.$$eval('.rows tbody tr', (rows) => rows.length)).toBeLessThan(100)
    await page.$eval('.rows', (list) => list.scrollTo(0, 0))
  })

  it('can be moved through by keys: the current row stays in view', async () => {
    await page.waitForSelector('.rows tr.at[aria-current=true]')
    for (let step = 0; step < 40; step++) await page.keyboard.press('j')
    await page.waitForFunction(() => {
      const at = document.querySelector('.rows tr.at')?.getBoundingClientRect()
      const list = document.querySelector('.rows')?.getBoundingClientRect()
      return at && list && at.top >= list.top && at.bottom <= list.bottom + 1
    })
    // A storm that comes now moves the rows, and not the current one: a key acts on the row that it was meant for.
    const current = () => page.$eval('.rows tr.at a', ({ textContent }) => textContent)
    const before = await current()
    const { property_id } = await desk.world.app.db.exposure.findFirstOrThrow({ where: { team_id: team.id } })
    const id = await anExposure(desk.world, team, { property_id, date: '2025-06-02', headline: 'Newest storm' })
    await says(page, '10,001 exposures')
    await page.waitForFunction((wanted) => document.querySelector('.rows tr.at a')?.textContent === wanted, {}, before)
    await page.keyboard.press('e')
    await says(page, 'One exposure acknowledged.')
    await says(page, '10,000 exposures')
    expect(await desk.world.app.db.exposure.findMany({ where: { NOT: { acknowledged_at: null } } })).toMatchObject([{ headline: before }])
    expect(await current()).not.toBe(before)
    await press(page, 'Undo')
    await says(page, '10,001 exposures')
    await desk.world.app.db.exposure.delete({ where: { id } })
    await says(page, '10,000 exposures')
  })

  it('marks the current row, the edge of a dialog and the chosen line of a list in forced colours, too', async () => {
    const session = await page.createCDPSession()
    await session.send('Emulation.setEmulatedMedia', { features: OWN_DARK_COLORS })
    const styleOf = (found: string, property: 'borderTopStyle' | 'outlineStyle') =>
      page.waitForSelector(found).then((one) => one?.evaluate((part, name) => getComputedStyle(part)[name], property))
    expect(await styleOf('.rows tr.at', 'outlineStyle')).toBe('solid')
    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    expect(await styleOf('.dialog', 'borderTopStyle')).toBe('solid')
    await page.keyboard.type('pro')
    expect(await styleOf('.palette [data-focused]', 'outlineStyle')).toBe('solid')
    await page.keyboard.press('Escape')
    await page.waitForSelector('[role=dialog]', { hidden: true })
    await session.send('Emulation.setEmulatedMedia', { features: [] })
    await session.detach()
  })

  it('is filtered by the keyboard alone: the field keeps the focus and what is typed, whatever is found', async () => {
    const focus = (label: string) =>
      page.evaluate(
        (name) => [...document.querySelectorAll('label')].find(({ textContent }) => textContent === name)?.control?.focus(),
        label,
      )
    const counts = async (sentence: string) => {
      await says(page, sentence)
      return page.evaluate(() => document.activeElement?.matches('.filters *'))
    }
    await focus('From')
    await page.keyboard.type('05302025')
    expect(await counts('2 exposures')).toBe(true)
    await focus('Kind')
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(() => location.search === '?from=2025-05-30&kind=record')
    expect(await counts('2 exposures')).toBe(true)
    await focus('Minimum reported hail, inches')
    await page.keyboard.type('1.25')
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[type=number]')?.value === '1.25')
    expect(await counts('No exposures match')).toBe(true)
    await press(page, 'Show open exposures')
    await says(page, '10,000 exposures')
  })

  it('takes no key after g for one of its own, also if it leads nowhere', async () => {
    // Analysts have no People, to which g and e lead.
    for (const key of ['g', 'e', 'g', '#', 'j'] as const) await page.keyboard.press(key)
    // The same with the focus in the checkbox of a row, where the mouse leaves it.
    await page.click('tr.at [type="checkbox"]')
    await says(page, '1 selected')
    for (const key of ['g', 'e', 'g', '#'] as const) await page.keyboard.press(key)
    await page.click('tr.at [type="checkbox"]')
    for (const key of ['j', 'x'] as const) await page.keyboard.press(key)
    await says(page, '1 selected')
    const selected = await page.$eval('tr[data-chosen] a', ({ textContent }) => textContent)
    await page.keyboard.press('e')
    await says(page, '9,999 exposures')
    const acknowledged = await desk.world.app.db.exposure.findMany({ where: { team_id: team.id, acknowledged_at: { not: null } } })
    expect(acknowledged.map(({ headline }) => headline)).toEqual([selected])
    await press(page, 'Undo')
    await says(page, '10,000 exposures')
    await page.focus('tr.at [type="checkbox"]')
    for (const key of ['g', 'r'] as const) await page.keyboard.press(key)
    await says(page, 'No reports yet')
    await page.goBack()
    await says(page, '10,000 exposures')
  })

  it('keeps what is selected while others are acknowledged', async () => {
    const held: HTTPRequest[] = []
    const end = await interceptRequests(page, (request) =>
      request.postData()?.includes('mutation Settle') ? held.push(request) : request.continue(),
    )
    await idle(page)
    for (const key of ['e', 'j', 'x'] as const) await page.keyboard.press(key)
    await says(page, '10,000 exposures, 1 selected')
    await expect.poll(() => held.length).toBe(1)
    await held[0]?.continue()
    await says(page, '9,999 exposures, 1 selected')
    await end()
    await page.keyboard.press('x')
    await press(page, 'Undo')
    await says(page, '10,000 exposures')
  })

  it('can be acknowledged completely at once, including rows that were never in view, and undone', async () => {
    await page.waitForSelector('input[aria-label="Select all rows"]').then((box) => box?.click())
    await says(page, '10,000 selected')
    await idle(page)
    await press(page, 'Acknowledge e')
    await says(page, '10,000 exposures acknowledged.')
    expect(await open()).toBe(0)
    await says(page, 'No open exposures')
    await press(page, 'Undo')
    await says(page, '10,000 exposures restored.')
    expect(await open()).toBe(HELD)
  })

  it('if the service becomes unavailable midway, says how many were done, keeps the others selected, and undoes those done', async () => {
    let calls = 0
    const end = await interceptRequests(page, (request) => {
      const settles = request.postData()?.includes('mutation Settle') ?? false
      if (settles && ++calls === 3) return request.respond({ status: 503, contentType: 'text/html', body: 'away' })
      return request.continue()
    })
    await page.waitForSelector('input[aria-label="Select all rows"]').then((box) => box?.click())
    await says(page, '10,000 selected')
    await idle(page)
    await press(page, 'Acknowledge e')
    await says(page, '1,000 exposures acknowledged. Then it stopped: The service is unavailable', 60_000)
    await says(page, '9,000 exposures, 9,000 selected')
    expect(await open()).toBe(HELD - 1000)
    expect(desk.faults.splice(0)).toEqual([expect.stringContaining('status of 503')])
    await end()
    await press(page, 'Undo')
    await says(page, '1,000 exposures restored.')
    expect(await open()).toBe(HELD)
  })

  it('has room for the place and for what happened, whatever is shown next to it', async () => {
    const widths = () =>
      page.$$eval('thead th', (all) => Object.fromEntries(all.map((one) => [one.textContent, one.getBoundingClientRect().width])))
    const overflowOf = () => page.$$eval('html, .rows', (all) => all.map((one) => one.scrollWidth - one.clientWidth))
    // The narrowest tablets: each column is there without scrolling sideways.
    for (const width of [738, 800, 900]) {
      await resize(page, width, 900)
      await page.goto(`${desk.console_url}/inbox?state=all`)
      await page.waitForSelector('.rows a')
      const { Place = 0, Exposure = 0 } = await widths()
      expect({ width, overflow: await overflowOf(), place: Place > 100, what: Exposure > 160 }).toEqual({
        width,
        overflow: [0, 0],
        place: true,
        what: true,
      })
    }
    for (const width of [1280, 1024, 1440]) {
      await resize(page, width, 900)
      await page.goto(`${desk.console_url}/inbox?state=all`)
      await page.waitForSelector('.rows a')
      const { Place = 0, Exposure = 0 } = await widths()
      expect({ width, place: Place > 100, what: Exposure > 1.2 * Place && Exposure > 220 }).toEqual({ width, place: true, what: true })
      expect({ width, overflow: await overflowOf() }).toEqual({ width, overflow: [0, 0] })
    }
    await page.goto(`${desk.console_url}/inbox`)
    await says(page, '10,000 exposures')
  })

  it('has no accessibility faults, light and dark, wide and narrow', async () => {
    expect(await faultsInEveryLook(page, 'inbox')).toEqual([])
    expect(desk.faults).toEqual([])
  })
})
