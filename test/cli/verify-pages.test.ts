import { describe, expect, it } from 'vitest'
import { FOOTER } from '#domain/reports/document/closing.ts'
import { comparePages } from '../../cli/verify/compare-pages.ts'
import { type EvidenceRecord, SCHEMA } from '../../cli/verify/evidence-shape.ts'
import { sectionsOf } from '../../cli/verify/sections.ts'
import { summaryOf } from '../../cli/verify/summary.ts'

const hail = (hail_size_in: string, distance_miles: string, occurred_on: string) => ({
  type: 'hail',
  family: 'thunderstorm',
  severity: 'severe',
  occurred_on,
  begins_at: `${occurred_on}T20:00:00Z`,
  ends_at: null,
  measurements: { wind_speed_mph: null, wind_gust_mph: null, hail_size_in, tornado_ef_scale: null },
  location: { latitude: '33.16000', longitude: '-96.82000', county: 'Collin', state: 'TX', precision: 'point' },
  relevance: { relevance: 'primary', distance_miles, bearing: 'N' },
  provenance: {
    source: 'noaa_storm_events',
    evidence_kind: 'ground',
    is_observed: true,
    qualifier: null,
    citation_url: 'https://www.ncdc.noaa.gov/stormevents/eventdetails.jsp?id=1',
  },
  description: '',
})
const evidence = {
  schema: SCHEMA,
  place: { latitude: '33.15000', longitude: '-96.82000' },
  window: { start: '2019-01-01', end: '2019-12-31', radius_miles: '5.00' },
  coverage: { complete: true, provisional: false, sources_searched: ['noaa_storm_events'] },
  records: [hail('2.75', '0.70', '2019-03-24'), hail('1.50', '2.00', '2019-04-06'), hail('1.00', '3.00', '2019-05-01')],
}

/** Returns the faults about the largest values of a first page with this text, in a document that lists no records. */
function largestValueFaults(...answer: string[]): string[] {
  const lines = ['What size?', ...answer, 'Were there earlier ones?'].map((text) => ({ text, size: 10 }))
  const page = { lines: [{ text: 'Three questions', size: 12.5 }, ...lines], size: { left: 0, bottom: 0, right: 612, top: 792 } }
  const { faults } = comparePages([{ ...page, pictures: [], drawings: [] }], evidence, 'a'.repeat(64))
  return faults.filter((fault) => fault.includes('as the largest'))
}

describe('the largest value on pages that list no records', () => {
  const row = (value: string, place: string, date: string) => `Largest hail reported ${value} in (measured) ${place} ${date}`
  const all = 'the first page does not give 2.75 in as the largest value of reported hail'

  it('is that of all records if none is reported as left out', () => {
    expect(largestValueFaults(row('2.75', '0.70 mi N', '2019-03-24'))).toEqual([])
    expect(largestValueFaults(row('1.50', '2.00 mi N', '2019-04-06'))).toEqual([all])
    expect(largestValueFaults('No cited record states a size, a speed or a strength.')).toEqual([all])
  })

  it('may be the next one if a record with a caveat is left out, and no smaller one', () => {
    const left_out = '1 record with a caveat gives no figure here.'
    expect(largestValueFaults(row('2.75', '0.70 mi N', '2019-03-24'), left_out)).toEqual([])
    expect(largestValueFaults(row('1.50', '2.00 mi N', '2019-04-06'), left_out)).toEqual([])
    expect(largestValueFaults(row('1.00', '3.00 mi N', '2019-05-01'), left_out)).toEqual([all])
  })

  it('may be missing only if every record is left out', () => {
    const none = 'No cited record without a caveat states a size, a speed or a strength.'
    expect(largestValueFaults(none, '2 records with a caveat give no figure here.')).toEqual([all])
    expect(largestValueFaults(none, '3 records with a caveat give no figure here.')).toEqual([])
  })
})

describe('a band that a page states for the place', () => {
  const cell = (hail_size_in: string, distance_miles: string, occurred_on: string) => {
    const record = hail(hail_size_in, distance_miles, occurred_on)
    const provenance = {
      ...record.provenance,
      source: 'noaa_mesh',
      evidence_kind: 'radar',
      is_observed: false,
      qualifier: 'radar_estimated',
    }
    return { ...record, location: { ...record.location, precision: 'grid' }, relevance: { ...record.relevance, bearing: null }, provenance }
  }
  const records = [cell('1.25', '0.00', '2019-03-24'), cell('2.90', '0.00', '2019-04-06'), cell('1.60', '0.40', '2019-05-01')]
  const faultsOf = (statement: string) => {
    const lines = [
      { text: 'Findings', size: 12.5 },
      { text: statement, size: 10 },
    ]
    const page = { lines, size: { left: 0, bottom: 0, right: 612, top: 792 }, pictures: [], drawings: [] }
    const { faults } = comparePages([page], { ...evidence, records: [...evidence.records, ...records] }, 'a'.repeat(64))
    return faults.filter((fault) => fault.includes('in band'))
  }
  const sentence = (size: string, date: string, band: string, hours = '') =>
    `Radar estimated hail up to ${size} in over this location on ${date}${hours}, inside the ${band} in band.`
  const fault = (band: string) => [
    `the pages state that the place is "inside the ${band} in band", but no radar estimate over it shows that`,
  ]

  it('is that of a radar estimate over it on that day, with its hours or without', () => {
    expect(faultsOf(sentence('2.90', '2019-04-06', '2.75'))).toEqual([])
    expect(faultsOf(sentence('2.90', '2019-04-06', '2.75', ' (largest of the 24 hours to 1:00 AM CDT of the next day)'))).toEqual([])
    // At an edge the exact millimetres decide, because hundredths of an inch are rounded.
    expect(faultsOf(sentence('1.25', '2019-03-24', '1.25'))).toEqual([])
    expect(faultsOf(sentence('1.25', '2019-03-24', '1.00'))).toEqual([])
  })

  it('is wrong if it is another band, or from another day, a neighbouring cell or an observation', () => {
    expect(faultsOf(sentence('2.90', '2019-04-06', '2.50'))).toEqual(fault('2.50'))
    expect(faultsOf(sentence('2.90', '2019-04-06', '2.80'))).toEqual(fault('2.80'))
    expect(faultsOf(sentence('2.90', '2019-03-24', '2.75'))).toEqual(fault('2.75'))
    expect(faultsOf(sentence('1.60', '2019-05-01', '1.50'))).toEqual(fault('1.50'))
    expect(faultsOf(sentence('2.75', '2019-03-24', '2.75'))).toEqual(fault('2.75'))
    expect(faultsOf('The place lies, inside the 1.25 in band.')).toEqual(fault('1.25'))
  })
})

describe('a day that the first page names with its types', () => {
  const faultsOf = (days: string) => {
    const lines = [
      { text: 'Three questions', size: 12.5 },
      { text: `1 earlier day with records: ${days}.`, size: 10 },
    ]
    const page = { lines, size: { left: 0, bottom: 0, right: 612, top: 792 }, pictures: [], drawings: [] }
    const flood = { ...hail('1.00', '1.00', '2019-05-01'), type: 'flash_flood' }
    const radar = hail('1.00', '1.00', '2019-06-01')
    const records = [...evidence.records, flood, { ...radar, provenance: { ...radar.provenance, evidence_kind: 'radar' } }]
    const { faults } = comparePages([page], { ...evidence, records }, 'a'.repeat(64))
    return faults.filter((fault) => fault.startsWith('no record of the evidence matches'))
  }

  it('has a record of each, by radar where it is marked so', () => {
    expect(faultsOf('2019-05-01 (hail, flash flood); 2019-06-01 (hail (radar))')).toEqual([])
    // As documents named it before the mark.
    expect(faultsOf('2019-06-01 (hail)')).toEqual([])
    expect(faultsOf('2019-05-01 (hail (radar), flash flood)')).toEqual([
      'no record of the evidence matches "2019-05-01 (hail (radar), flash flood)"',
    ])
    expect(faultsOf('2019-06-01 (hail (radar), flash flood)')).toHaveLength(1)
  })
})

describe('the stamp of a report', () => {
  const fingerprint = 'a'.repeat(64)
  const size = { left: 0, bottom: 0, right: 612, top: 792 }
  const checkCover = (...cover: string[]) =>
    comparePages([{ lines: cover.map((text) => ({ text, size: 10 })), size, pictures: [], drawings: [] }], evidence, fingerprint)
  const stamped = (of: typeof evidence, cover: Parameters<typeof summaryOf>[2]) => summaryOf(of, new Set(), cover).stamp

  it('is that of the cover, which may include zone records that could not be located', () => {
    expect([checkCover('WEATHER REPORT', 'INCOMPLETE').stamp, checkCover('WEATHER REPORT').stamp]).toEqual(['INCOMPLETE', null])
    expect([stamped(evidence, 'INCOMPLETE'), stamped(evidence, 'FINAL')]).toEqual(['INCOMPLETE', 'FINAL'])
  })

  it('is never less cautious than the evidence, and without a cover states no more than the evidence shows', () => {
    const missing = { ...evidence, coverage: { ...evidence.coverage, complete: false } }
    expect([stamped(missing, 'FINAL'), stamped(missing, null), stamped(evidence, null)]).toEqual(['INCOMPLETE', 'INCOMPLETE', null])
  })
})

describe('the answer about a date of loss', () => {
  const wind = (wind_gust_mph: string, distance_miles: string, occurred_on: string) => {
    const record = hail('0.00', distance_miles, occurred_on)
    return { ...record, type: 'thunderstorm_wind', measurements: { ...record.measurements, hail_size_in: null, wind_gust_mph } }
  }
  const cell = (hail_size_in: string, occurred_on: string) => {
    const record = hail(hail_size_in, '0.00', occurred_on)
    return { ...record, location: { ...record.location, precision: 'grid' }, relevance: { ...record.relevance, bearing: null } }
  }
  const days = ['2019-05-27', '2019-05-29', '2019-05-20', '2019-05-12']
  const records = [
    ...days.flatMap((day, at) => [cell(`1.${at}5`, day), wind(`${60 + at}.00`, `2.0${at}`, day)]),
    hail('1.75', '1.00', '2019-05-29'),
  ]
  /** Returns the faults of a section with these sentences or rows. */
  function faultsOf(...texts: string[]): string[] {
    const lines = [{ text: 'The date of loss: 2019-05-28', size: 12.5 }, ...texts.map((text) => ({ text, size: 10 }))]
    const page = { lines, size: { left: 0, bottom: 0, right: 612, top: 792 }, pictures: [], drawings: [] }
    const { faults } = comparePages([page], { ...evidence, records }, 'a'.repeat(64))
    return faults.filter((fault) => /no record of the evidence|as the date of loss/.test(fault))
  }
  const near = 'Within two days of it: on 2019-05-27 hail estimated by radar 1.05 in, over this location, wind reported 60 mph, 2.00 mi N'
  const rival =
    'Other days of the window that stand out, newest first: 2019-05-20 (hail estimated by radar 1.25 in, over this location (largest of the day), wind reported 62 mph, 2.02 mi N)'

  it('lists figures of several records of a day, near the date or not', () => {
    expect(faultsOf(`${near}; on 2019-05-29 hail reported 1.75 in, 1.00 mi N, wind reported 61 mph, 2.01 mi N.`)).toEqual([])
    expect(faultsOf(`${rival}.`)).toEqual([])
    expect(
      faultsOf(`${rival} and 2019-05-12 (hail estimated by radar 1.35 in, over this location, wind reported 63 mph, 2.03 mi N).`),
    ).toEqual([])
  })

  it('takes each of the figures from that day and from that place', () => {
    const forgeries: [string, string][] = [
      ['1.05 in', '1.25 in'],
      ['1.05 in', '1.75 in'],
      ['60 mph', '61 mph'],
      ['60 mph', '63 mph'],
      ['2.00 mi N', '2.01 mi N'],
      ['1.05 in, over this location', '1.05 in, 2.00 mi N'],
      ['wind reported 60 mph, 2.00 mi N', 'wind reported 60 mph, over this location'],
      ['on 2019-05-27', 'on 2019-05-20'],
    ]
    for (const [genuine, forged] of forgeries) expect([forged, faultsOf(near.replace(genuine, forged)).length]).toEqual([forged, 1])
    for (const [genuine, forged] of [
      ['1.25 in', '1.05 in'],
      ['62 mph', '60 mph'],
      ['2.02 mi N', '2.00 mi N'],
      ['2019-05-20', '2019-05-29'],
    ] as const)
      expect([forged, faultsOf(rival.replace(genuine, forged)).length]).toEqual([forged, 1])
  })

  it('has a row for a day with hail of no stated size', () => {
    const rows = (size: string) => [
      '2019-05-29, within two days 1.75 in 1.15 in 61 mph reported',
      `2019-05-27, within two days size not stated ${size} 60 mph reported`,
    ]
    expect(faultsOf(...rows('1.05 in'))).toEqual([])
    expect(faultsOf(...rows('1.15 in'))).toHaveLength(1)
    const below = 'Figures are the strongest of each day within 2.03 mi.'
    for (const nearest of ['2.00 mi', '2.0 mi', '0.00 mi', '0.0 mi'])
      expect([nearest, faultsOf(...rows(`1.05 in – – ${nearest}`), below)]).toEqual([nearest, []])
    for (const nearest of ['2.01 mi', '1.00 mi', '0.1 mi'])
      expect([nearest, faultsOf(...rows(`1.05 in – – ${nearest}`), below)]).toEqual([
        nearest,
        expect.arrayContaining([expect.stringContaining(`matches "2019-05-27, within two days size not stated`)]),
      ])
  })

  it('is about the date of its heading, which may not have begun', () => {
    expect(faultsOf('The date of loss, 2019-05-28, had not begun at this place when the archive was searched.')).toEqual([])
    expect(faultsOf('On 2019-05-28, the date of loss, no record of hail, wind or tornado was found.')).toEqual([])
    const other = ['the heading names 2019-05-28 as the date of loss, but the sentences below it 2019-05-27']
    expect(faultsOf('The date of loss, 2019-05-27, had not begun at this place when the archive was searched.')).toEqual(other)
    expect(faultsOf('On 2019-05-27, the date of loss, no record of hail, wind or tornado was found.')).toEqual(other)
  })
})

describe('the rows of largest values', () => {
  const areal = {
    ...hail('0.00', '1.00', '2019-06-02'),
    type: 'high_wind',
    family: 'wind',
    measurements: { wind_speed_mph: null, wind_gust_mph: '57.50', hail_size_in: null, tornado_ef_scale: null },
    relevance: { relevance: 'context', distance_miles: null, bearing: null },
  }
  const faultsOf = (heading: string, lines: string[], wind: EvidenceRecord = areal) => {
    const sized = [{ text: heading, size: 12.5 }, ...lines.map((text) => ({ text, size: 10 }))]
    const page = { lines: sized, size: { left: 0, bottom: 0, right: 612, top: 792 }, pictures: [], drawings: [] }
    const { faults } = comparePages([page], { ...evidence, records: [hail('2.75', '0.70', '2019-03-24'), wind] }, 'a'.repeat(64))
    return faults.filter((fault) => fault.startsWith('no record of the evidence matches'))
  }

  it('are of one record each, also beside one that names only its county', () => {
    const rows = (miles: string) => [
      'What size?',
      `Largest hail reported 2.75 in (measured) ${miles} mi N 2019-03-24`,
      'Strongest wind, county records only gust 57.5 mph (measured) county: Collin, TX 2019-06-02',
    ]
    expect(faultsOf('Three questions', rows('0.70'))).toEqual([])
    expect(faultsOf('Three questions', rows('0.80'))).toHaveLength(1)
  })

  it('may have a speed with decimals', () => {
    const gust = (speed: string) => [
      `2.75 in Largest hail reported (measured), 0.70 mi N on 2019-03-24`,
      `gust ${speed} mph Strongest wind (measured), 1.00 mi N on 2019-06-02`,
    ]
    const nearby = { ...areal, relevance: { relevance: 'primary', distance_miles: '1.00', bearing: 'N' } }
    expect(faultsOf('Key figures', gust('57.5'), nearby)).toEqual([])
    expect(faultsOf('Key figures', gust('7.5'), nearby)).toHaveLength(1)
  })
})

describe('a distance without a direction', () => {
  const faultsOf = (...texts: string[]) => {
    const lines = [{ text: 'Findings', size: 12.5 }, ...texts.map((text) => ({ text, size: 9.5 }))]
    const page = { lines, size: { left: 0, bottom: 0, right: 612, top: 792 }, pictures: [], drawings: [] }
    const records = [{ ...hail('2.75', '0.02', '2019-03-24'), relevance: { relevance: 'primary', distance_miles: '0.02', bearing: null } }]
    const { faults } = comparePages([page], { ...evidence, records: [...records, hail('1.50', '2.00', '2019-04-06')] }, 'a'.repeat(64))
    return faults.filter((fault) => /no record of the evidence/.test(fault))
  }

  it('is that of a record, with one decimal from the centre of a ZIP code or city', () => {
    const stated = (miles: string) => `1 ground report of hail within 5.00 mi: 2.75 in, ${miles} on 2019-03-24.`
    for (const miles of ['0.02 mi', '0.0 mi']) expect([miles, faultsOf(stated(miles), 'Winter storm')]).toEqual([miles, []])
    for (const miles of ['0.1 mi', '2.0 mi', '2.00 mi']) expect([miles, faultsOf(stated(miles)).length > 0]).toEqual([miles, true])
    expect(faultsOf('1.2 mi', 'Winter storm')).toEqual(['the pages state 1.2 mi, but no record of the evidence does'])
  })
})

describe('the names on a cover', () => {
  const window = '2019-01-01 to 2019-12-31, within 5 mi'
  const located = 'Located 33.15000, -96.82000: the address point'
  const cover = (...lines: (string | [text: string, size: number])[]) => {
    const sized = lines.map((line) => (typeof line === 'string' ? { text: line, size: 9.5 } : { text: line[0], size: line[1] }))
    const page = { lines: sized, size: { left: 0, bottom: 0, right: 612, top: 792 }, pictures: [], drawings: [] }
    return comparePages([page], evidence, 'a'.repeat(64)).faults.filter((fault) => fault.startsWith('the pages state'))
  }
  const address: [string, number][] = [
    ['9 EF5 Way, F2 Rd and', 19],
    ['2.5 in Place, Mesa, CO 81501', 19],
  ]

  it('are no figures of the evidence', () => {
    expect(cover('EF5 Restoration', ['WEATHER REPORT', 8], ...address, window, 'FINAL', located)).toEqual([])
    expect(cover('SAMPLE, MADE UP: no such storm is on record', 'F5 Roofing, 60 mph', ['Weather report', 8], ...address, window)).toEqual(
      [],
    )
    expect(cover(['WEATHER REPORT', 8], ['33.14990, -96.82410, TX', 19], window, 'FINAL', located)).toEqual([])
  })

  it('and the customer’s own words are none either, wherever their lines break', () => {
    const words = ['Recipient Hail 9.99 in of Greater Collin', 'County 60 mph', 'Reference EF5', 'Address as sent F2', 'County Collin']
    expect(cover('Roofing', ['WEATHER REPORT', 8], ...address, window, 'FINAL', ...words, located)).toEqual([])
    const elsewhere = located.replace('33.15', '34.15')
    expect(cover('Roofing', ['WEATHER REPORT', 8], ...address, window, 'FINAL', ...words, elsewhere)).not.toEqual([])
  })

  it('leave no room for a figure before or behind them', () => {
    const stated = ['the pages state 9.99 in, but no record of the evidence does']
    const figure = 'Hail 9.99 in'
    expect(cover('EF5 Restoration', ['WEATHER REPORT', 8], ...address, figure, window)).toContainEqual(stated[0])
    expect(cover('EF5 Restoration', ['WEATHER REPORT', 8], ...address, [figure, 19], window)).toContainEqual(stated[0])
    expect(cover('EF5 Restoration', ['WEATHER REPORT', 8], ...address, [`${figure}, Mesa, CO 81501`, 11], window)).toContainEqual(stated[0])
    expect(cover('Roofing', ['WEATHER REPORT', 8], ...address, window, figure, located)).toEqual(stated)
    expect(cover('Roofing', ['WEATHER REPORT', 8], ...address, window, 'FINAL', located, figure)).toEqual(stated)
    const generated = 'Generated 2026-11-30, 1:02 AM CST; 2026-11-30 07:02 UTC'
    expect(cover('Roofing', ['WEATHER REPORT', 8], ...address, window, 'FINAL', located, generated)).toEqual([])
    expect(cover('Roofing', ['WEATHER REPORT', 8], ...address, window, 'FINAL', located, `${generated}. ${figure}`)).toEqual(stated)
    expect(cover('SAMPLE, MADE UP: no such storm, 9.99 in', ['WEATHER REPORT', 8], ...address, window)).toEqual(stated)
    expect(cover([figure, 19], ['WEATHER REPORT', 8], ...address, window)).toEqual(stated)
    expect(
      cover(
        `${figure} was reported over the address, says everybody who was there on that day of storms`,
        ['WEATHER REPORT', 8],
        ...address,
        window,
      ),
    ).toEqual(stated)
    expect(cover(figure, ...address, window)).toContainEqual(stated[0])
    expect(cover(figure, ['WEATHER REPORT', 8], ...address, '2019-01-01 to 2019-12-31, within 4 mi')).toContainEqual(stated[0])
  })
})

describe('the headings of a document', () => {
  const read = (...headings: string[]) =>
    sectionsOf(
      [
        headings.flatMap((text) => [
          { text, size: 12.5 },
          { text: `Below ${text}.`, size: 9.5 },
        ]),
      ],
      'AAAA AAAA AAAA AAAA',
    )

  it('name a date of loss, and the centre that distances are from', () => {
    const { texts, loss } = read('The date of loss: 2019-05-28', 'Findings', 'Official warnings over the centre of ZIP 75034')
    expect([loss, [...texts.keys()]]).toEqual(['2019-05-28', ['The date of loss', 'Findings', 'Official warnings over the address']])
    expect(texts.get('Findings')).toBe('Below Findings.\n')
    expect(read('Findings').loss).toBeNull()
  })

  it('appear once each', () => {
    const warnings = 'Official warnings over the'
    expect(read(`${warnings} address`, `${warnings} centre of Mesa`).faults).toContainEqual(expect.stringContaining('appears twice'))
    expect(read('Findings', 'Official warnings beyond the centre of Mesa').texts.get('Findings')).toContain('beyond the centre of Mesa')
  })

  it('are not hidden behind the beginning of the footer', () => {
    const footer = `${FOOTER} AAAA AAAA AAAA AAAA 1/1`
    const bodyOf = (...lines: string[]) => {
      const { texts, faults } = sectionsOf([lines.map((text) => ({ text, size: 9 }))], 'AAAA AAAA AAAA AAAA')
      expect(faults).toEqual([])
      return texts.get('Cover')?.trim()
    }
    expect(bodyOf('Hail of 4.00 in.', ...footer.split(/(?<=,) /))).toBe('Hail of 4.00 in.')
    expect(bodyOf(`SAMPLE, MADE UP. ${footer}`)).toBe('')
    expect(bodyOf('This report compiles archived public weather records.', 'Hail of 4.00 in.', footer)).toContain('Hail of 4.00 in.')
  })
})
