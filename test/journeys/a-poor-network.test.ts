import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CDPSession, ElementHandle, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { requestReport } from '#domain/reports/request.ts'
import type { Property, Team } from '#generated/prisma/client.ts'
import { interceptRequests } from '#test/support/chromium.ts'
import { chromium, type Desk, drawnMap, faultsInEveryLook, faultsOfPage, fill, idle, openDesk, press, says } from '#test/support/desk.ts'
import { aKeptProperty, anExposure } from '#test/support/exposures.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { waitUntil } from '#test/support/wait-until.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

let desk: Desk
let team: Team
beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  team = await aTeam(desk.world, { name: 'Roof works', plan: 'business' })
  await seedSample(desk.world.app)
})
afterAll(() => desk?.close())

const at = (path: string) => `${desk.console_url}/${path}`

/** Returns a function that ends an interference. The end of the test ends it too: a test that fails must not fail those after it. */
function endOf(client: CDPSession): () => Promise<void> {
  // Its browser may be closed by then.
  const end = () => client.detach().catch(() => {})
  onTestFinished(end)
  return end
}

/** Interferes with the responses to an operation, or to any, after the service has done the work; the returned function ends it. */
async function meddle(
  page: Page,
  operation: string,
  act: (client: CDPSession, requestId: string) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const client = await page.createCDPSession()
  await client.send('Fetch.enable', { patterns: [{ urlPattern: '*/graphql', requestStage: 'Response' }] })
  client.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isTarget = request.postData?.includes(operation)
    // Leaving a page cancels its requests.
    void (isTarget ? act(client, requestId) : client.send('Fetch.continueRequest', { requestId })).catch(() => {})
  })
  return endOf(client)
}

/** The response is lost on its way. */
const lose = (client: CDPSession, requestId: string) => client.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
/** Milliseconds by which a response is delayed. */
const SLOW_MS = 3000
const late = (ms: number) => async (client: CDPSession, requestId: string) => {
  await new Promise((resume) => setTimeout(resume, ms))
  await client.send('Fetch.continueRequest', { requestId })
}
const slow = late(SLOW_MS)
/** A proxy responds, because the service is unavailable. */
const answer =
  (status: number, headers: Record<string, string> = {}, body = '<html><h1>Bad Gateway</h1></html>') =>
  (client: CDPSession, requestId: string) =>
    client.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: status,
      responseHeaders: Object.entries({ 'content-type': 'text/html', ...headers }).map(([name, value]) => ({ name, value })),
      body: Buffer.from(body).toString('base64'),
    })

/** Blocks or delays a file of the console, by its name; the returned function ends it. */
async function withhold(page: Page, file: string, act = answer(404)): Promise<() => Promise<void>> {
  const client = await page.createCDPSession()
  // Otherwise the browser would use its cache.
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  await client.send('Fetch.enable', { patterns: [{ urlPattern: `*/app/assets/${file}` }] })
  client.on('Fetch.requestPaused', ({ requestId }) => void act(client, requestId).catch(() => {}))
  return endOf(client)
}

/** The error sentence of a dialog. */
const refusal = (page: Page) =>
  page.waitForSelector('[role=dialog] [role=alert]').then((alert) => alert?.evaluate((one) => one.textContent))

/** Closes the open dialog. */
async function cancel(page: Page): Promise<void> {
  await press(page, 'Cancel')
  await page.waitForSelector('[role=dialog]', { hidden: true })
}

const wait = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

describe.skipIf(!chromium)(`a poor network${skipped}`, () => {
  let page: Page
  let property: Property
  beforeAll(async () => {
    if (!chromium) return
    page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    property = await aKeptProperty(desk.world, team, { latitude: 33.15, longitude: -96.82, label: 'Depot' })
  })

  const contacts = async () => {
    const rows = await desk.world.app.db.contact.findMany({ where: { property_id: property.id }, orderBy: { id: 'asc' } })
    return rows.map(({ name }) => name)
  }

  async function writeContact(name: string): Promise<void> {
    await press(page, 'Add a contact')
    await page.waitForSelector('[role=dialog]')
    await fill(page, 'Name', name)
  }

  it('a write whose response was lost is reported as perhaps done, and its result is shown', async () => {
    await page.goto(at(`properties/${property.id}`))
    const end = await meddle(page, 'createContact', lose)
    await writeContact('Joe Lost')
    await press(page, 'Save')
    expect(await refusal(page)).toBe('The service did not respond. Your change may have been saved: check before you send it again.')
    await end()
    await cancel(page)
    await says(page, 'Joe Lost')
    expect(await contacts()).toEqual(['Joe Lost'])
  })

  it('a write that is repeated in its dialog after its response was lost is done once', async () => {
    await page.goto(at(`properties/${property.id}`))
    const before = await contacts()
    const end = await meddle(page, 'createContact', lose)
    await writeContact('Joe Again')
    await press(page, 'Save')
    await refusal(page)
    await end()
    await press(page, 'Save')
    await page.waitForSelector('[role=dialog]', { hidden: true })
    await says(page, 'Joe Again')
    expect(await contacts()).toEqual([...before, 'Joe Again'])
  })

  it('a gateway’s response is not shown as a message of the service', async () => {
    const end = await meddle(page, 'createContact', answer(503, { 'retry-after': '30' }))
    await writeContact('Joe Gateway')
    await press(page, 'Save')
    expect(await refusal(page)).toBe(
      'The service is unavailable: a proxy in front of it responded with status 503. Try again in 30 s. ' +
        'Your change may have been saved: check before you send it again.',
    )
    await end()
    await cancel(page)
  })

  it('if the service fails during a write, the message says that the write may be done, and how to ask about it', async () => {
    await page.goto(at(`properties/${property.id}`))
    const message = 'Something went wrong on our side. Quote request r-1 when asking about it.'
    const extensions = { status: 500, code: 'server_error', errors: null, existing_id: null, request_id: 'r-1' }
    const end = await meddle(page, 'createContact', answer(200, {}, JSON.stringify({ errors: [{ message, extensions }] })))
    await writeContact('Joe Failed')
    await press(page, 'Save')
    expect(await refusal(page)).toBe(`${message} Your change may have been saved: check before you send it again.`)
    await end()
    await cancel(page)
  })

  it('without a network a write fails at once, and is not sent later automatically', async () => {
    const before = await contacts()
    await writeContact('Joe Offline')
    await page.setOfflineMode(true)
    await press(page, 'Save')
    expect(await refusal(page)).toContain('The service did not respond.')
    await cancel(page)
    await page.setOfflineMode(false)
    await page.waitForFunction(() => !document.querySelector('.disconnected'))
    await wait(1000)
    expect(await contacts()).toEqual(before)
  })

  it('while the service does not respond, the page says that its data may be old, and can reload them', async () => {
    const end = await meddle(page, '', answer(502))
    await writeContact('Joe Away')
    await press(page, 'Save')
    await refusal(page)
    await cancel(page)
    await says(page, 'The service is not responding. What you see may be out of date.')
    await says(page, 'Joe Lost')
    expect(await faultsOfPage(page, 'away')).toEqual([])
    await end()
    await press(page, 'Refresh')
    await page.waitForFunction(() => !document.querySelector('.disconnected'))
    await says(page, 'Joe Away')
  })

  it('a dialog stays open until its response arrives, and a second press sends nothing', async () => {
    await page.goto(at('alerts'))
    const end = await meddle(page, 'createAlertRule', slow)
    await press(page, 'New rule')
    await page.waitForSelector('[role=dialog]')
    await fill(page, 'Name', 'Large hail')
    // Twice before any timer of the page, like Enter on a busy machine.
    await page.evaluate(() => {
      const form = document.querySelector<HTMLFormElement>('[role=dialog] form')
      const submit = () => form?.requestSubmit()
      const { scheduler } = window as unknown as { scheduler: { postTask: (task: () => void, options: object) => void } }
      for (const task of [submit, submit]) scheduler.postTask(task, { priority: 'user-blocking' })
    })
    await press(page, 'Create rule')
    await press(page, 'Cancel')
    await page.keyboard.press('Escape')
    await wait(500)
    expect(await page.$('[role=dialog]')).not.toBeNull()
    await says(page, 'The rule is created.')
    await end()
    expect(await desk.world.app.db.alertRule.count({ where: { team_id: team.id } })).toBe(1)
  })

  it('a rule whose response was lost is created once, and a later equal rule is created too', async () => {
    const made = () => desk.world.app.db.alertRule.count({ where: { team_id: team.id, name: 'Twice' } })
    const write = async () => {
      await press(page, 'New rule')
      await page.waitForSelector('[role=dialog]')
      await fill(page, 'Name', 'Twice')
      await press(page, 'Create rule')
    }
    await page.goto(at('alerts'))
    const end = await meddle(page, 'createAlertRule', lose)
    await write()
    await refusal(page)
    await end()
    await press(page, 'Create rule')
    await page.waitForSelector('[role=dialog]', { hidden: true })
    expect(await made()).toBe(1)
    await write()
    await page.waitForSelector('[role=dialog]', { hidden: true })
    expect(await made()).toBe(2)
  })

  it('a destination whose response was lost is registered once, and its secret is shown', async () => {
    await page.goto(at('destinations'))
    const end = await meddle(page, 'createIntegration', lose)
    await press(page, 'Register a destination')
    await page.waitForSelector('[role=dialog] [name=events]')
    await fill(page, 'Name', 'Receiver')
    await fill(page, 'Address', 'https://8.8.8.8/hook')
    await press(page, 'Register')
    await refusal(page)
    await end()
    await press(page, 'Register')
    await says(page, 'Receiver is registered')
    await says(page, 'whsec_')
    expect(await desk.world.app.db.integration.count({ where: { team_id: team.id } })).toBe(1)
  })

  it('credits whose response was lost are moved once', async () => {
    const { balance } = await desk.world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
    const operator = await desk.signInOperator('ops@example.com')
    const end = await meddle(operator, 'adminTopUp', lose)
    await press(operator, 'Credits of Roof works')
    await operator.waitForSelector('[role=dialog]')
    await fill(operator, 'Credits', '7')
    await press(operator, 'Update credits')
    await refusal(operator)
    await end()
    await press(operator, 'Update credits')
    await says(operator, 'The credits of Roof works are updated.')
    expect((await desk.world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })).balance).toBe(balance + 7)
    await operator.browserContext().close()
  })

  it('a report whose response was lost is not made twice, and another window makes another report', async () => {
    const made = () => desk.world.app.db.report.count({ where: { team_id: team.id } })
    await page.goto(at('reports/new?day=2025-05-28&address=33.15,-96.82'))
    const end = await meddle(page, 'createReport', lose)
    await press(page, 'Create report')
    await says(page, 'Your change may have been saved')
    expect(await made()).toBe(1)
    await fill(page, 'Radius in miles', '12')
    await press(page, 'Create report')
    await waitUntil(async () => (await made()) === 2)
    await says(page, 'Your change may have been saved')
    await end()
    await fill(page, 'Radius in miles', '10')
    await press(page, 'Create report')
    await page.waitForFunction(() => /^\/app\/reports\/[0-9a-f-]{36}$/.test(location.pathname))
    expect(await made()).toBe(2)
  })

  /** On the page of tokens. */
  async function issueToken(name: string): Promise<void> {
    await press(page, 'Issue a token')
    await page.waitForSelector('[role=dialog] form')
    await fill(page, 'Name', name)
    await press(page, 'Issue')
    await says(page, `${name} is issued`)
    await press(page, 'Done')
    await page.waitForSelector('[role=dialog]', { hidden: true })
  }

  it('a second token that is issued on purpose with the same values is a new one, and the first stays valid', async () => {
    await page.goto(at('tokens'))
    for (const _ of [1, 2]) await issueToken('Nightly')
    expect(await desk.world.app.db.token.count({ where: { team_id: team.id, name: 'Nightly', revoked_at: null } })).toBe(2)
  })

  it('a form can be sent from an insecure origin, where browsers make no ids', async () => {
    await page.goto(at('tokens'))
    await page.evaluate(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }))
    await issueToken('From http')
  })

  it('an import waits for a service that is unavailable, says so, and counts a batch whose response was lost once', async () => {
    const rows = Array.from({ length: 150 }, (_, n) => `${n + 1} Main St;Moore;OK;73160`)
    const folder = await mkdtemp(path.join(tmpdir(), 'book-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(path.join(folder, 'book.csv'), `Street address;Town;State;ZIP\n${rows.join('\n')}\n`)
    const own = await desk.signIn((await aTeam(desk.world, { name: 'Tile works' })).id, 'dee@example.com', 'analyst')
    await own.goto(at('properties/import'))
    const input = (await own.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>
    await input.uploadFile(path.join(folder, 'book.csv'))
    let lost = 0
    await meddle(own, 'createProperties', (client, requestId) =>
      lost++ === 0
        ? answer(503, { 'retry-after': '2' })(client, requestId)
        : lost === 2
          ? lose(client, requestId)
          : client.send('Fetch.continueRequest', { requestId }),
    )
    await press(own, 'Import 150 rows')
    await says(own, 'The service is unavailable. The next try is in 2 s.')
    await says(own, 'The service is unavailable. The next try is in 10 s.')
    await says(own, '150 properties added, 0 were already there.')
    await own.browserContext().close()
  })

  it('acknowledging and tagging wait for a service that is unavailable, say so, and go on', async () => {
    await anExposure(desk.world, team, { property_id: property.id, date: '2025-05-29' })
    const own = await desk.signIn(team.id, 'eve@example.com', 'analyst')
    let calls = 0
    await interceptRequests(own, (request) => {
      const writes = /mutation (Settle|TagProperties)/.test(request.postData() ?? '')
      if (!writes || calls++ % 2 === 1) return request.continue()
      return request.respond({ status: 503, headers: { 'retry-after': '2' }, contentType: 'text/html', body: 'away' })
    })
    await own.goto(at('inbox'))
    await own.waitForSelector('tbody tr.at')
    await own.keyboard.press('e')
    await says(own, 'The service is unavailable. The next try is in 2 s.')
    await says(own, 'One exposure acknowledged.')
    await own.goto(at('properties'))
    await own.waitForSelector('tbody input[type=checkbox]').then((box) => box?.click())
    await press(own, 'Tag')
    await fill(own, 'Tags to add', 'spring')
    await press(own, 'Save')
    await says(own, 'The service is unavailable. The next try is in 2 s.')
    await says(own, '1 property changed.')
    await own.browserContext().close()
    await desk.world.app.db.exposure.deleteMany({ where: { team_id: team.id } })
  })

  it('a notice disappears, also in place of one whose button had the focus', async () => {
    await anExposure(desk.world, team, { property_id: property.id, date: '2025-05-28' })
    await anExposure(desk.world, team, { property_id: property.id, date: '2025-05-27' })
    await page.goto(at('inbox'))
    await page.waitForSelector('tbody tr.at')
    await page.keyboard.press('e')
    await page.waitForSelector('.toast button').then((button) => button?.focus())
    await idle(page)
    // From here on an event ends the time of a notice: a shorter time could end before anybody sees the notice.
    await page.evaluate(() => {
      const real = window.setTimeout
      window.setTimeout = ((act: () => void, ms = 0) => {
        if (ms === 8000) window.addEventListener('over', act, { once: true })
        return real(act, ms)
      }) as typeof setTimeout
    })
    const end = await meddle(page, 'mutation', lose)
    await page.keyboard.press('e')
    await page.waitForSelector('.toast:not(:has(button))')
    await page.waitForFunction(() => window.dispatchEvent(new Event('over')) && !document.querySelector('.toast'))
    await end()
  })

  it('a key that is pressed while the rows are read again changes nothing, and is said to be too early', async () => {
    const ids = [
      await anExposure(desk.world, team, { property_id: property.id, date: '2025-05-26' }),
      await anExposure(desk.world, team, { property_id: property.id, date: '2025-05-25' }),
    ]
    await page.goto(at('inbox'))
    await page.waitForSelector('tbody tr.at')
    const end = await meddle(page, 'query Inbox(', slow)
    await page.keyboard.press('e')
    await says(page, 'One exposure acknowledged.')
    await page.keyboard.press('e')
    await says(page, 'The list is being updated: press again when it is ready.')
    expect(await page.$eval('main p[role=status]', (status) => status.textContent)).toContain('press again')
    await end()
    await idle(page)
    await page.waitForFunction(() => !document.body.innerText.includes('press again'))
    const acknowledged = () => desk.world.app.db.exposure.count({ where: { id: { in: ids }, acknowledged_at: { not: null } } })
    expect(await acknowledged()).toBe(1)
    await page.keyboard.press('e')
    await waitUntil(async () => (await acknowledged()) === 2)
  })

  it('an error in one dialog is not shown in the next', async () => {
    await page.goto(at('properties'))
    await press(page, 'Watch a property')
    await page.waitForSelector('[role=dialog] form')
    await fill(page, 'Address', 'Moore, OK')
    const end = await meddle(page, 'createProperty', answer(500))
    await press(page, 'Watch it')
    await refusal(page)
    await end()
    await press(page, 'Watch it')
    await says(page, 'This address is already kept as property')
    expect(await page.$('[role=dialog] a[href^="/app/properties/"]')).not.toBeNull()
    await cancel(page)
    await press(page, 'Watch a property')
    await page.waitForSelector('[role=dialog] form')
    expect(await page.$('[role=dialog] [role=alert]')).toBeNull()
    await cancel(page)
  })

  it('an error about something without a field in the form is shown', async () => {
    const deleted = await aKeptProperty(desk.world, team, { latitude: 33.2, longitude: -96.9, label: 'Gone' })
    await page.goto(at(`reports/new?property=${deleted.id}&day=2025-05-28`))
    await page.waitForSelector('[name=address]')
    await desk.world.app.db.property.delete({ where: { id: deleted.id } })
    await press(page, 'Create report')
    await says(page, 'There is no property with this id.')
  })

  it('waiting for a response that never comes times out', async () => {
    const { identifier } = await page.evaluateOnNewDocument(() => {
      const { timeout } = AbortSignal
      AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 100)
    })
    await page.goto(at(`properties/${property.id}`))
    const end = await meddle(page, 'createContact', async () => {})
    await writeContact('Joe Never')
    await press(page, 'Save')
    expect(await refusal(page)).toContain('The service did not respond. Your change may have been saved')
    await end()
    await page.removeScriptToEvaluateOnNewDocument(identifier)
    await page.reload()
  })

  it('a user who leaves while something is being created is not taken back', async () => {
    await page.goto(at('reports/new?day=2025-05-29&address=33.15,-96.82'))
    const end = await meddle(page, 'createReport', slow)
    const answered = page.waitForResponse((response) => Boolean(response.request().postData()?.includes('createReport(')))
    await press(page, 'Create report')
    await wait(500)
    await page.click('nav a[href="/app/inbox"]')
    await answered
    await wait(500)
    expect(new URL(page.url()).pathname).toBe('/app/inbox')
    await end()
  })

  it('a user who leaves is notified about a write that was lost meanwhile', async () => {
    await page.goto(at('reports/new?day=2025-05-30&address=33.15,-96.82'))
    const end = await meddle(page, 'createReport', async (client, requestId) => {
      await wait(1000)
      await lose(client, requestId)
    })
    await press(page, 'Create report')
    await wait(300)
    await page.click('nav a[href="/app/inbox"]')
    await says(page, 'Your change on the previous page: The service did not respond. Your change may have been saved')
    await end()
  })

  it('a dialog whose script does not load says so, and loads once it can', async () => {
    const end = await withhold(page, 'parts/dialog-window-*.js')
    await page.goto(at('alerts'))
    await press(page, 'New rule')
    await says(page, '“New alert rule” could not be loaded')
    expect(await faultsInEveryLook(page, 'no dialog')).toEqual([])
    await press(page, 'Close')
    await page.waitForSelector('dialog', { hidden: true })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('New rule')
    await press(page, 'New rule')
    await says(page, '“New alert rule” could not be loaded')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { hidden: true })
    await press(page, 'New rule')
    await says(page, '“New alert rule” could not be loaded')
    await end()
    await press(page, 'Try again')
    await page.waitForSelector('[role=dialog] [name=name]')
    await cancel(page)
  })

  it('signing out covers the page even if the script of dialogs does not load', async () => {
    const another = await desk.signIn(team.id, 'bo@example.com', 'owner')
    const end = await withhold(another, 'parts/dialog-window-*.js')
    await another.goto(at('alerts'))
    await another.waitForFunction(() => document.querySelector('h1')?.textContent === 'Alerts')
    await desk.world.app.db.session.deleteMany({ where: { person: { email: 'bo@example.com' } } })
    await another.click('nav a[href="/app/people"]')
    await says(another, '“You are signed out” could not be loaded')
    await another.keyboard.press('Escape')
    await another.keyboard.press('Escape')
    // The browser closes the dialog, and it opens again.
    await another.waitForFunction(() => document.querySelector('dialog')?.open)
    expect(await another.$eval('dialog', (shown) => getComputedStyle(shown, '::backdrop').backgroundColor)).toBe('rgb(255, 255, 255)')
    await end()
    await press(another, 'Try again')
    await says(another, 'Sign in again in another window')
    await another.browserContext().close()
  })

  it('a list of places whose script does not load says so, and loads once it can', async () => {
    const end = await withhold(page, 'parts/palette-*.js')
    await page.goto(at('alerts'))
    await page.waitForSelector('h1')
    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await says(page, '“Go to” could not be loaded')
    await end()
    await press(page, 'Try again')
    await page.waitForSelector('[role=dialog] [placeholder="Where to?"]')
    await page.keyboard.press('Escape')
  })

  it('a map whose script does not load says so in its place, and loads once it can', async () => {
    const end = await withhold(page, 'parts/weather-map-*.js')
    await page.goto(at(`properties/${property.id}`))
    await says(page, 'The map could not be loaded')
    await says(page, 'Added')
    expect(await faultsInEveryLook(page, 'no map')).toEqual([])
    await end()
    await press(page, 'Try again')
    await drawnMap(page)
  })

  it('a page is shown while the style sheet of its map is loading', async () => {
    const end = await withhold(page, 'maplibre-gl.css', slow)
    await page.goto(at('reports/new?address=33.15,-96.82'))
    await page.waitForSelector('link[href$="maplibre-gl.css"]')
    await wait(SLOW_MS / 3)
    expect(await page.$('.maplibregl-map')).toBeNull()
    expect(await page.$$eval('main h1, [name=address], .map-frame', (shown) => shown.map((one) => one.getClientRects().length))).toEqual([
      1, 1, 1,
    ])
    await drawnMap(page)
    await end()
  })

  it('a report layout whose script does not load keeps the rest of the form', async () => {
    const end = await withhold(page, 'parts/layout-editor-*.js')
    await page.goto(at('reports/new?day=2025-05-28&address=33.15,-96.82'))
    await fill(page, 'Radius in miles', '13')
    await page.waitForSelector('details.panel > summary').then((summary) => summary?.focus())
    await page.keyboard.press('Enter')
    await says(page, 'The layout could not be loaded')
    await end()
    await press(page, 'Try again')
    await page.waitForFunction(
      () => !document.body.innerText.includes('could not be loaded') && document.querySelector('details[open] input'),
    )
    expect(await page.$eval('::-p-aria([name="Radius in miles"])', (field) => (field as HTMLInputElement).value)).toBe('13')
  })

  it('a territory can be named while the drawing script of its map does not load', async () => {
    const end = await withhold(page, 'parts/territory-map-*.js')
    await page.goto(at('territories/new'))
    await fill(page, 'Name', 'Collin')
    await says(page, 'The map could not be loaded')
    await end()
    await press(page, 'Try again')
    await drawnMap(page)
    expect(await page.$eval('::-p-aria([name="Name"])', (field) => (field as HTMLInputElement).value)).toBe('Collin')
  })

  it('a console that does not load at all says what to do', async () => {
    const end = await withhold(page, 'main.js')
    await page.goto(at('alerts'))
    await says(page, 'If nothing appears, reload the page.')
    expect(await faultsInEveryLook(page, 'no console')).toEqual([])
    await end()
    await page.reload()
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Alerts')
  })

  it('a page whose script is gone is reloaded once, and says what to do if that does not help', async () => {
    await page.goto(at('alerts'))
    await page.waitForSelector('h1')
    const end = await withhold(page, 'parts/people-*.js')
    let loads = 0
    page.on('domcontentloaded', () => loads++)
    await page.click('nav a[href="/app/people"]')
    await says(page, 'This page could not be loaded')
    await page.waitForFunction(() => document.querySelector('nav a[href="/app/alerts"]'))
    await wait(1000)
    expect(loads).toBe(1)
    expect(await faultsInEveryLook(page, 'no page')).toEqual([])
    await end()
    await press(page, 'Try again')
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'People')
    expect(loads).toBe(1)
    // Pages that were never loaded: while the service does not respond, nothing is reloaded.
    await page.setOfflineMode(true)
    await page.click('nav a[href="/app/letterhead"]')
    await says(page, 'This page could not be loaded')
    await page.setOfflineMode(false)
    await press(page, 'Try again')
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Letterhead')
    expect(loads).toBe(1)
  })

  it('a letterhead mark that is too large is refused at its field, whatever its size', async () => {
    await page.goto(at('letterhead'))
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'mark-')), 'mark.png')
    await writeFile(file, Buffer.alloc(3 * 1024 * 1024))
    const field = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>
    await field.uploadFile(file)
    await press(page, 'Save letterhead')
    await says(page, 'The logo must be at most 200 kB.')
    await rm(path.dirname(file), { recursive: true })
  })

  it('an invitation whose response was lost is made once, and its link is shown', async () => {
    await page.goto(at('people'))
    const end = await meddle(page, 'invitePerson', lose)
    await press(page, 'Invite a person')
    await page.waitForSelector('[role=dialog] form')
    await fill(page, 'E-mail', 'new@example.com')
    await press(page, 'Invite')
    await refusal(page)
    await end()
    await press(page, 'Invite')
    await says(page, 'new@example.com is invited')
    expect(await desk.world.app.db.invitation.count({ where: { team_id: team.id } })).toBe(1)
  })

  it('rows of the previous filter disappear while new rows load, and cannot be acted on', async () => {
    await aKeptProperty(desk.world, team, { latitude: 33.3, longitude: -96.8, label: 'Yard', status: 'paused' })
    const input = { latitude: 33.15, longitude: -96.82, window_start: '2025-05-28', window_end: '2025-05-28' }
    await requestReport(desk.world.app, await aCaller(desk.world, team), input, null)
    const exposure = await anExposure(desk.world, team, { property_id: property.id, date: '2026-05-20' })
    for (const { path, query, of, row } of [
      { path: 'reports', query: 'Reports(', of: 'pending', row: '33.15' },
      { path: 'properties', query: 'Properties(', of: 'paused', row: 'Depot' },
      { path: 'inbox', query: 'Inbox(', of: 'all', row: 'Depot' },
    ]) {
      await page.goto(at(path))
      await page.waitForFunction((text) => document.querySelector('main tbody')?.textContent?.includes(text), {}, row)
      const end = await meddle(page, `query ${query}`, late(SLOW_MS / 2))
      await page.select('main select', of)
      await page.waitForFunction(() => /Loading the/.test(document.querySelector('main [role=status]')?.textContent ?? ''), {
        timeout: SLOW_MS,
      })
      expect(await page.$$eval('main tbody', (rows) => rows.length)).toBe(0)
      if (path === 'inbox') await page.keyboard.press('e')
      await page.waitForSelector('main tbody')
      await end()
    }
    expect(await desk.world.app.db.exposure.findUniqueOrThrow({ where: { id: exposure } })).toMatchObject({ acknowledged_at: null })
  })

  it('a property of which only the address was loaded is loaded completely on its own page', async () => {
    await page.goto(at(`reports/new?property=${property.id}`))
    await page.waitForSelector('[name=address]')
    await page.click('nav a[href="/app/properties"]')
    await page.waitForSelector(`a[href="/app/properties/${property.id}"]`).then((link) => link?.click())
    await says(page, 'Joe Lost')
    // The style sheet and the worker of a map that still load for a page that was left finish last.
    const expected = /Failed to load resource|net::ERR|because of unsupported MIME type|Loading module|^Event: Event$|Worker failed to load/
    expect(desk.faults.filter((fault) => !expected.test(fault))).toEqual([])
  })
})
