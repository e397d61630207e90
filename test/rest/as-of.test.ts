import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { clearVersions } from '#domain/archive/versions/clear-versions.ts'
import { sourcesFiles } from '#domain/reports/document/sources-file.ts'
import type { CompleteReport } from '#domain/reports/verification.ts'
import { type DetailsRow, details, detailsText } from '#test/domain/archive/files.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { DAY, HOUR, SECOND } from '#test/support/clock.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import * as keys from './keys.ts'

let world: World
let rest: Rest
let token: string
let known: Date[]
const compile = async (compiled: string, ...rows: DetailsRow[]) => {
  const file = Readable.from([Buffer.from(detailsText(...rows), 'latin1')])
  await ingest(world.app, 'storm-events', file, { file_name: details(2019, compiled), whole_year: true })
  world.clock.advance(SECOND)
  known.push(world.clock.now())
  world.clock.advance(HOUR)
}
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
})
beforeEach(async () => {
  token = (await aToken(world, await aTeam(world))).token
})
afterAll(() => rest.close())

const call = (method: Parameters<Rest['call']>[0], path: string, body?: unknown) => rest.call(method, path, { token, body })
const balance = async () => (await call('GET', '/credits')).body.data.balance as number
const input = { latitude: 33.1499, longitude: -96.8241, window_start: '2019-03-01', window_end: '2019-03-31' }

async function finished(body: object) {
  const made = await call('POST', '/reports', { ...input, ...body })
  expect(made.status).toBe(202)
  await world.drain()
  const report = (await call('GET', `/reports/${made.body.data.id}`)).body.data
  expect(keys.differences(keys.completeReport, report)).toEqual([])
  return report
}
const refusal = async (as_of: unknown) => {
  const before = await balance()
  const { status, body } = await call('POST', '/reports', { ...input, as_of })
  expect(await balance()).toBe(before)
  return [status, body.errors?.as_of ?? body]
}

describe('as_of', () => {
  it('is refused before the first import', async () => {
    known = []
    expect(await refusal(world.clock.now().toISOString())).toEqual([422, ['The archive remembers no moment yet: nothing was imported.']])
  })

  it('compiles the report from what the archive contained then, and the answer and its texts say so', async () => {
    await compile('20190617', { EVENT_ID: '1' }, { EVENT_ID: '2', MAGNITUDE: '1.00', BEGIN_DAY: '20' })
    const then = await finished({})
    await compile('20190817', { EVENT_ID: '2', MAGNITUDE: '1.75', BEGIN_DAY: '20' })
    const now = await finished({})
    expect([then, now].map(({ as_of, event_count }) => [as_of, event_count])).toEqual([
      [null, 2],
      [null, 1],
    ])
    const as_of = known[0]?.toISOString()
    const again = await finished({ as_of })
    expect(again).toMatchObject({ as_of, event_count: 2, fingerprint: then.fingerprint, headline: then.headline })
    const verification = async (id: string) => (await call('GET', `/reports/${id}/verification`)).body.data
    expect(keys.differences(keys.verification, await verification(again.id))).toEqual([])
    expect([(await verification(then.id)).as_of, (await verification(again.id)).as_of]).toEqual([null, as_of])
    const listed = async (report: CompleteReport) => {
      const records = (await call('GET', `/reports/${report.id}/events`)).body.data
      return sourcesFiles(report, records).map(({ name, bytes }) => [name, JSON.parse(String(bytes)).as_of])
    }
    expect([await listed(then), await listed(again)]).toEqual([[['sources.json', undefined]], [['sources.json', as_of]]])
    expect(again.coverage).toEqual({
      ...then.coverage,
      summary: `Compiled from what the archive knew at ${as_of}. ${then.coverage.summary}`,
    })
    const events = async (id: string) =>
      (await call('GET', `/reports/${id}/events`)).body.data.map((event: { measurements: object }) => event.measurements)
    expect(await events(again.id)).toEqual(await events(then.id))
  })

  it('applies to every row of a batch without one of its own, and null means now', async () => {
    const [first] = known
    const { body } = await call('POST', '/reports/batch', {
      window_start: input.window_start,
      window_end: input.window_end,
      as_of: first?.toISOString(),
      reports: [
        { latitude: input.latitude, longitude: input.longitude },
        { latitude: input.latitude, longitude: input.longitude, as_of: known[1]?.toISOString() },
        { latitude: input.latitude, longitude: input.longitude, as_of: '2999-01-01T00:00:00Z' },
      ],
    })
    expect(
      body.results.map(({ status, message, report }: { status: string; message: string; report: { as_of: string } | null }) => [
        status,
        message ?? report?.as_of,
      ]),
    ).toEqual([
      ['accepted', first?.toISOString()],
      ['accepted', known[1]?.toISOString()],
      ['rejected', 'The moment to report as of must not be in the future.'],
    ])
    expect(body.credits_spent).toBe(2)
    await world.drain()
  })

  it('is refused without a charge if it is not a moment, is in the future, or is before the window', async () => {
    const sentence = 'The moment to report as of must be a moment with its zone, such as 2026-05-20T12:00:00Z.'
    for (const malformed of ['yesterday', '2026-05-20', 20260520, '2026-13-01T00:00:00Z', ['2026-05-20T12:00:00Z']])
      expect((await refusal(malformed))[0]).toBe(422)
    expect(await refusal('2026-05-20 12:00')).toEqual([422, [sentence]])
    expect(await refusal(new Date(world.clock.now().getTime() + SECOND).toISOString())).toEqual([
      422,
      ['The moment to report as of must not be in the future.'],
    ])
    expect((await refusal('2019-02-01T00:00:00Z'))[1]).toContain('The moment to report as of must not be before the window starts.')
  })

  it('is refused for a moment before the first import, and the refusal states since when the archive keeps versions', async () => {
    const { rows } = await world.app.pool.query<{ since: Date }>('SELECT min(known_at) AS since FROM archive_revisions')
    const since = rows[0]?.since as Date
    expect(await refusal(new Date(since.getTime() - 1).toISOString())).toEqual([
      422,
      [`The archive remembers what it knew since ${since.toISOString()}, and nothing before that.`],
    ])
    expect((await finished({ as_of: since.toISOString() })).event_count).toBe(2)
  })

  it('is refused for a moment whose versions have been cleared', async () => {
    world.clock.advance(10 * DAY)
    const { rows } = await world.app.pool.query(
      'SELECT (SELECT count(*) FROM record_versions)::int + (SELECT count(*) FROM coverage_versions)::int AS kept',
    )
    expect(await clearVersions(world.app, 5)).toBe(rows[0]?.kept)
    expect((await world.app.pool.query('SELECT FROM record_past_cells')).rowCount).toBe(0)
    const until = new Date(world.clock.now().getTime() - 5 * DAY)
    expect(await refusal(known[0]?.toISOString())).toEqual([
      422,
      [`The archive remembers what it knew since ${until.toISOString()}, and nothing before that.`],
    ])
    expect((await finished({ as_of: until.toISOString() })).event_count).toBe(1)
  })

  it('is refused for a moment before a source was deleted, and accepted from then on', async () => {
    const before = world.clock.now()
    world.clock.advance(HOUR)
    await deleteSource(world.app, 'storm-events')
    const at = world.clock.now()
    world.clock.advance(HOUR)
    expect(await refusal(before.toISOString())).toEqual([
      422,
      [`NOAA Storm Events Database was forgotten at ${at.toISOString()}: what the archive knew before that is no longer known.`],
    ])
    expect((await finished({ as_of: at.toISOString() })).event_count).toBe(0)
  })
})
