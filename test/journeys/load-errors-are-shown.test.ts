import type { CDPSession, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { requestReport } from '#domain/reports/request.ts'
import { chromium, type Desk, openDesk, press } from '#test/support/desk.ts'
import { aKeptProperty, aKeptTerritory, anExposure } from '#test/support/exposures.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

/** A page of the console. If `opens` opens a part of it, the queries of that part are meant. */
interface Place {
  path: string
  opens?: (page: Page) => Promise<unknown>
}

/** The quote while drawing: its refusal is shown next to the drawing, which is what the user corrects. */
const CHECKED_ON_MAPS = 'Quote'

let desk: Desk
beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  await seedSample(desk.world.app)
  await seedPlaces(desk.world.app.pool)
})
afterAll(() => desk?.close())

/** Everything that a team can have, so that every page runs all of its queries. */
async function placesOfTeam(team_id: string): Promise<Place[]> {
  const { world } = desk
  const team = await world.app.db.team.findUniqueOrThrow({ where: { id: team_id } })
  const caller = await aCaller(world, team)
  const property = await aKeptProperty(world, team, { latitude: 35.339, longitude: -97.486, label: 'Depot' })
  const territory = await aKeptTerritory(world, team)
  const exposure = await anExposure(world, team, { property_id: property.id, date: '2026-05-20' })
  await registerDestination(world.app, caller, {
    name: 'CRM',
    channel: 'webhook',
    url: 'https://8.8.8.8/hook',
    events: ['report.completed'],
  })
  const destination = await world.app.db.integration.findFirstOrThrow({ where: { team_id } })
  const { address, window_start, window_end } = sampleStorm
  const input = { address, window_start, window_end, radius_miles: 10 }
  const { report } = await requestReport(world.app, caller, { ...input, date_of_loss: window_start }, null)
  await requestReport(world.app, caller, input, null)
  await world.drain()
  const rule = (where: string) => async (page: Page) => {
    await press(page, 'New rule')
    await (await page.waitForSelector('::-p-aria([name="Where"][role="combobox"])'))?.select(where)
  }
  const pages = [
    ...['inbox', `exposures/${exposure}`, 'reports', `reports/new?property=${property.id}`, `reports/${report.id}`, 'storms'],
    ...['properties', `properties/${property.id}`, 'territories', 'territories/new', `territories/${territory.id}`],
    ...['destinations', `destinations/${destination.id}`, 'alerts', 'people', 'tokens', 'coverage', 'letterhead', 'allowed-sites'],
    ...['audit-log', 'account', 'sign-in'],
  ]
  return [
    ...pages.map((path) => ({ path })),
    { path: `reports/${report.id}`, opens: (page) => press(page, 'Compare') },
    { path: 'storms?day=2026-05-20', opens: (page) => press(page, 'Show the swaths of the day') },
    { path: 'destinations', opens: (page) => press(page, 'Register a destination') },
    {
      path: `destinations/${destination.id}`,
      opens: (page) => page.waitForSelector('[aria-label^="View the post"]').then((one) => one?.click()),
    },
    { path: 'alerts', opens: rule('territory') },
    { path: 'alerts', opens: rule('property') },
    {
      path: 'territories/new',
      opens: async (page) => {
        await page.click('input[value=places]')
        await page.type('[name=place]', 'Moore')
      },
    },
  ]
}

/** What a request reads: a query by its name, or a part of the session outside GraphQL. */
function readOf(url: string, body: string | undefined): string | null {
  const { pathname } = new URL(url)
  if (pathname !== '/graphql') return /^\/app\/(session|passkeys|sign-in\/ways)$/.exec(pathname)?.[0] ?? null
  return /query (\w+)/.exec(body ?? '')?.[1] ?? null
}

const REFUSAL = { message: 'Refused for a try.', code: 'missing_ability', request_id: 'r-1', errors: null, status: 403 }

/** Makes the service refuse one query; the returned function ends it. */
async function refuse(page: Page, read: string): Promise<CDPSession> {
  const client = await page.createCDPSession()
  await client.send('Fetch.enable', { patterns: [{ urlPattern: '*/graphql' }, { urlPattern: '*/app/*' }] })
  client.on('Fetch.requestPaused', ({ requestId, request }) => {
    const graph = request.url.endsWith('/graphql')
    const body = JSON.stringify(graph ? { data: null, errors: [{ message: REFUSAL.message, extensions: REFUSAL }] } : REFUSAL)
    const refused = { requestId, responseCode: graph ? 200 : 403, responseHeaders: JSON_TYPE, body: Buffer.from(body).toString('base64') }
    const isTarget = readOf(request.url, request.postData) === read
    // Leaving a page cancels its requests.
    void (isTarget ? client.send('Fetch.fulfillRequest', refused) : client.send('Fetch.continueRequest', { requestId })).catch(() => {})
  })
  return client
}

const JSON_TYPE = [{ name: 'content-type', value: 'application/json' }]
/** A search begins some milliseconds after the last letter: a page that shows the same for longer is at rest. */
const AT_REST_MS = 400
const LOOK_EVERY_MS = 50

/** Longer than a response takes on a busy machine. */
const RESPONSE_TIMEOUT_MS = 45_000

/** Runs in a page: whether no alert shows the refusal. */
function hasNoRefusal(message: string): boolean {
  return ![...document.querySelectorAll('[role=alert]')].some(({ textContent }) => textContent?.includes(message))
}

const atRest = (page: Page) => page.evaluate(unchangedFor, AT_REST_MS)

/** Runs in a page: resolves once it shows the same for so long, and loads nothing. Its map may change: it is drawn as it loads. */
function unchangedFor(rest_ms: number): Promise<void> {
  return new Promise((resolve) => {
    let timer: number
    const lookLater = () => {
      clearTimeout(timer)
      timer = window.setTimeout(look, rest_ms)
    }
    const changes = new MutationObserver((changed) => {
      if (changed.some(({ target }) => !(target.parentElement ?? document.body).closest('.map'))) lookLater()
    })
    const look = () => {
      const shown = document.querySelector<HTMLElement>('[role=dialog]') ?? document.querySelector('main') ?? document.body
      if (/^\s*$|Loading|Searching|Checking/.test(shown.innerText)) return lookLater()
      changes.disconnect()
      resolve()
    }
    changes.observe(document.body, { subtree: true, childList: true, characterData: true })
    lookLater()
  })
}

async function open(page: Page, { path, opens }: Place): Promise<void> {
  await page.goto(`${desk.console_url}/${path}`, { waitUntil: 'load' })
  await atRest(page)
  if (!opens) return
  await opens(page)
  await atRest(page)
}

/** The text of a page next to its map, which is drawn as it loads. */
const shownOn = (page: Page) =>
  page.evaluate(() => {
    const container = document.querySelector('[role=dialog]') ?? document.querySelector('main') ?? document.body
    const copy = container.cloneNode(true) as HTMLElement
    for (const part of copy.querySelectorAll('.map, script, style')) part.remove()
    return copy.textContent?.replace(/\s+/g, ' ').trim()
  })

/**
 * Opens a place once for each of its queries, which is refused. Returns the queries whose failure is not shown, or
 * that do not recover on retry.
 */
async function refuseEach(page: Page, place: Place, tried: Set<string>): Promise<string[]> {
  const reads = new Set<string>()
  const note = (request: { url(): string; postData(): string | undefined }) => {
    const read = readOf(request.url(), request.postData())
    if (read) reads.add(read)
  }
  if (!place.opens) page.on('request', note)
  await open(page, { path: place.path })
  page.on('request', note)
  if (place.opens) await place.opens(page).then(() => atRest(page))
  page.off('request', note).off('request', note)
  const fullText = await shownOn(page)
  const missed: string[] = []
  for (const read of reads) {
    if (read === CHECKED_ON_MAPS || tried.has(read)) continue
    tried.add(read)
    const where = `${place.path.replace(/[0-9a-f-]{36}/, 'ID')}: ${read}`
    const client = await refuse(page, read)
    await open(page, place)
    const alertTexts = await page.$$eval('[role=alert]', (alerts) => alerts.map((alert) => alert.textContent))
    await client.detach()
    if (!alertTexts.some((one) => one?.includes(REFUSAL.message))) {
      missed.push(`${where} is not said`)
      continue
    }
    if ((await page.$$('h1')).length !== 1) missed.push(`${where} leaves the page without its heading`)
    await (await page.$('::-p-aria([name="Try again"][role="button"])'))?.click()
    // The refusal stays until the other response arrives, however long that takes.
    await page.waitForFunction(hasNoRefusal, { timeout: RESPONSE_TIMEOUT_MS, polling: LOOK_EVERY_MS }, REFUSAL.message).catch(() => null)
    await atRest(page)
    if ((await shownOn(page)) !== fullText) missed.push(`${where} does not come on another try`)
  }
  return missed
}

describe.skipIf(skipped)(`every query of a page may fail${skipped}`, () => {
  it('for a team: a failed query is shown, and works on retry', async () => {
    const team = await aTeam(desk.world, { name: 'Roof works', plan: 'enterprise' })
    const places = await placesOfTeam(team.id)
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    const tried = new Set<string>()
    const missed: string[] = []
    for (const place of places) missed.push(...(await refuseEach(page, place, tried)))
    expect(missed).toEqual([])
    expect(tried.size).toBeGreaterThan(40)
  }, 600_000)

  it('for an operator', async () => {
    const page = await desk.signInOperator('ops@example.com')
    const tried = new Set<string>()
    const missed: string[] = []
    for (const path of ['operator', 'operator/archive', 'operator/service', 'operator/operators'])
      missed.push(...(await refuseEach(page, { path }, tried)))
    expect(missed).toEqual([])
    expect(tried).toContain('Teams')
  })
})
