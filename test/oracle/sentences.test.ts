import { beforeAll, describe, expect, test } from 'vitest'
import type { ReportView, VerificationView } from '#domain/reports/view.ts'
import { aCell, aCounty, aRecord, frisco, reportOf, year2025 } from '#test/domain/reports/record-factories.ts'
import { faultsOfTexts } from './sentences/check.ts'
import type { StatedReport } from './sentences/claims.ts'
import { documentOf } from './sentences/document.ts'
import { faultsOfPage } from './sentences/page.ts'

const county = { county: 'Canadian', county_fips: '40017', state: 'OK' }
const rated = { type: 'tornado', tornado_ef_scale: 1, qualifier: 'estimated' } as const
const composed = reportOf([
  aRecord({ hail_size_in: 1, miles_north: -1.59, occurred_on: '2025-04-01' }),
  aRecord({ hail_size_in: 3.5, miles_north: 2.5, occurred_on: '2025-09-06' }),
  aRecord({ type: 'thunderstorm_wind', wind_gust_mph: 60, qualifier: 'estimated', miles_north: 1.2, occurred_on: '2025-03-05' }),
  aRecord({ type: 'thunderstorm_wind', wind_gust_mph: 70, qualifier: 'measured', miles_north: 4, occurred_on: '2025-05-28' }),
  aRecord({ ...rated, miles_north: 4.5, occurred_on: '2025-10-07', description: 'Rated EF1 by the source.' }),
  aCell({ hail_size_in: 1.25, miles_north: 0.7 }),
  aCounty({ ...county, type: 'hail', hail_size_in: 4.5, occurred_on: '2025-08-17' }),
  aCounty({ ...county, type: 'thunderstorm_wind', occurred_on: '2025-08-17' }),
  aRecord({ type: 'flash_flood', miles_north: 0.4, occurred_on: '2025-06-09' }),
])

const stated: StatedReport = {
  report: {
    id: 'one',
    object: 'report',
    status: 'complete',
    address: { ...frisco, query: 'Here' },
    window: { ...year2025, narrowed_by_plan: false },
    date_of_loss: null,
    day_of_loss: null,
    event_count: composed.citations.length,
    observation_count: 0,
    coverage: composed.coverage,
    headline: composed.headline,
    nothing_found: null,
    findings: composed.findings,
    fingerprint: '0'.repeat(64),
    generated_at: '2026-01-01T00:00:00Z',
    reference: null,
    recipient: null,
  } as unknown as StatedReport['report'] & ReportView,
  // As the service lists them.
  records: composed.citations.map(({ view }) => view).sort((one, other) => (one.occurred_on < other.occurred_on ? 1 : -1)),
}
const verification = { verify_url: 'http://127.0.0.1/verify/0', short_fingerprint: '0000 0000 0000 0000' } as VerificationView

/** The same report, with one text replaced wherever its statements and headline contain it. */
function saying(instead: string, of: string): StatedReport {
  const changed = (text: string) => text.replace(of, instead)
  const findings = stated.report.findings.map((finding) => ({ ...finding, statement: changed(finding.statement) }))
  const report = { ...stated.report, headline: changed(stated.report.headline), findings }
  if (JSON.stringify(report) === JSON.stringify(stated.report)) throw new Error(`"${of}" is not said`)
  return { ...stated, report }
}

describe('the grammar of statements and headlines', () => {
  test('finds nothing if the records support every sentence', () => {
    expect(faultsOfTexts(stated)).toEqual([])
  })

  test('reads tornadoes of unknown strength, and finds a rating that the nearest does not have', () => {
    const efu = { type: 'tornado', qualifier: 'surveyed', description: 'No damage. Rated EFU by the source.' } as const
    for (const records of [[aRecord(efu)], [aRecord(efu), aRecord({ type: 'tornado', miles_north: 3 })]]) {
      const { findings, headline, coverage, citations } = reportOf(records)
      const report = { ...stated.report, findings, headline, coverage, event_count: records.length }
      const cited = citations.map(({ view }) => view)
      expect(faultsOfTexts({ report, records: cited })).toEqual([])
      const statement = findings[0]?.statement.replace('EFU', 'EF2') ?? ''
      const forged = { ...report, findings: findings.map((finding) => ({ ...finding, statement })) }
      expect(faultsOfTexts({ report: forged, records: cited })).not.toEqual([])
    }
  })

  test.each([
    ['the largest on the day of the nearest', '2.50 mi N on 2025-04-01; nearest', '2.50 mi N on 2025-09-06; nearest'],
    ['the largest at the distance of the nearest', '1.59 mi S on 2025-09-06; nearest', '2.50 mi N on 2025-09-06; nearest'],
    ['another size', 'largest 3.25 in (', 'largest 3.50 in ('],
    ['a size that is not the largest', 'largest 1.00 in (quarter; measured', 'largest 3.50 in (measured'],
    ['a name that is not of the size', '1.00 in (golf ball)', '1.00 in (quarter)'],
    ['a measurement that was an estimate', '60 mph (gust; measured)', '60 mph (gust; estimated by the source)'],
    ['a sustained wind that was a gust', '70 mph (sustained; measured)', '70 mph (gust; measured)'],
    ['another scale', ': F1 (estimated by the source)', ': EF1 (estimated by the source)'],
    ['another direction', '1.59 mi SW on', '1.59 mi S on'],
    ['a county record as within', '3 ground reports of hail within', '2 ground reports of hail within'],
    ['the size of a county record as within', 'largest 4.50 in (softball; ', 'largest 3.50 in ('],
    ['the nearest of all as the nearest of hail', 'nearest 1.00 in (quarter), 1.20 mi N', 'nearest 1.00 in (quarter), 1.59 mi S'],
    ['another county', 'for Oklahoma County;', 'for Canadian County;'],
    ['a county record too many', '3 county records', '2 county records'],
    ['another day of a county record', 'Canadian County, 2025-08-18)', 'Canadian County, 2025-08-17)'],
    ['radar on another day', '0.70 mi N on 2025-05-27', '0.70 mi N on 2025-05-28'],
    ['radar over the place', ' in over this location on', ' in, 0.70 mi N on'],
    ['another source', 'Source: NWS local storm report (final)', 'Source: NOAA Storm Events Database (final)'],
    [
      'a distance from a centre',
      'Dates are local (Central Time). Distances are from the centre of Frisco, not from the building.',
      'Dates are local (Central Time).',
    ],
    ['a sentence that nobody knows', 'It was terrible. Source', 'Source'],
    [
      'the form that joined a size to another’s day',
      '2 ground reports of hail up to 3.50 in (measured or estimated: not stated) within 5 mi; nearest 1.59 mi S on 2025-04-01. 2 reports of thunderstorm wind',
      stated.report.findings[0]?.statement.match(/2 ground reports of hail .*?2 reports of thunderstorm wind/)?.[0] as string,
    ],
    ['a headline of another day', 'of the address on 2025-04-01; 9', 'of the address on 2025-09-06; 9'],
    ['a headline of a county record', 'Hail 4.50 in reported 2.50', 'Hail 3.50 in reported 2.50'],
    [
      'a headline of a less severe record',
      'Hail 1.00 in reported 1.59 mi S of the address on 2025-04-01',
      'Hail 3.50 in reported 2.50 mi N of the address on 2025-09-06',
    ],
    ['a headline that counts otherwise', '8 records in all', '9 records in all'],
    ['a headline of more than a clause', '9 records in all. It was large', '9 records in all'],
    ['a headline of missing coverage', '9 records in all; coverage incomplete', '9 records in all'],
    ['a headline from a centre', 'N of the centre of ZIP 75034 on', 'N of the address on'],
    ['a headline measured by an instrument', 'Hail 3.50 in measured', 'Hail 3.50 in reported'],
  ])('finds %s', (_what, instead, of) => {
    expect(faultsOfTexts(saying(instead, of))).not.toEqual([])
  })

  test.each([
    [
      'its headline in its statement',
      (report: StatedReport['report']) => ({ findings: [{ ...report.findings[0], statement: `${report.headline}.` }] }),
    ],
    [
      'a peak of a county record',
      (report: StatedReport['report']) => ({ findings: report.findings.map((one) => ({ ...one, peak_hail_in: 4.5 })) }),
    ],
    [
      'another scale of a peak',
      (report: StatedReport['report']) => ({ findings: report.findings.map((one) => ({ ...one, peak_tornado_rating: 'F1' })) }),
    ],
    [
      'a label of one kind beside two',
      (report: StatedReport['report']) => ({
        findings: report.findings.map((one) => ({ ...one, confidence_label: 'Medium: one kind of evidence' })),
      }),
    ],
    [
      'silence where nothing is cited',
      () => ({ findings: [], event_count: 0, headline: 'No records within 5 mi, 2025-01-01 to 2025-12-31' }),
    ],
  ])('finds %s', (_what, change) => {
    const report = { ...stated.report, ...change(stated.report) } as StatedReport['report']
    expect(faultsOfTexts({ report, records: report.event_count === 0 ? [] : stated.records })).not.toEqual([])
  })

  test('finds a denial of ground reports in a report that cites one of other weather', () => {
    const { headline, findings, citations } = reportOf([aCell({ hail_size_in: 1.25 }), aRecord({ type: 'flash_flood', miles_north: 0.5 })])
    const report = { ...stated.report, headline, findings, event_count: 2 }
    const records = citations.map(({ view }) => view)
    expect(faultsOfTexts({ report, records })).toEqual([])
    const denying = findings.map((one) => ({ ...one, statement: one.statement.replace('ground report of hail', 'ground report') }))
    expect(faultsOfTexts({ report: { ...report, findings: denying }, records })).not.toEqual([])
  })

  test('reads distances from the centre of a ZIP code, to a tenth of a mile', () => {
    const zip = { ...frisco, precision: 'zip' as const }
    const { headline, findings, citations } = reportOf([aRecord({ hail_size_in: 2, miles_north: 0.84 }), aCell({ hail_size_in: 1 })], {
      place: zip,
    })
    const report = { ...stated.report, address: { ...zip, query: 'Here' }, headline, findings, event_count: 2 }
    const records = citations.map(({ view }) => view)
    expect(faultsOfTexts({ report, records })).toEqual([])
    const precise = { ...report, findings: findings.map((one) => ({ ...one, statement: one.statement.replace('0.8 mi N', '0.84 mi N') })) }
    expect(faultsOfTexts({ report: precise, records })).not.toEqual([])
  })
})

describe('the grammar of the page', () => {
  let page: string
  beforeAll(async () => {
    page = await documentOf(stated, verification)
  })

  test('finds nothing if the records support every figure and caption', () => {
    expect(faultsOfPage(stated, page)).toEqual([])
  })

  test.each([
    [
      'a caveat that no record carries',
      '<p>1 record with a caveat gives no figure here.</p><h3>Were there earlier ones?</h3>',
      '<h3>Were there earlier ones?</h3>',
    ],
    ['a key figure of a county record', '<dd>4.50 in</dd>', '<dd>3.50 in</dd>'],
    [
      'a key figure with another’s day',
      'not stated), 2.50 mi N on <span class="whole">2025-04-01',
      'not stated), 2.50 mi N on <span class="whole">2025-09-06',
    ],
    ['a key figure with another’s distance', 'not stated), 1.59 mi S on', 'not stated), 2.50 mi N on'],
    [
      'a size in the table of page one with another’s day',
      '<td>2.50 mi N</td><td class="whole">2025-04-01</td>',
      '<td>2.50 mi N</td><td class="whole">2025-09-06</td>',
    ],
    ['county records counted within', '9 records cited within 5 mi; 2 records', '7 records cited within 5 mi; 2 records'],
    ['another nearest', 'reported or measured is flash flood at 0.50 mi N', 'reported or measured is flash flood at 0.40 mi N'],
    ['another headline', '; 8 records in all.', '; 9 records in all.'],
    ['another scale', '<td>F1 (estimated)</td>', '<td>EF1 (estimated)</td>'],
    ['a circle around another place', 'around the centre of ZIP 75034 (the cross)', 'around the address (the cross)'],
    ['another count of markers', '3 of the 9 cited records have no marker', '2 of the 9 cited records have no marker'],
    ['a bar of another count', '3 (hail 3)', '1 (hail 1)'],
    ['a window that is another', 'Cited records by month, 2025-01-01 to 2025-12-30', 'Cited records by month, 2025-01-01 to 2025-12-31'],
    ['a county record among those with a place', 'hail 1, largest 4.50 in', 'hail (county records) 1, largest 4.50 in'],
    ['another stamp', '>PROVISIONAL<', '>FINAL<'],
  ])('finds %s', (_what, instead, of) => {
    if (!page.includes(of)) throw new Error(`"${of}" is not printed`)
    expect(faultsOfPage(stated, page.replace(of, instead))).not.toEqual([])
  })

  const pageOf = async (records: Parameters<typeof reportOf>[0]) => {
    const { headline, findings, citations, coverage } = reportOf(records)
    const views = citations.map(({ view }) => view).sort((one, other) => (one.occurred_on < other.occurred_on ? 1 : -1))
    const report = { ...stated.report, headline, findings, coverage, event_count: views.length }
    const html = await documentOf({ report, records: views }, verification)
    return { faults: faultsOfPage({ report, records: views }, html), text: html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ') }
  }
  const suspect = { caveats: ['The point lies 31 mi outside the county that the source names.'] }

  test('calls the nearest and the largest so only among records without a caveat', async () => {
    const day = { occurred_on: '2025-04-01' }
    const { faults, text } = await pageOf([
      aRecord({ hail_size_in: 4, miles_north: 0.3, ...suspect, ...day }),
      aRecord({ hail_size_in: 1, miles_north: 2, ...day }),
      aRecord({ type: 'flash_flood', miles_north: 3 }),
    ])
    expect(faults).toEqual([])
    expect(text).toContain('The nearest without a caveat that was reported or measured is hail at 2.00 mi N on 2025-04-01.')
    expect(text).toContain('hail 2, largest without a caveat 1.00 in (measured or estimated: not stated)')
  })

  test('denies a size only where no record without a caveat states one', async () => {
    const { faults, text } = await pageOf([
      aRecord({ type: 'thunderstorm_wind' }),
      aCounty({ ...county, type: 'hail', hail_size_in: 2, occurred_on: '2025-08-17' }),
    ])
    expect(faults).toEqual([])
    expect(text).toContain('No cited record that names a point states a size, a speed or a strength.')
  })

  test('marks the hail of an earlier day that only radar estimated', async () => {
    const earlier = { occurred_on: '2025-04-01' }
    const { faults, text } = await pageOf([
      aRecord({ hail_size_in: 1 }),
      aCell({ hail_size_in: 1.25, ...earlier }),
      aRecord({ type: 'flash_flood', ...earlier }),
    ])
    expect(faults).toEqual([])
    expect(text).toContain('1 earlier day with records: 2025-04-01 (flash flood, hail (radar)).')
  })

  test('counts a single record without a marker as one', async () => {
    const { faults, text } = await pageOf([aRecord({ hail_size_in: 1 }), aCounty({ ...county, type: 'hail' })])
    expect(faults).toEqual([])
    expect(text).toContain('1 of the 2 cited records has no marker: it names no point.')
    const alone = await pageOf([aCounty({ ...county, type: 'hail' })])
    expect(alone.faults).toEqual([])
    expect(alone.text).toContain('The cited record has no marker: it names no point.')
  })

  test('reads the sixty newest days of a finding, and the number of earlier ones', async () => {
    const day = (nth: number) => new Date(Date.UTC(2025, 0, 1 + 3 * nth)).toISOString().slice(0, 10)
    const { headline, findings, citations, coverage } = reportOf(
      Array.from({ length: 70 }, (_, nth) => aRecord({ hail_size_in: 1, miles_north: 1.2, occurred_on: day(nth) })),
    )
    const records = citations.map(({ view }) => view).sort((one, other) => (one.occurred_on < other.occurred_on ? 1 : -1))
    const of_many_days = { report: { ...stated.report, headline, findings, coverage, event_count: 70 }, records }
    const html = await documentOf(of_many_days, verification)
    expect(html).toContain('</span>; and 10 before, in the attached records.csv.')
    expect(faultsOfPage(of_many_days, html)).toEqual([])
    expect(faultsOfPage(of_many_days, html.replace('and 10 before', 'and 9 before'))).not.toEqual([])
  })
})
