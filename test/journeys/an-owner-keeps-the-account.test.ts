import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ElementHandle, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { topUp } from '#domain/plans/credits.ts'
import type { Team } from '#generated/prisma/client.ts'
import { HOUR } from '#test/support/clock.ts'
import { chromium, type Desk, faultsInEveryLook, fill, openDesk, press, saved, says } from '#test/support/desk.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { OWN_DARK_COLORS } from '#test/support/looks.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let desk: Desk
let team: Team
beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  const { world } = desk
  team = await aTeam(world, { name: 'Roof works' })
  for (const amount of [5, 20, 40]) {
    await world.app.db.$transaction((tx) => topUp(tx, team.id, amount, world.clock.now()))
    world.clock.advance(HOUR)
  }
  const [quiet, stopped] = [world.clock.now(), new Date(world.clock.now().getTime() - 3 * 24 * HOUR)]
  await world.app.db.monitoringRun.createMany({
    data: [
      { lane: 'record', status: 'complete', started_at: quiet, finished_at: quiet },
      { lane: 'warnings', status: 'complete', started_at: stopped, finished_at: stopped },
    ],
  })
  await world.owner.query(`INSERT INTO coverage (source, state, month, preliminary, compiled_on) VALUES
    ('noaa_storm_events', 'TX', '2025-01-01', false, NULL), ('noaa_storm_events', 'TX', '2025-02-01', false, NULL),
    ('noaa_storm_events', 'TX', '2025-03-01', false, '2025-06-17'), ('noaa_storm_events', 'OK', '2025-02-01', false, NULL)`)
})
afterAll(() => desk?.close())

const textOf = (page: Page) => page.evaluate(() => document.body.innerText)

describe.skipIf(!chromium)(`an owner keeps the account${skipped}`, () => {
  it('reads the plan against its limits, the ledger as a chart and in rows, and which lane stopped when', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await page.goto(`${desk.console_url}/account`)
    await says(page, 'Stopped since')
    const { balance } = await desk.world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
    const text = await textOf(page)
    expect(text).toContain('All quiet')
    expect(text).toMatch(/Properties\s+0 of [\d,]+/)
    await says(page, '+40')
    expect(await page.$$eval('tbody tr', ([newest]) => newest?.querySelector('td:last-child')?.textContent)).toBe(
      balance.toLocaleString('en-US'),
    )
    // One step for each movement: the chart shows the same as the rows.
    const line = await page.$eval('.chart .line', (path) => path.getAttribute('d') ?? '')
    expect(line.match(/V/g)).toHaveLength((await desk.world.app.db.creditTransaction.count({ where: { team_id: team.id } })) - 1)
    await page.browserContext().close()
  })

  it('sees in a form that the plan has lapsed, before it is filled in', async () => {
    const lapse = (lapsed_at: Date | null) => desk.world.app.db.team.update({ where: { id: team.id }, data: { lapsed_at } })
    await lapse(desk.world.clock.now())
    onTestFinished(() => lapse(null).then(() => {}))
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    const isRefused = async (button: string) => {
      await says(page, 'The plan has lapsed. New reports,')
      const found = await page.waitForSelector(`::-p-aria([name="${button}"][role="button"])`)
      return found?.evaluate((one) => (one as HTMLButtonElement).disabled)
    }
    await page.goto(`${desk.console_url}/reports/new`)
    expect(await isRefused('Create report')).toBe(true)
    await page.goto(`${desk.console_url}/properties`)
    await press(page, 'Watch a property')
    expect(await isRefused('Watch it')).toBe(true)
    await page.browserContext().close()
  })

  it('sees which months of which state the archive contains, as a chart and in words', async () => {
    const page = await desk.signIn(team.id, 'vic@example.com', 'viewer')
    await page.goto(`${desk.console_url}/coverage`)
    await says(page, 'Final record')
    expect(await page.$$eval('.coverage-row svg rect:not(.none)', (bars) => bars.map((bar) => bar.getAttribute('width')))).toEqual([
      '1',
      '2',
      '1',
    ])
    await says(page, 'Compiled early: offices may be missing')
    await page.click('summary')
    await says(page, 'Jan 2025 to Feb 2025; Mar 2025 (compiled early)')
    // The chart and its legend keep their colours in forced colours.
    const session = await page.createCDPSession()
    await session.send('Emulation.setEmulatedMedia', { features: OWN_DARK_COLORS })
    const bars = await page.$$eval('.coverage .final, .coverage .early', (found) => found.map((one) => getComputedStyle(one).fill))
    const keys = await page.$$eval('.coverage .key', (found) => found.map((one) => getComputedStyle(one).backgroundColor))
    expect(keys).toEqual(expect.arrayContaining(bars))
    await page.browserContext().close()
  })

  it('sets the letterhead, and sees at its field what no document can show', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await page.goto(`${desk.console_url}/letterhead`)
    await fill(page, 'Name', 'Roof works of Moore')
    const folder = mkdtempSync(path.join(tmpdir(), 'mark-'))
    writeFileSync(path.join(folder, 'mark.png'), Buffer.from(png, 'base64'))
    writeFileSync(path.join(folder, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    const file = (await page.waitForSelector('[type=file]')) as ElementHandle<HTMLInputElement>
    await file.uploadFile(path.join(folder, 'mark.svg'))
    await page.waitForSelector('.mark')
    await press(page, 'Save letterhead')
    await says(page, 'The logo must be a PNG, JPEG or WebP image.')
    await file.uploadFile(path.join(folder, 'mark.png'))
    await press(page, 'Save letterhead')
    await says(page, 'The letterhead is saved.')
    const kept = await desk.world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
    expect([kept.brand_name, kept.brand_logo?.length]).toEqual(['Roof works of Moore', expect.any(Number)])
    await page.browserContext().close()
  })

  it('allows a site, whose pages can then read with a token of the team, and removes it again', async () => {
    const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<h1>A site</h1>')).listen(0)
    await once(site, 'listening')
    const origin = `http://localhost:${(site.address() as AddressInfo).port}`
    const { token } = await aToken(desk.world, team, ['reports:read', 'exposures:read'])
    const visitor = await (await desk.browser.createBrowserContext()).newPage()
    await visitor.goto(origin)
    const read = (path: string) =>
      visitor.evaluate(
        (url, authorization) =>
          fetch(url, { headers: { authorization } }).then(
            async (answer) => `${answer.status} ${answer.headers.get('x-ratelimit-limit')} ${(await answer.text()).slice(0, 9)}`,
            () => 'kept from the page',
          ),
        `${desk.world.app.config.base_url}${path}`,
        `Bearer ${token}`,
      )
    expect(await read('/api/v1/reports')).toBe('kept from the page')

    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await page.goto(`${desk.console_url}/allowed-sites`)
    await says(page, 'No allowed sites yet')
    await press(page, 'Allow a site')
    await fill(page, 'Origin', `${origin}/map`)
    await press(page, 'Allow')
    await says(page, `The origin must be exact, without a path: ${origin}.`)
    await fill(page, 'Origin', origin)
    await press(page, 'Allow')
    await says(page, 'The site is allowed.')
    expect(await page.$$eval('tbody code', (cells) => cells.map((cell) => cell.textContent))).toEqual([origin])

    expect(await read('/api/v1/reports')).toMatch(/^200 \d+ \{"data":\[/)
    expect(await read('/exports/exposures.csv')).toMatch(/^200 \d+ id,kind,d/)
    expect(await read('/api/v1/properties')).toMatch(/^403 /)

    // The table cell has the same name as its button.
    await (await page.waitForSelector(`::-p-aria([name="Remove ${origin}"][role="button"])`))?.click()
    await press(page, 'Remove')
    await says(page, 'No allowed sites yet')
    expect(await read('/api/v1/reports')).toBe('kept from the page')
    await visitor.browserContext().close()
    await page.browserContext().close()
    site.close()
  })

  it('gives up their own role only after confirming it, as an arrow key is enough to choose another', async () => {
    const page = await desk.signIn(team.id, 'dan@example.com', 'owner')
    const role = () => desk.world.app.db.membership.findFirst({ where: { team_id: team.id, person: { email: 'dan@example.com' } } })
    await page.goto(`${desk.console_url}/people`)
    const field = await page.waitForSelector('::-p-aria([name="Role of dan@example.com"][role="combobox"])')
    await field?.focus()
    await page.keyboard.press('ArrowDown')
    await says(page, 'Become an analyst?')
    await press(page, 'Stay an owner')
    await page.waitForSelector('[role=dialog]', { hidden: true })
    expect([await field?.evaluate((one) => (one as HTMLSelectElement).value), (await role())?.role]).toEqual(['owner', 'owner'])
    await (field as ElementHandle<HTMLSelectElement>).select('viewer')
    await says(page, 'Only another owner can make you one again.')
    await press(page, 'Change my role')
    await says(page, 'Only an owner of the team can see its people.')
    expect((await role())?.role).toBe('viewer')
    await page.browserContext().close()
  })

  it('reads the audit log, filters it, and exports it', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await page.goto(`${desk.console_url}/audit-log?operation=setLetterhead`)
    await says(page, 'setLetterhead')
    await says(page, 'ann@example.com')
    expect(await page.$$eval('tbody tr', (rows) => rows.length)).toBe(1)
    const [{ hash, operation }] = JSON.parse(await saved(page, 'Export as JSON'))
    expect([hash.length, operation]).toEqual([64, 'setLetterhead'])
    const [heading, row, end] = (await saved(page, 'Export as CSV')).split('\r\n')
    expect([heading?.split(',').length, row?.includes(hash), end]).toEqual([15, true, ''])
    await page.browserContext().close()
  })

  it('saves the logo that was chosen last, however slowly it is read, and says that a file is gone', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    await page.evaluateOnNewDocument(() => {
      const read = Blob.prototype.arrayBuffer
      Blob.prototype.arrayBuffer = async function () {
        await new Promise((resolve) => setTimeout(resolve, 500))
        return read.call(this)
      }
    })
    await page.goto(`${desk.console_url}/letterhead`)
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'mark-')), 'mark.png')
    writeFileSync(file, Buffer.from(png, 'base64'))
    await desk.world.app.db.team.update({ where: { id: team.id }, data: { brand_logo: null } })
    const field = (await page.waitForSelector('[type=file]')) as ElementHandle<HTMLInputElement>
    await field.uploadFile(file)
    await press(page, 'Save letterhead')
    await says(page, 'The letterhead is saved.')
    const { brand_logo } = await desk.world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
    expect(brand_logo?.length).toBeGreaterThan(0)
    await field.uploadFile(file)
    await page.waitForFunction(() => {
      const shown = document.querySelector<HTMLImageElement>('img.mark')
      return shown?.src.startsWith('blob:') && shown.naturalWidth > 0
    })
    rmSync(file)
    await press(page, 'Save letterhead')
    await says(page, 'The file mark.png can no longer be read. Choose it again.')
    await page.browserContext().close()
  })

  it('an analyst sees that letterhead, allowed sites and log are for owners only', async () => {
    const page = await desk.signIn(team.id, 'bea@example.com', 'analyst')
    for (const [place, notice] of [
      ['letterhead', 'Only an owner of the team can change its letterhead.'],
      ['allowed-sites', 'Only an owner of the team can manage its allowed sites.'],
      ['audit-log', 'Only an owner of the team can read its audit log.'],
    ] as const) {
      await page.goto(`${desk.console_url}/${place}`)
      await says(page, notice)
      expect(await page.$$eval('nav a', (links) => links.map((one) => one.getAttribute('href')))).not.toContain(`/app/${place}`)
    }
    await page.browserContext().close()
  })

  it('every page is free of accessibility faults, light and dark, wide and narrow', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    const found: string[] = []
    for (const place of ['account', 'coverage', 'letterhead', 'allowed-sites', 'audit-log']) {
      await page.goto(`${desk.console_url}/${place}`, { waitUntil: 'networkidle2' })
      await page.waitForSelector('h1')
      found.push(...(await faultsInEveryLook(page, place)))
    }
    expect(found).toEqual([])
    expect(desk.faults).toEqual([])
  })
})
