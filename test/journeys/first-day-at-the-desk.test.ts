import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TeamRole } from '#domain/closed-sets.ts'
import type { Team } from '#generated/prisma/client.ts'
import { chromium, type Desk, faultsInEveryLook, openDesk, press, says } from '#test/support/desk.ts'
import { aKeptProperty, anExposure, aWarning } from '#test/support/exposures.ts'
import { aTeam } from '#test/support/factories.ts'
import type { World } from '#test/support/world.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

let desk: Desk
let world: World
let team: Team
let console_url: string

beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  ;({ world, console_url } = desk)
  team = await aTeam(world, { name: 'Roof works' })
})
afterAll(() => desk?.close())

/** Types into a form control by its name. */
const fill = async (page: Page, name: string, text: string) => {
  const field = await page.waitForSelector(`[name="${name}"]`)
  await field?.type(text)
}
const signIn = (email: string, role: TeamRole) => desk.signIn(team.id, email, role)

describe.skipIf(!chromium)(`the first day of a new team at the desk${skipped}`, () => {
  it('a user who is not signed in is sent to sign in, and returns to the requested page', async () => {
    const page = await desk.newPage()
    await page.goto(`${console_url}/reports?status=complete`)
    await page.waitForFunction(() => location.pathname === '/app/sign-in')
    expect(new URL(page.url()).searchParams.get('return_to')).toBe('/app/reports?status=complete')
    await says(page, 'This service does not send e-mail')
    expect(await page.$('[name=email]')).toBeNull()
    expect(await faultsInEveryLook(page, 'sign-in without mail')).toEqual([])
    await page.browserContext().close()
  })

  it('an address with an unknown id leads to a page that says so', async () => {
    const page = await signIn('ann@example.com', 'owner')
    await page.goto(`${console_url}/exposures/-99999999999`)
    await says(page, 'This exposure was not found')
    await page.goto(`${console_url}/reports?page=9999999999`)
    await says(page, 'New report')
    await page.waitForSelector('main .state, main tbody tr')
    expect(await page.$eval('main', ({ innerText }) => innerText)).not.toMatch(/could not be loaded|Variable/)
    await page.browserContext().close()
  })

  it('an owner adds a property, a storm comes, and the owner handles it without a mouse', async () => {
    const page = await signIn('ann@example.com', 'owner')
    await page.goto(`${console_url}/properties`)
    await press(page, 'Watch a property')
    await fill(page, 'address', '700 Main St, Frisco, TX 75034')
    await press(page, 'Watch it')
    await says(page, 'is watched.')
    await page.goto(`${console_url}/inbox`)
    await says(page, 'No open exposures')
    const property = await aKeptProperty(world, team, { latitude: 33.15, longitude: -96.82, label: 'Depot' })
    for (const [date, hail] of [
      ['2025-05-28', 2],
      ['2025-04-20', 1],
    ] as const)
      await anExposure(world, team, { property_id: property.id, date, largest_measured_in: hail })
    const bothListed = () => page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2)
    await bothListed()
    // The letter after g is none of the list's own keys.
    for (const key of ['g', 'e'] as const) await page.keyboard.press(key)
    await page.waitForFunction(() => location.pathname === '/app/people')
    for (const key of ['g', 'i'] as const) await page.keyboard.press(key)
    await bothListed()
    expect(await world.app.db.exposure.count({ where: { team_id: team.id, acknowledged_at: { not: null } } })).toBe(0)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('k')
    await page.keyboard.press('x')
    await page.keyboard.press('e')
    await says(page, '2 exposures acknowledged.')
    expect(await world.app.db.exposure.count({ where: { team_id: team.id, acknowledged_at: { not: null } } })).toBe(2)
    await says(page, 'No open exposures')
    await press(page, 'Undo')
    await bothListed()
    expect(await world.app.db.exposure.count({ where: { team_id: team.id, acknowledged_at: { not: null } } })).toBe(0)
    // Without its last row the list has the cursor on the row before.
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
    expect(await page.$('tbody tr.at')).not.toBeNull()
    await press(page, 'Undo')
    await bothListed()
    await page.browserContext().close()
  })

  it('a report is offered for a storm day, and not for a warning', async () => {
    const page = await signIn('ann@example.com', 'owner')
    const property = await world.app.db.property.findFirstOrThrow({ where: { team_id: team.id, label: 'Depot' } })
    const warning = {
      kind: 'warning',
      warning: aWarning as never,
      warning_key: 'KOUN.SV.W.0142.2026',
      headline: aWarning.headline,
    } as const
    const id = await anExposure(world, team, { property_id: property.id, ...warning })
    await page.goto(`${console_url}/inbox?kind=warning`)
    await says(page, aWarning.headline)
    expect(await page.$('tbody a[href*="/reports/new"]')).toBeNull()
    // Days in the wrong order are a mistake in a field, which another try does not mend.
    await page.goto(`${console_url}/inbox?from=2025-06-01&to=2025-05-01`)
    await says(page, '“To” must be on or after “From”.')
    await says(page, 'No exposures match')
    expect(await page.$eval('main', ({ innerText }) => innerText)).not.toContain('could not be loaded')
    await page.goto(`${console_url}/inbox?kind=record`)
    await page.waitForSelector('tbody a[href*="/reports/new"]')
    await world.app.db.exposure.delete({ where: { id } })
    await page.browserContext().close()
  })

  it('undoing a mistaken dismissal restores the acknowledged state, not the open one', async () => {
    const page = await signIn('ann@example.com', 'owner')
    const ofTeam = { team_id: team.id }
    await world.app.db.exposure.updateMany({ where: { ...ofTeam, date: new Date('2025-05-28') }, data: { acknowledged_at: new Date() } })
    await page.goto(`${console_url}/inbox?state=all`)
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2)
    await page.keyboard.press('*')
    await says(page, '2 selected')
    await page.keyboard.press('#')
    await says(page, '2 exposures dismissed.')
    expect(await world.app.db.exposure.count({ where: { ...ofTeam, dismissed_at: { not: null } } })).toBe(2)
    await press(page, 'Undo')
    const stand = async () => {
      const found = await world.app.db.exposure.findMany({ where: ofTeam, orderBy: { date: 'desc' } })
      return found.map(({ acknowledged_at, dismissed_at }) => (acknowledged_at ? 'acknowledged' : dismissed_at ? 'dismissed' : 'open'))
    }
    await expect.poll(stand).toEqual(['acknowledged', 'open'])
    await page.waitForFunction(() => [...document.querySelectorAll('tbody .badge.good')].some((one) => one.textContent === 'Acknowledged'))
    expect(await faultsInEveryLook(page, 'the inbox with its states')).toEqual([])
    await world.app.db.exposure.updateMany({ where: ofTeam, data: { acknowledged_at: null } })
    await page.browserContext().close()
  })

  it('a report states its cost before it is requested, and is read when it is complete', async () => {
    const page = await signIn('ann@example.com', 'owner')
    await page.goto(`${console_url}/reports/new`)
    await says(page, 'The report costs one credit of 100')
    await fill(page, 'address', '33.1499, -96.8241')
    for (const [name, value] of [
      ['window_start', '2025-01-01'],
      ['window_end', '2025-06-30'],
    ] as const)
      await page.$eval(`[name="${name}"]`, (field, set) => Object.assign(field, { value: set }), value)
    // Enter submits the free preview.
    await page.type('[name="reference"]', 'Claim 7\n')
    await says(page, 'No records in this window')
    expect(await world.app.db.report.count({ where: { team_id: team.id } })).toBe(0)
    await press(page, 'Create report')
    await page.waitForFunction(() => /\/reports\/[0-9a-f-]{36}$/.test(location.pathname))
    await world.drain()
    await says(page, 'Verification')
    await says(page, 'No record is cited')
    await page.browserContext().close()
  })

  it('an invalid window is reported at its field, and nothing is charged', async () => {
    const page = await signIn('ann@example.com', 'owner')
    const before = await world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
    await page.goto(`${console_url}/reports/new?address=33.15,-96.82`)
    for (const [name, value] of [
      ['window_start', '2025-06-30'],
      ['window_end', '2025-01-01'],
    ] as const)
      await page
        .waitForSelector(`[name="${name}"]`)
        .then((field) => field?.evaluate((one, set) => Object.assign(one, { value: set }), value))
    await press(page, 'Create report')
    await page.waitForSelector('.fault')
    const after = await world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
    expect(after.balance).toBe(before.balance)
    await page.browserContext().close()
  })

  it('a viewer can read, and sees no controls that change anything', async () => {
    const page = await signIn('vic@example.com', 'viewer')
    await says(page, 'Depot')
    for (const [place, offered] of [
      ['inbox', 'Acknowledge e'],
      ['properties', 'Watch a property'],
      ['reports', 'New report'],
      ['destinations', 'Register a destination'],
    ] as const) {
      await page.goto(`${console_url}/${place}`)
      await page.waitForSelector('h1')
      expect(await page.$$eval('button, .button', (all) => all.map((one) => one.textContent)), place).not.toContain(offered)
    }
    for (const place of ['reports/new', 'territories/new', 'properties/import']) {
      await page.goto(`${console_url}/${place}`)
      await says(page, 'For owners and analysts')
      expect(await page.$('main form, main button'), place).toBeNull()
    }
    await page.browserContext().close()
  })

  it('no page or dialog has accessibility faults, light and dark, wide and narrow', async () => {
    const page = await signIn('ann@example.com', 'owner')
    const report = await world.app.db.report.findFirstOrThrow({ where: { team_id: team.id, status: 'complete' } })
    const places: [string, string?][] = [
      ...[['inbox'], ['reports'], ['reports/new'], [`reports/${report.id}`], ['territories'], ['account'], ['nowhere']].map(
        ([place = '']): [string] => [place],
      ),
      ...[
        ['properties', 'Watch a property'],
        ['destinations', 'Register a destination'],
        ['people', 'Invite a person'],
        ['tokens', 'Issue a token'],
      ].map(([place = '', dialog = '']): [string, string] => [place, dialog]),
    ]
    const found: string[] = []
    for (const [place, dialog] of places) {
      await page.goto(`${console_url}/${place}`, { waitUntil: 'networkidle2' })
      await page.waitForSelector('h1, h2')
      found.push(...(await faultsInEveryLook(page, place)))
      if (!dialog) continue
      await press(page, dialog)
      await page.waitForSelector('[role=dialog]')
      found.push(...(await faultsInEveryLook(page, `${place}: ${dialog}`)))
    }
    expect(found).toEqual([])
    await page.browserContext().close()
  }, 240_000)

  it('the content security policy allows nothing from other hosts, and had nothing to refuse', async () => {
    const { headers } = await fetch(`${console_url}/inbox`)
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(desk.faults).toEqual([])
  })
})
