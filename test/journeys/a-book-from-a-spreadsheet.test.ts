import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ElementHandle } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { chromium, type Desk, faultsInEveryLook, openDesk, press, says } from '#test/support/desk.ts'
import { aTeam } from '#test/support/factories.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'
const ROWS = 1000
/** They take some ten seconds where nothing else is at work. */
const IMPORTED_MS = 90_000

let desk: Desk
let team: Team
beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  team = await aTeam(desk.world, { name: 'Roof works' })
}, 120_000)
afterAll(() => desk?.close())

/** A book as a spreadsheet writes it: apart by semicolons, its third row wrong. */
function aBook(): string {
  const rows = Array.from({ length: ROWS }, (_, n) => `Roof ${n + 1};${n + 1} Main St;Moore;OK;73160;${n === 2 ? 'far' : '1'}`)
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'book-')), 'book.csv')
  writeFileSync(file, `Property name;Street address;Town;State;ZIP;Watch radius (miles)\r\n${rows.join('\r\n')}\r\n`)
  return file
}

describe.skipIf(!chromium)(`a book from a spreadsheet${skipped}`, () => {
  it('is imported with its columns named; what is wrong is named by its row; again, it adds nothing', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'analyst')
    const book = aBook()
    const choose = async () => {
      const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>
      await input.uploadFile(book)
      await says(page, '1,000 rows. Say what each column holds')
    }
    await page.goto(`${desk.console_url}/properties`, { waitUntil: 'networkidle2' })
    await press(page, 'Import a CSV file')
    await choose()
    const kinds = await page.$$eval('th select', (selects) => selects.map(({ value }) => value))
    expect(kinds).toEqual(['label', 'street', 'city', 'state', 'zip', 'watch_radius_miles'])
    const faults = await faultsInEveryLook(page, 'the columns')
    await press(page, 'Import 1,000 rows')
    await says(page, '999 properties are watched from now on, 0 were kept already, 1 row was not imported.', IMPORTED_MS)
    expect(await page.$eval('tbody tr', (row) => row.textContent)).toContain('Roof 3, 3 Main St')
    faults.push(...(await faultsInEveryLook(page, 'the outcome')))
    expect(await desk.world.app.db.property.count({ where: { team_id: team.id } })).toBe(ROWS - 1)

    await press(page, 'Import another file')
    await choose()
    await press(page, 'Import 1,000 rows')
    await says(page, '0 properties are watched from now on, 999 were kept already', IMPORTED_MS)
    expect(await desk.world.app.db.property.count({ where: { team_id: team.id } })).toBe(ROWS - 1)
    expect(faults).toEqual([])
    expect(desk.faults).toEqual([])
  }, 180_000)
})
