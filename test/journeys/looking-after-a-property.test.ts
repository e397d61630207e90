import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pointKey } from '#domain/places/fold.ts'
import type { Property, Team } from '#generated/prisma/client.ts'
import { resize } from '#test/support/chromium.ts'
import { chromium, type Desk, drawnMap, faultsInEveryLook, fill, follow, openDesk, press, says } from '#test/support/desk.ts'
import { aKeptProperty, anExposure } from '#test/support/exposures.ts'
import { aTeam } from '#test/support/factories.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

let desk: Desk
let team: Team
let depot: Property

beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  team = await aTeam(desk.world, { name: 'Roof works', plan: 'professional' })
  const columns = { latitude: 33.15, longitude: -96.82, label: 'Depot', reference: 'D-1', tags: ['flat roof'] }
  depot = await aKeptProperty(desk.world, team, { ...columns, last_activity_on: new Date('2025-05-28') })
  for (const [date, hail] of [
    ['2025-05-28', 2],
    ['2025-04-20', 1],
  ] as const)
    await anExposure(desk.world, team, { property_id: depot.id, date, largest_measured_in: hail, headline: `Hail of ${hail} in` })
})
afterAll(() => desk?.close())

const kept = () => desk.world.app.db.property.findUniqueOrThrow({ where: { id: depot.id }, include: { contacts: true } })

describe.skipIf(!chromium)(`looking after a property at the desk${skipped}`, () => {
  let page: Page
  beforeAll(async () => {
    if (chromium) page = await desk.signIn(team.id, 'ann@example.com', 'analyst')
  })

  it('it opens from the list and shows its location and what happened there', async () => {
    await page.goto(`${desk.console_url}/properties`)
    await page.waitForSelector(`a[href="/app/properties/${depot.id}"]`).then((link) => link?.click())
    await says(page, 'Hail of 2 in')
    await drawnMap(page)
    await says(page, "and the archive's records of May 28, 2025")
    await page.click('button[aria-label="Show Apr 20, 2025 on the map"]')
    await says(page, "and the archive's records of Apr 20, 2025")
  })

  it('its map shows the first storm day that comes while the page is open', async () => {
    const barn = await aKeptProperty(desk.world, team, { label: 'Barn' })
    const other = await desk.signIn(team.id, 'gus@example.com', 'viewer')
    await other.goto(`${desk.console_url}/properties/${barn.id}`)
    await says(other, 'No exposure is listed yet.')
    await anExposure(desk.world, team, { property_id: barn.id, date: '2025-05-28', headline: 'Hail of 2 in' })
    await desk.world.app.db.property.update({ where: { id: barn.id }, data: { last_activity_on: new Date('2025-05-28') } })
    await says(other, "and the archive's records of May 28, 2025")
    await other.browserContext().close()
    await desk.world.app.db.property.delete({ where: { id: barn.id } })
  })

  it('a page of its history is in the address: Back leads to it', async () => {
    const own = await desk.signIn(team.id, 'ann@example.com', 'analyst')
    const known = await aKeptProperty(desk.world, team, { latitude: 33.4, longitude: -96.7, label: 'Long history' })
    for (let n = 1; n <= 12; n++)
      await anExposure(desk.world, team, { property_id: known.id, date: `2025-04-${String(n).padStart(2, '0')}`, headline: `Hail ${n}` })
    await own.goto(`${desk.console_url}/properties/${known.id}`)
    await says(own, '1 to 10 of 12')
    await press(own, 'Next')
    await says(own, '11 to 12 of 12')
    expect(new URL(own.url()).search).toBe('?exposures=2')
    await follow(own, 'Hail 1')
    await own.waitForFunction(() => location.pathname.startsWith('/app/exposures/'))
    await own.goBack()
    await says(own, '11 to 12 of 12')
    await own.goBack()
    await says(own, '1 to 10 of 12')
    await own.browserContext().close()
  })

  it('its tags, notes and radius are edited, and nothing else changes', async () => {
    const before = await kept()
    await press(page, 'Edit')
    await page.waitForSelector('[role=dialog]')
    await fill(page, 'Tags', 'flat roof, 2019 , Flat Roof')
    await fill(page, 'Watch radius in miles', '0.1')
    expect(await faultsInEveryLook(page, 'editing')).toEqual([])
    await press(page, 'Save')
    await page.waitForSelector('.field .fault')
    await fill(page, 'Watch radius in miles', '2')
    await press(page, 'Save')
    await says(page, 'Depot is saved.')
    await says(page, '2 mi')
    const { updated_at, ...after } = await kept()
    expect({ ...after, updated_at: before.updated_at }).toEqual({ ...before, tags: ['flat roof', '2019'], watch_radius_miles: 2 })
  })

  it('a text that is too long is refused at its field, not cut', async () => {
    await press(page, 'Edit')
    for (const [name, length] of [
      ['label', 121],
      ['reference', 101],
      ['notes', 5001],
    ] as const) {
      await page.waitForSelector(`[name=${name}]`).then((field) => field?.focus())
      // As a paste does, which keeps to a limit of the field.
      await page.evaluate((text) => document.execCommand('insertText', false, text), 'x'.repeat(length))
    }
    await press(page, 'Save')
    await page.waitForFunction(() => document.querySelectorAll('[role=dialog] .field .fault').length === 3)
    await says(page, '120 characters')
    await press(page, 'Cancel')
    await page.waitForSelector('[role=dialog]', { hidden: true })
  })

  it('contacts can be added, made primary, and removed', async () => {
    for (const name of ['Pat Jones', 'Sam Hill']) {
      await press(page, 'Add a contact')
      await fill(page, 'Name', name)
      await press(page, 'Save')
      await page.waitForSelector(`button[aria-label="Edit ${name}"]`)
      await page.waitForFunction(() => document.activeElement?.textContent === 'Add a contact')
    }
    await press(page, 'Edit Sam Hill')
    await page.select('[name="role"]', 'adjuster')
    await page.click('[name="primary"]')
    await press(page, 'Save')
    await page.waitForSelector('[role="dialog"]', { hidden: true })
    await says(page, 'Adjuster')
    expect((await kept()).contacts.map(({ name, role, primary }) => [name, role, primary]).sort()).toEqual([
      ['Pat Jones', 'owner', false],
      ['Sam Hill', 'adjuster', true],
    ])
    await press(page, 'Remove Pat Jones')
    await press(page, 'Remove')
    await says(page, 'The contact is removed.')
    expect((await kept()).contacts.map(({ name }) => name)).toEqual(['Sam Hill'])
  })

  it('a tag links to every property that has it', async () => {
    await aKeptProperty(desk.world, team, { label: 'Yard' })
    await page.click('.facts a.badge')
    await page.waitForFunction(() => location.search === '?tag=flat+roof' || location.search === '?tag=flat%20roof')
    await says(page, 'Depot')
    expect(await page.evaluate(() => document.body.innerText)).not.toContain('Yard')
    await page.goBack()
  })

  it('a property without exposures does not claim that no storm came', async () => {
    const shed = { latitude: 33.16, longitude: -96.83 }
    const { id } = await aKeptProperty(desk.world, team, { label: 'Shed', ...shed, address_key: pointKey(shed) })
    await page.goto(`${desk.console_url}/properties/${id}`)
    await says(page, 'An empty list does not show that no storm came')
    const headings = await page.$$eval('[aria-labelledby="exposures"] :is(h2, h3)', (all) =>
      all.map((one) => one.tagName + one.textContent),
    )
    expect(headings).toEqual(['H2Exposures', 'H3No exposures yet'])
  })

  it('an edit does not go on in another property to which it leads', async () => {
    await page.click('nav a[href="/app/properties"]')
    await follow(page, 'Depot')
    await press(page, 'Edit')
    await page.waitForSelector('[role=dialog]')
    await fill(page, 'Address', '33.16, -96.83')
    await press(page, 'Save')
    await follow(page, 'View that property')
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Shed')
    await page.waitForSelector('[role=dialog]', { hidden: true })
  })

  it('a long word in a name breaks at the edge of its heading or column', async () => {
    const { id } = await aKeptProperty(desk.world, team, { label: 'W'.repeat(120), latitude: 33.17, longitude: -96.84 })
    const sent = { team_id: team.id, name: 'D'.repeat(80), channel: 'chat_a' as const, address_hint: 'A', events: ['report.completed'] }
    const { id: integration_id } = await desk.world.app.db.integration.create({ data: { ...sent, url_encrypted: new Uint8Array(8) } })
    const unsent = { team_id: team.id, integration_id, kind: 'test', event: 'test', channel: 'chat_a', status: 'skipped' } as const
    const address_hint = 'https://receiver.invalid/…mple'
    await desk.world.app.db.delivery.create({ data: { ...unsent, subject: 'A property is no longer watched', address_hint } })
    await resize(page, 1280, 800)
    for (const [place, name] of [
      [`properties/${id}`, 'WWW'],
      ['properties', 'WWW'],
      ['destinations', 'DDD'],
    ] as const) {
      await page.goto(`${desk.console_url}/${place}`)
      await says(page, name)
      const over = await page.$$eval('html, .table-holder, td', (all) => all.map((one) => one.scrollWidth - one.clientWidth))
      expect([place, Math.max(...over)]).toEqual([place, 0])
    }
    // A notice that quotes the name stays on the screen.
    await page.goto(`${desk.console_url}/properties/${id}`)
    for (const width of [1280, 390]) {
      await resize(page, width, 800)
      await press(page, 'Edit')
      await fill(page, 'Reference', `W-${width}`)
      await press(page, 'Save')
      const notice = await page.waitForSelector('.toast')
      const { x = -1, width: wide = 0 } = (await notice?.boundingBox()) ?? {}
      expect([x >= 0, x + wide <= width]).toEqual([true, true])
    }
    await resize(page, 1440, 900)
  })

  it('a list ends with its last row', async () => {
    for (const width of [390, 1440]) {
      await resize(page, width, 900)
      await page.goto(`${desk.console_url}/properties?search=Shed`)
      await says(page, 'Shed')
      await page.waitForFunction(() => {
        const list = document.querySelector('.rows')
        const last = list?.querySelector('tbody tr:last-child')
        return list && last && Math.abs(list.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom) < 3
      })
    }
  })

  it('a viewer can read it and change nothing', async () => {
    const viewer = await desk.signIn(team.id, 'bea@example.com', 'viewer')
    await viewer.goto(`${desk.console_url}/properties/${depot.id}`)
    await says(viewer, 'Sam Hill')
    const buttons = await viewer.$$eval('main button', (all) => all.map((one) => one.textContent))
    expect(buttons.filter((text) => text !== 'Show' && text !== '')).toEqual([])
    await viewer.browserContext().close()
  })

  it('it has no accessibility faults, light and dark, wide and narrow', async () => {
    await page.goto(`${desk.console_url}/properties/${depot.id}`, { waitUntil: 'networkidle2' })
    await drawnMap(page)
    expect(await faultsInEveryLook(page, 'property')).toEqual([])
    expect(desk.faults).toEqual([])
  })
})
