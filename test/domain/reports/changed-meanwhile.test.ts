import type pg from 'pg'
import { beforeEach, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { clearVersions } from '#domain/archive/versions/clear-versions.ts'
import { diffReports } from '#domain/reports/diff.ts'
import { findReport } from '#domain/reports/find.ts'
import { generateReport } from '#domain/reports/generate.ts'
import { previewReport } from '#domain/reports/preview.ts'
import { requestReport } from '#domain/reports/request.ts'
import { type DetailsRow, details, detailsText, importText } from '#test/domain/archive/files.ts'
import { DAY, HOUR } from '#test/support/clock.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let caller: Caller
beforeEach(async () => {
  world = await openWorld()
  caller = await aCaller(world, await aTeam(world))
})

const asked = { latitude: 33.1499, longitude: -96.8241, window_start: '2019-03-01', window_end: '2019-03-31' }
const compiled = (day: string, ...rows: DetailsRow[]) =>
  importText(world, detailsText(...rows), { file_name: details(2019, day), whole_year: true })
const pending = async (more: object = {}) => (await requestReport(world.app, caller, { ...asked, ...more }, null)).report.id
const balance = async () => (await world.app.db.team.findUniqueOrThrow({ where: { id: caller.team.id } })).balance

/** The App in whose pool something happens before a statement, as where all connections were in use until then. */
function beforeStatement(name: string | string[], act: (nth: number) => Promise<unknown>) {
  const { pool } = world.app
  let nth = 0
  const query = async (statement: pg.QueryConfig, values?: unknown[]) => {
    if ([name].flat().includes(statement.name ?? '')) await act(++nth)
    return pool.query(statement, values)
  }
  return { ...world.app, pool: Object.assign(Object.create(pool), { query }) as typeof pool }
}
const once = (act: () => Promise<unknown>) => async (nth: number) => nth === 1 && act()

it('says that a month is held only with the records that came with it', async () => {
  const id = await pending()
  const app = beforeStatement(
    'held-of-window',
    once(() => compiled('20190617', { EVENT_ID: '1' })),
  )
  await generateReport(app, id)
  expect(await findReport(world.app, caller, id)).toMatchObject({ status: 'complete', event_count: 1 })
})

it('says nothing of what was forgotten while it was searched', async () => {
  await compiled('20190617', { EVENT_ID: '1' })
  const id = await pending()
  const app = beforeStatement(
    'held-records',
    once(() => deleteSource(world.app, 'storm-events')),
  )
  await generateReport(app, id)
  const { event_count, coverage } = await findReport(world.app, caller, id)
  expect([event_count, coverage]).toMatchObject([0, { sources_searched: [] }])
})

it('is of one moment where the archive changes each time that it is searched', async () => {
  await compiled('20190617', { EVENT_ID: '1', MAGNITUDE: '0.75' })
  const id = await pending()
  let nth = 0
  const change = () => {
    nth++
    world.clock.advance(HOUR)
    return compiled(`201908${10 + nth}`, { EVENT_ID: '1', MAGNITUDE: `${nth}.00` }, { EVENT_ID: `${1 + nth}` })
  }
  await generateReport(beforeStatement(['held-of-window', 'held-of-window.as-of'], change), id)
  expect(nth).toBe(3)
  // What the second change left: the third came while it was searched.
  expect(await findReport(world.app, caller, id)).toMatchObject({
    status: 'complete',
    event_count: 2,
    findings: [{ peak_hail_in: 2 }],
    as_of: null,
  })
})

it('of a moment that the archive forgets before it is compiled ends as failed, says why, and costs nothing', async () => {
  await compiled('20190617', { EVENT_ID: '1' }, { EVENT_ID: '2', MAGNITUDE: '1.00' })
  world.clock.advance(HOUR)
  const as_of = world.clock.now()
  world.clock.advance(HOUR)
  await compiled('20190817', { EVENT_ID: '2', MAGNITUDE: '1.75' })
  const before = await balance()
  const id = await pending({ as_of: as_of.toISOString() })
  world.clock.advance(10 * DAY)
  await clearVersions(world.app, 5)
  await generateReport(world.app, id)
  expect(await world.app.db.report.findUnique({ where: { id } })).toMatchObject({
    status: 'failed',
    failure_reason: 'sources_unavailable',
    failure_message: expect.stringContaining('The archive remembers what it knew since'),
  })
  expect(await balance()).toBe(before)
})

it('of a moment whose source is forgotten while it is searched ends as failed', async () => {
  await compiled('20190617', { EVENT_ID: '1' })
  world.clock.advance(HOUR)
  const as_of = world.clock.now().toISOString()
  world.clock.advance(HOUR)
  const id = await pending({ as_of })
  const app = beforeStatement(
    'held-of-window.as-of',
    once(() => deleteSource(world.app, 'storm-events')),
  )
  await generateReport(app, id)
  expect(await world.app.db.report.findUnique({ where: { id } })).toMatchObject({
    status: 'failed',
    failure_message: expect.stringContaining('was forgotten at'),
  })
})

const heldRecords = (act: () => Promise<unknown>) => beforeStatement('held-of-window', once(act))

it('a preview says that a month is held only with the records that came with it', async () => {
  const app = heldRecords(() => compiled('20190617', { EVENT_ID: '1' }))
  const { event_count, coverage } = await previewReport(app, caller, asked)
  expect([event_count, coverage]).toMatchObject([1, { sources_searched: ['noaa_storm_events'] }])
})

it('a preview of a moment that the archive forgets while it is searched is refused', async () => {
  await compiled('20190617', { EVENT_ID: '1' })
  world.clock.advance(HOUR)
  const as_of = world.clock.now().toISOString()
  world.clock.advance(HOUR)
  const app = beforeStatement(
    'held-of-window.as-of',
    once(() => deleteSource(world.app, 'storm-events')),
  )
  await expect(previewReport(app, caller, { ...asked, as_of })).rejects.toThrow('was forgotten at')
})

it('a report beside what one would say now is beside the records that came meanwhile, and what brought them', async () => {
  const id = await pending()
  await generateReport(world.app, id)
  world.clock.advance(HOUR)
  const app = heldRecords(() => compiled('20190617', { EVENT_ID: '1' }))
  const { records, b } = await diffReports(app, caller, id, null)
  expect(records).toMatchObject([
    { old: null, new: { provenance: { source: 'noaa_storm_events' } }, revisions: [{ source: 'noaa_storm_events' }] },
  ])
  expect(Date.parse(b.known_at)).toBeGreaterThanOrEqual(Date.parse(records[0]?.revisions[0]?.known_at ?? ''))
})
