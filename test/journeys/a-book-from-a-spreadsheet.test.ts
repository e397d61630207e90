import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ElementHandle } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { chromium, type Desk, faultsInEveryLook, fill, follow, openDesk, press, says } from '#test/support/desk.ts'
import { aTeam } from '#test/support/factories.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'
const ROWS = 300
/** The tests take some ten seconds on an idle machine. */
const IMPORTED_MS = 90_000

let desk: Desk
let team: Team
beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  team = await aTeam(desk.world, { name: 'Roof works' })
})
afterAll(() => desk?.close())

/** A book of properties as a spreadsheet writes it: separated by semicolons, with an invalid third row. */
function aBook(): string {
  const rows = Array.from({ length: ROWS }, (_, n) => `Roof ${n + 1};${n + 1} Main St;Moore;OK;73160;${n === 2 ? 'far' : '1'}`)
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'book-')), 'book.csv')
  writeFileSync(file, `Property name;Street address;Town;State;ZIP;Watch radius (miles)\r\n${rows.join('\r\n')}\r\n`)
  return file
}

describe.skipIf(!chromium)(`a book from a spreadsheet${skipped}`, () => {
  it('is imported after its columns are chosen; errors name their row; a second import adds nothing', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'analyst')
    const book = aBook()
    const choose = async () => {
      const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>
      await input.uploadFile(book)
      await says(page, '300 rows. Choose what each column contains.')
    }
    await page.goto(`${desk.console_url}/properties`, { waitUntil: 'networkidle2' })
    await press(page, 'Import a CSV file')
    await choose()
    const kinds = await page.$$eval('th select', (selects) => selects.map(({ value }) => value))
    expect(kinds).toEqual(['label', 'street', 'city', 'state', 'zip', 'watch_radius_miles'])
    // In the console's own colours and type, light and dark.
    const look = await page.$eval('th select', (select) => [getComputedStyle(select).fontFamily, getComputedStyle(select).borderRadius])
    expect(look).toEqual([expect.stringContaining('Inter'), expect.not.stringMatching(/^0px$/)])
    const faults = await faultsInEveryLook(page, 'the columns')
    await press(page, 'Import 300 rows')
    await says(page, '299 properties added, 0 were already there, 1 row was not imported.', IMPORTED_MS)
    expect(await page.$eval('tbody tr', (row) => row.textContent)).toContain('Roof 3, 3 Main St')
    faults.push(...(await faultsInEveryLook(page, 'the outcome')))
    expect(await desk.world.app.db.property.count({ where: { team_id: team.id } })).toBe(ROWS - 1)

    await press(page, 'Import another file')
    await choose()
    await press(page, 'Import 300 rows')
    await says(page, '0 properties added, 299 were already there', IMPORTED_MS)
    const reasons = await page.$$eval('tbody tr', (rows) => rows.map((row) => row.querySelector('td:last-child')?.textContent))
    expect([reasons[0], reasons[1], reasons.length]).toEqual([expect.stringContaining('watch radius'), 'Already there', 100])
    expect(await desk.world.app.db.property.count({ where: { team_id: team.id } })).toBe(ROWS - 1)
    expect(faults).toEqual([])
    expect(desk.faults).toEqual([])
  })

  it('counts the added properties that could not be located, and does not show them as watched', async () => {
    const own = await aTeam(desk.world, { name: 'Shingle works' })
    const page = await desk.signIn(own.id, 'cy@example.com', 'analyst')
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'book-')), 'book.csv')
    writeFileSync(file, 'Name,Address\nKnown,"1 Main St, Moore, OK 73160"\nLost,"1 Main St, Nowhereville, OK"\n')
    await page.goto(`${desk.console_url}/properties/import`, { waitUntil: 'networkidle2' })
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>
    await input.uploadFile(file)
    await press(page, 'Import 2 rows')
    await says(page, '2 properties added, 0 were already there. Of the added properties, 1 could not be located: a property is not watched')
    await follow(page, 'Show the properties that are not located')
    await says(page, '1 property')
    await says(page, 'Lost')
    expect(await page.$eval('main', (main) => main.textContent)).not.toContain('Known')
    await press(page, 'Watch a property')
    await fill(page, 'Address', '2 Main St, Nowhereville, OK')
    await press(page, 'Watch it')
    await says(page, 'is added, but its address could not be located: nothing is watched there until it is.')
    await says(page, '2 properties')
    const location = (await page.waitForSelector('::-p-aria([name="Location"][role="combobox"])')) as ElementHandle<HTMLSelectElement>
    await location.select('')
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 3)
    const statuses = () => page.$$eval('tbody tr', (rows) => rows.map((row) => row.querySelector('td:last-child')?.textContent))
    expect((await statuses()).sort()).toEqual(['Not located: not watched', 'Not located: not watched', 'Watching'])
    expect(await page.$$eval('tbody .badge.good', (badges) => badges.length)).toBe(1)
    await follow(page, 'Lost')
    await says(page, 'Not on the map')
    await says(page, 'Not located: not watched')
    expect(await faultsInEveryLook(page, 'a property that is not located')).toEqual([])
    // Before the first try nobody knows whether it can be located.
    await desk.world.app.db.property.updateMany({ where: { label: 'Lost' }, data: { failure_reason: null, failure_message: null } })
    await page.reload()
    await says(page, 'The address is not located yet. Nothing is watched here until it is.')
    await says(page, 'Not located yet: not watched')
  })

  it('asks before the chosen columns are lost: to another page, another file, or another team', async () => {
    const [own, other] = [await aTeam(desk.world, { name: 'Tile works' }), await aTeam(desk.world, { name: 'Slate works' })]
    await desk.signIn(other.id, 'dee@example.com', 'analyst')
    const page = await desk.signIn(own.id, 'dee@example.com', 'analyst')
    await page.goto(`${desk.console_url}/properties/import`, { waitUntil: 'networkidle2' })
    const choose = async () => {
      const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>
      await input.uploadFile(aBook())
      await page.waitForSelector('th select')
    }
    const kinds = () => page.$$eval('th select', (selects) => selects.map(({ value }) => value))
    const isAsked = async (title: string, keep: string) => {
      await says(page, title)
      expect(await faultsInEveryLook(page, title)).toEqual([])
      await press(page, keep)
      await page.waitForSelector('[role=dialog]', { hidden: true })
      expect(await kinds()).toEqual(['notes', 'street', 'city', 'state', 'zip', 'watch_radius_miles'])
    }
    // Nothing was chosen yet.
    await choose()
    await press(page, 'Choose another file')
    await choose()
    await page.select('th select', 'notes')
    await follow(page, 'Back to properties')
    await isAsked('Leave without saving?', 'Stay')
    await press(page, 'Choose another file')
    await isAsked('Choose another file?', 'Keep this file')
    await page.select('#team', other.id)
    await isAsked('Leave without saving?', 'Stay')
    expect(await page.$eval('#team', (team) => (team as HTMLSelectElement).value)).toBe(own.id)
    await page.select('#team', other.id)
    await press(page, 'Leave')
    await page.waitForSelector('input[type=file]')
    expect(await page.$eval('#team', (team) => (team as HTMLSelectElement).value)).toBe(other.id)
    expect(desk.faults).toEqual([])
  })

  it('warns a user who leaves the page during an import, continues only in its own team, and announces its end', async () => {
    const [siding, gutters] = [await aTeam(desk.world, { name: 'Siding works' }), await aTeam(desk.world, { name: 'Gutter works' })]
    await desk.signIn(gutters.id, 'bob@example.com', 'analyst')
    const page = await desk.signIn(siding.id, 'bob@example.com', 'analyst')
    const countProperties = ({ id }: Team) => desk.world.app.db.property.count({ where: { team_id: id } })
    const beginImport = async () => {
      await page.goto(`${desk.console_url}/properties/import`, { waitUntil: 'networkidle2' })
      const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>
      await input.uploadFile(aBook())
      await press(page, 'Import 300 rows')
      await says(page, '100 of 300 rows sent')
    }
    await beginImport()
    await follow(page, 'Back to properties')
    await says(page, 'Leave during the import?')
    expect(await faultsInEveryLook(page, 'the question whether to leave')).toEqual([])
    await press(page, 'Stay')
    await page.waitForFunction(() => !document.querySelector('[role=dialog]'))
    await says(page, 'rows sent')
    await follow(page, 'Back to properties')
    await press(page, 'Leave')
    await page.waitForFunction(() => location.pathname === '/app/properties')
    await says(page, 'The import is complete. 299 properties added', IMPORTED_MS)

    await desk.world.app.db.property.deleteMany({ where: { team_id: siding.id } })
    await beginImport()
    await page.select('#team', gutters.id)
    await says(page, 'Leave during the import?')
    await press(page, 'Leave')
    await expect.poll(() => countProperties(siding), { timeout: IMPORTED_MS }).toBe(ROWS - 1)
    await says(page, 'Siding works: The import is complete. 299 properties added', IMPORTED_MS)
    expect(await countProperties(gutters)).toBe(0)
    expect(desk.faults).toEqual([])
  })
})
