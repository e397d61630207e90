import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { chromium, type Desk, faultsInEveryLook, fill, openDesk, press, says } from '#test/support/desk.ts'
import { aTeam } from '#test/support/factories.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

let desk: Desk
let team: Team
beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  team = await aTeam(desk.world, { name: 'Roof works' })
  await desk.world.app.db.importRun.create({ data: { source: 'noaa_storm_events', file_name: 'details_2024.csv.gz', rows: 1200 } })
})
afterAll(() => desk?.close())

describe.skipIf(!chromium)(`an operator runs the service${skipped}`, () => {
  it('corrects credits, sets a plan, and creates a team', async () => {
    const page = await desk.signInOperator('ops@example.com', ['all'])
    await says(page, 'Roof works')
    const { balance } = await desk.world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
    await press(page, 'Credits of Roof works')
    await page.waitForSelector('[role=dialog]')
    await fill(page, 'Credits', '7')
    await press(page, 'Update credits')
    await says(page, 'The credits of Roof works are updated.')
    await press(page, 'Plan of Roof works')
    await page.select('[name=plan]', 'lapsed')
    await press(page, 'Set the plan')
    await page.waitForSelector('.badge.bad')
    expect(await desk.world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({
      balance: balance + 7,
      lapsed_at: expect.any(Date),
    })
    await press(page, 'New team')
    await fill(page, 'Name', 'Second roofers')
    await press(page, 'Create team')
    await says(page, 'Second roofers is created.')
    await page.browserContext().close()
  })

  it('sees the progress of an import, the lanes, and that all is well', async () => {
    const page = await desk.signInOperator('ops@example.com', ['all'])
    await press(page, 'Archive')
    await says(page, '1,200')
    await desk.world.app.db.importRun.updateMany({ data: { rows: 2400 } })
    await says(page, '2,400')
    // A year that is fetched: its import begins after the request, and nothing else is running then.
    await desk.world.app.db.importRun.updateMany({ data: { status: 'complete' } })
    await says(page, 'Complete')
    let answered = () => {}
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      if (!request.postData()?.includes('mutation Sync')) return void request.continue()
      answered = () => void request.respond({ contentType: 'application/json', body: '{"data":{"archiveSync":{"up_to_date":false}}}' })
    })
    await press(page, 'Fetch a year')
    await fill(page, 'Year', '2024')
    await press(page, 'Fetch')
    await page.waitForSelector('[role=dialog] [aria-disabled=true]')
    await desk.world.app.db.importRun.updateMany({ data: { status: 'running', rows: 3600 } })
    await page.waitForFunction(() => document.body.textContent?.includes('3,600'))
    await desk.world.app.db.importRun.updateMany({ data: { status: 'complete' } })
    answered()
    await says(page, 'The year is imported.')
    await press(page, 'Service')
    await says(page, 'No jobs are waiting.')
    await press(page, 'Check now')
    await page.waitForSelector('.notice')
    expect(await page.$eval('.notice', (notice) => notice.textContent)).toContain('No faults found')
    await page.browserContext().close()
  })

  it('a read-only role sees no controls that change anything; a team owner sees none of these pages', async () => {
    const page = await desk.signInOperator('reads@example.com', ['read'])
    for (const place of ['operator', 'operator/archive', 'operator/service', 'operator/operators']) {
      await page.goto(`${desk.console_url}/${place}`)
      await page.waitForSelector('h1')
      expect(await page.$$eval('main button', (all) => all.map((one) => one.textContent)), place).toEqual(
        { 'operator/service': ['Check now'], 'operator/operators': ['Sign out'] }[place] ?? [],
      )
    }
    await press(page, 'Sign out')
    await page.waitForFunction(() => location.pathname === '/app/sign-in')
    const owner = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await owner.goto(`${desk.console_url}/operator`)
    await says(owner, 'Only operators of this service can see these pages.')
    expect(await owner.evaluate(() => document.body.innerText)).not.toContain('Second roofers')
    expect(await faultsInEveryLook(owner, 'operator, to an owner')).toEqual([])
    for (const one of [page, owner]) await one.browserContext().close()
  })

  it('roles that read nothing are shown what is missing, and no failing page', async () => {
    const page = await desk.signInOperator('bills@example.com', ['archive', 'billing'])
    await says(page, 'You have the roles archive and billing')
    await says(page, 'ask the person who made you an operator to add the read role')
    expect(await faultsInEveryLook(page, 'operator without read')).toEqual([])
    await press(page, 'Sign out')
    await page.waitForFunction(() => location.pathname === '/app/sign-in')
    await page.browserContext().close()
  })

  it('every page and dialog is free of accessibility faults, light and dark, wide and narrow', async () => {
    const page = await desk.signInOperator('ops@example.com', ['all'])
    const found: string[] = []
    for (const [place, dialog] of [
      ['operator', 'New team'],
      ['operator', 'Credits of Roof works'],
      ['operator/archive', 'Fetch a year'],
      ['operator/service', null],
      ['operator/operators', null],
    ] as const) {
      await page.goto(`${desk.console_url}/${place}`, { waitUntil: 'networkidle2' })
      await page.waitForSelector('h1')
      found.push(...(await faultsInEveryLook(page, place)))
      if (!dialog) continue
      await press(page, dialog)
      await page.waitForSelector('[role=dialog]')
      found.push(...(await faultsInEveryLook(page, `${place}: ${dialog}`)))
    }
    expect(found).toEqual([])
    expect(desk.faults).toEqual([])
  })
})
