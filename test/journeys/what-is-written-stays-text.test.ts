import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { textColumns } from '#domain/personal-data/text-columns.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { requestReport } from '#domain/reports/request.ts'
import type { Team } from '#generated/prisma/client.ts'
import { chromium, type Desk, openDesk, says } from '#test/support/desk.ts'
import { aKeptProperty, aKeptTerritory, anExposure, aWarning } from '#test/support/exposures.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

/** Text that would run, or create an element, if it were parsed as HTML. */
const MARKUP = `"'><img src=x onerror="window.ran=1"><svg onload="window.ran=1"></svg><script>window.ran=1</script>`
/** The same, with characters that reverse what follows, and that end an isolation around it. */
const HOSTILE = `\u202e\u2069${MARKUP}\u202e`
/** An address that would run if it were followed. */
const HOSTILE_LINK = 'javascript:window.ran=1'

/** Texts from weather offices, and texts of the console's users, in addition to the columns that a team fills. */
const otherColumns: Record<string, Record<string, 'text' | 'list' | 'link'>> = {
  people: { name: 'text' },
  sessions: { browser: 'text', network: 'text' },
  reports: { headline: 'text', nothing_found: 'text', city: 'text', county: 'text', coverage_summary: 'text' },
  findings: { statement: 'text', family_label: 'text' },
  report_records: {
    description: 'text',
    source_label: 'text',
    county: 'text',
    zone_name: 'text',
    methodology: 'text',
    caveats: 'list',
    citation_url: 'link',
  },
  deliveries: { failure_reason: 'text', address_hint: 'text' },
  integrations: { address_hint: 'text', last_failure: 'text' },
  import_runs: { file_name: 'text', failure: 'text' },
  monitoring_runs: { failure_reason: 'text' },
}

let desk: Desk
let team: Team
let report_id: string
/** The pages of one record each. */
let records: string[]
beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  const { world } = desk
  team = await aTeam(world)
  await seedSample(world.app)
  await seedPlaces(world.app.pool)
  const { address, window_start, window_end, radius_miles } = sampleStorm
  const input = { address, window_start, window_end, radius_miles, reference: 'A', recipient: 'B' }
  report_id = (await requestReport(world.app, await aCaller(world, team), input, null)).report.id
  await world.drain()
  const property = await aKeptProperty(world, team)
  const territory = await aKeptTerritory(world, team)
  const contact = { team_id: team.id, property_id: property.id, name: 'A', company: 'B', phone: 'C', notes: 'D', primary: true }
  await world.app.db.contact.create({ data: { ...contact, role: 'owner', source: 'reported' } })
  await anExposure(world, team, { property_id: property.id })
  await anExposure(world, team, {
    territory_id: territory.id,
    kind: 'warning',
    warning_key: 'KOUN.SV.W.1.2026',
    warning: hostile(aWarning) as never,
  })
  const integration = { team_id: team.id, name: 'A', channel: 'chat_a' as const, address_hint: 'B', events: ['report.completed'] }
  const destination = await world.app.db.integration.create({ data: { ...integration, url_encrypted: new Uint8Array(8) } })
  const delivery = {
    team_id: team.id,
    event: 'test',
    integration_id: destination.id,
    kind: 'test',
    channel: 'chat_a',
    subject: 'A',
  } as const
  await world.app.db.delivery.create({ data: { ...delivery, address_hint: 'B', status: 'failed', failure_reason: 'C' } })
  records = [`reports/${report_id}`, `properties/${property.id}`, `territories/${territory.id}`, `destinations/${destination.id}`]
  await world.app.db.importRun.create({ data: { source: 'noaa_storm_events', file_name: 'A', status: 'failed', failure: 'B' } })
})
afterAll(() => desk?.close())

/** The same document with hostile text for every word, except those that the service chose from a closed set. */
function hostile(document: object): object {
  const words = new Set(['event', 'headline', 'area', 'instruction', 'name', 'identifier'])
  const at = (key: string, value: unknown): unknown =>
    typeof value === 'string' && words.has(key)
      ? HOSTILE
      : value instanceof Object && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, at(inner, one)]))
        : value
  return Object.fromEntries(Object.entries(document).map(([key, value]) => [key, at(key, value)]))
}

/** Writes text into the column of every row that no check of the service would accept. */
async function overwrite(table: string, column: string, kind: string): Promise<number> {
  const { owner } = desk.world
  const value = kind === 'list' ? `ARRAY[$1]` : '$1'
  const { rowCount } = await owner.query(`UPDATE ${table} SET "${column}" = ${value}`, [kind === 'link' ? HOSTILE_LINK : HOSTILE])
  return rowCount ?? 0
}

async function overwriteAll(): Promise<string[]> {
  const { owner } = desk.world
  await owner.query("SELECT set_config('app.scope', 'system', false)")
  const written: string[] = []
  const columnsByTable = [
    ...textColumns
      .filter(({ table }) => !['events', 'idempotency_keys', 'invitations'].includes(table))
      .map(({ table, columns }) => [table, columns] as const),
    ...Object.entries(otherColumns),
  ]
  for (const [table, columns] of columnsByTable) {
    // Finished reports and the ledger cannot be changed by the service; the owner of the database can change them.
    await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
    const { rows } = await owner.query('SELECT column_name FROM information_schema.columns WHERE table_name = $1', [table])
    const there = new Set(rows.map(({ column_name }) => column_name))
    for (const [column, kind] of Object.entries(columns)) {
      if (kind.startsWith('json') || (table === 'teams' && column === 'email') || !there.has(column)) continue
      if ((await overwrite(table, column, kind)) > 0) written.push(`${table}.${column}`)
    }
    await owner.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  }
  return written
}

/** Hostile text that became an element, ran, or changed the direction of the text around it. */
const harm = (page: Page) =>
  page.evaluate(() => ({
    ran: 'ran' in window,
    made: document.querySelectorAll('img[src="x"], svg[onload], script:not([src])').length,
    links: [...document.querySelectorAll('a')].filter(({ href }) => href.startsWith('javascript:')).length,
    // What is seen and read aloud, besides the fields, which keep what was written.
    reversed: [
      document.title,
      document.body.innerText,
      ...[...document.querySelectorAll('[aria-label], [title]')].flatMap((one) => [one.ariaLabel, one.getAttribute('title')]),
    ].filter((text) => /\p{Bidi_Control}/u.test(text ?? '')).length,
  }))

const none = { ran: false, made: 0, links: 0, reversed: 0 }

describe.skipIf(!chromium)(`hostile text stays text${skipped}`, () => {
  it('every text that a team or a weather office can write is shown on every page, and none of it runs or reverses what is beside it', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    const written = await overwriteAll()
    expect(written.length).toBeGreaterThan(30)
    // Where none of the text is shown, nothing is proved.
    const shown = ['inbox', 'reports', ...records, 'properties', 'territories', 'destinations', 'account']
    const places = ['inbox', 'reports', ...records, 'properties', 'territories', 'destinations', 'people', 'tokens', 'coverage']
    for (const place of [...places, 'letterhead', 'audit-log', 'account']) {
      await page.goto(`${desk.console_url}/${place}`, { waitUntil: 'networkidle2' })
      await page.waitForSelector('h1')
      if (shown.includes(place)) await says(page, '<script>window.ran=1</script>')
      expect([place, await harm(page)]).toEqual([place, none])
    }
    await page.browserContext().close()
  })

  it('on the operator’s pages too, none of it runs', async () => {
    const page = await desk.signInOperator('ops@example.com')
    for (const place of ['operator', 'operator/archive', 'operator/service', 'operator/operators']) {
      await page.goto(`${desk.console_url}/${place}`, { waitUntil: 'networkidle2' })
      await page.waitForSelector('h1')
      expect([place, await harm(page)]).toEqual([place, none])
    }
    expect(await page.evaluate(() => document.body.innerText)).toContain('Operators')
    await page.browserContext().close()
  })

  it('an address of the console injects nothing into its pages', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'owner')
    const sent = encodeURIComponent(HOSTILE)
    for (const place of [
      `reports?address=${sent}`,
      `properties?search=${sent}`,
      `audit-log?operation=${sent}`,
      `reports/new?address=${sent}`,
      `reports/${sent}`,
    ]) {
      await page.goto(`${desk.console_url}/${place}`, { waitUntil: 'networkidle2' })
      expect([place, await harm(page)]).toEqual([place, none])
    }
    // The policy had nothing to refuse: no text became a script.
    expect(desk.faults).toEqual([])
  })
})
