import { beforeEach, describe, expect, it } from 'vitest'
import { readDocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { findReport } from '#domain/reports/find.ts'
import { listReportEvents } from '#domain/reports/find-events.ts'
import { publicStatement } from '#domain/reports/public-statement.ts'
import { requestReport } from '#domain/reports/request.ts'
import { reportVerification } from '#domain/reports/verification.ts'
import { details, detailsText, importReal, importText, present, skipped } from '#test/domain/archive/files.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let caller: Awaited<ReturnType<typeof aCaller>>

beforeEach(async () => {
  world = await openWorld()
  caller = await aCaller(world, await aTeam(world))
})

const buffalo = { address: 'Buffalo, NY 14201', window_start: '2019-02-24', window_end: '2019-02-25', radius_miles: 5 }

async function reportOn(input: typeof buffalo) {
  const { id } = (await requestReport(world.app, caller, input, null)).report
  await world.drain()
  return { report: await findReport(world.app, caller, id), verification: await reportVerification(world.app, caller, id) }
}

const addZones = (lines: string[]) => importText(world, lines.map((line) => `${line}\n`).join(''), { file_name: 'bp18mr25.dbx' }, 'zones')
const niagara = 'NY|001|BUF|Niagara|NY001|Niagara|36063|E|ww|43.17|-78.7'

describe.skipIf(!present)(`the wind storm of 24 February 2019 at Buffalo${skipped}`, () => {
  it('is not denied while the zones of New York have no counties', async () => {
    await importReal(world, details(2019), { quiet: true })
    const { report, verification } = await reportOn(buffalo)
    expect(report).toMatchObject({ event_count: 0, coverage: { complete: true, provisional: false, unplaced_zone_records: 95 } })
    const sentence =
      '95 forecast-zone records of New York in this window (high wind, strong wind, blizzard, lakeshore flood, winter weather, heavy snow) could not be placed: no zone table is held'
    expect(report.coverage.summary).toContain(`; ${sentence};`)
    expect(verification.authoritative).toBe(false)
    const facts = await readDocumentFacts(world.app, report.id)
    if (!facts) throw new Error('the report has no document')
    const { html } = await documentPage(facts, [])
    const first = html.slice(0, html.indexOf('Coverage and limits'))
    expect(first).toContain(sentence)
    expect(first).not.toContain('No records were found')
    expect(first).toContain('<span class="stamp incomplete">INCOMPLETE</span>')
    expect(html).toContain('Records of forecast zones could not be placed: see above.')
  })

  it('is not silenced by a zone table with one line, or by one of another state', async () => {
    await importReal(world, details(2019), { quiet: true })
    await addZones([niagara])
    const { report, verification } = await reportOn(buffalo)
    expect(verification.authoritative).toBe(false)
    // Two of the 95 are in Niagara's zone.
    expect(report.coverage.summary).toContain('93 forecast-zone records of New York')
    expect(report.coverage.summary).toContain('could not be placed: the zone table held does not name their zones')
    const minnesota = await reportOn({ ...buffalo, address: 'Duluth, MN 55802' })
    expect(minnesota.verification.authoritative).toBe(false)
    expect(minnesota.report.coverage.summary).toMatch(/\d+ forecast-zone records of Minnesota in this window .* no zone table is held/)
  })
})

describe.skipIf(!present)(`the wind storm with the zones of New York in the table${skipped}`, () => {
  it('is reported with its zone and value', async () => {
    await importReal(world, details(2019), { quiet: true })
    await addZones([
      niagara,
      'NY|010|BUF|Northern Erie|NY010|Erie|36029|E|ww|42.9|-78.7',
      'NY|085|BUF|Southern Erie|NY085|Erie|36029|E|ww|42.6|-78.7',
    ])
    const { report, verification } = await reportOn(buffalo)
    expect(report.findings?.find(({ family }) => family === 'wind')?.statement).toMatch(
      /^2 zone records of high wind for Northern Erie \(NYZ010\) and Southern Erie \(NYZ085\); they name a forecast zone, not a point \(strongest gust 74 mph measured, Northern Erie, 2019-02-24\)\./,
    )
    // The table does not have the state's other zones.
    expect(verification.authoritative).toBe(false)
    const { data } = await listReportEvents(world.app, caller, report.id, { type: 'high_wind' })
    expect(data.map(({ location }) => location)).toContainEqual({
      latitude: null,
      longitude: null,
      county: null,
      state: 'NY',
      precision: 'zone',
      zone: 'NYZ010',
      zone_name: 'Northern Erie',
    })
    const facts = await readDocumentFacts(world.app, report.id)
    expect((await documentPage(facts as NonNullable<typeof facts>, [])).html).toContain('Northern Erie (NYZ010), NY')
  })
})

describe('a report with zone records that could not be placed', () => {
  const dallas = { address: 'Dallas, TX 75201', window_start: '2019-03-24', window_end: '2019-03-24', radius_miles: 5 }
  const storm = {
    EVENT_ID: '7',
    EVENT_TYPE: 'High Wind',
    MAGNITUDE: '64.00',
    MAGNITUDE_TYPE: 'MG',
    CZ_TYPE: 'Z',
    CZ_FIPS: '119',
    CZ_NAME: 'DALLAS',
    BEGIN_LAT: '',
    BEGIN_LON: '',
    END_LAT: '',
    END_LON: '',
  }
  const zone = 'TX|119|FWD|Dallas|TX119|Dallas|48113|C|nc|32.7666|-96.7778'

  it('keeps its statements when a zone table arrives later', async () => {
    await importText(world, detailsText(storm), { quiet: true })
    const before = await reportOn(dallas)
    expect(before.report.headline).toBe('No records within 5 mi, 2019-03-24; coverage incomplete')
    expect(before.report.nothing_found).toMatch(
      /^1 forecast-zone record of Texas in this window \(high wind\) could not be placed: no zone table is held\. /,
    )
    await addZones([zone])
    expect(await reportVerification(world.app, caller, before.report.id)).toEqual(before.verification)
    expect(before.verification.authoritative).toBe(false)
    const after = await reportOn(dallas)
    expect(after.report).toMatchObject({ event_count: 1, coverage: { unplaced_zone_records: 0 } })
    expect(after.verification.authoritative).toBe(true)
  })

  it('shares its fingerprint with a report without such records, and their public page claims no more than either', async () => {
    await importText(world, detailsText({ ...storm, CZ_FIPS: '104', CZ_NAME: 'COLLIN' }), { quiet: true })
    const before = await reportOn(dallas)
    await addZones(['TX|104|FWD|Collin|TX104|Collin|48085|C|nc|33.18|-96.57'])
    const after = await reportOn({ ...dallas, radius_miles: 5 })
    expect(after.verification).toMatchObject({ fingerprint: before.verification.fingerprint, authoritative: true })
    expect(await publicStatement(world.app, after.verification.fingerprint)).toMatchObject({ standing: 'held', authoritative: false })
  })
})
