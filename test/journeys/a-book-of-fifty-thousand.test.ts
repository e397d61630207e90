import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { chromium, type Desk, faultsInEveryLook, fill, openDesk, press, saved, says, visibleRows } from '#test/support/desk.ts'
import { aTeam } from '#test/support/factories.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'
const HELD = 50_000

let desk: Desk
let team: Team

beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  team = await aTeam(desk.world, { name: 'Roof works', plan: 'enterprise' })
  await desk.world.app.pool.query(
    `INSERT INTO properties (id, team_id, label, reference, query, query_key, city, state, latitude, longitude, precision, located, tags, created_at)
     SELECT gen_random_uuid(), $1, 'Roof ' || n, '=R-' || n, n || ' Main St, Moore, OK 73160', 'q' || n, 'Moore', 'OK', 35.3, -97.5, 'range', true,
            CASE WHEN n % 100 = 0 THEN ARRAY['hundredth'] ELSE ARRAY[]::text[] END, now() - n * interval '1 second'
       FROM generate_series(1, $2) AS n`,
    [team.id, HELD],
  )
})
afterAll(() => desk?.close())

/** Scrolls to a part of the list by its known height, until one of these rows is in view. */
const scrollTo = (page: Page, part: number, [first, last]: [number, number]) =>
  page.waitForFunction(
    (to, from, until) => {
      const list = document.querySelector('.rows')
      if (!list) return false
      list.scrollTo(0, to * (list.scrollHeight - list.clientHeight))
      const { top, bottom } = list.getBoundingClientRect()
      return [...list.querySelectorAll('tbody a')].some((link) => {
        const number = Number(link.textContent?.slice('Roof '.length))
        const box = link.getBoundingClientRect()
        return number >= from && number <= until && box.top >= top && box.bottom <= bottom
      })
    },
    { polling: 200 },
    part,
    first,
    last,
  )

describe.skipIf(!chromium)(`a book of 50,000 properties at the desk${skipped}`, () => {
  let page: Page
  beforeAll(async () => {
    if (chromium) page = await desk.signIn(team.id, 'ann@example.com', 'analyst')
  })

  it('shows its first rows at once, renders few, and scrolls to its end and back without blanks', async () => {
    await page.waitForSelector('nav [href="/app/properties"]').then((link) => link?.click())
    await page.waitForSelector('.rows a')
    expect((await visibleRows(page)).slice(0, 3)).toEqual(['Roof 1', 'Roof 2', 'Roof 3'])
    await says(page, '50,000 properties')
    await scrollTo(page, 1, [HELD, HELD])
    expect(await page.$$eval('.rows tbody tr', (rows) => rows.length)).toBeLessThan(100)
    await scrollTo(page, 0.5, [24_900, 25_100])
    expect(await visibleRows(page)).not.toContain(undefined)
    await scrollTo(page, 0, [1, 1])
    const steps = await page.evaluate(async () => {
      const list = document.querySelector('.rows')
      const blanks: number[] = []
      for (let step = 1; list && step <= 40; step++) {
        list.scrollTop = step * 300
        await new Promise((resolve) => setTimeout(resolve, 50))
        const { top, bottom } = list.getBoundingClientRect()
        const seen = [...list.querySelectorAll('tbody tr[data-index]')].filter((row) => {
          const { top: from, bottom: until } = row.getBoundingClientRect()
          return until > top && from < bottom
        })
        blanks.push(seen.length === 0 ? -1 : seen.filter((row) => row.querySelector('a') === null).length)
      }
      return {
        rows: list?.querySelector('tbody tr[data-index]')?.getAttribute('data-index'),
        blanks: blanks.filter((count) => count !== 0),
      }
    })
    expect(Number(steps.rows)).toBeGreaterThan(150)
    expect(steps.blanks).toEqual([])
  })

  it('exports all filtered rows, with formulas escaped', async () => {
    await page.goto(`${desk.console_url}/properties?tag=hundredth`)
    await says(page, '500 properties')
    const [heading, ...rows] = (await saved(page, 'Export as CSV')).trimEnd().split('\r\n')
    expect(heading).toBe(
      'label,address,reference,kind,status,watch_radius_miles,tags,notes,latitude,longitude,located_latitude,located_longitude,located_precision,last_storm,property',
    )
    expect(rows).toHaveLength(500)
    expect(rows[0]).toMatch(
      /^Roof 100,"100 Main St, Moore, OK 73160",'=R-100,other,watching,1,hundredth,,,,35\.3,-97\.5,range,,[0-9a-f-]{36}$/,
    )
    await says(page, 'Exported 500 properties.')
  })

  it('rows can be selected one by one or all that match the filter, and tagged at once', async () => {
    const counts = async () => {
      const { rows } = await desk.world.app.pool.query<{ tags: string; count: number }>(
        `SELECT array_to_string(tags, '+') AS tags, count(*)::int AS count FROM properties WHERE team_id = $1 AND tags <> '{}' GROUP BY 1 ORDER BY 1`,
        [team.id],
      )
      return rows.map(({ tags, count }) => `${count} ${tags}`)
    }
    await page.click('[aria-label="Select Roof 100"]')
    await page.click('[aria-label="Select Roof 200"]')
    await press(page, 'Tag')
    await fill(page, 'Tags to add', 'spring, roof')
    await fill(page, 'Tags to remove', 'Hundredth')
    expect(await faultsInEveryLook(page, 'tagging')).toEqual([])
    await press(page, 'Save')
    await says(page, '2 properties changed.')
    await says(page, '498 properties')
    expect(await counts()).toEqual(['498 hundredth', '2 spring+roof'])
    await press(page, 'Select all')
    await says(page, '498 selected')
    await press(page, 'Tag')
    await fill(page, 'Tags to add', 'x'.repeat(41))
    await press(page, 'Save')
    await page.waitForSelector('.field .fault')
    await fill(page, 'Tags to add', 'late')
    await press(page, 'Save')
    await says(page, '498 properties changed.')
    expect(await counts()).toEqual(['498 hundredth+late', '2 spring+roof'])
  })

  it('is filtered while the user types, and says if nothing matches', async () => {
    await page.goto(`${desk.console_url}/properties`)
    await page.waitForSelector('.rows a')
    await fill(page, 'Name, address or reference', 'Roof 4999')
    // A prefix of the text finds 111, 1,111 or 11,111.
    await page.waitForFunction(() => /(?<![\d,])11 properties/.test(document.body.innerText))
    expect((await visibleRows(page)).slice(0, 2)).toEqual(['Roof 4999', 'Roof 49990'])
    await fill(page, 'Name, address or reference', 'no such roof')
    await says(page, 'No properties match')
  })

  it('has no accessibility faults, light and dark, wide and narrow', async () => {
    await page.goto(`${desk.console_url}/properties`, { waitUntil: 'networkidle2' })
    expect(await faultsInEveryLook(page, 'properties')).toEqual([])
    expect(desk.faults).toEqual([])
  })
})
