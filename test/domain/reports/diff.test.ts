import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { firstDay } from '#domain/plans/ceilings.ts'
import { createProperty } from '#domain/properties/create.ts'
import { type ChangedField, compareReports } from '#domain/reports/compare.ts'
import { diffReports, type RecordChange } from '#domain/reports/diff.ts'
import { failReport } from '#domain/reports/fail.ts'
import { refreshReport } from '#domain/reports/refresh.ts'
import { removeReport } from '#domain/reports/remove.ts'
import { requestReport } from '#domain/reports/request.ts'
import { details, detailsText, importText, present, realFilePath, skipped } from '#test/domain/archive/files.ts'
import { DAY, HOUR, SECOND } from '#test/support/clock.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { rawDiff } from '../../oracle/raw-diff.ts'

let world: World
let caller: Caller
const frisco = { latitude: 33.1499, longitude: -96.8241 }
const march = { window_start: '2019-03-01', window_end: '2019-03-31' }
async function made(body: object = {}): Promise<string> {
  const { report } = await requestReport(world.app, caller, { ...frisco, ...march, ...body }, null)
  await world.drain()
  return report.id
}
const compile = async (compiled: string, text: string) => {
  world.clock.advance(SECOND)
  await importText(world, text, { file_name: details(2019, compiled), whole_year: true })
  world.clock.advance(HOUR)
}
/** The agency's id of a record that came, went or changed. */
const eventOf = ({ old, new: fresh }: RecordChange) => /id=(\d+)/.exec((fresh ?? old)?.provenance.citation_url ?? '')?.[1] ?? ''

describe.skipIf(!present)(`the differences between three compiles of the agency's own rows${skipped}`, () => {
  /** The report fields of each column that is altered here. */
  const fields: Record<string, string[]> = {
    MAGNITUDE: ['measurements.hail_size_in', 'measurements.wind_gust_mph', 'measurements.wind_speed_mph'],
    EVENT_NARRATIVE: ['description'],
    BEGIN_LAT: ['location.latitude'],
    END_LAT: ['location.latitude'],
    END_TIME: ['ends_at'],
  }
  /** The fields that follow from them. */
  const derived = /^(relevance\.|severity$|provenance\.caveats$)/
  const days = ['20190617', '20190817', '20191017']
  const texts: string[] = []
  const reports: string[] = []

  beforeAll(async () => {
    await world?.close()
    world = await openWorld()
    caller = await aCaller(world, await aTeam(world))
    const [columns = '', ...lines] = gunzipSync(readFileSync(realFilePath(details(2019))))
      .toString('latin1')
      .split(/\r?\n(?=\d|$)/)
    const near = lines.filter((line) => /,"(TEXAS|OKLAHOMA)",/.test(line))
    texts.push(
      ...[0, 1, 2].map((turn) => `${[columns, ...near.flatMap((line, place) => altered(columns, line, place, turn))].join('\n')}\n`),
    )
    for (const [turn, text] of texts.entries()) {
      await compile(days[turn] ?? '', text)
      reports.push(await made({ window_start: '2019-01-01', radius_miles: 100 }))
    }
  }, 240_000)

  const raw = (from: number, to: number) => rawDiff(texts[from] ?? '', texts[to] ?? '')

  it.each([
    [0, 1],
    [1, 2],
    [0, 2],
  ])('names exactly the rows and fields that another program finds: compile %i to %i', async (from, to) => {
    const { records } = await diffReports(world.app, caller, reports[from] ?? '', reports[to] ?? '')
    const found = raw(from, to)
    const cited = new Set([...(await citedIn(reports[from])), ...(await citedIn(reports[to]))])
    const of = (kind: string) =>
      records
        .filter(({ change }) => change === kind)
        .map(eventOf)
        .sort()
    const those = (ids: string[]) => ids.filter((id) => cited.has(id)).sort()
    expect(of('came')).toEqual(those(found.came))
    expect(of('went')).toEqual(those(found.went))
    expect(of('changed')).toEqual(those(Object.keys(found.changed)))
    expect(of('changed').length).toBeGreaterThan(from === 0 && to === 2 ? 2 : 10)
    for (const change of records.filter(({ change }) => change === 'changed')) {
      const named = change.fields.map(({ field }) => field).filter((field) => !derived.test(field))
      const columns = found.changed[eventOf(change)] ?? []
      expect(columns.every((column) => fields[column]?.some((field) => named.includes(field)))).toBe(true)
      expect(named.every((field) => columns.some((column) => fields[column]?.includes(field)))).toBe(true)
    }
    const imports = new Set(records.flatMap(({ revisions }) => revisions.map(({ file_name }) => file_name)))
    // The third compile altered only what the second had already altered.
    expect([...imports].sort()).toEqual(days.slice(from + 1, from + 2).map((day) => details(2019, day)))
    expect(records.every(({ revisions }) => revisions.length > 0)).toBe(true)
  })

  async function citedIn(report = ''): Promise<string[]> {
    const { rows } = await world.app.pool.query<{ id: string }>(
      `SELECT substring(citation_url FROM 'id=(\\d+)') AS id FROM report_records WHERE report_id = $1`,
      [report],
    )
    return rows.map(({ id }) => id)
  }

  /** In the second compile, every seventh row is missing and every fifth is altered. The third restores most of the first. */
  function altered(columns: string, line: string, place: number, turn: number): string[] {
    if (turn === 1 && place % 7 === 0) return []
    if (turn === 0 || (turn === 2 && place % 35 !== 3)) return [line]
    return place % 5 === 3 ? [alteredLine(columns.replaceAll('"', '').split(','), line, Math.floor(place / 5))] : [line]
  }

  function alteredLine(columns: string[], line: string, which: number): string {
    const cells = line.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)?.map((cell) => cell.replace(/,$/, '')) ?? []
    const set = (column: string, change: (value: string) => string) => {
      const at = columns.indexOf(column)
      const value = (cells[at] ?? '').replace(/^"|"$/g, '')
      if (value !== '') cells[at] = `"${change(value)}"`
    }
    const isPoint = /"(Hail|Thunderstorm Wind)"/.test(line)
    if (which % 3 === 0 || !isPoint) set('EVENT_NARRATIVE', (text) => `${text} Revised.`)
    else if (which % 3 === 1) set('MAGNITUDE', (size) => String(Number(size) + 1))
    else for (const column of ['BEGIN_LAT', 'END_LAT']) set(column, (degrees) => (Number(degrees) + 0.01).toFixed(4))
    return cells.slice(0, columns.length).join(',')
  }
})

describe('a comparison', () => {
  beforeEach(async () => {
    await world?.close()
    world = await openWorld()
    caller = await aCaller(world, await aTeam(world))
    await compile('20190617', detailsText({ EVENT_ID: '1' }, { EVENT_ID: '2', MAGNITUDE: '1.00', BEGIN_DAY: '20', END_DAY: '20' }))
  })
  const second = detailsText(
    { EVENT_ID: '2', MAGNITUDE: '1.75', BEGIN_DAY: '20', END_DAY: '20' },
    { EVENT_ID: '3', EVENT_TYPE: 'Thunderstorm Wind', MAGNITUDE: '60.00' },
  )
  const field = (fields: ChangedField[], name: string) => fields.find(({ field }) => field === name)

  it('is empty between a report and itself, or with now if nothing was learned', async () => {
    const report = await made()
    for (const other of [report, null]) {
      const diff = await diffReports(world.app, caller, report, other)
      expect(diff).toMatchObject({ differs: false, records: [], findings: [], statements: [] })
      expect(diff.a.fingerprint).toBe(diff.b.fingerprint)
    }
  })

  it('shows what the report would state now, in figures and sentences, and the import that changed it', async () => {
    const report = await made()
    await compile('20190817', second)
    const diff = await diffReports(world.app, caller, report, null)
    expect(diff.b.report_id).toBeNull()
    expect(diff.records.map((change) => [change.change, eventOf(change), change.revisions.map(({ file_name }) => file_name)])).toEqual([
      ['came', '3', [details(2019, '20190817')]],
      ['changed', '2', [details(2019, '20190817')]],
      ['went', '1', [details(2019, '20190817')]],
    ])
    expect(field(diff.records[1]?.fields ?? [], 'measurements.hail_size_in')).toEqual({
      field: 'measurements.hail_size_in',
      old: '1',
      new: '1.75',
    })
    const [finding] = diff.findings
    expect(field(finding?.fields ?? [], 'peak_hail_in')).toMatchObject({ old: '2', new: '1.75' })
    expect(field(finding?.fields ?? [], 'statement')).toBeDefined()
    expect(field(diff.statements, 'headline')).toBeDefined()
    // The opposite direction gives the reverse.
    const later = await made()
    const back = await diffReports(world.app, caller, later, report)
    expect(back.records.map(({ change }) => change)).toEqual(['came', 'changed', 'went'])
    expect(back.records.map(eventOf)).toEqual(['1', '2', '3'])
    expect(back.records.every(({ revisions }) => revisions.length === 1)).toBe(true)
  })

  it('uses the present coverage when it compares a report as of a time with now', async () => {
    const report = await made({ as_of: world.clock.now().toISOString(), window_end: '2019-04-30' })
    expect((await diffReports(world.app, caller, report, null)).differs).toBe(false)
    await compile('20190817', detailsText({ EVENT_ID: '1' }, { EVENT_ID: '4', BEGIN_YEARMONTH: '201904', END_YEARMONTH: '201904' }))
    const { statements } = await diffReports(world.app, caller, report, null)
    expect(field(statements, 'coverage.summary')).toMatchObject({
      old: expect.stringMatching(/^Final records through 2019-03-31; no records held for 2019-04; /),
      new: expect.stringMatching(/^Final records through 2019-04-30; /),
    })
  })

  it('marks records as deleted with their source', async () => {
    const report = await made()
    world.clock.advance(SECOND)
    await deleteSource(world.app, 'storm-events')
    world.clock.advance(SECOND)
    const { records } = await diffReports(world.app, caller, report, null)
    expect(records.map(({ change, revisions }) => [change, revisions.map(({ forgot }) => forgot)])).toEqual([
      ['went', [true]],
      ['went', [true]],
    ])
  })

  it("is refused for two places, an incomplete report, and another team's report", async () => {
    const report = await made()
    const otherPlace = await made({ latitude: 32.78 })
    const otherCaller = await aCaller(world, await aTeam(world))
    await expect(diffReports(world.app, caller, report, otherPlace)).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(diffReports(world.app, otherCaller, report, null)).rejects.toMatchObject({ code: 'not_found' })
    await expect(diffReports(world.app, caller, report, 'nobody')).rejects.toMatchObject({ code: 'not_found' })
    const { report: pending } = await requestReport(world.app, caller, { ...frisco, ...march }, null)
    await expect(diffReports(world.app, caller, report, pending.id)).rejects.toMatchObject({ code: 'report_not_ready' })
    await world.drain()
  })

  it("ignores a record's file and id", () => {
    const window = { start: '2019-03-01', end: '2019-03-31', radius_miles: 5, narrowed_by_plan: false }
    const coverage = { complete: true, provisional: false, summary: null, sources_searched: [], unplaced_zone_records: 0 }
    const report = { window, event_count: 1, observation_count: 0, coverage, headline: null }
    const record = (id: number, sha256: string) =>
      ({ id, begins_at: '2019-03-24T22:00:00Z', location: { latitude: 33, longitude: -96 }, provenance: { file: { sha256 } } }) as never
    const same = compareReports({ report, findings: [], records: [record(7, 'a')] }, { report, findings: [], records: [record(7, 'b')] })
    expect(same).toEqual({ records: [], findings: [], statements: [] })
  })

  describe('refreshing', () => {
    it('a report while its property is deleted leaves it without a property', async () => {
      const { id: property_id } = await createProperty(world.app, caller, { address: '33.1499, -96.8241' })
      const report = await made({ property_id })
      await compile('20190817', second)
      const writer = await world.owner.connect()
      await writer.query('BEGIN')
      await writer.query('SELECT FROM properties WHERE id = $1 FOR UPDATE', [property_id])
      const refreshed = refreshReport(world.app, caller, report)
      await waitUntil(async () => (await lockWaits(world.owner)) === 1)
      await writer.query('UPDATE reports SET property_id = NULL WHERE property_id = $1', [property_id])
      await writer.query('DELETE FROM watch_cells WHERE subject_id = $1', [property_id])
      await writer.query('DELETE FROM properties WHERE id = $1', [property_id])
      await writer.query('COMMIT')
      writer.release()
      expect(await refreshed).toMatchObject({ property_id: null })
      await world.drain()
    })

    const balance = async () => (await world.app.db.team.findUniqueOrThrow({ where: { id: caller.team.id } })).balance

    it('creates a free report of today for the same window, once a day, and only if something differs', async () => {
      const report = await made({ reference: 'B-12' })
      await expect(refreshReport(world.app, caller, report)).rejects.toMatchObject({ code: 'validation_failed' })
      await compile('20190817', second)
      const before = await balance()
      const fresh = await refreshReport(world.app, caller, report)
      await world.drain()
      expect(await balance()).toBe(before)
      const diff = await diffReports(world.app, caller, fresh.id, null)
      expect(diff.differs).toBe(false)
      expect(fresh).toMatchObject({ reference: 'B-12', window: { start: '2019-03-01', end: '2019-03-31', radius_miles: 5 }, as_of: null })
      expect((await diffReports(world.app, caller, report, fresh.id)).records).toHaveLength(3)
      await world.checkInvariants()

      await compile('20191017', detailsText({ EVENT_ID: '1' }))
      for (const id of [report, fresh.id])
        await expect(refreshReport(world.app, caller, id)).rejects.toMatchObject({
          code: 'rate_limited',
          details: { retry_after: 86_400 - 3_601, existing_id: fresh.id },
        })
      world.clock.advance(DAY)
      const two = await Promise.allSettled([refreshReport(world.app, caller, report), refreshReport(world.app, caller, fresh.id)])
      expect(two.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      await world.drain()
      await world.checkInvariants()
    })

    it('does not use up the refresh of the day if the refresh fails, also after the paid report was removed', async () => {
      const report = await made()
      await compile('20190817', second)
      const fail = async ({ id }: { id: string }) => {
        await failReport(world.app, id, 'timed_out')
        await world.drain()
      }
      await fail(await refreshReport(world.app, caller, report))
      const first = await refreshReport(world.app, caller, report)
      await world.drain()
      await removeReport(world.app, caller, report)
      world.clock.advance(DAY)
      await compile('20191017', detailsText({ EVENT_ID: '1' }))
      await fail(await refreshReport(world.app, caller, first.id))
      await expect(refreshReport(world.app, caller, first.id)).resolves.toMatchObject({ status: 'pending' })
      await expect(refreshReport(world.app, caller, first.id)).rejects.toMatchObject({ code: 'rate_limited' })
      await world.drain()
      await world.checkInvariants()
    })

    const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

    it('is limited by the plan of today', async () => {
      const body = { window_start: '2018-01-01', window_end: dayOf(world.clock.now().getTime() - 2 * DAY), radius_miles: 60 }
      const report = await made({ ...body, layout: { sections: ['summary'] } })
      const old = await made({ radius_miles: 60 })
      await compile('20190817', second)
      await world.app.db.team.update({ where: { id: caller.team.id }, data: { plan: 'starter' } })
      const lowered = await aCaller(world, caller.team)
      await expect(refreshReport(world.app, lowered, old)).rejects.toMatchObject({ details: { limit: 'lookback' } })
      const fresh = await refreshReport(world.app, lowered, report)
      const start = firstDay(lowered.plan, dayOf(world.clock.now().getTime()))
      expect(fresh).toMatchObject({ window: { start, end: body.window_end, radius_miles: 10, narrowed_by_plan: true } })
      expect(fresh.layout.sections).toEqual(['summary', 'findings', 'map', 'events'])
      await world.drain()
    })

    it('stays once a day for all refreshes of a report that was removed', async () => {
      const report = await made()
      await compile('20190817', second)
      const first = await refreshReport(world.app, caller, report)
      await world.drain()
      world.clock.advance(DAY)
      await compile('20191017', detailsText({ EVENT_ID: '1' }))
      const other = await refreshReport(world.app, caller, report)
      await world.drain()
      await removeReport(world.app, caller, report)
      world.clock.advance(DAY)
      await compile('20191217', detailsText({ EVENT_ID: '4' }))
      const two = await Promise.allSettled([first, other].map(({ id }) => refreshReport(world.app, caller, id)))
      expect(two.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      await world.drain()
      const latest = two.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []))
      for (const id of latest) await removeReport(world.app, caller, id)
      for (const { id } of [first, other])
        await expect(refreshReport(world.app, caller, id)).rejects.toMatchObject({ code: 'rate_limited' })
    })
  })
})
