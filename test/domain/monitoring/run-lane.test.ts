import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import type { LaneName } from '#domain/closed-sets.ts'
import type { Http } from '#domain/engines/http.ts'
import { isMonitoring } from '#domain/monitoring/is-monitoring.ts'
import { runLane, runLaneIfOn } from '#domain/monitoring/run-lane.ts'
import { listRuns } from '#domain/monitoring/runs.ts'
import { alert as statedAlert } from '#test/domain/archive/warnings/alerts.ts'
import { DAY, HOUR, MINUTE } from '#test/support/clock.ts'
import { type FeedReply, type Feeds, NO_FEATURES, noReports, openFeeds } from '#test/support/feeds.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { details, detailsText } from '../archive/files.ts'

let world: World
let feeds: Feeds
const start = new Date('2026-07-15T20:00:00Z')

beforeEach(async () => {
  feeds = await openFeeds()
  world = await openWorld({ replace: { http: feeds.http }, config: { contact: 'weather@example.com' } })
  world.clock.set(start)
})
afterEach(async () => {
  vi.useRealTimers()
  await world.close()
  await feeds.close()
})

const stateOf = async (lane: LaneName) => (await listRuns(world.app)).lanes.find((one) => one.lane === lane)?.state
const count = async (sql: string) =>
  ((await world.app.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`)).rows[0] as { n: number }).n

/** Waits until every statement has a response. */
async function untilIdle(pool: World['app']['pool']): Promise<void> {
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await new Promise(setImmediate)
}

/** A severe thunderstorm warning over Dallas. */
function alert(number: number, sent: Date, action = 'NEW', ends = new Date(start.getTime() + HOUR)) {
  const stamp = (at: Date) => at.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '').slice(2, 13).concat('Z')
  const begins = action === 'NEW' ? stamp(sent) : '000000T0000Z'
  const [sentAt, headline] = [sent.toISOString(), `Message of ${sent.toISOString()}`]
  return statedAlert({ number, sent: sentAt, action, begins, ends: stamp(ends), event: 'Severe Thunderstorm Warning', headline })
}

const collection = (updated: Date, ...features: object[]): FeedReply => ({
  body: JSON.stringify({ type: 'FeatureCollection', features, updated: updated.toISOString() }),
})
const warningsAnswer = (reply: FeedReply) => feeds.answer((path) => (path.startsWith('api.weather.gov/alerts') ? reply : null))

describe('a lane', () => {
  it('is read by one process at a time, and counts new records', async () => {
    warningsAnswer(collection(start, alert(1, start)))
    // Each run uses an open connection: a slow one would start after the first run ended.
    await Promise.all([1, 2, 3].map(() => world.app.pool.query('SELECT pg_sleep(0.1)')))
    const runs = await Promise.all([runLane(world.app, 'warnings'), runLane(world.app, 'warnings'), runLane(world.app, 'warnings')])
    expect(runs.filter((run) => run !== null)).toMatchObject([
      { lane: 'warnings', status: 'complete', candidates: 1, watermark: start.toISOString(), failure_reason: null },
    ])
    expect(await count('monitoring_runs')).toBe(1)
    expect(await stateOf('warnings')).toBe('quiet')
  })

  it('is taken over from a process that died while reading it', async () => {
    await world.app.pool.query(`INSERT INTO lanes (lane, lease_token, leased_until) VALUES ('warnings', gen_random_uuid(), $1)`, [
      new Date(start.getTime() + MINUTE),
    ])
    await world.app.pool.query(`INSERT INTO monitoring_runs (lane, started_at) VALUES ('warnings', $1)`, [start])
    warningsAnswer(collection(start))
    expect(await runLane(world.app, 'warnings')).toBeNull()
    world.clock.advance(2 * MINUTE)
    expect(await runLane(world.app, 'warnings')).toMatchObject({ status: 'complete' })
    const { data } = await listRuns(world.app)
    expect(data.map(({ status, failure_reason }) => [status, failure_reason])).toEqual([
      ['complete', null],
      ['failed', 'The process stopped.'],
    ])
  })

  it('is free a minute after its process died, and its repeated job waits until then', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    warningsAnswer(collection(start))
    const dies: Http = { ...feeds.http, open: () => new Promise<never>(() => {}), get: () => new Promise<never>(() => {}) }
    void runLane({ ...world.app, http: dies }, 'warnings')
    await expect.poll(() => count("monitoring_runs WHERE status = 'running'")).toBe(1)
    const repeated = runLaneIfOn(world.app, 'warnings')
    world.clock.advance(MINUTE + 1)
    await repeated
    const { data } = await listRuns(world.app)
    expect(data.map(({ status }) => status)).toEqual(['complete', 'failed'])
  })

  it('is not waited for by a job of another process while its own renews the lease', async () => {
    const lease = (until: Date) =>
      world.app.pool.query(
        "INSERT INTO lanes (lane, lease_token, leased_until) VALUES ('warnings', gen_random_uuid(), $1) ON CONFLICT (lane) DO UPDATE SET leased_until = $1",
        [until],
      )
    await lease(new Date(start.getTime() + MINUTE))
    const job = runLaneIfOn(world.app, 'warnings')
    await new Promise((later) => setTimeout(later, 500))
    await lease(new Date(start.getTime() + 2 * MINUTE))
    await job
    expect(await count('monitoring_runs')).toBe(0)
  })

  it('stays with its process while the files of the final record arrive slowly', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const folder = 'www.ncei.noaa.gov/pub/data/swdi/stormevents/csvfiles/'
    const files = [2026, 2025, 2024].map((year) => details(year, '20260617'))
    feeds.answer((path) => {
      if (path.includes('lsr.geojson')) return NO_FEATURES
      if (path === folder) return { body: files.map((name) => `<a href="${name}">${name}</a>`).join('') }
      const [, year] = /_d(\d{4})_/.exec(path) ?? []
      return year ? { body: detailsText({ BEGIN_YEARMONTH: `${year}01`, END_YEARMONTH: `${year}01` }) } : noReports(path)
    })
    const others: unknown[] = []
    const slow: Http = {
      ...feeds.http,
      async open(...args) {
        for (let minute = 0; minute < 9; minute++) {
          world.clock.advance(MINUTE)
          vi.advanceTimersByTime(MINUTE)
          await untilIdle(world.app.pool)
        }
        others.push(await runLane(world.app, 'record'))
        return feeds.http.open(...args)
      },
    }
    expect(await runLane({ ...world.app, http: slow }, 'record')).toMatchObject({ status: 'complete', failure_reason: null })
    expect(others).toEqual([null, null, null])
  })

  it('requests again only what changed', async () => {
    warningsAnswer({ ...collection(start, alert(1, start)), headers: { 'last-modified': 'Wed, 15 Jul 2026 19:59:00 GMT' } })
    await runLane(world.app, 'warnings')
    world.clock.advance(MINUTE)
    expect(await runLane(world.app, 'warnings')).toMatchObject({
      status: 'complete',
      candidates: 0,
      watermark: new Date(start.getTime() + MINUTE).toISOString(),
    })
    expect(feeds.requests.at(-1)?.headers).toMatchObject({
      'if-modified-since': 'Wed, 15 Jul 2026 19:59:00 GMT',
      'user-agent': expect.stringContaining('weather@example.com'),
    })
    expect(await count('import_runs')).toBe(1)
  })

  it('stays off silently if no contact is set for the agencies', async () => {
    const off = { ...world.app, config: { ...world.app.config, contact: null } }
    expect(isMonitoring(off)).toBe(false)
    await runLaneIfOn(off, 'warnings')
    expect(feeds.requests).toEqual([])
    expect(await count('monitoring_runs')).toBe(0)
    await expect(runLane(off, 'warnings')).rejects.toMatchObject({
      details: { errors: { lane: [expect.stringContaining('WEATHER_CONTACT')] } },
    })
  })
})

describe('a failing feed', () => {
  const complete = collection(start, alert(1, start))
  it.each<[string, FeedReply, RegExp]>([
    ['is down', { status: 503 }, /answered 503/],
    ['refuses', { status: 403 }, /answered 403/],
    ['is not there', { status: 404 }, /answered 404/],
    ['does not answer', { fault: 'hangs' }, /did not answer in time/],
    ['is cut off on its way', { ...complete, fault: 'cut' }, /could not be read/],
    ['is cut off by its sender', { body: (complete.body as string).slice(0, 700) }, /cut off or damaged/],
    ['answers with a page', { body: '<!DOCTYPE html><title>Maintenance</title>' }, /neither alerts nor a warning product/],
    ['answers something else', { body: '{"hello":1}' }, /not a collection of alerts/],
  ])('%s: the lane reports it, loses nothing, and catches up', async (_what, reply, reason) => {
    warningsAnswer(collection(start, alert(7, start)))
    await runLane(world.app, 'warnings')
    world.clock.advance(MINUTE)
    warningsAnswer(reply)
    expect(await runLane(world.app, 'warnings')).toMatchObject({
      status: 'failed',
      watermark: start.toISOString(),
      failure_reason: expect.stringMatching(reason),
    })
    expect(await stateOf('warnings')).toBe('failing')
    expect(await count('warnings')).toBe(1)
    world.clock.advance(MINUTE)
    warningsAnswer(collection(world.app.clock.now(), alert(1, start), alert(7, start)))
    expect(await runLane(world.app, 'warnings')).toMatchObject({ status: 'complete', candidates: 1 })
    expect([await count('warnings'), await stateOf('warnings')]).toEqual([2, 'quiet'])
  })

  it('that goes back in time does not replace its later messages, and the lane reports it', async () => {
    const later = new Date(start.getTime() + 5 * MINUTE)
    world.clock.set(later)
    warningsAnswer(collection(later, alert(1, start, 'NEW'), alert(1, later, 'CON')))
    await runLane(world.app, 'warnings')
    world.clock.advance(MINUTE)
    warningsAnswer(collection(start, alert(1, start, 'NEW')))
    expect(await runLane(world.app, 'warnings')).toMatchObject({
      status: 'failed',
      failure_reason: expect.stringContaining('went back in time'),
    })
    const { rows } = await world.app.pool.query('SELECT headline, sent_at, issued_at FROM warnings')
    expect(rows).toEqual([{ headline: `Message of ${later.toISOString()}`, sent_at: later, issued_at: start }])
    world.clock.advance(MINUTE)
    warningsAnswer(collection(world.app.clock.now(), alert(1, later, 'CON')))
    expect(await runLane(world.app, 'warnings')).toMatchObject({ status: 'complete' })
  })

  it('with one date in the future is read as usual afterwards', async () => {
    warningsAnswer(collection(new Date(start.getTime() + 365 * DAY), alert(1, start)))
    await runLane(world.app, 'warnings')
    world.clock.advance(MINUTE)
    warningsAnswer(collection(new Date(start.getTime() - MINUTE), alert(1, start), alert(2, start)))
    expect(await runLane(world.app, 'warnings')).toMatchObject({ status: 'complete', candidates: 1 })
  })

  it('with all watermarks in the future is read as new, and its watermarks return to the present', async () => {
    warningsAnswer(collection(start))
    await runLane(world.app, 'warnings')
    for (const table of ['feed_states', 'lanes'])
      await world.owner.query(`UPDATE ${table} SET watermark = '2099-01-01' WHERE watermark IS NOT NULL`)
    world.clock.advance(MINUTE)
    const now = world.app.clock.now()
    warningsAnswer(collection(now, alert(2, start)))
    expect(await runLane(world.app, 'warnings')).toMatchObject({ status: 'complete', candidates: 1, watermark: now.toISOString() })
    expect(await count(`feed_states WHERE watermark > '${now.toISOString()}'`)).toBe(0)
  })

  it('that was silent for longer is asked for what it sent meanwhile', async () => {
    warningsAnswer(collection(start))
    await runLane(world.app, 'warnings')
    world.clock.advance(2 * HOUR)
    feeds.answer((path) => {
      if (path === 'api.weather.gov/alerts/active') return collection(world.app.clock.now())
      return path.startsWith('api.weather.gov/alerts?start=2026-07-15T20%3A00%3A00Z&status=actual')
        ? collection(start, alert(3, start))
        : null
    })
    expect(await runLane(world.app, 'warnings')).toMatchObject({ status: 'complete', candidates: 1 })
    expect(await count('warnings')).toBe(1)
  })

  it('whose catch-up list is cut off is asked again, and its missed days are not held until then', async () => {
    warningsAnswer(collection(start))
    await runLane(world.app, 'warnings')
    world.clock.advance(3 * DAY)
    const sent = JSON.parse(String(collection(start, alert(3, start)).body))
    const page = JSON.stringify({ ...sent, pagination: { next: 'https://api.weather.gov/alerts?cursor=2' } })
    let second: FeedReply | null = null
    let in_force = alert(4, start)
    feeds.answer((path) => {
      if (path === 'api.weather.gov/alerts/active') return collection(world.app.clock.now(), in_force)
      return path.startsWith('api.weather.gov/alerts?start=') ? { body: page } : second
    })
    const coveredDays = async () => {
      const days =
        "SELECT DISTINCT to_char(day, 'YYYY-MM-DD') AS day FROM coverage_days WHERE source = 'nws_warnings' AND state = 'TX' ORDER BY 1"
      return (await world.app.pool.query<{ day: string }>(days)).rows.map(({ day }) => day)
    }
    expect(await runLane(world.app, 'warnings')).toMatchObject({
      status: 'failed',
      candidates: 2,
      failure_reason: 'National Weather Service warnings: the list of alerts sent in the meantime is incomplete.',
    })
    expect(await coveredDays()).toEqual(['2026-07-15', '2026-07-18'])
    second = { status: 500, body: '' }
    world.clock.advance(MINUTE)
    in_force = alert(6, start)
    expect(await runLane(world.app, 'warnings')).toMatchObject({
      status: 'failed',
      candidates: 1,
      failure_reason: 'National Weather Service warnings: api.weather.gov answered 500.',
    })
    second = { body: 'Service unavailable' }
    world.clock.advance(MINUTE)
    in_force = alert(7, start)
    expect(await runLane(world.app, 'warnings')).toMatchObject({
      status: 'failed',
      candidates: 1,
      failure_reason: expect.stringMatching(/^National Weather Service warnings: The file /),
    })
    second = collection(start, alert(5, start))
    expect(await runLane(world.app, 'warnings')).toMatchObject({ status: 'complete', candidates: 1 })
    expect(await coveredDays()).toEqual(['2026-07-15', '2026-07-16', '2026-07-17', '2026-07-18'])
  })

  it('whose pages always name a next one is read until a page has no alerts', async () => {
    warningsAnswer(collection(start))
    await runLane(world.app, 'warnings')
    world.clock.advance(2 * HOUR)
    const page = (...alerts: object[]) => {
      const sent = JSON.parse(String(collection(start, ...alerts).body))
      return { body: JSON.stringify({ ...sent, pagination: { next: 'https://api.weather.gov/alerts?cursor=2' } }) }
    }
    feeds.answer((path) => {
      if (path === 'api.weather.gov/alerts/active') return collection(world.app.clock.now())
      return path.startsWith('api.weather.gov/alerts?start=') ? page(alert(3, start)) : page()
    })
    const before = feeds.requests.length
    expect(await runLane(world.app, 'warnings')).toMatchObject({ status: 'complete', candidates: 1 })
    expect(feeds.requests.length - before).toBe(3)
  })

  it('that is deleted while it is read stops, stores nothing of what it read, and is read again later', async () => {
    feeds.answer((path) => (path.startsWith('mesonet') ? NO_FEATURES : null))
    let turn = 0
    const forgetting: Http = {
      ...feeds.http,
      async get(url, options) {
        if (url.includes('lsr.geojson') && ++turn === 3) await deleteSource(world.app, 'local-reports')
        return feeds.http.get(url, options)
      },
    }
    const months = () => count("(SELECT DISTINCT month FROM coverage WHERE source = 'nws_lsr') held")
    expect(await runLane({ ...world.app, http: forgetting }, 'record')).toMatchObject({
      status: 'failed',
      watermark: null,
      failure_reason: expect.stringContaining('local storm reports: it was forgotten while it was read'),
    })
    expect([turn, await months(), await count("feed_states WHERE source = 'nws_lsr'")]).toEqual([3, 0, 0])
    await runLane(world.app, 'record')
    expect(await months()).toBe(5)
  })
})
