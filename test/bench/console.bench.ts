import assert from 'node:assert'
import puppeteer, { type Page } from 'puppeteer-core'
import { closeApp, openApp } from '#domain/app.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { createOperatorLink } from '#domain/people/operator-link.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { createApiServer } from '#rest/host.ts'
import { documentReader } from '#test/support/chromium.ts'
import { configFor } from '#test/support/config-for.ts'
import { freePort } from '#test/support/free-port.ts'
import { pageScripts } from '#test/support/page-scripts.ts'
import { prepare } from '../../scripts/prepare.mjs'
import { PROPERTIES } from './exposed-properties.ts'
import type { Arm, Bed, Reach } from './frame.ts'

export const claim =
  'The console has the first of 50,000 properties or of 10,000 exposures on the screen within 300 ms, by at most 190 kB of script'

/** Properties of the team; a fifth as many exposures. */
export const sizes = { small: [5_000, 50_000], full: [5_000, 50_000] } as const
export const unit = 'ms; of script kB, gzipped'
const EXPOSURES_EACH = 5
const FIRST_ROWS_MS = 300
const SCRIPT_KB = 190

/** $1 is the team, $2 the number of exposures: each on another day, at one of its properties. */
const EXPOSURES = `
  INSERT INTO exposures (team_id, kind, date, property_id, headline, evidence, record_ids, first_seen_at, last_seen_at)
  SELECT $1, 'record', DATE '2026-05-20' - n, p.id, 'Hail, day ' || n, '{}', '{}', now(), now() - n * interval '1 second'
    FROM (SELECT id FROM properties WHERE team_id = $1 LIMIT 1) p, generate_series(1, $2::int) n`

interface Stage {
  console_url: string
  /** The browser of a signed-in user; undefined if the machine has no browser. */
  page: Page | undefined
}

export async function setup(bed: Bed): Promise<Stage> {
  await prepare({ bundled: ['console'], tools: true })
  const { url, pool } = await bed.database()
  const port = await freePort()
  const console_url = `http://localhost:${port}/app`
  const app = await openApp(configFor({ database_url: url, base_url: `http://127.0.0.1:${port}`, console_url, home: bed.folder }))
  bed.closing(() => closeApp(app))
  const team = await createTeam(app.db, systemClock, { name: 'Bench', plan: 'enterprise' })
  await pool.query(PROPERTIES, [team.id, bed.size])
  await pool.query(EXPOSURES, [team.id, bed.size / EXPOSURES_EACH])
  await pool.query('ANALYZE properties, exposures')
  const fastify = await createApiServer(app)
  await fastify.listen({ host: '127.0.0.1', port })
  bed.closing(() => fastify.close())
  if (!documentReader) return { console_url, page: undefined }
  const browser = await puppeteer.launch({ executablePath: documentReader, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  bed.closing(() => browser.close())
  const page = await browser.newPage()
  await page.setViewport({ width: 1440, height: 900 })
  await page.evaluateOnNewDocument(noteFirstRow)
  const { url: link } = await createOperatorLink(app, { team_id: team.id, email: 'bench@example.com', role: 'analyst' })
  await page.goto(link)
  await (await page.waitForSelector('::-p-aria([name="Sign in"])'))?.click()
  await page.waitForFunction(() => location.pathname === '/app/inbox')
  return { console_url, page }
}

/** Records when the first row is in the document, in milliseconds since the navigation began. Runs in the page. */
function noteFirstRow(): void {
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('.rows tbody a')) return
    observer.disconnect()
    document.documentElement.dataset.firstRowAt = String(performance.now())
  }).observe(document, { childList: true, subtree: true })
}

function signedIn({ page }: Stage): Page {
  assert(page, 'there is no browser')
  return page
}

async function firstRows(stage: Stage, place: string): Promise<{ operations: number; value: number }> {
  const page = signedIn(stage)
  await page.goto(`${stage.console_url}/${place}`, { waitUntil: 'domcontentloaded' })
  const at = await page.waitForFunction(() => document.documentElement.dataset.firstRowAt)
  return { operations: 1, value: Number(await at.jsonValue()) }
}

const missing = ({ page }: Stage) => (page ? null : 'no browser')

export const arms: Arm<Stage>[] = [
  { name: 'first row of the properties', operations: 1, missing, run: (stage) => firstRows(stage, 'properties') },
  { name: 'first row of the inbox', operations: 1, missing, run: (stage) => firstRows(stage, 'inbox') },
  {
    name: 'script of the heaviest page',
    case: 'script',
    operations: 1,
    run: () => ({ operations: 1, value: Math.max(...pageScripts().map(({ bytes }) => bytes)) / 1000 }),
  },
]

export const reach: Reach[] = [
  { arm: 'first row of the properties', at_most: FIRST_ROWS_MS, percentile: 95 },
  { arm: 'first row of the inbox', at_most: FIRST_ROWS_MS, percentile: 95 },
  { case: 'script', arm: 'script of the heaviest page', at_most: SCRIPT_KB, percentile: 95 },
]

/** Returns the number of empty rows of a list after each of so many steps of scrolling, or -1 if there is no row. */
const blanksOf = (page: Page) =>
  page.evaluate(async () => {
    const list = document.querySelector('.rows')
    const blanks: number[] = []
    for (let step = 1; list && step <= 40; step++) {
      list.scrollTop = step * 300
      await new Promise((resolve) => setTimeout(resolve, 50))
      const { top, bottom } = list.getBoundingClientRect()
      const seen = [...list.querySelectorAll('tbody tr[data-index]')].filter((row) => {
        const box = row.getBoundingClientRect()
        return box.bottom > top && box.top < bottom
      })
      blanks.push(seen.length === 0 ? -1 : seen.filter((row) => row.querySelector('a') === null).length)
    }
    return blanks
  })

/** Both lists scroll without blanks. */
export async function check(stage: Stage): Promise<void> {
  if (!stage.page) return
  for (const place of ['properties', 'inbox']) {
    await firstRows(stage, place)
    const blanks = await blanksOf(stage.page)
    assert.equal(blanks.length, 40)
    assert.deepEqual(
      blanks.filter((count) => count !== 0),
      [],
      place,
    )
  }
}
