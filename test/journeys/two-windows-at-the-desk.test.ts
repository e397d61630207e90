import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAlertRule } from '#domain/alerts/rules.ts'
import { createOperatorLink } from '#domain/people/operator-link.ts'
import type { Property, Team } from '#generated/prisma/client.ts'
import { chromium, type Desk, fill, openDesk, press, says } from '#test/support/desk.ts'
import { aKeptProperty, aKeptTerritory, anExposure } from '#test/support/exposures.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

let desk: Desk
let team: Team
let depot: Property
beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  team = await aTeam(desk.world, { name: 'Roof works', plan: 'business' })
  depot = await aKeptProperty(desk.world, team, { label: 'Depot', tags: ['flat'] })
})
afterAll(() => desk?.close())

const MEANWHILE = 'This was changed elsewhere after you opened it.'

/** One window starts a change, and another person finishes theirs first. Each changes only their own fields, and no change is undone. */
describe.skipIf(!chromium)(`two windows with the same thing${skipped}`, () => {
  let ann: Page
  let bea: Page
  beforeAll(async () => {
    if (!chromium) return
    ann = await desk.signIn(team.id, 'ann@example.com', 'owner')
    bea = await desk.signIn(team.id, 'bea@example.com', 'owner')
  })

  async function both(path: string): Promise<void> {
    for (const page of [ann, bea]) await page.goto(`${desk.console_url}/${path}`)
  }
  async function opened(page: Page, label: string): Promise<void> {
    await press(page, label)
    await page.waitForSelector('[role=dialog]')
  }

  it('a property: the other person’s change stays, to its address too, and is reported', async () => {
    await both(`properties/${depot.id}`)
    await opened(ann, 'Edit')
    await fill(ann, 'Name', "Ann's depot")
    await opened(bea, 'Edit')
    await fill(bea, 'Address', '35.2, -97.4')
    await fill(bea, 'Tags', 'steep')
    await press(bea, 'Save')
    await says(bea, 'Depot is saved.')
    await says(ann, MEANWHILE)
    await press(ann, 'Save')
    await says(ann, "Ann's depot is saved.")
    expect(await desk.world.app.db.property.findUniqueOrThrow({ where: { id: depot.id } })).toMatchObject({
      label: "Ann's depot",
      query: '35.2, -97.4',
      tags: ['steep'],
    })
  })

  it('a contact', async () => {
    const at = { team_id: team.id, property_id: depot.id }
    const { id } = await desk.world.app.db.contact.create({ data: { ...at, name: 'Pat', phone: '1', primary: true } })
    await both(`properties/${depot.id}`)
    await opened(ann, 'Edit Pat')
    await fill(ann, 'Company', 'Roofers')
    // A click beside the form loses nothing.
    await ann.mouse.click(5, 5)
    await opened(bea, 'Edit Pat')
    await fill(bea, 'Phone', '2')
    await press(bea, 'Save')
    await bea.waitForSelector('[role=dialog]', { hidden: true })
    await press(ann, 'Save')
    await ann.waitForSelector('[role=dialog]', { hidden: true })
    expect(await desk.world.app.db.contact.findUniqueOrThrow({ where: { id } })).toMatchObject({ phone: '2', company: 'Roofers' })
  })

  it('an alert rule', async () => {
    const rule = { name: 'Hail', recipients: ['ann@example.com'], kinds: ['hail' as const], least_hail_in: 1 }
    const { id } = await createAlertRule(desk.world.app, await aCaller(desk.world, team), rule)
    await both('alerts')
    await opened(ann, 'Edit Hail')
    await fill(ann, 'Name', 'Large hail')
    await opened(bea, 'Edit Hail')
    await fill(bea, 'Minimum hail, inches', '2')
    await press(bea, 'Save')
    await says(bea, 'The rule is saved.')
    await press(ann, 'Save')
    await says(ann, 'The rule is saved.')
    const after = await desk.world.app.db.alertRule.findUniqueOrThrow({ where: { id } })
    expect([after.name, Number(after.least_hail_in)]).toEqual(['Large hail', 2])
  })

  it('a territory, which a menu link does not leave unsaved, and a save without a change leaves as it is', async () => {
    const { id } = await aKeptTerritory(desk.world, team)
    // The territory has the only place of the plan, and can still be edited.
    await desk.world.app.db.team.update({ where: { id: team.id }, data: { limit_overrides: { territories: 1 } } })
    await both(`territories/${id}`)
    await fill(ann, 'Notes', 'Ask first')
    await fill(bea, 'Name', 'North side')
    await press(bea, 'Save the changes')
    await says(bea, 'North side is saved.')
    await says(ann, MEANWHILE)
    await ann.click('nav a[href="/app/territories"]')
    await says(ann, 'What you have entered on this page will be lost.')
    await press(ann, 'Stay')
    await press(ann, 'Save the changes')
    await says(ann, 'North side is saved.')
    const kept = () => desk.world.app.db.territory.findUniqueOrThrow({ where: { id } })
    expect(await kept()).toMatchObject({ name: 'North side', notes: 'Ask first' })
    await ann.goto(`${desk.console_url}/territories/${id}`)
    await press(ann, 'Save the changes')
    await says(ann, 'North side is saved.')
    expect(await kept()).toMatchObject({ name: 'North side', notes: 'Ask first' })
  })

  it('allowed sites: one that the other person removed is not allowed again', async () => {
    await desk.world.app.db.team.update({ where: { id: team.id }, data: { allowed_origins: ['https://old.example.com'] } })
    await both('allowed-sites')
    await says(ann, 'https://old.example.com')
    await says(bea, 'https://old.example.com')
    // The table cell has the same name as its button.
    await bea.waitForSelector('::-p-aria([name="Remove https://old.example.com"][role="button"])').then((button) => button?.click())
    await press(bea, 'Remove')
    await says(bea, 'The site is no longer allowed.')
    await opened(ann, 'Allow a site')
    await fill(ann, 'Origin', 'https://new.example.com')
    await press(ann, 'Allow')
    await says(ann, 'The site is allowed.')
    const { allowed_origins } = await desk.world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
    expect(allowed_origins).toEqual(['https://new.example.com'])
  })

  it('an exposure: what the other person decided stays, also when an action is undone', async () => {
    const id = await anExposure(desk.world, team, { property_id: depot.id, date: '2025-05-27', headline: 'Hail of 1 in' })
    const page = await desk.signIn(team.id, 'gus@example.com', 'analyst')
    // The window does not hear of changes.
    await page.setRequestInterception(true)
    page.on('request', (request) => void (request.postData()?.includes('subscription') || request.continue()))
    await page.goto(`${desk.console_url}/exposures/${id}`)
    const isDismissedElsewhere = async () => {
      await page.waitForSelector('::-p-aria([name="Acknowledge"][role="button"])')
      await desk.world.app.db.exposure.update({ where: { id }, data: { dismissed_at: desk.world.clock.now() } })
    }
    await isDismissedElsewhere()
    await press(page, 'Acknowledge')
    await says(page, 'One exposure was changed since, and stays as it is.')
    await page.waitForFunction(() => document.querySelector('.page-head .badge')?.textContent === 'Dismissed')
    await press(page, 'Reopen')
    await isDismissedElsewhere()
    await press(page, 'Dismiss')
    await says(page, 'Nothing changed: already dismissed, or removed.')
    await press(page, 'Reopen')
    await press(page, 'Acknowledge')
    await says(page, 'One exposure acknowledged.')
    const since = new Date(desk.world.clock.now().getTime() + 1)
    await desk.world.app.db.exposure.update({ where: { id }, data: { acknowledged_at: null, dismissed_at: since } })
    await press(page, 'Undo')
    await says(page, 'One exposure was changed since, and stays as it is.')
    await page.waitForFunction(() => document.querySelector('.page-head .badge')?.textContent === 'Dismissed')
    await page.browserContext().close()
  })

  it('the paper of the letterhead', async () => {
    await both('letterhead')
    const stored = async () => {
      const { paper, brand_name } = await desk.world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
      return { paper, brand_name }
    }
    await ann.waitForSelector('[name=paper]')
    await bea.waitForSelector('[name=paper]')
    await bea.select('[name=paper]', 'a4')
    await press(bea, 'Save letterhead')
    await says(bea, 'The letterhead is saved.')
    for (const name of ['Roof works', 'Roofs']) {
      await fill(ann, 'Name', name)
      await press(ann, 'Save letterhead')
      await expect.poll(stored).toEqual({ paper: 'a4', brand_name: name })
      await ann.waitForFunction(() => document.querySelector<HTMLSelectElement>('[name=paper]')?.value === 'a4')
    }
  })

  it('the keyboard focus continues where its button was, when another takes its place, and each notice is announced', async () => {
    const id = await anExposure(desk.world, team, { property_id: depot.id, date: '2025-05-28', headline: 'Hail of 2 in' })
    await ann.goto(`${desk.console_url}/exposures/${id}`)
    await ann.waitForSelector('h1')
    // A screen reader reads out what is new in the region.
    const said = await ann.evaluateHandle(() => {
      const texts: string[] = []
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const { textContent } of addedNodes) texts.push(textContent ?? '')
      }).observe(document.querySelector('[role=status][aria-live]') as Element, { childList: true, subtree: true })
      return texts
    })
    for (const [label, next] of [
      ['Acknowledge', 'Reopen'],
      ['Reopen', 'Acknowledge'],
      ['Dismiss', 'Reopen'],
      ['Reopen', 'Acknowledge'],
      ['Dismiss', 'Reopen'],
    ] as const) {
      await ann.waitForSelector(`::-p-aria([name="${label}"][role="button"])`).then((button) => button?.focus())
      await ann.keyboard.press('Enter')
      await ann.waitForFunction((wanted) => document.activeElement?.textContent === wanted, {}, next)
    }
    expect((await said.jsonValue()).filter((text) => text.startsWith('One exposure dismissed.'))).toHaveLength(2)
    await ann.waitForSelector('.toast button').then((button) => button?.focus())
    await ann.keyboard.press('Enter')
    await ann.waitForFunction(() => document.activeElement?.id === 'content')
    expect(desk.faults).toEqual([])
  })
})

/** What a window has read is for one person in one team. */
describe.skipIf(!chromium)(`a window whose reader changes${skipped}`, () => {
  let gutters: Team
  beforeAll(async () => {
    if (!chromium) return
    gutters = await aTeam(desk.world, { name: 'Gutter works', plan: 'business' })
  })

  it('a person who is removed from the team sees nothing of it under the name of their other team', async () => {
    const rule = { name: 'Hail at the yard', recipients: ['ann@example.com'], kinds: ['hail' as const], least_hail_in: 1 }
    await createAlertRule(desk.world.app, await aCaller(desk.world, team), rule)
    await desk.signIn(gutters.id, 'cleo@example.com', 'analyst').then((page) => page.browserContext().close())
    const page = await desk.signIn(team.id, 'cleo@example.com', 'analyst')
    await page.goto(`${desk.console_url}/alerts`)
    await says(page, 'Hail at the yard')
    // The keyboard stays on the list of teams, which every letter switches at once.
    await page.focus('#team')
    for (const name of ['Gutter works', 'Roof works']) {
      await page.keyboard.type(name.slice(0, 1))
      await page.waitForFunction((wanted) => document.activeElement?.querySelector('option:checked')?.textContent === wanted, {}, name)
    }
    await says(page, 'Hail at the yard')
    await desk.world.app.db.membership.deleteMany({ where: { team_id: team.id, person: { email: 'cleo@example.com' } } })
    await page.waitForFunction(() => document.querySelector('.places-team')?.textContent === 'Gutter works')
    expect(await page.evaluate(() => document.body.innerText)).not.toContain('Hail at the yard')
    await says(page, 'You are no longer in Roof works. You now work in Gutter works.')
    await says(page, 'No alert rules yet')
    await page.browserContext().close()
  })

  /** Signs one person out, and another in in a second window of the same browser. */
  async function isFollowedBy(page: Page, email: string, at: Team): Promise<void> {
    await page.waitForSelector('nav a[href="/app/people"]')
    const session = await page.evaluate(async () => {
      const answer = await fetch('/app/session', { headers: { 'x-weather-console': '1' } })
      return (await answer.json()).person.email
    })
    await desk.world.app.db.session.deleteMany({ where: { person: { email: session } } })
    await page.click('nav a[href="/app/people"]')
    await page.waitForSelector('[role=dialog]')
    await says(page, 'You are signed out')
    // No shortcut reaches the covered page.
    const covered = page.url()
    for (const key of ['g', 'i'] as const) await page.keyboard.press(key)
    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    expect([page.url(), await page.$('.palette, dialog')]).toEqual([covered, null])
    await page.evaluate(() => {
      const note = () => document.querySelector('[role=dialog]') || sessionStorage.setItem('uncovered', document.body.innerText)
      new MutationObserver(note).observe(document.body, { childList: true, subtree: true })
    })
    const { url } = await createOperatorLink(desk.world.app, { team_id: at.id, email, role: 'owner' })
    const second = await page.browserContext().newPage()
    await second.goto(url)
    await press(second, 'Sign in')
    await second.waitForFunction(() => location.pathname === '/app/inbox')
    const reloaded = page.waitForNavigation()
    await second.close()
    // The page may have had the focus from the closed window, and be reloaded already.
    await page.evaluate(() => void window.dispatchEvent(new Event('focus'))).catch(() => {})
    await reloaded
    expect(await page.evaluate(() => sessionStorage.getItem('uncovered'))).toBeNull()
    await says(page, email)
  }

  it('another person of the same team gets a page of their own, and the last one stays covered until then', async () => {
    const page = await desk.signIn(team.id, 'dan@example.com', 'owner')
    await isFollowedBy(page, 'eve@example.com', team)
    await page.browserContext().close()
  })

  it('another person of another team does too', async () => {
    const page = await desk.signIn(team.id, 'dan@example.com', 'owner')
    await isFollowedBy(page, 'fay@example.com', gutters)
    await page.browserContext().close()
    expect(desk.faults).toEqual([])
  })
})
