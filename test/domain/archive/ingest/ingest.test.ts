import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { archiveStatus } from '#domain/archive/status.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { details, detailsText, importReal, importText, locations2019, locationsText, present, skipped } from '../files.ts'

let world: World
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
})

const compiled = (day: string, year = 2019) => ({ file_name: details(year, day) })
const flood = {
  EVENT_TYPE: 'Flood',
  MAGNITUDE: '',
  EVENT_ID: '5',
  BEGIN_LAT: '33.10',
  BEGIN_LON: '-96.80',
  END_LAT: '33.12',
  END_LON: '-96.78',
}
const corners: [number, number][] = [
  [33.1, -96.8],
  [33.1, -96.3],
  [33.6, -96.3],
  [33.6, -96.8],
]

async function storedRecords(columns = 'source_key, hail_size_in, withdrawn_at IS NOT NULL AS withdrawn') {
  const { rows } = await world.app.pool.query(`SELECT ${columns} FROM archive_records ORDER BY source_key`)
  return rows
}

/** The whole content of the archive, except ids and times of writing. */
async function everything() {
  const records = await storedRecords(
    "to_jsonb(archive_records) - '{id,file_id,created_at,updated_at,withdrawn_at,revision}'::text[] AS record",
  )
  const { rows: cells } = await world.app.pool.query(
    'SELECT source_key, cell, c.occurred_on, c.latitude, c.longitude, c.ends_on FROM record_cells c JOIN archive_records r ON r.id = record_id ORDER BY 1, 2',
  )
  return { records, cells }
}

describe('a file', () => {
  it('can be imported twice without a change', async () => {
    const text = detailsText({ EVENT_ID: '1' }, { EVENT_ID: '2', MAGNITUDE: '1.00' })
    expect(await importText(world, text)).toMatchObject({
      kind: 'records',
      rows: 2,
      inserted: 2,
      unchanged: 0,
      from: '2019-03-24',
      to: '2019-03-24',
      cells: [expect.any(Number)],
    })
    const before = await everything()
    expect(await importText(world, text)).toMatchObject({ rows: 2, inserted: 0, updated: 0, unchanged: 2, from: null, cells: [] })
    expect(await everything()).toEqual(before)
  })

  it('may be uncompressed, and may arrive byte by byte', async () => {
    const text = detailsText({ EVENT_ID: '1' })
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]))
    expect(await ingest(world.app, 'storm-events', Readable.from(bytes), compiled('20190617'))).toMatchObject({ inserted: 1 })
  })

  it('that repeats a key counts the last row', async () => {
    expect(await importText(world, detailsText({ MAGNITUDE: '1.00' }, { MAGNITUDE: '2.50' }))).toMatchObject({
      rows: 2,
      inserted: 1,
      unchanged: 1,
    })
    expect(await storedRecords()).toEqual([{ source_key: '2019/1', hail_size_in: 2.5, withdrawn: false }])
  })

  it('of a later compile wins, and one of an earlier compile changes nothing', async () => {
    await importText(world, detailsText({ MAGNITUDE: '1.00' }), compiled('20190617'))
    expect(
      await importText(world, detailsText({ MAGNITUDE: '1.75', BEGIN_LAT: '34.15', END_LAT: '34.15' }), compiled('20190917')),
    ).toMatchObject({ updated: 1, cells: [expect.any(Number), expect.any(Number)] })
    expect(await importText(world, detailsText({ MAGNITUDE: '1.00' }), compiled('20190717'))).toMatchObject({ updated: 0, unchanged: 1 })
    expect(await storedRecords('hail_size_in, latitude, compiled_on')).toEqual([
      { hail_size_in: 1.75, latitude: 34.15, compiled_on: '2019-09-17' },
    ])
    expect((await everything()).cells).toHaveLength(1)
  })

  it("of a later compile with equal content updates the row's compile date", async () => {
    await importText(world, detailsText({}), compiled('20190617'))
    expect(await importText(world, detailsText({}), compiled('20190917'))).toMatchObject({ updated: 0, unchanged: 1, cells: [] })
    await importText(world, detailsText({ MAGNITUDE: '1.00' }), compiled('20190717'))
    expect(await storedRecords('hail_size_in, compiled_on')).toEqual([{ hail_size_in: 2, compiled_on: '2019-09-17' }])
  })

  it('lists its bad rows in the import run', async () => {
    const rows = Array.from({ length: 150 }, (_, index) => ({ EVENT_ID: String(index + 1), CZ_TIMEZONE: 'XST' }))
    const summary = await importText(world, detailsText({ EVENT_ID: '900' }, ...rows))
    expect(summary).toMatchObject({ rows: 151, inserted: 1, rejected: 150 })
    expect(summary.rejections).toHaveLength(100)
    expect(summary.rejections[0]).toEqual({ row: 'line 3, EVENT_ID 1', reason: 'CZ_TIMEZONE "XST" is not known' })
    const [run] = (await archiveStatus(world.app)).recent_imports
    expect(run).toMatchObject({ status: 'complete', rows: 151, inserted: 1, rejected: 150, rejections: summary.rejections, failure: null })
  })

  it('vacuums the search index, and analyses it if a tenth of it changed', async () => {
    const { pool } = world.app
    /** Flushes the counts at once, which otherwise takes seconds. */
    const insertCells = (first: number, last: number) =>
      pool.query(
        `INSERT INTO record_cells (record_id, cell, occurred_on) SELECT n, n % 500, '2001-01-01' FROM generate_series(${first}, ${last}) AS n;
         SELECT pg_stat_force_next_flush()`,
      )
    const counted = async () => {
      const { rows } = await pool.query<{ vacuumed: number; analyzed: number }>(
        `SELECT vacuum_count::int AS vacuumed, analyze_count::int AS analyzed FROM pg_stat_user_tables WHERE relname = 'record_cells'`,
      )
      return rows[0]
    }
    // An earlier test may have used the same tables.
    const before = await counted()
    const since = async () => {
      const { vacuumed = 0, analyzed = 0 } = (await counted()) ?? {}
      return { vacuumed: vacuumed - (before?.vacuumed ?? 0), analyzed: analyzed - (before?.analyzed ?? 0) }
    }
    const importThousand = (nth: number) =>
      importText(world, detailsText(...Array.from({ length: 1_000 }, (_, row) => ({ EVENT_ID: String(nth * 1_000 + row + 1) }))))
    // As autovacuum leaves a table without rows.
    await pool.query('ANALYZE archive_records')
    await importThousand(0)
    expect(await since()).toEqual({ vacuumed: 1, analyzed: 1 })
    // Without statistics, each batch would search all records for its keys.
    const { rows } = await pool.query("SELECT reltuples FROM pg_class WHERE oid = 'archive_records'::regclass")
    expect(rows[0].reltuples).toBeGreaterThan(0)
    await insertCells(1_000_001, 1_050_000)
    await pool.query('ANALYZE record_cells')
    await importThousand(1)
    expect(await since()).toEqual({ vacuumed: 2, analyzed: 2 })
    await insertCells(1_050_001, 1_060_000)
    await importThousand(2)
    expect(await since()).toEqual({ vacuumed: 3, analyzed: 3 })
  })

  it('is imported even if the search index cannot be vacuumed, as while another import vacuums it', async () => {
    const other = await world.owner.connect()
    const cancelVacuum = () =>
      world.owner.query("SELECT FROM (SELECT pid FROM pg_stat_activity WHERE query LIKE 'VACUUM%') v WHERE pg_cancel_backend(pid)")
    try {
      await other.query('BEGIN')
      await other.query('LOCK TABLE record_cells IN SHARE UPDATE EXCLUSIVE MODE')
      const rows = Array.from({ length: 1_000 }, (_, index) => ({ EVENT_ID: String(index + 1) }))
      const done = importText(world, detailsText(...rows))
      await expect.poll(async () => (await cancelVacuum()).rowCount).toBe(1)
      expect(await done).toMatchObject({ inserted: 1_000 })
    } finally {
      other.release(true)
    }
    const [run] = (await archiveStatus(world.app)).recent_imports
    expect(run).toMatchObject({ status: 'complete', failure: null })
  })

  it('reports its progress', async () => {
    const seen: number[] = []
    const rows = Array.from({ length: 6_000 }, (_, index) => ({ EVENT_ID: String(index + 1) }))
    await importText(world, detailsText(...rows), { on_progress: ({ rows }) => seen.push(rows) })
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.at(-1)).toBe(6_000)
  })

  it('with a compile date in the future is refused, because no later file could correct it', async () => {
    world.clock.set('2019-06-16T00:00:00Z')
    const refused = importText(world, detailsText({ MAGNITUDE: '9.00' }), compiled('20190618'))
    await expect(refused).rejects.toMatchObject({
      details: { errors: { file: ['The file name states that it was compiled on 2019-06-18, which is in the future.'] } },
    })
    expect(await importText(world, detailsText({}), compiled('20190617'))).toMatchObject({ inserted: 1, compiled_on: '2019-06-17' })
  })

  it('of an unknown source is refused', async () => {
    await expect(ingest(world.app, 'tea-leaves', Readable.from([]), { file_name: 'x' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  it('of the wrong format is refused after the whole upload is read', async () => {
    const sent = Readable.from([Buffer.from('a,b\n'), Buffer.alloc(1024 * 1024, '1,2\n')])
    await expect(ingest(world.app, 'storm-events', sent, compiled('20190617'))).rejects.toMatchObject({
      details: { errors: { file: [expect.stringContaining('not a Storm Events file')] } },
    })
    expect(sent.readableEnded).toBe(true)
    expect((await archiveStatus(world.app)).recent_imports[0]).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining('not a Storm Events file'),
    })
  })
})

describe('a file that is cut off', () => {
  const rows = Array.from({ length: 6_000 }, (_, index) => ({
    EVENT_ID: String(index + 1),
    EVENT_NARRATIVE: `Hail number ${Math.sin(index)} fell.`,
  }))
  const complete = gzipSync(Buffer.from(detailsText(...rows)))
  const send = (bytes: Buffer) => ingest(world.app, 'storm-events', Readable.from([bytes]), { ...compiled('20190617'), whole_year: true })

  it('keeps the good rows, covers and withdraws nothing, and continues when it is sent again', async () => {
    await importText(world, detailsText({ EVENT_ID: '99999' }), compiled('20190517', 2019))
    await world.app.pool.query('DELETE FROM coverage')
    world.clock.advance(1_000)
    await expect(send(complete.subarray(0, Math.floor(complete.length * 0.7)))).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: { file: ['The gzip file is cut off before its end. Nothing stored was lost. Send the whole file again.'] } },
    })
    const kept = (await storedRecords()).length
    expect(kept).toBeGreaterThan(2_000)
    expect((await storedRecords()).filter(({ withdrawn }) => withdrawn)).toEqual([])
    const status = await archiveStatus(world.app)
    expect(status.sources[0]?.states.flatMap(({ held }) => held)).toEqual([])
    expect(status.recent_imports[0]).toMatchObject({
      status: 'failed',
      inserted: kept - 1,
      failure: 'The gzip file is cut off before its end.',
    })
    expect(await send(complete)).toMatchObject({ rows: 6_000, inserted: 6_000 - (kept - 1), unchanged: kept - 1, withdrawn: 1 })
  })

  it('is distinguished from a damaged file', async () => {
    const damaged = Buffer.from(complete)
    damaged.fill(0x55, 1_000, 2_000)
    await expect(send(damaged)).rejects.toMatchObject({ details: { errors: { file: [expect.stringContaining('damaged')] } } })
  })
})

describe('a whole-year import', () => {
  const whole_year = true
  const three = detailsText({ EVENT_ID: '1' }, { EVENT_ID: '2' }, { EVENT_ID: '3' })
  const withdrawn = async () => (await storedRecords()).filter((row) => row.withdrawn).map(({ source_key }) => source_key)

  it('withdraws the rows that it lacks, and restores them when they return', async () => {
    await importText(world, three, compiled('20190617'))
    await importText(world, detailsText({ EVENT_ID: '1', BEGIN_YEARMONTH: '201803' }), compiled('20190617', 2018))
    expect(
      await importText(world, detailsText({ EVENT_ID: '1' }, { EVENT_ID: '3' }), { ...compiled('20190917'), whole_year }),
    ).toMatchObject({ withdrawn: 1, unchanged: 2, from: '2019-03-24' })
    expect(await withdrawn()).toEqual(['2019/2'])
    expect((await everything()).cells.map(({ source_key }) => source_key)).toEqual(['2018/1', '2019/1', '2019/3'])
    await importText(world, three, { ...compiled('20190717'), whole_year })
    expect(await withdrawn()).toEqual(['2019/2'])
    expect(await importText(world, three, { ...compiled('20191017'), whole_year })).toMatchObject({ updated: 1, withdrawn: 0 })
    expect(await withdrawn()).toEqual([])
    expect((await everything()).cells).toHaveLength(4)
  })

  it('is never assumed', async () => {
    await importText(world, three, compiled('20190617'))
    expect(await importText(world, detailsText({ EVENT_ID: '1' }), compiled('20190917'))).toMatchObject({ withdrawn: 0 })
    expect(await withdrawn()).toEqual([])
  })

  it('does not withdraw a row that it contains in damaged form', async () => {
    await importText(world, three, compiled('20190617'))
    const text = detailsText({ EVENT_ID: '1' }, { EVENT_ID: '2', CZ_TIMEZONE: '?' })
    expect(await importText(world, text, { ...compiled('20190917'), whole_year })).toMatchObject({ rejected: 1, withdrawn: 1, notes: [] })
    expect(await withdrawn()).toEqual(['2019/3'])
  })

  it('withdraws nothing if it cannot identify a bad row', async () => {
    await importText(world, three, compiled('20190617'))
    const summary = await importText(world, `${detailsText({ EVENT_ID: '1' })}garbage\n`, { ...compiled('20190917'), whole_year })
    expect(summary).toMatchObject({
      rejected: 1,
      withdrawn: 0,
      notes: ['Nothing was withdrawn: 1 rejected row(s) could not be distinguished from the rows that are missing.'],
    })
    expect(await withdrawn()).toEqual([])
  })

  it('must be of one year', async () => {
    const two = detailsText({ EVENT_ID: '1' }, { EVENT_ID: '2', BEGIN_YEARMONTH: '201803' })
    await expect(importText(world, two, { file_name: 'details.csv', whole_year })).rejects.toMatchObject({
      details: { errors: { whole_year: [expect.stringContaining('is not of a single year')] } },
    })
    await expect(importText(world, locationsText({ '1': corners }), { file_name: 'locations.csv', whole_year })).rejects.toMatchObject({
      details: { errors: { whole_year: [expect.stringContaining('does not state its year')] } },
    })
  })
})

describe('corners', () => {
  const locations = () => importText(world, locationsText({ '5': corners, '404': corners }), { file_name: locations2019 })

  it('form the same areas whether they arrive before or after the details', async () => {
    await importText(world, detailsText(flood, { EVENT_ID: '6' }))
    expect(await locations()).toMatchObject({ kind: 'corners', rows: 8, inserted: 8, updated: 0, from: '2019-03-24' })
    const after = await everything()
    expect(after.records[0]).toMatchObject({
      record: { precision: 'area', latitude: 33.1, corners: corners.map(([latitude, longitude]) => [longitude, latitude]) },
    })
    expect(after.cells.filter(({ source_key }) => source_key === '2019/5').length).toBeGreaterThan(4)
    expect(await locations()).toMatchObject({ inserted: 0, updated: 0, unchanged: 8, cells: [] })
    await world.close()
    world = await openWorld()
    await locations()
    await importText(world, detailsText(flood, { EVENT_ID: '6' }))
    expect(await everything()).toEqual(after)
  })

  it('are replaced by a later file, event by event, and not by an earlier one', async () => {
    await importText(world, detailsText(flood))
    await locations()
    const fewer = locationsText({ '5': corners.slice(0, 3) })
    expect(await importText(world, fewer, { file_name: locations2019.replace('0617', '0517') })).toMatchObject({ updated: 0, withdrawn: 0 })
    expect(await importText(world, fewer, { file_name: locations2019.replace('0617', '0717') })).toMatchObject({ updated: 0, withdrawn: 1 })
    expect((await storedRecords('corners'))[0].corners).toHaveLength(3)
  })

  it('are removed with their event only by a whole-year import', async () => {
    const whole_year = true
    await importText(world, detailsText(flood, { ...flood, EVENT_ID: '6' }))
    await importText(world, locationsText({ '7': corners }, '201803'), { file_name: locations2019.replace('d2019', 'd2018') })
    await importText(world, locationsText({ '5': corners, '6': corners }), { file_name: locations2019 })
    const areas = () => storedRecords('source_key, precision, caveats')
    const area = { precision: 'area', caveats: [] }
    const point = { precision: 'point', caveats: [expect.stringContaining('corners of the flooded area are not held')] }
    const only5 = locationsText({ '5': corners })
    const later = locations2019.replace('0617', '0717')
    expect(await importText(world, only5, { file_name: later })).toMatchObject({ withdrawn: 0 })
    expect(await importText(world, only5, { file_name: locations2019.replace('0617', '0517'), whole_year })).toMatchObject({ withdrawn: 0 })
    const damaged = await importText(world, `${only5}garbage\n`, { file_name: later, whole_year })
    expect(damaged).toMatchObject({ withdrawn: 0, notes: [expect.stringContaining('Nothing was withdrawn')] })
    const unread = `${only5}201903,1,6,1,1,"N","X",north,-96,,\n`
    expect(await importText(world, unread, { file_name: later, whole_year })).toMatchObject({ rejected: 1, withdrawn: 0 })
    for (const other of [locationsText({}), locationsText({ '7': corners }, '201803')])
      expect(await importText(world, other, { file_name: later, whole_year })).toMatchObject({
        withdrawn: 0,
        notes: ['Nothing was withdrawn: the file has no corner of 2019.'],
      })
    expect(await areas()).toEqual([
      { source_key: '2019/5', ...area },
      { source_key: '2019/6', ...area },
    ])
    expect(await importText(world, only5, { file_name: later, whole_year })).toMatchObject({
      withdrawn: 4,
      unchanged: 4,
      from: '2019-03-24',
    })
    expect(await areas()).toEqual([
      { source_key: '2019/5', ...area },
      { source_key: '2019/6', ...point },
    ])
    const { rows } = await world.owner.query('SELECT DISTINCT source_key FROM record_corners ORDER BY source_key')
    expect(rows).toEqual([{ source_key: '2018/7' }, { source_key: '2019/5' }])
  })

  it('apply only to floods', async () => {
    await importText(world, detailsText({ EVENT_ID: '5', EVENT_TYPE: 'Hail' }))
    await locations()
    expect(await storedRecords('precision, corners')).toEqual([{ precision: 'point', corners: null }])
  })

  it('in a cut-off file leave the stored ones unchanged', async () => {
    await importText(world, detailsText(flood))
    await locations()
    const bytes = gzipSync(Buffer.from(locationsText({ '5': corners.slice(0, 3) })))
    const cut = ingest(world.app, 'storm-events', Readable.from([bytes.subarray(0, bytes.length - 9)]), {
      file_name: locations2019.replace('0617', '0717'),
    })
    await expect(cut).rejects.toMatchObject({ code: 'validation_failed' })
    expect((await storedRecords('corners'))[0].corners).toHaveLength(4)
  })
})

describe('an export of the search page', () => {
  const head = 'EVENT_ID,CZ_NAME_STR,BEGIN_DATE,BEGIN_TIME,EVENT_TYPE,MAGNITUDE,STATE_ABBR,CZ_TIMEZONE,CZ_TYPE,CZ_FIPS,BEGIN_LAT,BEGIN_LON'
  const exported = (id: string, size: string) => `${head}\n${id},COLLIN CO.,03/24/2019,1735,Hail,${size},TX,CST-6,C,85,33.15,-96.82\n`
  const send = (id: string, size: string) => importText(world, exported(id, size), { file_name: 'storm_data_search_results.csv' })

  it('adds rows, marks no month, and is overridden by the whole file', async () => {
    expect(await send('1', '1.00')).toMatchObject({ kind: 'extract', inserted: 1 })
    expect(await send('2', '1.00')).toMatchObject({ inserted: 1 })
    expect((await archiveStatus(world.app)).sources[0]?.states).toEqual([{ state: 'TX', records: 2, held: [], days: [] }])
    expect(await importText(world, detailsText({ EVENT_ID: '1', MAGNITUDE: '1.25' }), { file_name: 'details.csv' })).toMatchObject({
      updated: 1,
    })
    expect(await send('1', '4.00')).toMatchObject({ updated: 0, unchanged: 1 })
    expect(await storedRecords('source_key, hail_size_in')).toEqual([
      { source_key: '2019/1', hail_size_in: 1.25 },
      { source_key: '2019/2', hail_size_in: 1 },
    ])
  })
})

describe('the months of a details file', () => {
  const spans = async (state: string) =>
    (await archiveStatus(world.app)).sources[0]?.states.find((one) => one.state === state)?.held.map(({ from, to }) => `${from}..${to}`)

  // The later two months were compiled before all offices must have reported.
  const throughMarch = ['2019-01..2019-01', '2019-02..2019-03']

  it('run from January to the last month with a row, in every state', async () => {
    await importText(world, detailsText({ EVENT_ID: '1', BEGIN_YEARMONTH: '201902' }, { EVENT_ID: '2' }), compiled('20190617'))
    expect(await spans('TX')).toEqual(throughMarch)
    expect(await spans('PR')).toEqual(throughMarch)
  })

  it('follow the month of filing, not the local date', async () => {
    await importText(world, detailsText({ BEGIN_DAY: '31', BEGIN_TIME: '2330' }), compiled('20190617'))
    expect(await storedRecords('occurred_on')).toEqual([{ occurred_on: '2019-04-01' }])
    expect(await spans('TX')).toEqual(throughMarch)
  })

  it('run to December if the file was compiled after April of the next year', async () => {
    await importText(world, detailsText({}), compiled('20200430'))
    expect(await spans('TX')).toEqual(['2019-01..2019-03'])
    await importText(world, detailsText({}), compiled('20200501'))
    expect(await spans('TX')).toEqual(['2019-01..2019-12'])
  })
})

describe('forecast zones', () => {
  const table = (...lines: string[]) =>
    importText(world, lines.map((line) => `${line}\r\n`).join(''), { file_name: 'bp18mr25.dbx' }, 'zones')

  const dallas = 'TX|119|FWD|Dallas|TX119|Dallas|48113|C|nc|32.7666|-96.7778'
  const collin = 'TX|104|FWD|Collin|TX104|Collin|48085|C|nc|33.18|-96.57'
  const members = async () =>
    (await world.app.pool.query('SELECT zone, county_fips, name FROM zone_counties ORDER BY zone, county_fips')).rows.map((row) =>
      Object.values(row).join(' '),
    )

  it('are replaced zone by zone, and zones that a file does not name stay', async () => {
    expect(await table(dallas, collin)).toMatchObject({ kind: 'zones', rows: 2, inserted: 2, rejected: 0 })
    expect(await table(dallas)).toMatchObject({ inserted: 0, unchanged: 1, withdrawn: 0 })
    expect(await members()).toEqual(['TXZ104 48085 Collin', 'TXZ119 48113 Dallas'])
    const moved = 'TX|119|FWD|Dallas and Tarrant|TX119|Tarrant|48439|C|nc|32.7666|-96.7778'
    expect(await table(moved)).toMatchObject({ inserted: 1, withdrawn: 1 })
    expect(await members()).toEqual(['TXZ104 48085 Collin', 'TXZ119 48439 Dallas and Tarrant'])
    expect(await table(moved.replace('Dallas and Tarrant', 'Tarrant'))).toMatchObject({ inserted: 0, updated: 1, unchanged: 0 })
    expect((await archiveStatus(world.app)).zones).toBe(2)
  })

  it('that cannot be used are named: half a line, or a county that is not on the map', async () => {
    const planning = 'CT|002|BOX|Hartford|CT002|Capitol|09110|E|nn|41.8|-72.7'
    const { rejected, rejections } = await table(dallas, 'TX|1', planning)
    expect([rejected, rejections]).toEqual([
      2,
      [
        { row: 'line 2', reason: 'not a state, a zone and a county between bars' },
        { row: 'line 3', reason: 'the county 09110 is not on the map of counties' },
      ],
    ])
    expect((await archiveStatus(world.app)).zones).toBe(1)
    await expect(table('a page', 'of something else')).rejects.toMatchObject({
      details: { errors: { file: [expect.stringContaining('not a zone and county correlation file')] } },
    })
    expect((await archiveStatus(world.app)).zones).toBe(1)
  })
})

describe('two imports at once', () => {
  it('of one source run one after the other', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => ({ EVENT_ID: String(index + 1) }))
    const summaries = await Promise.all([importText(world, detailsText(...rows)), importText(world, detailsText(...rows.reverse()))])
    expect(summaries.map(({ inserted }) => inserted).sort()).toEqual([0, 500])
    expect(await storedRecords()).toHaveLength(500)
  })
})

describe.skipIf(!present)(`the agency's own files${skipped}`, () => {
  it('are imported in full, and a second import changes nothing', async () => {
    expect(await importReal(world, details(2019))).toMatchObject({
      rows: 15_447,
      inserted: 15_447,
      rejected: 0,
      from: '2019-01-01',
      to: '2019-03-31',
    })
    expect(await importReal(world, locations2019)).toMatchObject({ rows: 10_846, inserted: 10_846, rejected: 0 })
    expect(await importReal(world, details(2019))).toMatchObject({ inserted: 0, updated: 0, unchanged: 15_447 })
    const floods = (await storedRecords('type, precision')).filter(({ type }) => type === 'flood' || type === 'flash_flood')
    expect(floods.filter(({ precision }) => precision === 'area')).toHaveLength(1_826)
    expect(floods.filter(({ precision }) => precision === 'point')).toHaveLength(33)
  })

  it('of fatalities are refused', async () => {
    await expect(importReal(world, 'StormEvents_fatalities-ftp_v1.0_d2019_c20190617.csv.gz')).rejects.toMatchObject({
      details: { errors: { file: ['A fatalities file has no events of its own: import the details file of its year.'] } },
    })
  })
})
