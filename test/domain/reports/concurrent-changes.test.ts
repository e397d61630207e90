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

const input = { latitude: 33.1499, longitude: -96.8241, window_start: '2019-03-01', window_end: '2019-03-31' }
const compiled = (day: string, ...rows: DetailsRow[]) =>
  importText(world, detailsText(...rows), { file_name: details(2019, day), whole_year: true })
const pending = async (more: object = {}) => (await requestReport(world.app, caller, { ...input, ...more }, null)).report.id
const balance = async () => (await world.app.db.team.findUniqueOrThrow({ where: { id: caller.team.id } })).balance

/** The App with an action before a statement, as if all connections were in use until then. */
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

it('reports a month as held only together with its records', async () => {
  const id = await pending()
  const app = beforeStatement(
    'held-of-window',
    once(() => compiled('20190617', { EVENT_ID: '1' })),
  )
  await generateReport(app, id)
  expect(await findReport(world.app, caller, id)).toMatchObject({ status: 'complete', event_count: 1 })
})

it('reports nothing from a source that was deleted during the search', async () => {
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

it('describes one point in time if the archive changes during every search', async () => {
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
  // The result of the second change: the third came during its search.
  expect(await findReport(world.app, caller, id)).toMatchObject({
    status: 'complete',
    event_count: 2,
    findings: [{ peak_hail_in: 2 }],
    as_of: null,
  })
})

it('a report as of a time that the archive forgets before compiling fails, gives the reason and costs nothing', async () => {
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

it('a report as of a time whose source is deleted during the search fails', async () => {
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

const beforeCoverageQuery = (act: () => Promise<unknown>) => beforeStatement('held-of-window', once(act))

it('a preview reports a month as held only together with its records', async () => {
  const app = beforeCoverageQuery(() => compiled('20190617', { EVENT_ID: '1' }))
  const { event_count, coverage } = await previewReport(app, caller, input)
  expect([event_count, coverage]).toMatchObject([1, { sources_searched: ['noaa_storm_events'] }])
})

it('a preview as of a time that the archive forgets during the search is refused', async () => {
  await compiled('20190617', { EVENT_ID: '1' })
  world.clock.advance(HOUR)
  const as_of = world.clock.now().toISOString()
  world.clock.advance(HOUR)
  const app = beforeStatement(
    'held-of-window.as-of',
    once(() => deleteSource(world.app, 'storm-events')),
  )
  await expect(previewReport(app, caller, { ...input, as_of })).rejects.toThrow('was forgotten at')
})

it('a comparison with the present includes the records that arrived meanwhile, and the imports that brought them', async () => {
  const id = await pending()
  await generateReport(world.app, id)
  world.clock.advance(HOUR)
  const app = beforeCoverageQuery(() => compiled('20190617', { EVENT_ID: '1' }))
  const { records, b } = await diffReports(app, caller, id, null)
  expect(records).toMatchObject([
    { old: null, new: { provenance: { source: 'noaa_storm_events' } }, revisions: [{ source: 'noaa_storm_events' }] },
  ])
  expect(Date.parse(b.known_at)).toBeGreaterThanOrEqual(Date.parse(records[0]?.revisions[0]?.known_at ?? ''))
})
