import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FrameCell, frameOfCells } from '#domain/archive/radar/frame.ts'
import { deleteOldFrames, storeFrame } from '#domain/archive/radar/frames.ts'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { swathDayOf } from '#domain/reports/document/drawn-swaths.ts'
import { readDocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { reportPdf } from '#domain/reports/document-store/pdf.ts'
import { findReport } from '#domain/reports/find.ts'
import { requestReport } from '#domain/reports/request.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'
import { type OwnPrinter, openOwnPrinter } from '#test/support/browser.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { checkFile } from '../../../../cli/verify/check-file.ts'

let own: OwnPrinter
let world: World
beforeAll(async () => {
  own = await openOwnPrinter()
  world = await openWorld({ replace: { printer: own.printer } })
})
afterAll(async () => {
  await world.close()
  await own.close()
})

const [LATITUDE, LONGITUDE] = [32.783, -96.798]

/** A storm that passed north of the place: `most` millimetres at its middle, less towards its edges. */
function storm(most: number): FrameCell[] {
  const middle = gridCellAt(LATITUDE + 0.02, LONGITUDE)
  return Array.from({ length: 21 * 41 }, (_, nth) => {
    const [down, across] = [Math.floor(nth / 41) - 10, (nth % 41) - 20]
    const size_mm = Math.round((most - 3 * Math.abs(down) - 0.8 * Math.abs(across)) * 10) / 10
    return { row: middle.row + down, column: middle.column + across, size_mm }
  }).filter(({ size_mm }) => size_mm > 0)
}

async function aReport(more: object = {}) {
  const caller = await aCaller(world, await aTeam(world))
  const input = { address: `${LATITUDE}, ${LONGITUDE}`, window_start: '2023-06-01', window_end: '2023-06-30', radius_miles: 5, ...more }
  const { id } = (await requestReport(world.app, caller, input, null)).report
  await world.drain()
  return { caller, id, report: await findReport(world.app, caller, id) }
}

it('a document from daily maxima names their hours, draws the swaths, and agrees with its evidence', async () => {
  world.clock.set('2023-07-20T12:00:00Z')
  const grid = (at: string, cells: FrameCell[]) =>
    storeFrame(world.app, 'noaa_mesh', { ...frameOfCells(new Date(at), cells), product: 'mesh_max_1440min' })
  await grid('2023-06-12T06:00:00Z', storm(45))
  await grid('2023-06-15T05:00:00Z', storm(75))
  await refreshMaps(world.app)
  await deleteOldFrames(world.app, 30)
  const { caller, id, report } = await aReport({ date_of_loss: '2023-06-11' })
  const statement = report.findings?.[0]?.statement ?? ''
  expect(statement).toMatch(
    /^Radar estimated hail up to 2\.\d\d in, \d\.\d\d mi N[NEW]* on 2023-06-14 \(largest of the day\); nearest 2\.\d\d in over this location on 2023-06-14 \(largest of the day\), inside the 2\.50 in band\./,
  )
  expect(report.day_of_loss?.statement).toMatch(
    /hail estimated by radar 1\.\d\d in, \d\.\d\d mi N[NEW]* \(largest of the 24 hours to 1:00 AM CDT of the next day\)/,
  )
  expect(report.days?.find(({ date }) => date === '2023-06-11')?.hail).toMatchObject({ ground_in: null, radar_in: 1.77 })
  expect(report.coverage.summary).toContain('radar held for 2 of 30 days (of 2 days the largest alone)')

  const facts = await readDocumentFacts(world.app, id)
  if (!facts) throw new Error('the report is not complete')
  expect(facts.swaths).toMatchObject({ day: '2023-06-11', largest_of: 'largest of the 24 hours to 1:00 AM CDT of the next day' })
  expect(facts.swaths?.swaths.map(({ from_in }) => from_in)).toEqual([0.75, 1, 1.25, 1.5, 1.75])
  const page = (await documentPage(facts, [])).html
  expect(page).toContain('Swaths of 2023-06-11: hail size that radar estimated, largest of the 24 hours to 1:00')
  expect(page).toContain('1.75 to 2.00')

  const found = await reportPdf(world.app, caller, id)
  if (!('bytes' in found)) throw new Error('the document is not rendered')
  if (process.env.RADAR_DOCUMENT) await writeFile(process.env.RADAR_DOCUMENT, found.bytes)
  const { checks } = await checkFile(found.bytes, { fingerprint: null, keys: null, ask: null })
  expect(checks.filter(({ outcome }) => outcome === 'differs')).toEqual([])

  // Without a date of loss, the largest estimate decides. A day that was raised since then is no longer drawn.
  const other = await aReport()
  expect((await readDocumentFacts(world.app, other.id))?.swaths).toMatchObject({ day: '2023-06-14', largest_of: 'largest of the day' })
  await world.app.pool.query("INSERT INTO archive_revisions (id, known_at, source) VALUES (90, '2023-08-01T00:00:00Z', 'noaa_mesh')")
  await world.app.pool.query("UPDATE radar_days SET revision = 90 WHERE day = '2023-06-14'")
  expect((await readDocumentFacts(world.app, other.id))?.swaths).toBeNull()
  expect((await readDocumentFacts(world.app, id))?.swaths).not.toBeNull()
})

it('the map shows the date of loss if radar is cited for it, otherwise the day of the largest estimate without a caveat', () => {
  const cell = (occurred_on: string, hail_size_in: number, caveats: string[] = [], evidence_kind = 'radar') =>
    ({ occurred_on, measurements: { hail_size_in }, provenance: { evidence_kind, caveats } }) as CitedRecordView
  const cells = [cell('2023-06-20', 3, ['Doubted.']), cell('2023-06-14', 2), cell('2023-06-11', 1), cell('2023-06-10', 4, [], 'ground')]
  expect(swathDayOf(cells, null)).toBe('2023-06-14')
  expect(swathDayOf(cells, '2023-06-11')).toBe('2023-06-11')
  expect(swathDayOf(cells, '2023-06-20')).toBe('2023-06-14')
  expect(swathDayOf(cells, '2023-06-10')).toBe('2023-06-14')
  expect(swathDayOf(cells.slice(3), '2023-06-10')).toBeNull()
})
