import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { detailsText, importText } from '#test/domain/archive/files.ts'
import { chromium, type Desk, faultsInEveryLook, openDesk, press, says } from '#test/support/desk.ts'
import { aTeam, aToken } from '#test/support/factories.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'
const HOUSES = 50

let desk: Desk
let team: Team
beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  team = await aTeam(desk.world, { name: 'Roof works' })
  const { token } = await aToken(desk.world, team)
  for (let house = 0; house < HOUSES; house++) {
    const body = { address: `${house + 1} Main St`, latitude: 33.15 + house / 10_000, longitude: -96.82, label: `House ${house + 1}` }
    expect((await desk.rest.call('POST', '/properties', { token, body })).status).toBe(201)
  }
  await desk.world.drain()
})
afterAll(() => desk?.close())

/** A value that a page keeps only if it was not reloaded. */
const remembers = (page: Page) => page.evaluate(() => document.body.dataset.marked)
/**
 * Waits until the inbox has this many exposures, of which those in view are rendered. A page in the background
 * renders nothing, so the check uses a timer.
 */
const counts = (page: Page, wanted: number, timeout = 60_000) =>
  page.waitForFunction(
    (text) => document.querySelector('main [role=status]')?.textContent?.startsWith(text),
    { polling: 200, timeout },
    `${wanted} exposures`,
  )

describe.skipIf(!chromium)(`a storm comes${skipped}`, () => {
  it('fills an open inbox; the user acknowledges all exposures at once and undoes that', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await says(page, 'No open exposures')
    await page.evaluate(() => {
      document.body.dataset.marked = 'yes'
    })
    // Two-inch hail in the street, as the agency reports it.
    await importText(desk.world, detailsText({ EVENT_ID: '1' }))
    await desk.world.drain()
    await counts(page, HOUSES, 10_000)
    expect(await remembers(page)).toBe('yes')

    expect(await faultsInEveryLook(page, 'inbox')).toEqual([])

    await page.click('input[aria-label="Select all rows"]')
    await page.keyboard.press('e')
    await says(page, `${HOUSES} exposures acknowledged.`)
    await says(page, 'No open exposures')
    await press(page, 'Undo')
    await says(page, `${HOUSES} exposures restored.`)
    await counts(page, HOUSES)
    expect(await remembers(page)).toBe('yes')
  })

  it('reaches every page of a browser over one connection, even if the page that opened it is closed', async () => {
    const first = await desk.signIn(team.id, 'bea@example.com', 'analyst')
    const pages = [first]
    for (let more = 0; more < 7; more++) pages.push(await first.browserContext().newPage())
    for (const page of pages.slice(1)) {
      await page.goto(`${desk.console_url}/inbox`)
      await page.waitForSelector('tbody tr')
    }
    await first.close()
    const [{ id } = { id: 0 }] = await desk.world.app.db.exposure.findMany({ where: { team_id: team.id }, take: 1 })
    await desk.world.owner.query('UPDATE exposures SET acknowledged_at = now() WHERE id = $1', [id])
    await Promise.all(pages.slice(1).map((page) => counts(page, HOUSES - 1)))
    await desk.world.owner.query('UPDATE exposures SET acknowledged_at = NULL WHERE id = $1', [id])
    await pages.at(-1)?.browserContext().close()
  })

  it('is seen by a viewer, who loses access soon after being removed', async () => {
    const page = await desk.signIn(team.id, 'cleo@example.com', 'viewer')
    await counts(page, HOUSES)
    const { id } = await desk.world.app.db.person.findUniqueOrThrow({ where: { email: 'cleo@example.com' } })
    const startedAt = performance.now()
    await desk.world.owner.query('DELETE FROM memberships WHERE person_id = $1', [id])
    await says(page, 'You are not in a team')
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    expect(await faultsInEveryLook(page, 'in no team')).toEqual([])
    expect(desk.faults).toEqual([])
  })
})
