import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { aProperty, north, storm } from '#test/domain/exposures/storm.ts'
import { resize } from '#test/support/chromium.ts'
import { chromium, type Desk, faultsInEveryLook, fill, openDesk, press, says } from '#test/support/desk.ts'
import { aTeam } from '#test/support/factories.ts'
import { type MailServer, openMailServer } from '#test/support/mail-server.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

let desk: Desk
let team: Team
let server: MailServer

beforeAll(async () => {
  if (!chromium) return
  server = await openMailServer()
  desk = await openDesk({ smtp_url: server.url, contact: 'alerts@example.com' })
  desk.world.clock.set('2019-03-25T17:00:00Z')
  team = await aTeam(desk.world, { name: 'Roof works' })
})
afterAll(async () => {
  await desk?.close()
  await server?.close()
})

const dialog = (page: Page) => page.waitForSelector('[role="dialog"]')
const waitForDialogClosed = (page: Page) => page.waitForSelector('[role="dialog"]', { hidden: true })
/** Chooses an option in the field with this name. */
const choose = (page: Page, label: string, value: string) =>
  page.waitForSelector(`::-p-aria([name="${label}"])`).then((field) => field?.select(value))
const alertsOf = (page: Page) => page.goto(`${desk.console_url}/alerts`)

describe.skipIf(!chromium)(`alerts at the desk${skipped}`, () => {
  let page: Page
  beforeAll(async () => {
    if (chromium) page = await desk.signIn(team.id, 'ann@example.com', 'owner')
  })

  it('a rule names its conditions; errors are shown at their fields', async () => {
    await aProperty(desk.world, team, { label: 'HQ', tags: ['west'] })
    await desk.world.drain()
    await alertsOf(page)
    await says(page, 'No alert rules yet')
    await press(page, 'New rule')
    await dialog(page)
    await fill(page, 'Name', 'Large hail')
    await fill(page, 'Recipients', 'ann@example.com, nobody')
    for (const kind of ['wind', 'tornado', 'other']) await page.click(`[name="kinds"][value="${kind}"]`)
    await fill(page, 'Minimum hail, inches', '1.5')
    await choose(page, 'Where', 'tag')
    await fill(page, 'Tag', 'west')
    // On a phone the form is longer than the screen, and its button is at the end.
    await resize(page, 390, 844)
    await press(page, 'Create rule')
    await says(page, 'The recipient must be an e-mail address like ann@example.com.')
    expect(await page.$eval('[role="dialog"] [role="alert"]', (notice) => notice.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0)
    expect(await faultsInEveryLook(page, 'making a rule')).toEqual([])
    await fill(page, 'Recipients', 'ann@example.com')
    await press(page, 'Create rule')
    await waitForDialogClosed(page)
    await says(page, 'Hail from 1.5 in')
    expect(await desk.world.app.db.alertRule.findFirst()).toMatchObject({
      name: 'Large hail',
      kinds: ['hail'],
      least_hail_in: 1.5,
      least_gust_mph: null,
      evidence: 'observed',
      tag: 'west',
      pace: 'at_once',
    })
  })

  it('a rule for one property finds it by name, with quiet hours and radar too', async () => {
    await press(page, 'New rule')
    await dialog(page)
    await fill(page, 'Name', 'All of HQ')
    await choose(page, 'Evidence', 'any')
    await choose(page, 'Where', 'property')
    await fill(page, 'Find a property', 'Nowhere')
    await says(page, 'No property matches.')
    await press(page, 'Create rule')
    expect(await page.$$('select[name="property"]:invalid')).toHaveLength(1)
    expect(await desk.world.app.db.alertRule.count()).toBe(1)
    await fill(page, 'Find a property', 'HQ')
    await page.waitForSelector('select[name="property"]:valid')
    // What was chosen stays, although another search does not find it.
    const hqId = await page.$eval('select[name="property"]', (one) => (one as HTMLSelectElement).value)
    await choose(page, 'Property', hqId)
    await fill(page, 'Find a property', 'Nowhere')
    await says(page, 'No property matches.')
    expect(await page.$eval('select[name="property"]', (one) => (one as HTMLSelectElement).selectedOptions[0]?.text)).toBe('HQ')
    await choose(page, 'When', 'digest')
    await page.$eval('[name="quiet_from"]', (one) => one.setAttribute('value', '22:00'))
    await page.$eval('[name="quiet_until"]', (one) => one.setAttribute('value', '06:00'))
    await press(page, 'Create rule')
    await waitForDialogClosed(page)
    await says(page, 'quiet from 22:00 to 06:00')
    const [hq] = await desk.world.app.db.property.findMany()
    expect(await desk.world.app.db.alertRule.findFirst({ where: { name: 'All of HQ' } })).toMatchObject({
      property_id: hq?.id,
      evidence: 'any',
      pace: 'digest',
      quiet_from: '22:00',
      quiet_until: '06:00',
    })
  })

  it('a rule can be edited in place, paused and resumed; an unconfirmed recipient is mailed again', async () => {
    const rule = () => desk.world.app.db.alertRule.findFirst({ where: { name: { contains: 'HQ' } } })
    const before = await rule()
    await press(page, 'Edit All of HQ')
    await dialog(page)
    expect(await faultsInEveryLook(page, 'changing a rule')).toEqual([])
    await fill(page, 'Name', 'Everything at HQ')
    await fill(page, 'Recipients', 'ann@example.com, new@example.com')
    await fill(page, 'Maximum distance, miles', '2')
    await press(page, 'Save')
    await waitForDialogClosed(page)
    await says(page, 'Everything at HQ')
    expect(await rule()).toEqual({ ...before, name: 'Everything at HQ', greatest_miles: 2, updated_at: expect.any(Date) })
    await press(page, 'Pause Everything at HQ')
    await says(page, 'Paused')
    expect(await rule()).toMatchObject({ active: false, greatest_miles: 2 })
    await press(page, 'Resume Everything at HQ')
    await page.waitForSelector('::-p-aria([name="Pause Everything at HQ"])')
    expect(await rule()).toMatchObject({ active: true })
    await desk.world.drain()
    await press(page, 'Resend confirmation to new@example.com')
    await says(page, 'This address was mailed its link within the last hour.')
    desk.world.clock.set('2019-03-25T18:00:00Z')
    await press(page, 'Resend confirmation to new@example.com')
    await says(page, 'A new confirmation link is on its way to new@example.com.')
    await desk.world.drain()
    expect(server.mails.map(({ to }) => to)).toEqual([['new@example.com'], ['new@example.com']])
    server.mails.length = 0
  })

  it('after a storm the list of mails shows the state of each, and links to its storm day', async () => {
    await storm(desk.world, [{ EVENT_ID: '1', MAGNITUDE: '1.75', ...north(0.8) }])
    expect(server.mails.map(({ to }) => to)).toEqual([['ann@example.com']])
    await page.reload()
    await says(page, 'Delivered to the mail server')
    await says(page, 'Hail up to 1.75 in reported 0.8 mi N of HQ on 2019-03-24')
    await page.select('.filters select', 'failed')
    await says(page, 'No e-mail has this status')
    expect(page.url()).toContain('status=failed')
    await page.select('.filters select', '')
    await says(page, 'Hail up to 1.75 in')
    expect(await faultsInEveryLook(page, 'alerts')).toEqual([])
  })

  it('a viewer can read rules and mails, and change nothing', async () => {
    const viewer = await desk.signIn(team.id, 'bea@example.com', 'viewer')
    await alertsOf(viewer)
    await says(viewer, 'Large hail')
    await says(viewer, 'Delivered to the mail server')
    expect(await viewer.$$('main button')).toEqual([])
    // On a phone every value of a card is at its right edge, and a label is not broken beside a long one.
    await resize(viewer, 390, 844)
    const gaps = await viewer.$$eval('td[data-label="Recipients"] li', (all) =>
      all.map((one) => {
        const text = document.createRange()
        text.selectNodeContents(one)
        return Math.round(one.getBoundingClientRect().right - text.getBoundingClientRect().right)
      }),
    )
    expect(gaps.length).toBeGreaterThan(0)
    expect(gaps.filter((gap) => gap > 1)).toEqual([])
    expect(await viewer.$eval('td[data-label="Recipients"]', (one) => getComputedStyle(one, '::before').flexShrink)).toBe('0')
    await viewer.browserContext().close()
  })

  it('a deleted rule disappears, and its mail stays', async () => {
    await press(page, 'Delete Large hail')
    await dialog(page)
    expect(await faultsInEveryLook(page, 'deleting a rule')).toEqual([])
    await press(page, 'Delete')
    await waitForDialogClosed(page)
    await page.waitForFunction(() => !document.querySelector('[aria-label="Delete Large hail"]'))
    expect(await desk.world.app.db.alertRule.findMany({ select: { name: true } })).toEqual([{ name: 'Everything at HQ' }])
    await says(page, 'Delivered to the mail server')
  })

  it('a plan without alerts says so, and what to do; one without the API says so beside the tokens', async () => {
    const free = await aTeam(desk.world, { name: 'Small works', plan: 'free' })
    const owner = await desk.signIn(free.id, 'cal@example.com', 'owner')
    await alertsOf(owner)
    await says(owner, 'The Free plan does not include e-mail alerts')
    expect(await owner.$$('.page-head button')).toEqual([])
    expect(await faultsInEveryLook(owner, 'a plan without alerts')).toEqual([])
    await owner.goto(`${desk.console_url}/tokens`)
    await says(owner, 'Your plan does not include the API: requests with a token are refused.')
    await owner.browserContext().close()
    expect(desk.faults).toEqual([])
  })
})
