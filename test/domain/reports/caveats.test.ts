import { beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { readDocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { findReport, listReportEvents } from '#domain/reports/find.ts'
import { fingerprint } from '#domain/reports/fingerprint.ts'
import { requestReport } from '#domain/reports/request.ts'
import type { CitedRecordView, ReportView } from '#domain/reports/view.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { details, detailsText, importText, locations2019, locationsText } from '../archive/files.ts'

const ASTRAY = 'The point lies 540 mi outside the county that the source names (El Paso, TX).'
const NO_CORNERS = 'The corners of the flooded area are not held; only where the flood began is used.'
/** Hail in a row of El Paso County, located at Frisco. */
const astray = {
  EVENT_ID: '1',
  MAGNITUDE: '2.75',
  CZ_FIPS: '141',
  CZ_NAME: 'EL PASO',
  CZ_TIMEZONE: 'MST-7',
  BEGIN_TIME: '1635',
  END_TIME: '1640',
}
const flood = { EVENT_ID: '2', EVENT_TYPE: 'Flash Flood', MAGNITUDE: '', BEGIN_LAT: '33.16', END_LAT: '33.16' }

describe('the caveat of a cited record', () => {
  let world: World
  let caller: Caller
  let report: ReportView
  let records: CitedRecordView[]

  beforeAll(async () => {
    world = await openWorld()
    caller = await aCaller(world, await aTeam(world))
    await importText(world, detailsText(astray, flood, { EVENT_ID: '3', MAGNITUDE: '1.00', BEGIN_DAY: '2', END_DAY: '2' }), { quiet: true })
    ;({ report, records } = await compiled())
    return () => world.close()
  })

  async function compiled() {
    const input = { address: 'Frisco, TX 75034', window_start: '2019-03-01', window_end: '2019-03-31', radius_miles: 10 }
    const { report } = await requestReport(world.app, caller, input, null)
    await world.drain()
    const { data } = await listReportEvents(world.app, caller, report.id, { page: 1, per_page: 100 })
    return { report: await findReport(world.app, caller, report.id), records: data }
  }

  const caveats = (all: CitedRecordView[]) => all.map(({ type, provenance }) => [type, provenance.caveats])

  it('is shown beside it, in the order of the records', () => {
    expect(caveats(records)).toEqual([
      ['flash_flood', [NO_CORNERS]],
      ['hail', [ASTRAY]],
      ['hail', []],
    ])
  })

  it('is not part of the evidence in the fingerprint', () => {
    const withoutCaveats = records.map((record) => ({ ...record, provenance: { ...record.provenance, caveats: [] } }))
    expect(fingerprint(report, withoutCaveats)).toBe(report.fingerprint)
  })

  it('limits a finding of its record alone to low confidence', () => {
    expect(report.findings?.map(({ family, confidence }) => [family, confidence])).toEqual([
      ['thunderstorm', 'medium'],
      ['flash_flood', 'low'],
    ])
  })

  it('is printed beside it', async () => {
    const facts = await readDocumentFacts(world.app, report.id)
    const page = (await documentPage(facts as NonNullable<typeof facts>, [])).html
    expect(page).toContain('<p>2 records with a caveat give no figure here.</p>')
    expect(
      page
        .split('<article class="record">')
        .slice(1)
        .map((article) => /<p class="caveat">(.*?)<\/p>/.exec(article)?.[1] ?? null),
    ).toEqual([`<b>Doubted.</b> ${ASTRAY}`, null, `<b>Doubted.</b> ${NO_CORNERS}`])
  })

  it('stays as it was in a published report, whatever is imported later', async () => {
    const corners: [number, number][] = [
      [33.15, -96.83],
      [33.15, -96.8],
      [33.17, -96.8],
    ]
    await importText(world, locationsText({ '2': corners }), { file_name: locations2019, quiet: true })
    await importText(world, detailsText({ ...astray, CZ_FIPS: '85', CZ_NAME: 'COLLIN', CZ_TIMEZONE: 'CST-6' }), {
      file_name: details(2019, '20190801'),
      quiet: true,
    })
    const { data } = await listReportEvents(world.app, caller, report.id, { page: 1, per_page: 100 })
    expect(data).toEqual(records)
    expect(caveats((await compiled()).records)).toEqual([
      ['flash_flood', []],
      ['hail', []],
      ['hail', []],
    ])
  })
})
