import { expect, test } from 'vitest'
import { present } from '#domain/kernel/present.ts'
import { earlierSection, findingsSection, keyFigures, observationsSection, recordsSection } from '#domain/reports/document/body.ts'
import { dayOfLossSection } from '#domain/reports/document/day-of-loss-section.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import type { Html } from '#domain/reports/document/html.ts'
import { mapSection } from '#domain/reports/document/map.ts'
import { openingPage } from '#domain/reports/document/opening.ts'
import { recordsFiles } from '#domain/reports/document/records-file.ts'
import { timelineSection } from '#domain/reports/document/timeline.ts'
import { warningsSection } from '#domain/reports/document/warnings-section.ts'
import { authorityOf } from '#domain/reports/stamp.ts'
import { aCell, aCounty, aRecord, frisco, reportOf, year2025 } from '../record-factories.ts'

const loss = { date: '2025-05-28', warnings: [] }

/** What the sections of a document read from a report of the given records, over 2025. */
function factsOf(records: Parameters<typeof reportOf>[0]) {
  const { citations, findings, days, day_of_loss } = reportOf(records, { loss })
  const report = { address: frisco, window: year2025, date_of_loss: loss.date, findings, days }
  const facts = { report, records: citations.map(({ view }) => view), timezone: frisco.timezone } as unknown as DocumentFacts
  return { facts, day_of_loss: present(day_of_loss) }
}

const wordsOf = (section: Html) => section.html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

test('marks the largest hail of a finding as a radar estimate if no report gives a size', () => {
  const lineOf = (records: Parameters<typeof reportOf>[0]) =>
    /; hail up to [^;.]*\.\d\d in[^;.]*/.exec(wordsOf(findingsSection(factsOf(records).facts)))?.[0]
  const radar = aCell({ hail_size_in: 1.5 })
  const wind = aRecord({ type: 'thunderstorm_wind', wind_gust_mph: 60, qualifier: 'estimated' })
  expect(lineOf([radar])).toBe('; hail up to 1.50 in estimated by radar')
  expect(lineOf([radar, wind, aRecord({ hail_size_in: null })])).toBe('; hail up to 1.50 in estimated by radar')
  expect(lineOf([radar, wind, aRecord({ hail_size_in: 1 })])).toBe('; hail up to 1.00 in')
})

test('the earlier days are those before a date of loss, or else before the newest record', async () => {
  const { facts } = factsOf([
    aRecord({ occurred_on: '2025-07-04' }),
    aRecord({ occurred_on: '2025-06-10' }),
    aRecord(),
    aRecord({ occurred_on: '2025-04-01' }),
  ])
  const answerOf = async (changes: object) => {
    const page = await openingPage({ ...facts, ...opening, report: { ...facts.report, ...opening.report, ...changes } } as never)
    return /Were there earlier ones\? (.*?) $/.exec(wordsOf(page))?.[1]
  }
  expect(await answerOf({})).toBe('1 day before the date of loss with records: 2025-04-01 (hail).')
  expect(await answerOf({ date_of_loss: '2025-03-31' })).toMatch(/^No day before the date of loss with a record within the window\. /)
  expect(await answerOf({ date_of_loss: null })).toMatch(/^3 earlier days with records: 2025-06-10 \(hail\); 2025-05-28 /)
})

/** What page one reads besides. */
const opening = {
  verification: { verify_url: 'https://weather.example/verify/0', short_fingerprint: '0' },
  team: { brand_logo: null },
  unplaced_zones: [],
  report: { coverage: { complete: true, sources_searched: [] }, headline: '', generated_at: '2025-12-31T00:00:00Z', day_of_loss: null },
}

test('the timeline by year states what its bars do not show', () => {
  const { facts } = factsOf([aRecord()])
  const over = (start: string, complete: boolean) =>
    wordsOf(timelineSection({ ...facts, report: { ...facts.report, window: { ...year2025, start }, coverage: { complete } } } as never))
  expect(over('2025-01-01', true)).toContain('Cited records by month, 2025-01-01 to 2025-12-31. Hail 2025-05')
  expect(over('1993-01-01', true)).toContain('31. How completely storms were reported changed over the years: the bars do not compare')
  expect(over('1993-01-01', true)).not.toContain('without a bar')
  expect(over('2025-01-01', false)).toContain('31. A month without a bar may be one of which no records are held: see the coverage.')
})

test('calls no tornado of an earlier day the largest if no strength is known', () => {
  const earlier = { type: 'tornado', occurred_on: '2025-04-01' } as const
  const efu = aRecord({ ...earlier, qualifier: 'surveyed', description: 'Rated EFU by the source.' })
  const unrated = aRecord({ ...earlier, miles_north: 3 })
  const rated = aRecord({ ...earlier, tornado_ef_scale: 0, qualifier: 'surveyed' })
  const rowOf = (...records: Parameters<typeof reportOf>[0]) => {
    const { facts } = factsOf([aRecord(), ...records])
    const layout = { elements: ['prior_events'] }
    return /2025-04-01 (\d.*?) $/.exec(
      wordsOf(earlierSection({ ...facts, report: { ...facts.report, layout } } as unknown as DocumentFacts)),
    )?.[1]
  }
  expect(rowOf(aRecord({ type: 'frost_freeze', occurred_on: '2025-04-01', hail_size_in: null }))).toBe('1 frost or freeze 1')
  expect(rowOf(efu)).toBe('1 tornado 1, EFU (survey)')
  expect(rowOf(unrated)).toBe('1 tornado 1, not rated')
  expect(rowOf(unrated, efu)).toBe('2 tornado 2, strength not known')
  expect(rowOf(unrated, efu, rated)).toBe('3 tornado 3, largest EF0 (survey)')
  const doubted = aRecord({ ...earlier, tornado_ef_scale: 4, caveats: ['The point lies 31 mi outside its county.'] })
  expect(rowOf(unrated, doubted)).toBe('2 tornado 2, strength not known without a caveat')
})

test('states the distance of a record with the decimals that the place has', () => {
  const { facts } = factsOf([aRecord({ miles_north: 0.84 })])
  const placeOf = (address: Pick<typeof frisco, 'precision'>) => {
    const report = { ...facts.report, address, layout: { elements: [] } }
    return / UTC\. (.*?) \(primary\)/.exec(wordsOf(recordsSection({ ...facts, report } as unknown as DocumentFacts)))?.[1]
  }
  expect([placeOf(frisco), placeOf({ precision: 'zip' }), placeOf({ precision: 'city' })]).toEqual(['0.84 mi N', '0.8 mi N', '0.8 mi N'])
})

test('attaches the table of records whenever the pages do not print them all', () => {
  const attached = (count: number, sections: string[]) => {
    const { facts } = factsOf(Array.from({ length: count }, (_, at) => aRecord({ miles_north: at / 10 })))
    const layout = { sections, elements: [], map: { base: 'plain', layers: ['hail'] } }
    return recordsFiles({ ...facts, report: { ...facts.report, date_of_loss: null, layout } } as unknown as DocumentFacts).length
  }
  expect([attached(60, ['events']), attached(61, ['events']), attached(1, ['map']), attached(0, ['map'])]).toEqual([0, 1, 1, 0])
})

test('shows what was seen without a figure as seen, not as missing', () => {
  const { facts, day_of_loss } = factsOf([
    aRecord({ hail_size_in: null }),
    aRecord({ type: 'thunderstorm_wind', qualifier: 'unknown', miles_north: 2 }),
    aRecord({ hail_size_in: 1, occurred_on: '2025-06-03', miles_north: 2 }),
  ])
  const words = wordsOf(dayOfLossSection(facts, day_of_loss))
  expect(words).toContain('2025-05-28 , date of loss size not stated – speed not stated – 1.00 mi 0 2')
  expect(words).toContain('2025-06-03 1.00 in – – – 2.00 mi 0 1')
})

test('denies no record of a ring that it counts', () => {
  const rowsOf = (...records: Parameters<typeof reportOf>[0]) => {
    const { facts, day_of_loss } = factsOf(records)
    return wordsOf(dayOfLossSection(facts, day_of_loss))
  }
  const flood = aRecord({ type: 'flash_flood', miles_north: 2 })
  const suspect = aRecord({ hail_size_in: 1, miles_north: 2, caveats: ['The point lies 31 mi outside its county.'] })
  const denial = 'no hail, wind or tornado without a caveat'
  expect(rowsOf(flood)).toContain(`1 mi 0 0 none recorded 3 mi 1 0 ${denial} 5 mi 1 0 ${denial}`)
  expect(rowsOf(suspect)).toContain(`1 mi 0 0 none recorded 3 mi 1 0 ${denial} 5 mi 1 0 ${denial}`)
})

test('states that station observations were searched for severe gusts, not that all were compared', () => {
  const printed = (observation_count: number) => {
    const { facts } = factsOf([])
    const counted = { ...facts, report: { ...facts.report, event_count: 0, observation_count } } as DocumentFacts
    return [keyFigures(counted), observationsSection(counted)].map(wordsOf).join('')
  }
  expect(printed(26_280)).toContain(
    '26280 hourly observations of gust and precipitation at stations within 25 mi were searched for gusts of 58 mph or more, which can corroborate a report of wind. Observations are not cited records.',
  )
  expect(printed(26_280)).toContain('26280 Station observations searched')
  expect(printed(1)).toContain('1 hourly observation of gust and precipitation at a station within 25 mi was searched')
  expect(printed(0)).toContain('No station observation within 25 mi was searched.')
  expect(printed(2)).not.toMatch(/compared|corroborate;|used/)
})

test('states why the markers of cited records are missing, and numbers only what is drawn', () => {
  const layout = { sections: ['map', 'events'], elements: [], map: { base: 'plain', layers: ['hail'] } }
  const captionOf = (...records: Parameters<typeof reportOf>[0]) => {
    const { facts } = factsOf(records)
    const report = { ...facts.report, layout }
    const section = mapSection({ ...facts, report, warnings: [], towns: [], swaths: null } as unknown as DocumentFacts)
    return /north is up\.(.*?) County lines/.exec(wordsOf(section))?.[1]?.trim()
  }
  const hail = aRecord({ hail_size_in: 1 })
  const flood = aRecord({ type: 'flash_flood', miles_north: 2 })
  const county = aCounty({ type: 'hail' })
  const numbered = 'Numbers are those of the cited records, where there is room for one.'
  expect(captionOf()).toBe('')
  expect(captionOf(hail)).toBe(numbered)
  expect(captionOf(flood)).toBe('The cited record has no marker: its layer was not chosen.')
  expect(captionOf(county)).toBe('The cited record has no marker: it names no point.')
  expect(captionOf(hail, flood)).toBe(`${numbered} 1 of the 2 cited records has no marker: its layer was not chosen.`)
  expect(captionOf(hail, flood, county)).toBe(
    `${numbered} 2 of the 3 cited records have no marker: 1 names no point, and 1 is of a layer that was not chosen.`,
  )
})

test('a message of a warning that states no end is said to count until it expires, and an end after the report to be as stated', () => {
  const [from, until] = [new Date('2025-05-28T20:00:00Z'), new Date('2025-05-29T02:00:00Z')]
  const threats = {
    tornado: null,
    flash_flood: 'observed',
    damage: null,
    max_hail_in: null,
    hail_basis: null,
    max_gust_mph: null,
    wind_basis: null,
  }
  const message = {
    sent_at: from,
    from,
    until,
    threats,
    area: { codes: ['48085'] },
    area_name: 'Collin, TX',
    citation_url: 'https://nws.example/1',
  }
  const printed = (open_ended: boolean, generated_at = '2025-06-01T00:00:00Z') => {
    const { facts } = factsOf([])
    const periods = [{ from, until }]
    const warning = { event: 'Flood Warning', office_name: 'NWS Fort Worth', issued_at: from, periods, citation_url: 'https://nws.example' }
    const warnings = [{ ...warning, messages: [{ ...message, open_ended }] }]
    return wordsOf(
      warningsSection({
        ...facts,
        report: { ...facts.report, generated_at, as_of: null },
        warnings,
        timezone: 'America/Chicago',
      } as unknown as DocumentFacts),
    )
  }
  const inForce = 'in force 2025-05-28, 3:00 PM CDT to 9:00 PM CDT;'
  expect(printed(true)).toContain(
    `${inForce} it states no end, and counts until it expires or a later message follows; its tags: flash flood`,
  )
  expect(printed(false)).toContain(`${inForce} its tags: flash flood observed`)
  expect(printed(false, '2025-05-28T21:00:00Z')).toContain('3:00 PM CDT to 9:00 PM CDT (as stated; later than this report);')
  expect(printed(false)).not.toContain('as stated')
})

test('calls a severity that no record gives unknown, and repeats no statement that nothing was found', () => {
  const { facts } = factsOf([aRecord({ hail_size_in: null })])
  expect(wordsOf(findingsSection(facts))).toContain('; severity unknown; evidence: ')
  const empty = (sections: string[]) => {
    const report = { ...factsOf([]).facts.report, nothing_found: 'No records were found.', layout: { sections } }
    return wordsOf(findingsSection({ ...factsOf([]).facts, report } as unknown as DocumentFacts)).trim()
  }
  expect(empty(['findings'])).toBe('Findings No records were found.')
  expect(empty(['summary', 'findings'])).toBe('Findings None.')
})

test('states whether a report is authoritative, and all that is wrong if not', () => {
  const coverage = { complete: true, provisional: false, summary: '', sources_searched: [], unplaced_zone_records: 0 }
  expect(authorityOf(coverage)).toBe('Authoritative: complete, final records')
  expect(authorityOf({ ...coverage, unplaced_zone_records: 3 })).toBe('Not authoritative: records are not placed')
  expect(authorityOf({ ...coverage, complete: false, provisional: true })).toBe('Not authoritative: records are missing and provisional')
  expect(authorityOf({ ...coverage, sources_searched: ['sample'] })).toBe('Not authoritative: records are made up')
})
