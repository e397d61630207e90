import { beforeEach, describe, expect, it } from 'vitest'
import { moveWatermark } from '#domain/archive/feeds/feed-states.ts'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { withdrawRecords } from '#domain/archive/ingest/withdraw.ts'
import { clearVersions } from '#domain/archive/versions/clear-versions.ts'
import { withinRevision } from '#domain/archive/versions/revision.ts'
import { asOfStatement } from '#domain/archive/versions/tables-at.ts'
import { present } from '#domain/kernel/present.ts'
import { DAY, MINUTE } from '#test/support/clock.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type DetailsRow, details, detailsText, importText } from '../files.ts'

/** One record that stays, one that changes and moves, one that goes and comes back. */
const first: DetailsRow[] = [{ EVENT_ID: '1' }, { EVENT_ID: '2', MAGNITUDE: '1.00' }, { EVENT_ID: '3' }]
const second: DetailsRow[] = [{ EVENT_ID: '1' }, { EVENT_ID: '2', MAGNITUDE: '1.75', BEGIN_LAT: '34.15', END_LAT: '34.15' }]
const third: DetailsRow[] = [
  { EVENT_ID: '1' },
  { EVENT_ID: '2', MAGNITUDE: '1.75', BEGIN_LAT: '34.15', END_LAT: '34.15' },
  { EVENT_ID: '3' },
]
const compiles = [
  { rows: first, compiled: '20190617' },
  { rows: second, compiled: '20190817' },
  { rows: third, compiled: '20191017' },
]

describe('a change by an import', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    for (const { rows, compiled } of compiles) {
      await importText(world, detailsText(...rows), { file_name: details(2019, compiled), whole_year: true })
      world.clock.advance(3_600_000)
    }
  })

  it('keeps the earlier version, from the revision that brought it to the one that ended it', async () => {
    const { rows } = await world.app.pool.query(`
      SELECT r.source_key, v.hail_size_in, v.latitude, begun.file_name AS begun, ended.file_name AS ended, begun.known_at < ended.known_at AS in_order
        FROM record_versions v JOIN archive_records r ON r.id = v.record_id
        JOIN archive_revisions begun ON begun.id = v.from_revision JOIN archive_revisions ended ON ended.id = v.until_revision ORDER BY 1`)
    expect(rows).toEqual([
      {
        source_key: '2019/2',
        hail_size_in: 1,
        latitude: 33.15,
        begun: details(2019, '20190617'),
        ended: details(2019, '20190817'),
        in_order: true,
      },
      {
        source_key: '2019/3',
        hail_size_in: 2,
        latitude: 33.15,
        begun: details(2019, '20190617'),
        ended: details(2019, '20190817'),
        in_order: true,
      },
    ])
  })

  it('keeps the earlier cells for searches, and the earlier months', async () => {
    const cells = await world.app.pool.query(
      'SELECT r.source_key FROM record_past_cells c JOIN archive_records r ON r.id = c.record_id ORDER BY 1',
    )
    expect(cells.rows).toEqual([{ source_key: '2019/2' }, { source_key: '2019/3' }])
    const months = await world.app.pool.query(
      `SELECT DISTINCT compiled_on FROM coverage_versions WHERE state = 'TX' AND month = '2019-03-01' ORDER BY 1`,
    )
    expect(months.rows).toEqual([{ compiled_on: '2019-06-17' }, { compiled_on: '2019-08-17' }])
  })

  it('gets its own revision for each transaction, each later than the last', async () => {
    const { rows } = await world.app.pool.query<{ id: number; file_name: string }>(
      'SELECT id, file_name FROM archive_revisions ORDER BY known_at',
    )
    expect(rows.map(({ file_name }) => file_name)).toEqual(
      compiles.flatMap(({ compiled }) => [details(2019, compiled), details(2019, compiled)]),
    )
    expect(rows.map(({ id }) => id)).toEqual([...rows.map(({ id }) => id)].sort((a, b) => a - b))
  })

  it('is not recorded if a file only repeats what is stored', async () => {
    await importText(world, detailsText(...third), { file_name: details(2019, '20191117'), whole_year: true })
    const { rows } = await world.app.pool.query('SELECT count(*)::int AS versions FROM record_versions')
    expect(rows).toEqual([{ versions: 2 }])
  })

  it('keeps the earlier version if the same file is later decoded correctly', async () => {
    const { pool } = world.app
    const [compile] = compiles.slice(-1)
    const text = detailsText(...third.slice(1), { EVENT_ID: '1', EVENT_NARRATIVE: Buffer.from('K indices around 40°.').toString('latin1') })
    const read = () => importText(world, text, { file_name: details(2019, present(compile).compiled), whole_year: true })
    await read()
    // Garbled: each byte read as one character instead of as UTF-8.
    const garbled = 'K indices around 40\u00c2\u00b0.'
    await pool.query(`UPDATE archive_records SET description = $1 WHERE source_key = '2019/1'`, [garbled])
    await pool.query('DELETE FROM record_versions')
    world.clock.advance(3_600_000)
    expect(await read()).toMatchObject({ inserted: 0, updated: 1, withdrawn: 0 })
    const { rows } = await pool.query(`
      SELECT r.description AS now, v.description AS before FROM record_versions v JOIN archive_records r ON r.id = v.record_id`)
    expect(rows).toEqual([{ now: 'K indices around 40°.', before: garbled }])
    expect(await read()).toMatchObject({ inserted: 0, updated: 0, withdrawn: 0 })
  })

  it('keeps cells for an earlier point in time while older versions are deleted', async () => {
    const { app, clock } = world
    const { rows } = await app.pool.query<{ id: number }>("SELECT id FROM archive_records WHERE source_key = '2019/3'")
    clock.advance(10 * 86_400_000)
    await withinRevision(app, { source: 'noaa_storm_events' }, async (client) => {
      await withdrawRecords(client, [present(rows[0]).id], clock.now())
      expect(await clearVersions(app, 5)).toBeGreaterThan(0)
    })
    const left = await app.pool.query(
      'SELECT r.source_key FROM record_past_cells c JOIN archive_records r ON r.id = c.record_id JOIN record_versions v ON v.record_id = r.id',
    )
    expect(left.rows).toEqual([{ source_key: '2019/3' }])
  })

  it('is deleted around the rows of a source that is being deleted', async () => {
    const { app, clock } = world
    clock.advance(10 * 86_400_000)
    const forgetting = await app.pool.connect()
    await forgetting.query('BEGIN')
    await forgetting.query('DELETE FROM record_versions')
    expect(await clearVersions(app, 5)).toBeGreaterThan(0)
    await forgetting.query('ROLLBACK')
    forgetting.release()
    expect((await app.pool.query('SELECT FROM record_versions')).rowCount).toBe(2)
    expect(await clearVersions(app, 5)).toBe(2)
  })

  it('is deleted with its source, and the result states the number of versions and their earliest time', async () => {
    const [oldest] = (await world.app.pool.query<{ known_at: Date }>('SELECT min(known_at) AS known_at FROM archive_revisions')).rows
    // Two of three records changed; each of the three months held for every state changed twice.
    const months = await world.app.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM coverage_versions')
    const deleted = await deleteSource(world.app, 'storm-events')
    expect(deleted).toMatchObject({ records: 3, versions: 2 + (months.rows[0]?.n ?? 0), versions_since: oldest?.known_at })
    for (const table of ['record_versions', 'record_past_cells', 'coverage_versions'])
      expect((await world.app.pool.query(`SELECT FROM ${table}`)).rowCount).toBe(0)
  })
})

it('keeps the watermarks of preliminary feeds only', async () => {
  const world = await openWorld()
  const read = (source: string, through: string) => moveWatermark(world.app, source, new Date(through))
  for (const source of ['nws_lsr', 'asos'])
    await world.app.pool.query('INSERT INTO feed_states (url, source, checked_at) VALUES ($1, $1, now())', [source])
  await read('nws_lsr', '2026-05-01T00:00:00Z')
  await read('nws_lsr', '2026-05-02T00:00:00Z')
  await read('nws_lsr', '2026-05-01T12:00:00Z')
  await read('asos', '2026-05-02T00:00:00Z')
  const { rows } = await world.app.pool.query('SELECT source, watermark FROM feed_marks ORDER BY watermark')
  expect(rows).toEqual([
    { source: 'nws_lsr', watermark: new Date('2026-05-01T00:00:00Z') },
    { source: 'nws_lsr', watermark: new Date('2026-05-02T00:00:00Z') },
  ])
})

it('as of a later time, a watermark in the future is replaced by the one that followed it', async () => {
  const world = await openWorld()
  await world.app.pool.query("INSERT INTO feed_states (url, source, checked_at) VALUES ('nws_lsr', 'nws_lsr', now())")
  const marked = asOfStatement('marks', ({ feed_states }) => `SELECT watermark FROM ${feed_states} f WHERE url = 'nws_lsr'`)
  const day = new Date(world.clock.now().getTime() - DAY)
  for (const through of [new Date('2099-01-01T00:00:00Z'), day]) {
    await moveWatermark(world.app, 'nws_lsr', through)
    world.clock.advance(MINUTE)
  }
  for (const as_of of [null, world.clock.now()]) expect((await world.app.pool.query(marked(as_of, []))).rows).toEqual([{ watermark: day }])
})

it("as of a time near a watermark that was once in the future, the watermark is that time's own", async () => {
  const world = await openWorld()
  await world.app.pool.query("INSERT INTO feed_states (url, source, checked_at) VALUES ('nws_lsr', 'nws_lsr', now())")
  const marked = asOfStatement('marks', ({ feed_states }) => `SELECT watermark FROM ${feed_states} f WHERE url = 'nws_lsr'`)
  await moveWatermark(world.app, 'nws_lsr', new Date(world.clock.now().getTime() + 3 * DAY))
  for (const days of [0, 2.5]) {
    world.clock.advance(days * DAY + MINUTE)
    const through = world.clock.now()
    await moveWatermark(world.app, 'nws_lsr', through)
    world.clock.advance(MINUTE)
    for (const as_of of [null, world.clock.now()])
      expect((await world.app.pool.query(marked(as_of, []))).rows).toEqual([{ watermark: through }])
  }
})
