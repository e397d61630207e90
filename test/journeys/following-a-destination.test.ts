import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEADLINE_MS } from '#domain/engines/post.ts'
import { emit } from '#domain/events/emit.ts'
import type { Team } from '#generated/prisma/client.ts'
import { examplesOf } from '#rest/examples.ts'
import { chromium, type Desk, faultsInEveryLook, fill, follow, openDesk, press, says } from '#test/support/desk.ts'
import { exposureContent } from '#test/support/event-content.ts'
import { aTeam } from '#test/support/factories.ts'
import { isSigned } from '#test/support/post-signature.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

let desk: Desk
let team: Team
let receiver: Receiver

beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk({ webhook_allowed_networks: ['127.0.0.0/8'] })
  team = await aTeam(desk.world, { name: 'Roof works' })
  receiver = await openReceiver((response) => response.writeHead(200).end('Received, thanks'))
})
afterAll(async () => {
  await desk?.close()
  await receiver?.close()
})

const last = () => receiver.posts.at(-1)
const isSignedWith = (secret: string) =>
  isSigned(secret, String(last()?.headers['x-service-signature']), last()?.body ?? '', desk.world.clock.now())
/** Closes the open dialog. */
const leave = async (page: Page, label: string) => {
  await press(page, label)
  await page.waitForSelector('[role="dialog"]', { hidden: true })
}
/** The JSON of a box, by its label. */
const jsonIn = async (page: Page, label: string): Promise<unknown> => {
  const box = await page.waitForSelector(`::-p-aria([name="${label}"])`)
  return JSON.parse((await box?.evaluate((one) => one.textContent)) ?? '')
}

describe.skipIf(!chromium)(`following a destination at the desk${skipped}`, () => {
  let page: Page
  let secret: string
  beforeAll(async () => {
    if (chromium) page = await desk.signIn(team.id, 'ann@example.com', 'owner')
  })

  it('it is registered with its secret shown once, and a test shows the receiver’s response', async () => {
    await page.goto(`${desk.console_url}/destinations`)
    await press(page, 'Register a destination')
    await fill(page, 'Name', 'CRM')
    await fill(page, 'Address', receiver.url)
    await page.waitForSelector('[name="events"]')
    await press(page, 'Register')
    await says(page, 'CRM is registered')
    secret = await page.$eval('.secret', (shown) => shown.textContent ?? '')
    await leave(page, 'Done')
    await follow(page, 'CRM')
    await page.waitForFunction(() => /\/destinations\/[0-9a-f-]{36}$/.test(location.pathname))
    await press(page, 'Send a test')
    await says(page, 'The test was delivered')
    await says(page, 'It said: Received, thanks')
    expect(isSignedWith(secret)).toBe(true)
    await leave(page, 'Done')
  })

  it('its post is shown as sent, with the response', async () => {
    // The table cell has the same name.
    await press(page, 'View the post: Test of CRM')
    expect(await jsonIn(page, 'Body of the post')).toEqual(JSON.parse(last()?.body ?? ''))
    expect(await page.$eval('[role="dialog"]', (one) => one.textContent)).toContain('Response200')
    expect(await faultsInEveryLook(page, 'post')).toEqual([])
    await leave(page, 'Close')
  })

  it('a delivered event can be sent again under its own id', async () => {
    const about = { team_id: team.id, subject: 'Hail at HQ', exposure_ids: [7] }
    await desk.world.app.db.$transaction((tx) => emit(tx, 'exposure.detected', about, exposureContent('HQ')))
    await desk.world.drain()
    const id = last()?.headers['x-service-delivery']
    await page.reload()
    await press(page, 'Resend: Hail at HQ')
    await says(page, 'Queued to be sent again')
    await desk.world.drain()
    await page.waitForFunction(() => [...document.querySelectorAll('td .badge')].every((one) => one.textContent === 'Delivered'))
    expect(receiver.posts.map(({ headers }) => headers['x-service-delivery']).filter((one) => one === id)).toHaveLength(2)
    await page.select('.filters select', 'failed')
    await says(page, 'No delivery has this status')
    await page.select('.filters select', '')
  })

  it('each event has a sample next to it, the same as in the API reference', async () => {
    const samples = examplesOf(desk.world.app.config.base_url).webhooks
    await page.$$eval('.events summary', (all) => {
      for (const one of all) one.click()
    })
    await page.waitForFunction((count) => document.querySelectorAll('.events pre').length === count, {}, Object.keys(samples).length - 1)
    expect(await jsonIn(page, 'Sample post: Storm day escalated')).toEqual(samples['exposure.escalated'])
    await says(page, `Respond with 2xx within ${DEADLINE_MS / 1000} seconds`)
  })

  it('a pause that its receiver asked for is shown until it is over', async () => {
    const held_until = new Date(desk.world.clock.now().getTime() + 600_000)
    await desk.world.app.db.integration.updateMany({ data: { held_until } })
    await page.reload()
    await says(page, 'Paused by its receiver')
    await says(page, 'Its receiver asked for a pause: nothing is posted to it before')
    desk.world.clock.set(held_until)
    await page.waitForFunction(() => !document.querySelector('main')?.textContent?.includes('asked for a pause'))
  })

  it('its name and events are edited, while its address stays, which only an owner can replace', async () => {
    const read = () => desk.world.app.db.integration.findFirstOrThrow({ where: { team_id: team.id } })
    const before = await read()
    const analyst = await desk.signIn(team.id, 'cy@example.com', 'analyst')
    await analyst.goto(page.url())
    await press(analyst, 'Edit')
    await fill(analyst, 'Name', 'CRM of the yard')
    expect(await analyst.$('[name="url"]')).toBeNull()
    await analyst.click('[name="events"][value="report.completed"]')
    await press(analyst, 'Save')
    await says(analyst, 'CRM of the yard is saved.')
    await analyst.browserContext().close()
    const after = await read()
    expect(after).toEqual({ ...before, name: 'CRM of the yard', events: after.events, updated_at: after.updated_at })
    expect([...after.events].sort()).toEqual([...before.events, 'report.completed'].sort())
    await page.reload()
    await press(page, 'Edit')
    await fill(page, 'Name', 'CRM')
    await fill(page, 'New address', 'ftp://crm.example.com')
    await press(page, 'Save')
    await says(page, 'The address must begin with https://')
    await fill(page, 'New address', `${receiver.url}/moved`)
    expect(await faultsInEveryLook(page, 'editing a destination')).toEqual([])
    await press(page, 'Save')
    await says(page, 'CRM is saved.')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Edit')
    await says(page, '…oved')
  })

  it('that the service switched it off is acknowledged, and it stays inactive', async () => {
    const switched_off = { active: false, switched_off_at: desk.world.clock.now(), switched_off_for: 'The destination answered 410.' }
    await desk.world.app.db.integration.updateMany({ where: { name: 'CRM' }, data: switched_off })
    await page.reload()
    await says(page, 'The destination answered 410.')
    await press(page, 'Acknowledge')
    await says(page, 'It stays inactive.')
    await page.waitForFunction(() => /Acknowledged .*\d/.test(document.querySelector('.facts')?.textContent ?? ''))
    expect(await page.$('::-p-aria([name="Acknowledge"][role="button"])')).toBeNull()
    await press(page, 'Activate')
    await says(page, 'CRM is active.')
    await page.waitForFunction(() => !document.querySelector('.facts')?.textContent?.includes('410'))
  })

  it('its secret is rotated: posts are signed with the new secret only', async () => {
    await press(page, 'Rotate the secret')
    expect(await faultsInEveryLook(page, 'rotating')).toEqual([])
    await press(page, 'Rotate')
    await says(page, 'it is not shown again')
    const rotated = await page.$eval('.secret', (shown) => shown.textContent ?? '')
    // It cannot be shown again: neither a key nor a click beside it closes the dialog.
    await page.keyboard.press('Escape')
    // The list is in the history of this page.
    await page.evaluate(() => history.back())
    await page.mouse.click(5, 5)
    await page
      .browserContext()
      .overridePermissions(new URL(desk.console_url).origin, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write'])
    await press(page, 'Copy')
    await page.waitForFunction(() => document.querySelector('[role="dialog"] [role="status"]')?.textContent === 'Copied.')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(rotated)
    // On an insecure origin there is no clipboard.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }))
    await press(page, 'Copy')
    await says(page, 'The browser did not allow copying. The text is selected')
    expect(await page.evaluate(() => String(getSelection()))).toBe(rotated)
    expect(await faultsInEveryLook(page, 'a new secret')).toEqual([])
    await leave(page, 'Done')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Rotate the secret')
    expect(await page.evaluate(() => document.body.innerText)).not.toContain(rotated)
    await press(page, 'Send a test')
    await says(page, 'The test was delivered')
    expect([isSignedWith(rotated), isSignedWith(secret)]).toEqual([true, false])
    await leave(page, 'Done')
  })

  it('a dialog of one destination does not open in another one', async () => {
    const { id: _, ...crm } = await desk.world.app.db.integration.findFirstOrThrow({ where: { name: 'CRM' } })
    await desk.world.app.db.integration.create({ data: { ...crm, name: 'Archive' } })
    await page.click('nav [href="/app/destinations"]')
    await follow(page, 'Archive')
    await press(page, 'Rotate the secret')
    await says(page, 'Rotate the secret of Archive?')
    // The browser can go back by more than one page.
    await page.evaluate(() => history.go(-2))
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'CRM')
    expect(await page.$('[role="alertdialog"], [role="dialog"]')).toBeNull()
  })

  it('one that is removed is gone from the list, and its deliveries stay', async () => {
    const kept = await desk.world.app.db.delivery.count()
    await page.click('nav [href="/app/destinations"]')
    await follow(page, 'Archive')
    await press(page, 'Remove destination')
    await says(page, 'Its deliveries stay in the list of deliveries.')
    await press(page, 'Remove')
    await says(page, 'Archive is removed.')
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Destinations')
    await page.waitForFunction(() => ![...document.querySelectorAll('td a')].some((one) => one.textContent === 'Archive'))
    expect(await desk.world.app.db.delivery.count()).toBe(kept)
    await follow(page, 'CRM')
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'CRM')
  })

  it('a viewer can read it and change nothing', async () => {
    const viewer = await desk.signIn(team.id, 'bea@example.com', 'viewer')
    await viewer.goto(page.url())
    await viewer.waitForSelector('::-p-aria([name="View the post: Hail at HQ"])')
    const buttons = await viewer.$$eval('main button', (all) => all.map((one) => one.textContent))
    expect(new Set(buttons)).toEqual(new Set(['View']))
    await viewer.browserContext().close()
  })

  it('it has no accessibility faults, light and dark, wide and narrow', async () => {
    expect(await faultsInEveryLook(page, 'destination')).toEqual([])
    expect(desk.faults).toEqual([])
  })
})
