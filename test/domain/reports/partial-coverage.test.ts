import { expect, it, test } from 'vitest'
import { coverageWithCited } from '#domain/archive/coverage/coverage-with-cited.ts'
import { compiledText } from '#domain/reports/document/format.ts'
import { findReport } from '#domain/reports/find.ts'
import { fingerprint } from '#domain/reports/fingerprint.ts'
import { requestReport } from '#domain/reports/request.ts'
import { reportVerification } from '#domain/reports/verification.ts'
import { importReal, present, skipped } from '#test/domain/archive/files.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'
import { aCell, aCoverage, aRecord, reportOf } from './record-factories.ts'

const emptyCoverage = aCoverage({
  complete: false,
  provisional: true,
  sources: [],
  horizons: { TX: null },
  final_through: null,
  missing: [
    { from: '2025-01', to: '2025-02' },
    { from: '2025-04', to: '2025-12' },
  ],
  radar: { of: 365, days: 0, moments: 0, largest_only: 0, reaches: null, maxima: 0 },
})

test('a cited source counts as searched and as holding part of the window, even without a marked month', () => {
  const { coverage, vintages, headline } = reportOf([aRecord()], { coverage: emptyCoverage })
  expect(coverage).toEqual({
    complete: false,
    provisional: true,
    sources_searched: ['noaa_storm_events'],
    unplaced_zone_records: 0,
    summary:
      'Final records in part; no records held for 2025-01 to 2025-02, 2025-04 and 2025-06 to 2025-12; records of 2025-05 held in part; radar not held. 1 source searched, 1 with records.',
  })
  expect(vintages).toEqual([{ source: 'noaa_storm_events', label: 'NOAA Storm Events Database', compiled_on: '2026-05-01' }])
  expect(headline).toMatch(/; 1 record in all; coverage incomplete$/)
})

test('a file without a compile date does not have the date of the other files of its source', () => {
  const dated = aRecord()
  const { vintages } = reportOf([dated, aRecord({ compiled_on: null })])
  expect(vintages).toMatchObject([{ compiled_on: '2026-05-01', undated: true }])
  expect(vintages.map(compiledText)).toEqual(['2026-05-01, in part as it came in'])
  expect(reportOf([dated]).vintages.map(compiledText)).toEqual(['2026-05-01'])
  const [source] = aCoverage().sources
  const sources = source ? [{ ...source, compiled_on: '2017-05-22', compiled_to: '2019-06-17' }] : []
  const years = reportOf([dated], { coverage: aCoverage({ sources }) })
  expect(years.vintages.map(compiledText)).toEqual(['2017-05-22 to 2019-06-17'])
})

test('a preliminary report is not a final record, and a radar cell holds no month', () => {
  const report = aRecord({ source: 'nws_lsr', preliminary: true })
  expect(reportOf([report], { coverage: emptyCoverage }).coverage.summary).toMatch(
    /^No final records; no records held for 2025-01 to 2025-02, 2025-04 and 2025-06 to 2025-12; records of 2025-05 held in part; radar not held\./,
  )
  const { coverage } = reportOf([aCell()], { coverage: emptyCoverage })
  expect(coverage.sources_searched).toEqual(['noaa_mesh'])
  expect(coverage.summary).toBe(
    'No final records; no records held for 2025-01 to 2025-02 and 2025-04 to 2025-12; radar held for 1 of 365 days. 1 source searched, 1 with records.',
  )
})

test('a month with a cited record does not stand for the months around it, and joins those held in part', () => {
  const coverage = aCoverage({
    complete: false,
    final_through: null,
    missing: [{ from: '2005-01', to: '2019-11' }],
    in_part: [{ from: '2019-12', to: '2019-12' }],
  })
  const records = ['2011-05-24', '2019-10-20', '2019-11-02'].map((occurred_on) => aRecord({ occurred_on }))
  expect(coverageWithCited(coverage, records)).toMatchObject({
    complete: false,
    missing: [
      { from: '2005-01', to: '2011-04' },
      { from: '2011-06', to: '2019-09' },
    ],
    in_part: [
      { from: '2011-05', to: '2011-05' },
      { from: '2019-10', to: '2019-12' },
    ],
    final_in_part: true,
  })
})

test('a report whose sources were listed already keeps its fingerprint', () => {
  const records = [aRecord(), aRecord({ hail_size_in: 1 })]
  const listed = { ...emptyCoverage, sources: aCoverage().sources }
  const prints = [aCoverage({ complete: false, provisional: true }), listed].map((coverage) => {
    const composed = reportOf(records, { coverage })
    return fingerprint(
      { address: composed.place, window: composed.window, coverage: composed.coverage },
      composed.citations.map(({ view }) => view),
    )
  })
  expect(prints[0]).toBe(prints[1])
})

it.skipIf(!present)(`counts the agency’s export under its own source${skipped}`, async () => {
  const world = await openWorld()
  await importReal(world, 'search-export_TX-Tarrant_hail_1999-2023.csv', { quiet: true })
  const caller = await aCaller(world, await aTeam(world))
  const input = {
    address: '500 Main St, Fort Worth, TX 76102',
    window_start: '2010-01-01',
    window_end: '2012-12-31',
    radius_miles: 10,
  }
  const { id } = (await requestReport(world.app, caller, input, null)).report
  await world.drain()
  const { event_count, coverage, headline } = await findReport(world.app, caller, id)
  expect(event_count).toBe(36)
  expect(coverage).toMatchObject({ complete: false, sources_searched: ['noaa_storm_events'] })
  expect(coverage.summary).toMatch(
    /^Final records in part; no records held for 2010-01 to .* to 2012-12; records of 2010-03, .* and 2012-08 held in part; .* 1 source searched, 1 with records\./,
  )
  expect(headline).toMatch(
    /^Hail \d\.\d\d in reported \d\.\d mi \w+ of the centre of ZIP 76102 on 201\d-\d\d-\d\d; 36 records in all; coverage incomplete$/,
  )
  expect(await reportVerification(world.app, caller, id)).toMatchObject({ sources_searched: 1, sources_found: 1, authoritative: false })
})
