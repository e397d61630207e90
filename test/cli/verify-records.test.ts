import { describe, expect, it } from 'vitest'
import { cite } from '#domain/reports/cite.ts'
import { numberedRecords, PRINTED_MAX } from '#domain/reports/document/numbered-records.ts'
import { recordsFiles } from '#domain/reports/document/records-file.ts'
import { evidenceDocument, inEvidenceOrder } from '#domain/reports/fingerprint.ts'
import type { Evidence, EvidenceRecord } from '../../cli/verify/evidence-shape.ts'
import { matchListed } from '../../cli/verify/listed-records.ts'
import { selectionFaults, selectionIn } from '../../cli/verify/printed-records.ts'
import { recordsFileFaults } from '../../cli/verify/records-file.ts'
import { mismatchedDays, unknownFigures } from '../../cli/verify/stated-figures.ts'
import { aCounty, aRecord, frisco } from '../domain/reports/record-factories.ts'

/** Texts that a table for spreadsheets guards, by the number of their record. */
const guarded = new Map([
  [7, '=SUM(A1), "quoted"\nand a second line'],
  [8, '\nIt begins with an empty line.'],
  [9, '\tIt begins with a tab.'],
])

/** Hail of every size, near and far, and records that name only their county. */
const records = Array.from({ length: 80 }, (_, at) => {
  const occurred_on = `2025-05-${String(1 + (at % 28)).padStart(2, '0')}`
  const fields = { occurred_on, description: guarded.get(at) ?? `Number ${at}` }
  const made =
    at % 5 === 0
      ? aCounty({ ...fields, wind_gust_mph: 60 })
      : aRecord({ ...fields, miles_north: (at * 7) % 13, hail_size_in: 0.75 + (at % 9) / 4 })
  return { ...cite(made), path_end: null, corners: null }
})
const evidence: Evidence = JSON.parse(
  evidenceDocument(
    {
      address: frisco,
      window: { start: '2025-01-01', end: '2025-12-31', radius_miles: 15 },
      coverage: { complete: true, provisional: false, sources_searched: ['noaa_storm_events'] },
    },
    records,
  ),
)
const factsOf = (date_of_loss: string | null, sections = ['events']) =>
  ({ report: { date_of_loss, layout: { sections } }, records }) as unknown as Parameters<typeof recordsFiles>[0]
const inEvidence = (citation: string) => evidence.records.find(({ provenance }) => provenance.citation_url === citation) as EvidenceRecord
const printedOf = (loss: string | null) =>
  numberedRecords(factsOf(loss))
    .slice(0, PRINTED_MAX)
    .map(({ record }) => inEvidence(record.provenance.citation_url))

describe('records that a document leaves out of its pages for the table', () => {
  const stated = (printed: number, of: number) =>
    `The ${printed} nearest and strongest of ${of} records are printed: those within 3 mi, within 10 mi and\nbeyond. All ${of} are in the attached records.csv, by the same numbers, and in evidence.json.\n1 Hail 2.75 in\n`

  it('are those that the document’s order puts last, with and without a date of loss', () => {
    for (const loss of [null, '2025-05-14']) {
      const selection = { printed: PRINTED_MAX, of: records.length, loss }
      const printed = printedOf(loss)
      expect(selectionFaults(selection, printed, evidence.records)).toEqual([])
      const [first, ...others] = printed
      const left = evidence.records.find((record) => !printed.includes(record)) as EvidenceRecord
      expect([first?.occurred_on === loss, loss]).toEqual([loss !== null, loss])
      expect(selectionFaults(selection, [...others, left], evidence.records)).toEqual([
        expect.stringContaining('leave out one of the 60 nearest and strongest records'),
      ])
    }
    expect(selectionFaults({ printed: PRINTED_MAX, of: 80, loss: null }, printedOf('2025-05-14'), evidence.records)).not.toEqual([])
  })

  it('are counted, and only beyond sixty printed records', () => {
    expect(selectionIn(stated(60, 80), null)).toEqual({ selection: { printed: 60, of: 80, loss: null }, rest: '1 Hail 2.75 in\n' })
    expect(selectionIn(stated(60, 80), '2025-05-14').selection?.loss).toBe('2025-05-14')
    expect(selectionIn('1 Hail 2.75 in\n', null)).toEqual({ selection: null, rest: '1 Hail 2.75 in\n' })
    const countFaults = (printed: number, of: number) => selectionFaults({ printed, of, loss: null }, [], evidence.records)
    expect(countFaults(60, 79)).toEqual(['the pages count 79 records, but the evidence contains 80'])
    expect(countFaults(1, 80)).toEqual(['the pages state that 1 of 80 records are printed, which no report does'])
    expect(countFaults(80, 80)).toEqual(['the pages state that 80 of 80 records are printed, which no report does'])
  })
})

describe('the printed records', () => {
  const printed = { ...aRecord({ miles_north: 2.96, hail_size_in: 1.75, description: '5' }), id: 512 }
  function printedLines({ location, relevance, provenance, severity }: EvidenceRecord, own: string, narrative: string[] = []) {
    const place = [location.county, location.state].filter(Boolean).join(', ')
    return [
      own,
      `2025-05-28, 6:10 PM CDT; 2025-05-28 23:10 UTC. ${relevance.distance_miles} mi N (primary). Severity ${severity}. Point`,
      `${location.latitude}, ${location.longitude}, ${place}.`,
      ...narrative,
      `NOAA Storm Events Database, record 512 of the archive: ${provenance.citation_url}`,
    ]
  }
  /** The faults of a record on the pages, with its narrative if it is printed, and its record in the evidence. */
  function listedAs(change: Partial<typeof printed>, narrative: string[], own = '1 Hail 1.75 in (measured)') {
    const record = { ...printed, ...change }
    const [made] = inEvidenceOrder([cite(record)])
    const inEvidence: EvidenceRecord = JSON.parse(made?.text ?? '')
    const lines = printedLines(inEvidence, own, narrative)
    const { faults, text } = matchListed(`${lines.join('\n')}\n`, [inEvidence])
    return [...faults, ...unknownFigures(text, { ...evidence, records: [inEvidence] }, true)]
  }

  it('keep their figures beside a narrative of a letter, printed or not', () => {
    for (const description of ['5', '1', '.', '2.96', '1.75 in', '\u202e9.99 in on a car', 'Hail of 9.99 in,\ntwo lines']) {
      const lines = description.replace('\u202e', '').split('\n')
      expect([description, listedAs({ description }, lines)]).toEqual([description, []])
      expect([description, listedAs({ description }, [])]).toEqual([description, []])
    }
  })

  it('state no figure of another record', () => {
    const others = [
      { type: 'tornado', tornado_ef_scale: 3 },
      { hail_size_in: 2.75, distance_miles: 4.11 },
      { type: 'thunderstorm_wind', hail_size_in: null, wind_gust_mph: 70 },
    ] as const
    const evidenceOf = (change: Parameters<typeof aRecord>[0]): EvidenceRecord =>
      JSON.parse(inEvidenceOrder([cite({ ...aRecord({ ...printed, ...change }), id: 512 })])[0]?.text ?? '')
    const all = [evidenceOf({ hail_size_in: null, tornado_ef_scale: null }), ...others.map(evidenceOf)]
    const faultsWith = (own: string) => {
      const [line = '', ...rest] = printedLines(all[0] as EvidenceRecord, own)
      return matchListed(`${[line, ...rest].join('\n')}\n`, all, 1).faults
    }
    expect(faultsWith('1 Hail')).toEqual([])
    expect(faultsWith('1 Hail EF3 (survey)')).toEqual(['the listed record 1 states EF3, which is of another record'])
    expect(faultsWith('1 Hail 2.75 in (measured)')).toEqual(['the listed record 1 states 2.75 in, which is of another record'])
    expect(faultsWith('1 Hail gust 70 mph, 4.11 mi N')).toEqual([
      'the listed record 1 states 70 mph, which is of another record',
      'the listed record 1 states 4.11 mi N, which is of another record',
    ])
  })

  it('have the name that reports give their type, or in earlier documents its key', () => {
    const cold = { type: 'cold_wind_chill', hail_size_in: null } as const
    const records = [{ ...(evidence.records[0] as EvidenceRecord), type: cold.type, occurred_on: '2025-05-01' }]
    for (const name of ['Cold or wind chill', 'Cold wind chill']) {
      expect(listedAs(cold, ['5'], `1 ${name}`)).toEqual([])
      expect(mismatchedDays(`2025-05-01 (${name.toLowerCase()})`, { ...evidence, records })).toEqual([])
    }
    expect(listedAs(cold, ['5'], '1 Extreme cold')).toHaveLength(1)
    expect(mismatchedDays('2025-05-01 (extreme cold)', { ...evidence, records })).toHaveLength(1)
  })

  it('may name a county and no state', () => {
    expect(listedAs({ state: null, county: 'Lake Ontario' }, ['5'])).toEqual([])
  })

  it('carry no caveat that contradicts them', () => {
    const doubted = (caveat: string, change: Partial<typeof printed> = {}, own?: string) => listedAs(change, [`Doubted. ${caveat}`], own)
    const giant = 'Hail of 9.00 in is larger than any measured in the United States (8.00 in, Vivian,\nSouth Dakota, 2010).'
    const misfit = (words: string) => [`the listed record 1 has a caveat that is not of it: "${words}"`]
    expect(doubted(giant, { hail_size_in: 9 }, '1 Hail 9.00 in (measured)')).toEqual([])
    expect(doubted(giant)).toEqual(misfit(giant.replace('\n', ' ')))
    expect(doubted(giant.replace('9.00', '9.50'), { hail_size_in: 9 }, '1 Hail 9.00 in (measured)')).toHaveLength(1)
    const astray = 'The point lies 31.4 mi outside the county that the source names (Dallas, TX).'
    expect(doubted(astray)).toEqual([])
    expect(doubted(astray.replace('TX', 'OK'))).toEqual(misfit('(Dallas, OK)'))
    expect(
      doubted('The two ends of the path lie 58 mi apart, but the source gives a length of 12.25 mi; only where it began is used.'),
    ).toEqual(misfit('The two ends of the path lie 58 mi apart'))
    expect(doubted('The corners of the flooded area are not held; only where the flood began is used.')).toHaveLength(1)
    expect(doubted('Its hours reach 5 h beyond the local day that it counts for: it may be of the day beside it.')).toHaveLength(1)
    expect(doubted('The hail was 0.25 in, the wind 20 mph, the tornado EF0, 9.99 mi NW of the address.')).toEqual(
      ['0.25 in', '20 mph', 'EF0', '9.99 mi NW'].flatMap(misfit),
    )
    expect(listedAs({ description: 'Doubted. By us' }, ['Doubted. By us', 'Doubted. The hail was 0.25 in.'])).toEqual(misfit('0.25 in'))
  })

  it('state nothing besides their narrative', () => {
    expect(listedAs({ description: '9.99 in' }, ['9.99 in', '9.99 in'])).toEqual(['9.99 in'])
    expect(listedAs({ description: '9.99 in' }, ['Hail 9.99 in'])).toEqual(['9.99 in'])
    expect(listedAs({ description: '9.99 in' }, ['9.99 in'], '1 Hail 1.75 in (measured) 9.99 in')).toEqual(['9.99 in'])
    expect(listedAs({}, ['5'], '1 Hail 2.75 in (measured)')).toEqual([
      expect.stringContaining('the listed record 1 is not in the evidence'),
    ])
    expect(
      listedAs(
        { state: null, county: 'Lake Ontario' },
        ['5'].map(() => 'Lake Erie 9.99 in'),
      ),
    ).toEqual(['9.99 in'])
  })
})

describe('the attached table of records', () => {
  const [file] = recordsFiles(factsOf(null))
  const text = file?.bytes.toString('utf8') ?? ''
  const faultsOf = (changed: string, pages = { caveats: [] as string[], doubted: 0 }) =>
    recordsFileFaults(Buffer.from(changed), evidence.records, pages)

  it('exists if not all cited records are printed', () => {
    expect(file).toMatchObject({ name: 'records.csv', media_type: 'text/csv' })
    const few = records.slice(0, PRINTED_MAX)
    expect(recordsFiles({ ...factsOf(null), records: few })).toEqual([])
    expect(recordsFiles({ ...factsOf(null, ['summary']), records: few })).toHaveLength(1)
  })

  it('matches the evidence, cell for cell, without formulas', async () => {
    expect(await faultsOf(text)).toEqual([])
    expect(text).toContain(`"'=SUM(A1), ""quoted""\nand a second line"`)
  })

  it('has numbers as numbers, negative ones too', () => {
    expect(text).toMatch(/,33\.\d+,-96\.82,point,/)
  })

  it('does not match if a cell, a number, a row or a column differs', async () => {
    expect(await faultsOf(text.replace(',2.75,', ',2.50,'))).toEqual([expect.stringMatching(/^differs from the evidence in row \d+$/)])
    expect(await faultsOf(text.replace('\r\n2,', '\r\n3,'))).toEqual(['differs from the evidence in row 2'])
    expect(await faultsOf(text.split('\r\n').slice(0, -2).join('\r\n'))).toEqual(['has 79 records, but the evidence contains 80'])
    expect(await faultsOf(text.replace('severity', 'gravity'))).toEqual(['does not have the columns of a report'])
    expect(await faultsOf('number\r\n"')).toEqual([expect.stringMatching(/^is not CSV: /)])
  })

  it('has the caveats of the pages, as many as the first page counts', async () => {
    const [first, second] = numberedRecords(factsOf(null))
    const doubt = 'The point lies 31.4 mi outside the county that the source names (Collin, TX).'
    const doubted = {
      ...factsOf(null),
      records: records.map((record) =>
        record === second?.record ? { ...record, provenance: { ...record.provenance, caveats: [doubt] } } : record,
      ),
    }
    expect(first).not.toBe(second)
    const table = recordsFiles(doubted)[0]?.bytes.toString('utf8') ?? ''
    const printed = ['', `${doubt.replace('outside', 'out\nside')} NOAA Storm Events Database (final)`]
    expect(await faultsOf(table, { caveats: printed, doubted: 1 })).toEqual([])
    expect(await faultsOf(table, { caveats: [], doubted: 1 })).toEqual([])
    expect(await faultsOf(table, { caveats: printed, doubted: 2 })).toEqual(['has 1 records with a caveat, but the first page counts 2'])
    const other = 'has another caveat in row 2 than the pages'
    expect(await faultsOf(table, { caveats: ['', `The point is right. NOAA Storm Events Database (final)`], doubted: 1 })).toEqual([other])
    expect(await faultsOf(table, { caveats: ['', ''], doubted: 1 })).toEqual([other])
    expect(await faultsOf(table, { caveats: [doubt], doubted: 1 })).toEqual(['has another caveat in row 1 than the pages'])
  })
})
