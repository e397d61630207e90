import { afterEach, beforeEach, expect, it } from 'vitest'
import { syncNewestStormEvents } from '#domain/archive/feeds/sync-storm-events.ts'
import { cellOf } from '#domain/geo/cells.ts'
import { statesAroundWatched, stationsToQuery } from '#domain/monitoring/around-watched.ts'
import { runLane } from '#domain/monitoring/run-lane.ts'
import { DAY, MINUTE } from '#test/support/clock.ts'
import { aTeam } from '#test/support/factories.ts'
import { type FeedReply, type Feeds, NO_FEATURES, openFeeds } from '#test/support/feeds.ts'
import { readTime, stormFeeds } from '#test/support/storm-feeds.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { details, detailsText } from '../archive/files.ts'
import { aProperty, frisco } from '../exposures/storm.ts'

let world: World
let feeds: Feeds
const now = new Date('2026-05-14T02:20:00Z')
beforeEach(async () => {
  feeds = await openFeeds()
  world = await openWorld({ replace: { http: feeds.http }, config: { contact: 'weather@example.com' } })
  world.clock.set(now)
})
afterEach(async () => {
  await world.close()
  await feeds.close()
})

const rows = async (sql: string) => (await world.app.pool.query(sql)).rows
const requestedPaths = () => feeds.requests.map(({ path }) => decodeURIComponent(path.slice(1)))

it('the final record brings the newest compiles of three years once each, and skips years without a file', async () => {
  const files: Record<string, string> = {
    [details(2026, '20260417')]: detailsText({ EVENT_ID: '26', BEGIN_YEARMONTH: '202601', END_YEARMONTH: '202601' }),
    [details(2025, '20260317')]: detailsText({ EVENT_ID: '0', BEGIN_YEARMONTH: '202505', END_YEARMONTH: '202505' }),
    [details(2025, '20260417')]: detailsText({ EVENT_ID: '25', BEGIN_YEARMONTH: '202505', END_YEARMONTH: '202505' }),
    [details(2023, '20260417')]: detailsText({ EVENT_ID: '23', BEGIN_YEARMONTH: '202305', END_YEARMONTH: '202305' }),
  }
  const folder = 'www.ncei.noaa.gov/pub/data/swdi/stormevents/csvfiles/'
  feeds.answer((path) => {
    if (path === folder)
      return {
        body: Object.keys(files)
          .map((name) => `<a href="${name}">${name}</a>`)
          .join('\n'),
      }
    const body = files[path.slice(folder.length)]
    return body === undefined ? null : { body }
  })
  await world.app.pool.query("INSERT INTO monitoring_runs (lane, started_at) VALUES ('record', $1)", [now])
  expect((await syncNewestStormEvents(world.app, 1)).map(({ file_name }) => file_name)).toEqual([
    details(2026, '20260417'),
    details(2025, '20260417'),
  ])
  expect(await rows('SELECT source_key FROM archive_records ORDER BY source_key')).toEqual([
    { source_key: '2025/25' },
    { source_key: '2026/26' },
  ])
  expect(await syncNewestStormEvents(world.app, 1)).toEqual([])
})

it('asks airport stations around watched places for what is new, and reads their lists once a day, page by page', async () => {
  await aProperty(world, await aTeam(world))
  const station = (id: string, latitude: number) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [frisco.longitude, latitude] },
    properties: { stationIdentifier: id, name: id },
  })
  const observed = {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [frisco.longitude, frisco.latitude] },
    properties: {
      station: 'https://api.weather.gov/stations/KFSO',
      timestamp: '2026-05-14T01:53:00+00:00',
      windGust: { unitCode: 'wmoUnit:km_h-1', value: 100, qualityControl: 'V' },
      precipitationLastHour: { unitCode: 'wmoUnit:mm', value: null, qualityControl: 'Z' },
    },
  }
  const far = Array.from({ length: 500 }, (_, place) => station(`F${place}`, 29))
  const list = (features: object[], next?: string) => ({
    body: JSON.stringify({ type: 'FeatureCollection', features, pagination: { next } }),
  })
  feeds.answer((path) => {
    if (path.startsWith('api.weather.gov/stations?state=TX&limit=500&cursor=2'))
      return list([station('KFSO', frisco.latitude), station('C1234', frisco.latitude)])
    if (path.startsWith('api.weather.gov/stations?state=TX'))
      return list(far, 'https://api.weather.gov/stations?state=TX&limit=500&cursor=2')
    if (path.startsWith('api.weather.gov/stations?')) return list([])
    if (path.startsWith('api.weather.gov/stations/KFSO/observations')) return list([observed])
    return path.startsWith('mesonet') ? list([]) : null
  })
  await runLane(world.app, 'record')
  expect(requestedPaths().filter((path) => path.includes('api.weather.gov'))).toEqual([
    'api.weather.gov/stations?state=TX&limit=500',
    'api.weather.gov/stations?state=TX&limit=500&cursor=2',
    'api.weather.gov/stations/KFSO/observations?start=2026-05-13T00:20:00Z&limit=500',
  ])
  expect(await rows('SELECT station_id, observed_at, wind_gust_mph FROM observations')).toEqual([
    { station_id: 'KFSO', observed_at: new Date('2026-05-14T01:53:00Z'), wind_gust_mph: 62 },
  ])
  const again = async (later: number) => {
    const before = feeds.requests.length
    world.clock.advance(later)
    await runLane(world.app, 'record')
    return requestedPaths()
      .slice(before)
      .filter((path) => path.includes('api.weather.gov'))
  }
  expect(await again(60 * MINUTE)).toEqual(['api.weather.gov/stations/KFSO/observations?start=2026-05-13T23:53:00Z&limit=500'])
  expect(await again(DAY)).toHaveLength(3)
  expect(await rows('SELECT count(*)::int AS n FROM observations')).toEqual([{ n: 1 }])
})

it('a failing station does not stop the others, and three failures in a row count as a failing service', async () => {
  await aProperty(world, await aTeam(world))
  const ids = ['KAAA', 'KBBB', 'KCCC', 'KDDD', 'KEEE']
  const at = { type: 'Point', coordinates: [frisco.longitude, frisco.latitude] }
  const station = (id: string) => ({ type: 'Feature', geometry: at, properties: { stationIdentifier: id, name: id } })
  const observed = (id: string) => ({
    type: 'Feature',
    geometry: at,
    properties: {
      station: `https://api.weather.gov/stations/${id}`,
      timestamp: world.clock.now().toISOString(),
      windGust: { unitCode: 'wmoUnit:km_h-1', value: 100, qualityControl: 'V' },
    },
  })
  const list = (features: object[]) => ({ body: JSON.stringify({ type: 'FeatureCollection', features }) })
  let broken: Record<string, FeedReply> = { KBBB: { status: 500, body: '' }, KDDD: { body: 'Service unavailable' } }
  feeds.answer((path) => {
    const [, id = ''] = /stations\/(\w+)\/observations/.exec(path) ?? []
    if (id) return broken[id] ?? list([observed(id)])
    if (path.startsWith('api.weather.gov/stations?state=TX')) return list(ids.map(station))
    return path.startsWith('mesonet') || path.startsWith('api.weather.gov') ? list([]) : null
  })
  const read = async () => {
    const run = await runLane(world.app, 'record')
    const stations = await rows('SELECT DISTINCT station_id FROM observations ORDER BY 1')
    return { failure_reason: run?.failure_reason, held: stations.map(({ station_id }) => station_id) }
  }
  expect(await read()).toEqual({
    // The first of the two to be asked.
    failure_reason: expect.stringMatching(/Airport weather stations: (api\.weather\.gov answered 500|This is not GeoJSON)/),
    held: ['KAAA', 'KCCC', 'KEEE'],
  })
  const observationPaths = () => requestedPaths().filter((path) => path.includes('/observations'))
  const before = observationPaths()
  broken = Object.fromEntries(ids.map((id) => [id, { status: 503, body: '' }]))
  world.clock.advance(60 * MINUTE)
  expect((await read()).failure_reason).toContain('api.weather.gov answered 503.')
  expect(new Set(observationPaths().slice(before.length)).size).toBe(3)
  broken = {}
  world.clock.advance(60 * MINUTE)
  expect(await read()).toEqual({ failure_reason: expect.not.stringContaining('api.weather.gov'), held: ids })
})

it('a station with a missing earlier page is not stored and is asked again', async () => {
  await aProperty(world, await aTeam(world))
  const at = { type: 'Point', coordinates: [frisco.longitude, frisco.latitude] }
  const list = (features: object[]) => ({ body: JSON.stringify({ type: 'FeatureCollection', features }) })
  const every5Minutes = Array.from({ length: 500 }, (_, nth) => {
    const timestamp = new Date(world.clock.now().getTime() - nth * 5 * MINUTE).toISOString()
    const properties = { station: 'https://api.weather.gov/stations/KFSO', timestamp, windGust: { unitCode: 'wmoUnit:km_h-1', value: 100 } }
    return { type: 'Feature', geometry: at, properties }
  })
  let missing = true
  feeds.answer((path) => {
    if (path.includes('/observations')) return path.includes('end=') ? (missing ? null : list([])) : list(every5Minutes)
    if (path.startsWith('api.weather.gov/stations?state=TX'))
      return list([{ type: 'Feature', geometry: at, properties: { stationIdentifier: 'KFSO', name: 'KFSO' } }])
    return path.startsWith('mesonet') || path.startsWith('api.weather.gov') ? list([]) : null
  })
  const observationCount = async () => (await rows('SELECT count(*)::int AS n FROM observations'))[0]?.n
  expect((await runLane(world.app, 'record'))?.failure_reason).toContain('Airport weather stations: api.weather.gov answered 404')
  expect(await observationCount()).toBe(0)
  missing = false
  world.clock.advance(60 * MINUTE)
  await runLane(world.app, 'record')
  expect(await observationCount()).toBeGreaterThan(40)
})

it('asks a failing station from its last reading, and the others only for what is new', async () => {
  await aProperty(world, await aTeam(world))
  const ids = ['KAAA', 'KBBB']
  let failing = false
  const at = { type: 'Point', coordinates: [frisco.longitude, frisco.latitude] }
  const list = (features: object[]) => ({ body: JSON.stringify({ type: 'FeatureCollection', features }) })
  feeds.answer((path) => {
    const [, id] = /stations\/(\w+)\/observations/.exec(path) ?? []
    const observed = { station: `https://api.weather.gov/stations/${id}`, timestamp: world.clock.now().toISOString() }
    if (id === 'KAAA' && failing) return { status: 500, body: '' }
    if (id)
      return list([{ type: 'Feature', geometry: at, properties: { ...observed, windGust: { unitCode: 'wmoUnit:km_h-1', value: 100 } } }])
    if (!path.startsWith('api.weather.gov/stations?')) return list([])
    return list(ids.map((one) => ({ type: 'Feature', geometry: at, properties: { stationIdentifier: one, name: one } })))
  })
  const starts = async (later: number) => {
    world.clock.advance(later)
    const before = feeds.requests.length
    await runLane(world.app, 'record')
    const paths = new Set(requestedPaths().slice(before))
    return [...paths].flatMap((path) => /stations\/(\w+)\/observations\?start=([^&]*)/.exec(path)?.slice(1).join(' ') ?? []).sort()
  }
  await starts(0)
  failing = true
  await starts(30 * 60 * MINUTE)
  expect(await starts(60 * MINUTE)).toEqual(['KAAA 2026-05-14T00:20:00Z', 'KBBB 2026-05-15T06:20:00Z'])
  failing = false
  expect(await starts(9 * DAY)).toEqual(['KAAA 2026-05-17T09:20:00Z', 'KBBB 2026-05-17T09:20:00Z'])
})

it('reads all observations of days without a run, although the service returns the newest five hundred at once', async () => {
  await aProperty(world, await aTeam(world))
  const at = { type: 'Point', coordinates: [frisco.longitude, frisco.latitude] }
  const list = (features: object[]) => ({ body: JSON.stringify({ type: 'FeatureCollection', features }) })
  feeds.answer((path) => {
    if (path.startsWith('api.weather.gov/stations?'))
      return list([{ type: 'Feature', geometry: at, properties: { stationIdentifier: 'KFSO', name: 'Frisco' } }])
    if (!path.includes('/KFSO/observations')) return list([])
    const query = new URL(`https://${path}`).searchParams
    const from = Date.parse(query.get('start') as string)
    const times: number[] = []
    for (let at = Date.parse(query.get('end') ?? world.clock.now().toISOString()); at >= from && times.length < 500; at -= 5 * MINUTE)
      times.push(at)
    const windGust = { unitCode: 'wmoUnit:km_h-1', value: 50 }
    const timed = (time: number) => ({
      station: 'https://api.weather.gov/stations/KFSO',
      timestamp: new Date(time).toISOString(),
      windGust,
    })
    return list(times.map((time) => ({ type: 'Feature', geometry: at, properties: timed(time) })))
  })
  await runLane(world.app, 'record')
  world.clock.advance(5 * DAY)
  await runLane(world.app, 'record')
  // The first reading begins 26 hours back.
  const hours = "SELECT count(DISTINCT date_trunc('hour', observed_at))::int AS hours FROM observations"
  expect(await rows(hours)).toEqual([{ hours: 5 * 24 + 26 + 1 }])
})

/** A page of a state's list of stations. */
const listed = (ids: string[], next?: number) => ({
  body: JSON.stringify({
    type: 'FeatureCollection',
    features: ids.map((id) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [frisco.longitude, frisco.latitude] },
      properties: { stationIdentifier: id, name: id },
    })),
    pagination: { next: next && `https://api.weather.gov/stations?state=TX&limit=500&cursor=${next}` },
  }),
})
const pageOf = (path: string) => Number(/state=TX&limit=500(?:&cursor=(\d+))?$/.exec(path)?.[1] ?? 1)

it("reads a state's list to its end, however many pages it has and however short they are", async () => {
  await aProperty(world, await aTeam(world))
  const volunteers = (page: number) => Array.from({ length: 200 }, (_, place) => `${page}${String(place).padStart(3, '0')}W`)
  feeds.answer((path) => {
    if (path.startsWith('api.weather.gov/stations?state=TX')) {
      const page = pageOf(path)
      return page > 14 ? listed([], page + 1) : listed(page === 14 ? ['KFSO'] : volunteers(page), page + 1)
    }
    return path.startsWith('api.weather.gov/stations') ? listed([]) : null
  })
  await runLane(world.app, 'record')
  expect(await rows('SELECT id FROM stations')).toEqual([{ id: 'KFSO' }])
  expect(requestedPaths().filter((path) => path.includes('KFSO/observations'))).toHaveLength(1)
})

it.each([
  ['breaks off', 404],
  ['cannot be had', 500],
])('a list that %s is reported and requested again; known stations are still read', async (_, status) => {
  await aProperty(world, await aTeam(world))
  let broken = true
  feeds.answer((path) => {
    if (path.startsWith('api.weather.gov/stations?state=TX')) {
      const page = pageOf(path)
      if (page === 2 && broken) return { status }
      return page === 1 ? listed(['KFSO'], 2) : listed(page === 2 ? ['KDFW'] : [])
    }
    return path.startsWith('api.weather.gov/stations') ? listed([]) : null
  })
  expect((await runLane(world.app, 'record'))?.failure_reason).toContain(`Airport weather stations: api.weather.gov answered ${status}`)
  expect(requestedPaths().filter((path) => path.includes('KFSO/observations'))).toHaveLength(1)
  broken = false
  world.clock.advance(60 * MINUTE)
  await runLane(world.app, 'record')
  expect(await rows('SELECT id FROM stations ORDER BY id')).toEqual([{ id: 'KDFW' }, { id: 'KFSO' }])
})

it('a list without end is reported', async () => {
  await aProperty(world, await aTeam(world))
  feeds.answer((path) => {
    if (path.startsWith('api.weather.gov/stations?state=TX')) return listed(['KFSO'], pageOf(path) + 1)
    return path.startsWith('api.weather.gov/stations') ? listed([]) : null
  })
  const run = await runLane(world.app, 'record')
  expect(run?.failure_reason).toContain('Airport weather stations: its list of the stations of TX does not end')
})

it('with more stations than one pass asks, each gets its turn, including those that never observe', async () => {
  await aProperty(world, await aTeam(world))
  await world.app.pool.query(
    `INSERT INTO stations (id, latitude, longitude, cell)
     SELECT id, $1, $2, (SELECT min(cell) FROM watch_cells)
       FROM (SELECT 'K' || generate_series(100, 449) UNION ALL SELECT 'AR123') AS stations (id)`,
    [frisco.latitude, frisco.longitude],
  )
  const first = await stationsToQuery(world.app)
  world.clock.advance(60 * MINUTE)
  const second = await stationsToQuery(world.app)
  expect([first.length, second.length]).toEqual([300, 300])
  const ids = new Set([...first, ...second].map(({ id }) => id))
  // A volunteer's station gets none.
  expect([ids.size, ids.has('AR123')]).toEqual([350, false])
})

it('asks a station within reach of a place, and reads its state, wherever in its cell the place lies', async () => {
  // In the north of its cell, which ends at 35.25 N, and 21 miles south of a station beyond the next cell.
  await aProperty(world, await aTeam(world), { latitude: 35.218, longitude: -97.4, watch_radius_miles: 1 })
  await world.app.pool.query('INSERT INTO stations (id, latitude, longitude, cell) VALUES ($1, $2, $3, $4)', [
    'KOUN',
    35.52,
    -97.4,
    cellOf(35.52, -97.4),
  ])
  expect(await stationsToQuery(world.app)).toMatchObject([{ id: 'KOUN' }])
  // 23 miles south of Kansas, in the south of its cell.
  await aProperty(world, await aTeam(world), { latitude: 36.67, longitude: -97.4, watch_radius_miles: 1 })
  expect(await statesAroundWatched(world.app)).toEqual(['KS', 'OK'])
})

it('a day of warnings is held in every state if the feed for all states was read, including each day of a gap that it caught up', async () => {
  const active = { type: 'FeatureCollection', features: [], updated: now.toISOString() }
  feeds.answer((path) => (path.startsWith('api.weather.gov/alerts/active') ? { body: JSON.stringify(active) } : NO_FEATURES))
  await runLane(world.app, 'warnings')
  const days = () =>
    rows("SELECT source, day, count(*)::int AS states FROM coverage_days WHERE state NOT IN ('GU', 'MP') GROUP BY 1, 2 ORDER BY 2")
  // It is the evening of the 13th from Maine to Samoa; no local time, including Alaska's and Kentucky's, is on another date.
  expect(await days()).toEqual([{ source: 'nws_warnings', day: '2026-05-13', states: 54 }])
  expect(await rows("SELECT day FROM coverage_days WHERE state = 'GU'")).toEqual([{ day: '2026-05-14' }])
  world.clock.advance(2 * DAY)
  await runLane(world.app, 'warnings')
  expect((await days()).map(({ day, states }) => [day, states])).toEqual([
    ['2026-05-13', 54],
    ['2026-05-14', 54],
    ['2026-05-15', 54],
  ])
})

it('stores feed state only for addresses that are asked again', async () => {
  world.clock.set(readTime)
  const storm = stormFeeds()
  feeds.answer((path, turn) => {
    const reply = storm(path, turn)
    return reply && { ...reply, headers: { etag: `"${turn}"` } }
  })
  await aProperty(world, await aTeam(world))
  for (const lane of ['record', 'surfaces'] as const) expect(await runLane(world.app, lane)).toMatchObject({ status: 'complete' })
  const noted = (await rows('SELECT url FROM feed_states WHERE url <> source ORDER BY url')).map(({ url }) => url as string)
  expect(requestedPaths().some((path) => path.includes('.grib2'))).toBe(true)
  expect(new Set(noted.map((url) => new URL(url).pathname.split('/').slice(0, -1).join('/')))).toEqual(
    new Set(['/climo/reports', '/pub/data/swdi/stormevents/csvfiles', '/stations/KFSO']),
  )
})
