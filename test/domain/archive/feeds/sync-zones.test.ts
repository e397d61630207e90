import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unplacedStates } from '#domain/archive/coverage/unplaced-zones.ts'
import { syncZones } from '#domain/archive/feeds/sync-zones.ts'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { runLane } from '#domain/monitoring/run-lane.ts'
import { DAY, HOUR } from '#test/support/clock.ts'
import { type FeedReply, type Feeds, NO_FEATURES, noReports, openFeeds } from '#test/support/feeds.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { detailsText, importText } from '../files.ts'

let world: World
let feeds: Feeds
const now = new Date('2026-03-20T12:00:00Z')

beforeEach(async () => {
  feeds = await openFeeds()
  world = await openWorld({ replace: { http: feeds.http }, config: { contact: 'weather@example.com' } })
  world.clock.set(now)
})
afterEach(async () => {
  await world.close()
  await feeds.close()
})

const PAGE = 'www.weather.gov/gis/ZoneCounty'
const FOLDER = 'www.weather.gov/source/gis/Shapefiles/County/'
/** The agency's page, with the current file and next month's file. */
const page = (...names: string[]): FeedReply => ({
  body: `<table>${names.map((name) => `<tr><td>18 March 2025</td><td><a href="/source/gis/Shapefiles/County/${name}">${name}</a></td></tr>`).join('')}</table>`,
})
const erie = 'NY|010|BUF|Northern Erie|NY010|Erie|36029|E|ww|42.9|-78.7\n'
const niagara = 'NY|001|BUF|Niagara|NY001|Niagara|36063|E|ww|43.17|-78.7\n'

function publish(names: string[], files: Record<string, FeedReply>) {
  feeds.answer((path) => (path === PAGE ? page(...names) : (files[path.slice(FOLDER.length)] ?? null)))
}
const zones = async () => (await world.app.pool.query('SELECT zone FROM zone_counties ORDER BY zone')).rows.map(({ zone }) => zone)
const requestedPaths = () => feeds.requests.map(({ path }) => path.slice(1)).filter((path) => path.startsWith('www.weather.gov'))

describe('the table of forecast zones', () => {
  it('comes from the newest file in force, and from the next file once it is in force', async () => {
    publish(['bp05mr24.dbx', 'bp18mr25.dbx', 'bp16ap26.dbx'], { 'bp18mr25.dbx': { body: erie }, 'bp16ap26.dbx': { body: erie + niagara } })
    expect(await syncZones(world.app)).toMatchObject({ file_name: 'bp18mr25.dbx', inserted: 1 })
    expect(requestedPaths()).toEqual([PAGE, `${FOLDER}bp18mr25.dbx`])
    world.clock.set(new Date('2026-04-17T00:00:00Z'))
    expect(await syncZones(world.app)).toMatchObject({ file_name: 'bp16ap26.dbx', inserted: 1, unchanged: 1 })
    expect(await zones()).toEqual(['NYZ001', 'NYZ010'])
  })

  it("recognises the agency's month abbreviations", async () => {
    const months = ['ja', 'fe', 'mr', 'ap', 'my', 'jn', 'jl', 'au', 'se', 'oc', 'nv', 'de']
    for (const [index, month] of months.entries()) {
      world.clock.set(new Date(Date.UTC(2025, index, 20)))
      const name = `bp10${month}25.dbx`
      publish(['bp01ja24.dbx', name, 'bp01ja27.dbx'], { [name]: { body: erie } })
      expect((await syncZones(world.app))?.file_name).toBe(name)
    }
  })

  it('ignores a file with an impossible date', async () => {
    publish(['bp18mr25.dbx', 'bp31fe26.dbx'], { 'bp18mr25.dbx': { body: erie }, 'bp31fe26.dbx': { body: erie + niagara } })
    expect(await syncZones(world.app)).toMatchObject({ file_name: 'bp18mr25.dbx' })
  })

  it('is downloaded only if it has changed', async () => {
    publish(['bp18mr25.dbx'], { 'bp18mr25.dbx': { body: erie, headers: { 'last-modified': 'Wed, 05 Feb 2025 15:00:00 GMT' } } })
    expect(await syncZones(world.app)).not.toBeNull()
    expect(await syncZones(world.app)).toBeNull()
    expect(feeds.requests.at(-1)?.headers['if-modified-since']).toBe('Wed, 05 Feb 2025 15:00:00 GMT')
    await deleteSource(world.app, 'zones')
    expect(await zones()).toEqual([])
    expect(await syncZones(world.app)).not.toBeNull()
    expect(await zones()).toEqual(['NYZ010'])
  })

  it('loses nothing to an unexpected page or file', async () => {
    publish(['bp18mr25.dbx'], { 'bp18mr25.dbx': { body: erie } })
    await syncZones(world.app)
    const refused = async (feed: Parameters<Feeds['answer']>[0], code: string, reason: RegExp) => {
      feeds.answer(feed)
      await expect(syncZones(world.app)).rejects.toMatchObject({ code, message: expect.stringMatching(reason) })
      expect(await zones()).toEqual(['NYZ010'])
    }
    await refused(() => null, 'not_found', /its page does not exist/)
    await refused(() => ({ status: 503 }), 'engine_unavailable', /answered 503/)
    await refused(() => ({ body: '<html>moved</html>' }), 'engine_unavailable', /names no zone and county file/)
    await refused(
      () => page('bp31xx25.dbx', '../../../etc/passwd', 'https://evil.example/bp18mr25.dbx.exe'),
      'engine_unavailable',
      /names no/,
    )
    await refused(() => ({ body: Buffer.alloc(3_000_000, 'x') }), 'engine_unavailable', /2097152|larger|longer|more than/)
    const file = (reply: FeedReply) => (path: string) => (path === PAGE ? page('bp19mr26.dbx') : reply)
    await refused(file({ body: '<html>not found</html>' }), 'validation_failed', /no line names a zone/)
    await refused(file({ body: Buffer.alloc(5_000_000, 'x') }), 'engine_unavailable', /4194304|larger|longer|more than/)
    await refused(file({ body: erie + niagara, fault: 'cut' }), 'engine_unavailable', /cannot be read/)
    expect(requestedPaths().every((path) => path === PAGE || path.startsWith(FOLDER))).toBe(true)
  })
})

describe('monitoring', () => {
  it("reads the table once a week by default, without moving its lane's watermark", async () => {
    publish(['bp18mr25.dbx'], { 'bp18mr25.dbx': { body: erie } })
    const zoneRuns = async () =>
      (await world.app.pool.query("SELECT count(*)::int AS n FROM import_runs WHERE source = 'nws_zones'")).rows[0]?.n as number
    await runLane(world.app, 'record')
    expect([await zones(), await zoneRuns()]).toEqual([['NYZ010'], 1])
    world.clock.advance(6 * DAY)
    await runLane(world.app, 'record')
    expect(requestedPaths()).toHaveLength(2)
    world.clock.advance(DAY + HOUR)
    await runLane(world.app, 'record')
    expect(requestedPaths()).toHaveLength(4)
    const { rows } = await world.app.pool.query("SELECT watermark FROM lanes WHERE lane = 'record'")
    // The final record's folder lists no file here, so the lane has no watermark, and the table of zones does not set one.
    expect(rows).toEqual([{ watermark: null }])
  })

  it('continues without the page, and fails if the page is unexpected', async () => {
    feeds.answer((path) => {
      if (path.includes('lsr.geojson')) return NO_FEATURES
      return path.endsWith('/csvfiles/') ? { body: '<a href="StormEvents_details-ftp_v1.0_d1950_c20210803.csv.gz">x</a>' } : noReports(path)
    })
    expect(await runLane(world.app, 'record')).toMatchObject({ status: 'complete', failure_reason: null })
    feeds.answer((path) => (path === PAGE ? { body: 'moved' } : null))
    world.clock.advance(HOUR)
    expect(await runLane(world.app, 'record')).toMatchObject({
      status: 'failed',
      failure_reason: expect.stringContaining('National Weather Service forecast zones: The table of forecast zones cannot be read'),
    })
  })
})

describe('records in zones that no table places', () => {
  it('are counted by state, with whether a table of the state is held', async () => {
    const zone = (id: string, state: readonly [name: string, fips: string], number: string) => ({
      EVENT_ID: id,
      STATE: state[0],
      STATE_FIPS: state[1],
      EVENT_TYPE: 'High Wind',
      MAGNITUDE: '',
      CZ_TYPE: 'Z',
      CZ_FIPS: number,
      BEGIN_LAT: '',
      BEGIN_LON: '',
      END_LAT: '',
      END_LON: '',
    })
    const york = ['NEW YORK', '36'] as const
    const sota = ['MINNESOTA', '27'] as const
    await importText(world, detailsText(zone('1', york, '10'), zone('2', york, '12'), zone('3', sota, '1'), zone('4', sota, '2')))
    publish(['bp18mr25.dbx'], { 'bp18mr25.dbx': { body: erie } })
    await syncZones(world.app)
    expect(await unplacedStates(world.app)).toEqual([
      { state: 'MN', records: 2, table_held: false },
      { state: 'NY', records: 1, table_held: true },
    ])
  })
})
