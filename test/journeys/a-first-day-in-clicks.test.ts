import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperatorLink } from '#domain/people/operator-link.ts'
import type { Team } from '#generated/prisma/client.ts'
import { detailsText, importText } from '#test/domain/archive/files.ts'
import { documentReader } from '#test/support/chromium.ts'
import { type Desk, drawnMap, follow, openDesk, press, says } from '#test/support/desk.ts'
import { aTeam } from '#test/support/factories.ts'
import { type InputCounter, type InputCounts, openInputCounter } from '#test/support/input-counter.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'

const skipped = documentReader ? '' : ' (skipped: no browser present that shows documents)'
const ROWS = 1000
/** Properties of the book in the street of the storm. */
const HIT = 50

let desk: Desk
let team: Team
let receiver: Receiver
let page: Page
let inputCounter: InputCounter

beforeAll(async () => {
  if (!documentReader) return
  desk = await openDesk({ webhook_allowed_networks: ['127.0.0.0/8'] }, { program: documentReader })
  team = await aTeam(desk.world, { name: 'Roof works', plan: 'business' })
  receiver = await openReceiver((response) => response.writeHead(200).end('Received, thanks'))
  page = await desk.newPage()
  inputCounter = await openInputCounter(page)
})
afterAll(async () => {
  await desk?.close()
  await receiver?.close()
})

const go = (place: string) => page.waitForSelector(`nav [href="/app/${place}"]`).then((link) => link?.click())
/** Types into an empty field. */
async function write(label: string, text: string): Promise<void> {
  await press(page, label)
  await page.keyboard.type(text)
}
/** Closes the open dialog. */
async function leave(label: string): Promise<void> {
  await press(page, label)
  await page.waitForSelector('[role="dialog"]', { hidden: true })
}
/** Limits the actions since the last call; typed letters of names and addresses count as keys. */
const took = (most: InputCounts) => {
  const { clicks, keys } = inputCounter.take()
  expect(clicks, 'clicks').toBeGreaterThan(0)
  expect(clicks, 'clicks').toBeLessThanOrEqual(most.clicks)
  expect(keys, 'keys').toBeLessThanOrEqual(most.keys)
}

/** A book of properties as a spreadsheet writes it: a street where a storm will come, and roofs far from it. */
function aBook(): string {
  const rows = Array.from(
    { length: ROWS },
    (_, n) => `Roof ${n + 1},"${n + 1} Main St, Frisco, TX 75034",${(n < HIT ? 33.15 : 35.15) + n / 100_000},-96.82`,
  )
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'book-')), 'book.csv')
  writeFileSync(file, `Name,Address,Latitude,Longitude\r\n${rows.join('\r\n')}\r\n`)
  return file
}

/** Each journey continues in the browser where the one before ended. Only clicks and keys move it: no address is typed. */
describe.skipIf(!documentReader)(`a first day, counted in clicks${skipped}`, () => {
  it('an owner signs in by a link', async () => {
    const { url } = await createOperatorLink(desk.world.app, { team_id: team.id, email: 'ann@example.com', role: 'owner' })
    await page.goto(url)
    await press(page, 'Sign in')
    await says(page, 'No open exposures')
    took({ clicks: 1, keys: 0 })
  })

  it('issues a token, which then works', async () => {
    await go('tokens')
    await press(page, 'Issue a token')
    await write('Name', 'Estimates')
    await press(page, 'Issue')
    await says(page, 'Estimates is issued')
    const token = await page.$eval('.secret', (shown) => shown.textContent ?? '')
    expect((await desk.rest.call('GET', '/account', { token })).body.team.name).toBe('Roof works')
    await leave('Done')
    await says(page, token.slice(0, 9))
    expect(await page.evaluate(() => document.body.innerText)).not.toContain(token)
    took({ clicks: 5, keys: 9 })
  })

  it('draws a territory around a town after moving the map there', async () => {
    await go('territories')
    await press(page, 'Draw a territory')
    await drawnMap(page)
    await write('Name', 'North side')
    await write('Find a place', 'Prosper, TX')
    // Before the place is offered.
    await page.keyboard.press('Enter')
    await says(page, 'Map centre: 33.')
    await page.waitForFunction(() => document.querySelector('.map-canvas')?.getAttribute('data-still') === '')
    const { x, y, width, height } = (await page.$('.map-canvas').then((map) => map?.boundingBox())) ?? { x: 0, y: 0, width: 0, height: 0 }
    for (const [across, down] of [
      [0.4, 0.4],
      [0.6, 0.4],
      [0.5, 0.6],
      [0.4, 0.4],
    ] as const) {
      const corner = [x + width * across, y + height * down] as const
      await page.mouse.move(...corner, { steps: 4 })
      await page.mouse.click(...corner)
    }
    await page.waitForFunction(() => /^\d[\d.,]* sq mi/.test(document.querySelector('.quote')?.textContent ?? ''))
    await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>('button[type=submit]')?.disabled)
    await press(page, 'Save the territory')
    await says(page, 'North side is saved.')
    const { geometry } = await desk.world.app.db.territory.findFirstOrThrow({ where: { team_id: team.id } })
    const [ring = []] = JSON.parse(geometry).coordinates as [number, number][][]
    expect(ring).toHaveLength(4)
    for (const [east, north] of ring) expect([Math.abs(east + 96.8) < 0.2, Math.abs(north - 33.24) < 0.2]).toEqual([true, true])
    took({ clicks: 9, keys: 22 })
  })

  it('imports a thousand properties by CSV', async () => {
    await go('properties')
    await press(page, 'Import a CSV file')
    const [chooser] = await Promise.all([
      page.waitForFileChooser(),
      page.waitForSelector('label.button.primary').then((one) => one?.click()),
    ])
    await chooser.accept([aBook()])
    await press(page, 'Import 1,000 rows')
    await says(page, '1,000 properties added', 90_000)
    expect(await desk.world.app.db.property.count({ where: { team_id: team.id } })).toBe(ROWS)
    took({ clicks: 4, keys: 0 })
  })

  it('watches the inbox, where a storm appears without a reload, and acknowledges its fifty exposures', async () => {
    await desk.world.drain()
    await go('inbox')
    await says(page, 'No open exposures')
    await page.evaluate(() => {
      document.body.dataset.marked = 'yes'
    })
    await importText(desk.world, detailsText({ EVENT_ID: '1' }))
    await desk.world.drain()
    await says(page, `${HIT} exposures`)
    expect(await page.evaluate(() => document.body.dataset.marked)).toBe('yes')
    await press(page, 'Select all rows')
    await press(page, 'Acknowledge e')
    await says(page, `${HIT} exposures acknowledged.`)
    expect(await desk.world.app.db.exposure.count({ where: { team_id: team.id, acknowledged_at: { not: null } } })).toBe(HIT)
    took({ clicks: 3, keys: 0 })
  })

  it('orders a report, and reads its document in the browser', async () => {
    await go('reports')
    await press(page, 'New report')
    await write('Address or coordinates', '1 Main St, Frisco, TX 75034')
    await page.keyboard.press('Tab')
    await page.keyboard.type('01012025')
    // Skips the calendar of the first date.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('06302025')
    await press(page, 'Create report')
    await page.waitForFunction(() => /\/reports\/[0-9a-f-]{36}$/.test(location.pathname))
    const reportUrl = page.url()
    await desk.world.drain()
    const answered = page.waitForResponse((answer) => answer.url().includes('?inline'))
    await press(page, 'Open PDF')
    await desk.world.drain()
    const { status, headers } = await answered.then((answer) => ({ status: answer.status(), headers: answer.headers() }))
    expect([status, headers['content-type'], headers['content-disposition']?.split(';')[0]]).toEqual([200, 'application/pdf', 'inline'])
    await page.waitForFunction(() => document.contentType === 'application/pdf')
    took({ clicks: 5, keys: 46 })
    // On a busy machine the browser's own viewer of documents does not go back within a minute.
    await page.goto(reportUrl, { waitUntil: 'load' })
  })

  it('registers a destination, tests it and sees its post', async () => {
    await go('destinations')
    await press(page, 'Register a destination')
    await write('Name', 'CRM')
    await write('Address', receiver.url)
    await page.waitForSelector('[name="events"]')
    await press(page, 'Register')
    await says(page, 'CRM is registered')
    await leave('Done')
    await follow(page, 'CRM')
    await page.waitForFunction(() => /\/destinations\/[0-9a-f-]{36}$/.test(location.pathname))
    await press(page, 'Send a test')
    await says(page, 'It said: Received, thanks')
    await leave('Done')
    // The table cell has the same name.
    await page.waitForSelector('button[aria-label="View the post: Test of CRM"]').then((button) => button?.click())
    const body = await page.waitForSelector('::-p-aria([name="Body of the post"])')
    expect(JSON.parse((await body?.evaluate((shown) => shown.textContent)) ?? '')).toEqual(JSON.parse(receiver.posts[0]?.body ?? ''))
    await leave('Close')
    took({ clicks: 11, keys: 3 + receiver.url.length })
  })

  it('invites an analyst, who sees no tokens, and whose session ends soon after being removed', async () => {
    await go('people')
    await press(page, 'Invite a person')
    await write('E-mail', 'bea@example.com')
    await press(page, 'Invite')
    await says(page, 'bea@example.com is invited')
    const link = await page.$eval('.secret', (shown) => shown.textContent ?? '')
    await leave('Done')
    took({ clicks: 5, keys: 15 })

    const analyst = await desk.newPage()
    const analystCounter = await openInputCounter(analyst)
    await analyst.goto(link)
    await press(analyst, 'Sign in')
    await says(analyst, 'No open exposures')
    expect(analystCounter.take()).toEqual({ clicks: 1, keys: 0 })
    expect(await analyst.$$eval('nav a', (links) => links.map((one) => one.getAttribute('href')))).not.toContain('/app/tokens')
    await analyst.goto(`${desk.console_url}/tokens`)
    await says(analyst, 'Only an owner of the team can see its tokens.')

    await press(page, 'Remove bea@example.com')
    await page.waitForSelector('[role=dialog]')
    const cookies = (await analyst.browserContext().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    const asks = () =>
      fetch(`${desk.console_url.replace(/app$/, 'graphql')}`, {
        method: 'POST',
        headers: {
          cookie: cookies,
          origin: new URL(desk.console_url).origin,
          'x-weather-console': '1',
          'x-weather-team': team.id,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query: '{ team { name } }' }),
      }).then((answer) => answer.text())
    expect(await asks()).toContain('Roof works')
    const startedAt = performance.now()
    await press(page, 'Remove')
    await expect.poll(asks, { interval: 20 }).not.toContain('Roof works')
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    await says(analyst, 'You are not in a team')
    took({ clicks: 2, keys: 0 })
    await analyst.browserContext().close()
    expect(desk.faults).toEqual([])
  })
})
