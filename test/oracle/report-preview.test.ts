import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateReport } from '#domain/reports/generate.ts'
import { previewReport, type ReportPreviewView } from '#domain/reports/preview.ts'
import { PREVIEWS_PER_DAY, PREVIEWS_PER_MINUTE } from '#domain/reports/preview-limit.ts'
import { requestReport } from '#domain/reports/request.ts'
import { details, importReal } from '#test/domain/archive/files.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { realRecordsPresent } from './files.ts'
import { type Place, randomPlaces } from './sentences/places.ts'

const YEAR = '1993'
/** `npm run test:counts` asks for 500. */
const PLACES = Number(process.env.PREVIEWS ?? 100)
const SEED = 13
/** A year file is imported and the reports are compiled, 500 of them on a busy machine. */
const TIMEOUT_MS = 240_000

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** The parts of a report that its preview states. */
async function madeOf(report_id: string) {
  const { pool } = world.app
  const [report] = (await pool.query('SELECT status, event_count, window_start, window_end FROM reports WHERE id = $1', [report_id])).rows
  const counts = async (column: 'type' | 'occurred_on') => {
    const { rows } = await pool.query<{ what: string; count: number }>(
      `SELECT ${column} AS what, count(*)::int AS count FROM report_records WHERE report_id = $1 GROUP BY 1`,
      [report_id],
    )
    return Object.fromEntries(rows.map(({ what, count }) => [what, count]))
  }
  return { ...report, types: await counts('type'), days: await counts('occurred_on') }
}

function foretold({ failure_reason, event_count, window, types, day_count, days }: ReportPreviewView) {
  return {
    status: failure_reason ? 'failed' : 'complete',
    event_count,
    window_start: window.start,
    window_end: window.end,
    types: Object.fromEntries(types.map(({ type, event_count }) => [type, event_count])),
    day_count,
    days: Object.fromEntries(days.map(({ date, records }) => [date, records])),
  }
}

const requestOf = ({ spot, address, start, end, radius_miles }: Place) => ({
  ...(spot ? { longitude: Number(spot[0].toFixed(5)), latitude: Number(spot[1].toFixed(5)) } : { address }),
  window_start: start,
  window_end: end,
  radius_miles,
})

test.skipIf(!realRecordsPresent)(
  `${PLACES} previews count what the later reports cite, by type and by day, and cost nothing`,
  { timeout: TIMEOUT_MS },
  async () => {
    await importReal(world, details(Number(YEAR)), { quiet: true })
    const places = randomPlaces(PLACES, SEED, [YEAR])
    let cited = 0
    for (let from = 0; from < places.length; from += PREVIEWS_PER_DAY) {
      const team = await aTeam(world, { credits: PLACES })
      const caller = await aCaller(world, team)
      const part = places.slice(from, from + PREVIEWS_PER_DAY)
      const previews: ReportPreviewView[] = []
      for (const [at, place] of part.entries()) {
        if (at % PREVIEWS_PER_MINUTE === 0) world.clock.advance(61_000)
        previews.push(await previewReport(world.app, caller, requestOf(place)))
      }
      expect(await world.app.db.creditTransaction.count({ where: { team_id: team.id } })).toBe(1)
      expect(previews.map(({ balance }) => balance)).toEqual(part.map(() => PLACES))
      for (const [at, place] of part.entries()) {
        const { report } = await requestReport(world.app, caller, requestOf(place), null)
        await generateReport(world.app, report.id)
        const { day_count, days, ...estimate } = foretold(previews[at] as ReportPreviewView)
        const { days: found, ...made } = await madeOf(report.id)
        expect([at, estimate]).toEqual([at, made])
        expect([at, day_count]).toEqual([at, Object.keys(found).length])
        expect(found).toMatchObject(days)
        expect([at, Object.keys(days).length]).toEqual([at, Math.min(day_count, 100)])
        cited += made.event_count
      }
    }
    expect(cited).toBeGreaterThan(PLACES)
  },
)
