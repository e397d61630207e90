import { expect, test } from 'vitest'
import { aCell, aCounty, aCoverage, after, aGust, aRecord, evidenceOf, frisco, reportOf, year2025 } from './record-factories.ts'

test('makes one finding per family, from all its records', () => {
  const { findings } = reportOf([
    aRecord({ hail_size_in: 1.75, miles_north: 0.843, occurred_on: '2025-06-01', begins_at: after(10_000) }),
    aRecord({ hail_size_in: 1, miles_north: 4 }),
    aRecord({
      type: 'thunderstorm_wind',
      wind_speed_mph: 61,
      wind_gust_mph: null,
      qualifier: 'measured',
      evidence_kind: 'instrument',
      miles_north: 4,
    }),
    aRecord({ type: 'tornado', tornado_ef_scale: 1, miles_north: 4.5 }),
    aCell({ hail_size_in: 2.5 }),
  ])
  expect(findings).toHaveLength(1)
  expect(findings[0]).toMatchObject({
    family: 'thunderstorm',
    family_label: 'Thunderstorm: hail, wind, tornado',
    event_count: 5,
    peak_severity: 'severe',
    evidence_kinds: ['ground', 'instrument', 'radar'],
    evidence_labels: ['Ground report', 'Instrument measurement', 'Radar estimate'],
    dates: ['2025-06-01', '2025-05-28'],
    most_recent: '2025-06-01',
    peak_hail_in: 1.75,
    peak_wind_mph: 61,
    peak_tornado_ef: 1,
    nearest_miles: 0,
    any_observed: true,
    confidence: 'medium',
    confidence_label: 'Medium: no corroborated report within 3 mi',
  })
})

test('radar gives the peak only without ground reports, and is not an observation', () => {
  expect(reportOf([aCell({ hail_size_in: 2.5 })]).findings[0]).toMatchObject({
    peak_hail_in: 2.5,
    any_observed: false,
    evidence_kinds: ['radar'],
  })
})

test('denies no ground report in one finding that another finding cites', () => {
  const [hail] = reportOf([aCell({ hail_size_in: 1.5 }), aRecord({ type: 'flash_flood', miles_north: 0.5 })]).findings.filter(
    ({ family }) => family === 'thunderstorm',
  )
  expect(hail?.statement).toContain(' No ground report of hail within 5 mi was found. ')
  const [alone] = reportOf([aCell({ hail_size_in: 1.5 })]).findings
  expect(alone?.statement).toContain(' No ground report within 5 mi was found. ')
})

test('orders findings by confidence, then severity, then distance', () => {
  const families = (records: Parameters<typeof reportOf>[0]) => reportOf(records).findings.map(({ family }) => family)
  expect(families([aRecord({ type: 'flood' }), aRecord({ hail_size_in: 0.5 }), aCell({ hail_size_in: 0.5, miles_north: 4 })])).toEqual([
    'thunderstorm',
    'flood',
  ])
  expect(families([aRecord({ type: 'heavy_rain' }), aRecord({ type: 'flood' })])).toEqual(['flood', 'flash_flood'])
  expect(families([aRecord({ type: 'flash_flood', miles_north: 2 }), aRecord({ type: 'flood', miles_north: 1 })])).toEqual([
    'flood',
    'flash_flood',
  ])
  expect(families([aCounty({ type: 'drought' }), aRecord({ type: 'dense_fog', miles_north: 4.9 })])).toEqual(['visibility', 'drought'])
})

test('a finding of county records has no nearest distance', () => {
  const { findings, citations } = reportOf([aCounty()])
  expect(findings[0]).toMatchObject({ nearest_miles: null, confidence: 'low', confidence_label: 'Low: county records only' })
  expect(citations[0]?.view).toMatchObject({
    location: { latitude: null, longitude: null, county: 'Collin', state: 'TX', precision: 'county' },
    relevance: { relevance: 'context', distance_miles: null, bearing: null },
  })
})

test('rounds a cited record as in its fingerprint', () => {
  const [citation] = reportOf([
    aRecord({ id: 7, hail_size_in: 1.7549, latitude: 33.1622222, longitude: -96.8199999, begins_at: new Date('2025-05-28T23:10:00.250Z') }),
  ]).citations
  expect(citation?.view).toMatchObject({
    id: 7,
    object: 'weather_event',
    begins_at: '2025-05-28T23:10:00Z',
    measurements: { hail_size_in: 1.75, wind_gust_mph: null },
    location: { latitude: 33.16222, longitude: -96.82 },
    relevance: { relevance: 'primary', distance_miles: 0.84, bearing: 'N' },
    provenance: {
      source: 'noaa_storm_events',
      source_label: 'NOAA Storm Events Database, final',
      evidence_kind: 'ground',
      is_observed: true,
      qualifier: 'unknown',
    },
    sample: false,
  })
})

test('the findings count exactly the cited records, after supersession', () => {
  const preliminary = { source: 'nws_lsr', preliminary: true, hail_size_in: 1, occurred_on: '2026-01-01' } as const
  const { citations, findings, coverage } = reportOf([
    aRecord(preliminary),
    aRecord({ ...preliminary, source: 'noaa_spc_reports' }),
    aRecord({ type: 'flood' }),
    aRecord({ ...preliminary, occurred_on: '2025-12-31' }),
  ])
  expect(citations).toHaveLength(2)
  expect(findings.reduce((sum, { event_count }) => sum + event_count, 0)).toBe(2)
  expect(coverage.summary).toContain('2 sources searched, 2 with records.')
})

test('lists sources by identifier, with their vintage', () => {
  const source = (id: 'nws_lsr' | 'noaa_mesh') => ({ source: id, label: id, compiled_on: null, preliminary: true })
  const { coverage, vintages, observation_count } = reportOf([], {
    coverage: aCoverage({ sources: [source('nws_lsr'), source('noaa_mesh')] }),
    observations: { count: 2, gusts: [aGust()] },
  })
  expect(coverage.sources_searched).toEqual(['noaa_mesh', 'nws_lsr'])
  expect(vintages).toEqual([
    { source: 'nws_lsr', label: 'nws_lsr', compiled_on: null },
    { source: 'noaa_mesh', label: 'noaa_mesh', compiled_on: null },
  ])
  expect(observation_count).toBe(2)
})

test('the same evidence gives the same report', () => {
  const evidence = evidenceOf([aRecord(), aCell(), aCounty()])
  expect(reportOf(evidence.records)).toEqual(reportOf(evidence.records, { place: { ...frisco } }))
})

test('the most recent date of a finding is the latest, in any order of the records', () => {
  const [early, late] = [aRecord(), aRecord({ occurred_on: '2025-06-01', begins_at: after(10_000) })]
  for (const records of [
    [early, late],
    [late, early],
  ])
    expect(reportOf(records).findings[0]).toMatchObject({ dates: ['2025-06-01', '2025-05-28'], most_recent: '2025-06-01' })
})

test('names the county records of a date of loss, and denies only a record that names a point', () => {
  const hail = { type: 'hail' as const, occurred_on: '2025-05-28' }
  const records = [aCounty({ id: 1, ...hail, hail_size_in: 2.75 }), aCounty({ id: 2, ...hail, hail_size_in: 1 })]
  const { day_of_loss } = reportOf(records, { loss: { date: '2025-05-28', warnings: [] } })
  expect(day_of_loss?.statement).toMatch(
    /^On 2025-05-28, the date of loss, no record of hail, wind or tornado that names a point was found within 5 mi of the address; absence of a record does not show that none occurred\. On that day: 2 county records of hail for Collin County; they name the county, not a point \(largest hail 2\.75 in, Collin County, 2025-05-28\)\. /,
  )
})

test('names the county records of the days around a date of loss', () => {
  const wind = { type: 'thunderstorm_wind' as const, occurred_on: '2025-05-30' }
  const records = [aRecord({ id: 1 }), aCounty({ id: 2, ...wind }), aCounty({ id: 3, ...wind })]
  const { day_of_loss } = reportOf(records, { loss: { date: '2025-05-28', warnings: [] } })
  expect(day_of_loss?.statement).toContain(
    'No such record was found within two days of it. On those days: 2 county records of thunderstorm wind for Collin County; they name the county, not a point (',
  )
})

test('states only that days near a date of loss were not searched', () => {
  const loss = { date: '2025-05-28', warnings: [] }
  const statementFor = (start: string, end: string, records = [aRecord({ hail_size_in: 1.75 })]) =>
    reportOf(records, { loss, window: { ...year2025, start, end } }).day_of_loss?.statement
  const alone = statementFor('2025-05-28', '2025-05-28')
  expect(alone).toContain('The two days before it and the two after it lie outside the window, and were not searched.')
  expect(alone).not.toContain('within two days of it')
  expect(statementFor('2025-05-27', '2025-05-28')).toContain(
    'No such record was found within two days of it. Of the five days around it, 2025-05-27 to 2025-05-28 lie in the window; the others were not searched.',
  )
  const suspect = aRecord({ hail_size_in: 1.75, occurred_on: '2025-05-27', caveats: ['The point lies 31 mi outside.'] })
  expect(statementFor('2025-01-01', '2025-12-31', [suspect])).toContain('Within two days of it: on 2025-05-27 with a caveat.')
})

test('states which days of a date of loss have no reports to search', () => {
  const sources = aCoverage().sources
  const statementFor = (date: string, missing: { from: string; to: string }[], held = sources) =>
    reportOf([], { loss: { date, warnings: [] }, coverage: aCoverage({ complete: false, missing, sources: held }) }).day_of_loss?.statement
  const may = [{ from: '2025-05', to: '2025-05' }]
  const none = statementFor('2025-05-28', may)
  expect(none).toMatch(/^For 2025-05-26 to 2025-05-30 the archive has no reports or measurements that could be searched\. On 2025-05-28, /)
  expect(none).toContain(' Not all of the window is held: ')
  expect(statementFor('2025-06-02', may)).toMatch(
    /^On 2025-06-02, .* found within two days of it\. For 2025-05-31 the archive has no reports or measurements that could be searched\. Not all /,
  )
  expect(statementFor('2025-07-15', may)).not.toContain('could be searched')
  const nothing = statementFor('2025-05-28', [{ from: '2025-01', to: '2025-12' }], [])
  expect(nothing).toContain(' No source was searched for the window: the coverage of the report says what is missing.')
  expect(nothing).not.toContain('Not all of the window')
})

test('states preliminary records of a window only if there are some', () => {
  const loss = { date: '2025-05-28', warnings: [] }
  const statementFor = (records: Parameters<typeof reportOf>[0], preliminary: { from: string; to: string } | null) =>
    reportOf(records, { loss, coverage: aCoverage({ provisional: true, complete: false, horizons: { TX: '2025-06-30' }, preliminary }) })
      .day_of_loss?.statement
  const none = statementFor([aRecord()], null)
  expect(none).toContain(' Final records do not reach the end of the window.')
  expect(none).not.toContain('preliminary')
  const rests = ' Part of the window rests on preliminary records.'
  expect(statementFor([aRecord()], { from: '2025-07-01', to: '2025-12-31' })).toContain(rests)
  const report = aRecord({ preliminary: true, source: 'nws_lsr', occurred_on: '2025-07-04', begins_at: after(60 * 24 * 37) })
  expect(statementFor([report], null)).toContain(rests)
})

test('counts the records with a caveat of a day whose figures come from others', () => {
  const suspect = { hail_size_in: 4, caveats: ['The point lies 31 mi outside the county that the source names.'] }
  const statementFor = (...records: Parameters<typeof reportOf>[0]) =>
    reportOf(records, { loss: { date: '2025-05-28', warnings: [] } }).day_of_loss?.statement
  expect(statementFor(aRecord({ hail_size_in: 1, miles_north: 2 }), aRecord(suspect))).toContain(
    '2 records of hail, wind or tornado were found within 5 mi of the address: hail reported 1.00 in, 2.00 mi N; 1 with a caveat.',
  )
  expect(statementFor(aRecord(suspect), aRecord(suspect))).toContain('within 5 mi of the address: each with a caveat.')
  const near = { occurred_on: '2025-05-27' }
  expect(statementFor(aRecord({ hail_size_in: 1, miles_north: 2, ...near }), aRecord({ ...suspect, ...near }))).toContain(
    'Within two days of it: on 2025-05-27 hail reported 1.00 in, 2.00 mi N, 1 with a caveat.',
  )
})

test('does not count the days that stand out beyond those that are listed', () => {
  const hail = (count: number) =>
    Array.from({ length: count }, (_, at) => aRecord({ hail_size_in: 1, miles_north: 2, occurred_on: `2025-08-${10 + at}` }))
  const statementFor = (count: number) => reportOf(hail(count), { loss: { date: '2025-05-28', warnings: [] } }).day_of_loss?.statement
  expect(statementFor(5)).toMatch(/ Other days of the window that stand out, newest first: 2025-08-14 \(.*\) and 2 more\./)
  expect(statementFor(15)).toMatch(/ The 12 other days that stand out most, newest first: 2025-08-\d\d \(.*\) and 9 more\./)
})

test('answers for a date of loss only if one was given', () => {
  const records = [aRecord({ hail_size_in: 1.75 })]
  expect(reportOf(records)).toMatchObject({ days: null, day_of_loss: null })
  const { days, day_of_loss } = reportOf(records, { loss: { date: '2025-05-28', warnings: [] } })
  expect(days).toMatchObject([{ date: '2025-05-28', relation: 'date_of_loss', records: 1, hail: { ground_in: 1.75 } }])
  expect(day_of_loss).toMatchObject({ date: '2025-05-28', warnings: [] })
})
