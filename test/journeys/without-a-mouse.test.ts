import type { HTTPRequest, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { createOperatorLink } from '#domain/people/operator-link.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'
import { seedPlaces } from '#domain/places/places.ts'
import type { Team } from '#generated/prisma/client.ts'
import { HOUR } from '#test/support/clock.ts'
import { chromium, type Desk, faultsOfPage, fill, openDesk, press, says } from '#test/support/desk.ts'
import { aTeam } from '#test/support/factories.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

let desk: Desk
let team: Team
beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  team = await aTeam(desk.world, { name: 'Roof works' })
  await seedSample(desk.world.app)
  await seedPlaces(desk.world.app.pool)
})
afterAll(() => desk?.close())

/** More tab stops than any page has. */
const STOPS_MAX = 120

/** Presses Tab until the focus is at the control with this label; the focus must be visible at each stop. */
async function tabTo(page: Page, label: string): Promise<void> {
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    if (stop > 0) await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const one = document.activeElement
      if (!(one instanceof HTMLElement) || one === document.body) return null
      const labelled = one instanceof HTMLInputElement || one instanceof HTMLSelectElement ? one.labels?.[0]?.textContent : null
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return { name: one.ariaLabel ?? labelled ?? one.innerText, seen: outlineStyle !== 'none' && outlineWidth !== '0px' }
    })
    if (!at) continue
    expect(at, 'the place of the keyboard is seen').toMatchObject({ seen: true })
    if (at.name.trim().startsWith(label)) return
  }
  throw new Error(`no stop is labelled ${label}`)
}

/** A date as typed into the browser's date field: month, day, year. */
const typed = (date: string) => date.slice(5, 7) + date.slice(8) + date.slice(0, 4)

describe.skipIf(!chromium)(`without a mouse${skipped}`, () => {
  it('a user signs in, requests a report, reads it, and signs out', async () => {
    const { url } = await createOperatorLink(desk.world.app, { team_id: team.id, email: 'ann@example.com', role: 'owner' })
    const page = await desk.newPage()
    await page.goto(url)
    await page.waitForSelector('button')
    await tabTo(page, 'Sign in')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => location.pathname === '/app/inbox')
    await page.waitForSelector('nav.places')
    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'))
    await page.keyboard.type('new rep')
    await page.keyboard.press('Enter')
    await says(page, 'The report costs one credit')
    await tabTo(page, 'Address')
    await page.keyboard.type(sampleStorm.address)
    await page.keyboard.press('Escape')
    for (const [label, date] of [
      ['From', sampleStorm.window_start],
      ['To', sampleStorm.window_end],
    ] as const) {
      await tabTo(page, label)
      await page.keyboard.type(typed(date))
    }
    await tabTo(page, 'Create report')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => /\/reports\/[0-9a-f-]{36}$/.test(location.pathname))
    await desk.world.drain()
    await says(page, 'Verification')
    await tabTo(page, 'Copy')
    await tabTo(page, 'Verify this report')
    await page.keyboard.type('ga')
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Account')
    await tabTo(page, 'Sign out')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => location.pathname === '/app/sign-in')
    expect(await desk.world.app.db.session.count({ where: { person: { email: 'ann@example.com' } } })).toBe(0)
    // The next user of the machine presses Back while the service cannot confirm that the session is over.
    await page.setOfflineMode(true)
    await page.goBack().catch(() => null)
    expect(await page.evaluate(() => document.body.innerText)).not.toContain('ann@example.com')
    await page.browserContext().close()
  })
})

describe.skipIf(!chromium)(`every state is shown${skipped}`, () => {
  const at = (path: string) => `${desk.console_url}/${path}`

  /** Replaces the outcome of the page's requests from now on. */
  async function answering(page: Page, answer: (request: HTTPRequest) => unknown): Promise<void> {
    await page.setRequestInterception(true)
    page.removeAllListeners('request')
    page.on('request', (request) => void (request.url().endsWith('/graphql') ? answer(request) : request.continue()))
  }

  /** Presses the button of the error once the service responds, unless the page has noticed that before the press. */
  async function retryAnswered(page: Page): Promise<void> {
    expect(await page.$('[role=alert] button')).not.toBeNull()
    await answering(page, (request) => request.continue())
    await page.evaluate(() => document.querySelector<HTMLElement>('[role=alert] button')?.click())
  }

  it('a place that is removed leaves the keyboard at the next one, and after the last at the field', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await page.goto(`${desk.console_url}/territories/new`)
    await press(page, 'Around places')
    for (const town of ['Moore, OK', 'Norman, OK', 'Edmond, OK']) {
      await fill(page, 'Find a place', town)
      await page.keyboard.press('Enter')
      await page.waitForSelector(`[aria-label="Remove ${town}"]`)
    }
    const remove = async (town: string) => {
      await page.focus(`[aria-label^="Remove ${town}"]`)
      await page.keyboard.press('Enter')
      await page.waitForFunction((name) => !document.querySelector(`[aria-label^="Remove ${name}"]`), {}, town)
      return page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.getAttribute('name'))
    }
    expect(await remove('Moore')).toContain('Remove Norman')
    expect(await remove('Edmond')).toContain('Remove Norman')
    expect(await remove('Norman')).toBe('place')
    await page.browserContext().close()
  })

  it('what a preview has found, and a search that found nothing, are announced', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await page.goto(`${desk.console_url}/reports/new?day=2025-05-28&address=33.15,-96.82`)
    // With both decimals that the service keeps.
    await fill(page, 'Radius in miles', '2.25')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => / on \d+ day|No records/.test(document.querySelector('[role=status] > h2')?.textContent ?? ''))
    await says(page, 'within 2.25 mi')
    await page.goto(`${desk.console_url}/reports?address=nowhere`)
    await page.waitForFunction(() => document.querySelector('[role=status] > h2')?.textContent === 'No reports match')
    await page.browserContext().close()
  })

  it('data that are loading, and data that do not exist yet', async () => {
    const page = await desk.signIn((await aTeam(desk.world)).id, 'new@example.com', 'owner')
    const pendingRequests: HTTPRequest[] = []
    await answering(page, (request) => pendingRequests.push(request))
    await page.goto(at('reports'))
    await says(page, 'Loading the reports')
    expect(await page.$eval('[role=status].state', (element) => element.textContent)).toContain('Loading the reports')
    expect(await faultsOfPage(page, 'reading')).toEqual([])
    await answering(page, (request) => request.continue())
    for (const request of pendingRequests) await request.continue()
    await says(page, 'No reports yet')
    expect(await faultsOfPage(page, 'empty')).toEqual([])
    await page.browserContext().close()
  })

  it('an empty list offers its next step to users who may take it, and nothing to a viewer', async () => {
    const empty = await aTeam(desk.world, { plan: 'professional' })
    const owner = await desk.signIn(empty.id, 'own@example.com', 'owner')
    const viewer = await desk.signIn(empty.id, 'see@example.com', 'viewer')
    const offered = (page: Page) => page.$$eval('.state button, .state .button', (all) => all.map((one) => one.textContent))
    for (const [place, offers, alsoToViewers = []] of [
      ['inbox', ['Watch properties', 'Draw a territory'], ['View properties']],
      ['inbox?from=2026-99-99&state=other', ['Watch properties', 'Draw a territory'], ['View properties']],
      ['inbox?min_hail=2', ['Show open exposures'], ['Show open exposures']],
      ['reports', ['Create the first report']],
      ['reports?status=failed', ['Show all reports'], ['Show all reports']],
      ['properties', ['Watch the first property', 'Import many from a CSV file']],
      ['properties?tag=roof', ['Show all properties'], ['Show all properties']],
      ['territories', ['Draw the first territory']],
      ['destinations', ['Register the first destination']],
      ['storms', ['Watch properties', 'Draw a territory']],
    ] as const) {
      await owner.goto(at(place))
      await owner.waitForSelector('.state h2')
      expect(await offered(owner), place).toEqual(offers)
      await viewer.goto(at(place))
      await viewer.waitForSelector('.state h2')
      expect(await offered(viewer), place).toEqual(alsoToViewers)
    }
    await owner.goto(at('properties'))
    await press(owner, 'Watch the first property')
    await owner.waitForSelector('[role=dialog]')
    await owner.browserContext().close()
    await viewer.browserContext().close()
  })

  it("a record that does not exist, or is another team's, is reported and links back to its list", async () => {
    const page = await desk.signIn((await aTeam(desk.world)).id, 'els@example.com', 'owner')
    for (const [what, place, list] of [
      ['report', 'reports', 'Reports'],
      ['property', 'properties', 'Properties'],
      ['territory', 'territories', 'Territories'],
      ['destination', 'destinations', 'Destinations'],
      ['property', 'reports/new?property=', 'Properties'],
      ['exposure', 'exposures', 'Inbox'],
    ] as const)
      for (const id of [what === 'exposure' ? '987654321' : 'aaaaaaaa-0000-4000-8000-000000000000', 'nonsense']) {
        const address = place.endsWith('=') ? `${place}${id}` : `${place}/${id}`
        await page.goto(at(address))
        await says(page, `${list}\n\nThis ${what} was not found`)
        await says(page, `Go to ${list}`)
        expect(await page.$('[role=alert]'), address).toBeNull()
      }
    expect(await faultsOfPage(page, 'not there')).toEqual([])
    await press(page, 'Go to Inbox')
    await says(page, 'No open exposures')
    await page.browserContext().close()
  })

  it('a failure, with the request id to ask about, and a retry', async () => {
    const page = await desk.signIn(team.id, 'bea@example.com', 'owner')
    const extensions = { status: 500, code: 'internal_error', errors: null, request_id: 'req_of_this_fault' }
    const body = JSON.stringify({ data: null, errors: [{ message: 'Something went wrong on our side.', extensions }] })
    await answering(page, (request) => request.respond({ status: 200, contentType: 'application/json', body }))
    await page.goto(at('reports'))
    await says(page, 'req_of_this_fault')
    expect(await page.$eval('[role=alert]', (element) => element.textContent)).toContain('Something went wrong on our side.')
    expect(await faultsOfPage(page, 'failed')).toEqual([])
    await retryAnswered(page)
    await page.waitForSelector('table, .state h2')
    await page.waitForFunction(() => !document.querySelector('[role=alert]'))
    await page.browserContext().close()
  })

  it('a service that cannot be reached', async () => {
    const page = await desk.signIn(team.id, 'cal@example.com', 'owner')
    await answering(page, (request) => request.abort('connectionrefused'))
    await page.goto(at('properties'))
    await says(page, 'No connection to the service')
    expect(await faultsOfPage(page, 'offline')).toEqual([])
    await retryAnswered(page)
    await page.waitForFunction(() => !document.querySelector('[role=alert]'))
    await page.browserContext().close()
  })

  it('a sign-out that did not reach the service is reported as perhaps failed', async () => {
    const page = await desk.signIn(team.id, 'hal@example.com', 'owner')
    await page.goto(at('account'))
    await page.setRequestInterception(true)
    page.on('request', (request) => void (request.url().endsWith('/sign-out') ? request.abort() : request.continue()))
    await press(page, 'Sign out')
    await says(page, 'You may still be signed in.')
    await page.browserContext().close()
  })

  it('no network: reported while it lasts, before the user acts', async () => {
    const page = await desk.signIn(team.id, 'gil@example.com', 'owner')
    await page.goto(at('properties'))
    await page.waitForSelector('h1')
    await page.setOfflineMode(true)
    await says(page, 'You are offline. What you see may be out of date')
    expect(await faultsOfPage(page, 'no network')).toEqual([])
    await page.setOfflineMode(false)
    await page.waitForFunction(() => !document.querySelector('.disconnected'))
    await page.browserContext().close()
  })

  it('the session is loaded in parallel with the page’s script', async () => {
    const page = await desk.signIn(team.id, 'fay@example.com', 'owner')
    await page.setRequestInterception(true)
    const isScript = (request: HTTPRequest) => request.url().includes('/parts/coverage-')
    page.on('request', (request) => void (isScript(request) || request.continue()))
    const script = page.waitForRequest(isScript)
    const session = page.waitForRequest((request) => request.url().endsWith('/app/session'))
    await page.goto(at('coverage'))
    await session
    await (await script).continue()
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Coverage')
    await page.browserContext().close()
  })

  it('unfinished work survives the end of a session, and continues after signing in again', async () => {
    const email = 'eve@example.com'
    const page = await desk.signIn(team.id, email, 'analyst')
    await page.goto(at('properties'))
    await press(page, 'Watch a property')
    await fill(page, 'Address', '33.15, -96.82')
    await desk.world.app.db.session.deleteMany({ where: { person: { email } } })
    await press(page, 'Watch it')
    await says(page, 'Sign in again in another window')
    await page.keyboard.press('Escape')
    expect(await faultsOfPage(page, 'signed out')).toEqual([])
    const { url } = await createOperatorLink(desk.world.app, { team_id: team.id, email, role: 'analyst' })
    const other = await page.browserContext().newPage()
    await other.goto(url)
    await press(other, 'Sign in')
    await other.waitForFunction(() => location.pathname === '/app/inbox')
    await page.bringToFront()
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await page.waitForFunction(() => document.querySelectorAll('[role=dialog]').length === 1)
    expect(await page.$eval('[role=dialog] input', (field) => field.value)).toBe('33.15, -96.82')
    await press(page, 'Watch it')
    await says(page, 'is watched.')
    await page.browserContext().close()
  })

  it('a session that ended leads to signing in, and back to the same page', async () => {
    const page = await desk.signIn(team.id, 'dee@example.com', 'owner')
    await page.goto(at('audit-log?operation=createReport'))
    await page.waitForSelector('h1')
    desk.world.clock.advance(13 * HOUR)
    await page.reload()
    await page.waitForFunction(() => location.pathname === '/app/sign-in')
    const return_to = new URL(page.url()).searchParams.get('return_to')
    expect(return_to).toBe('/app/audit-log?operation=createReport')
    // The link as it would arrive by mail.
    const [secret, now] = [drawSecret(), desk.world.clock.now()]
    const link = { email: 'dee@example.com', hash: hashSecret(secret), return_to, handed_over: false }
    await desk.world.app.db.signInLink.create({ data: { ...link, created_at: now, expires_at: new Date(now.getTime() + HOUR) } })
    // Pasted into the window that shows the sign-in page: the browser loads nothing.
    await page.goto(at('sign-in'))
    await page.waitForSelector('h1')
    await page.goto(`${at('sign-in')}#${secret}`)
    await (await page.waitForSelector('::-p-aria([name="Sign in"])'))?.click()
    await page.waitForFunction(() => location.pathname + location.search === '/app/audit-log?operation=createReport')
    await page.browserContext().close()
  })
})
