import { expect, test } from 'vitest'
import {
  type CitedRecord,
  citationOf,
  daysInWords,
  daysOf,
  filterAndSort,
  forceOf,
  whenOf,
  wholeDaysOf,
} from '../../console/pages/report/cited.ts'
import { readCheckpoint } from '../../console/pages/report/verification.tsx'

let made = 0

interface RecordOptions {
  on?: string
  begins_at?: string
  ends_at?: string | null
  type?: CitedRecord['type']
  hail?: number
  gust?: number
  miles?: number | null
  evidence_kind?: CitedRecord['provenance']['evidence_kind']
  caveats?: string[]
  rating?: string
}

function cited({
  on = '2025-05-28',
  begins_at = `${on}T18:00:00Z`,
  ends_at = null,
  type = 'hail',
  hail,
  gust,
  miles = 1,
  evidence_kind = 'ground',
  caveats = [],
  rating,
}: RecordOptions): CitedRecord {
  return {
    id: ++made,
    type,
    family: type === 'flash_flood' ? 'flash_flood' : 'thunderstorm',
    occurred_on: on,
    begins_at,
    ends_at,
    description: '',
    sample: false,
    relevance: { distance_miles: miles, bearing: null },
    measurements: { hail_size_in: hail ?? null, wind_gust_mph: gust ?? null, wind_speed_mph: null },
    tornado_rating: rating ?? null,
    location: { latitude: null, longitude: null, county: null, state: null },
    provenance: { source: 'noaa_storm_events', source_label: 'Storm Events', evidence_kind, qualifier: null, citation_url: '', caveats },
  }
}

const none = () => undefined
const ids = (records: CitedRecord[]) => records.map(({ id }) => id)

test('a record has its time by the clock of the address, and the day that it counts for if that is another', () => {
  const late = cited({ begins_at: '2025-05-29T00:06:00Z' })
  expect(whenOf(late, 'America/Chicago')).toBe('May 28, 2025, 7:06 PM CDT')
  expect(whenOf(late, 'Europe/Paris')).toBe('May 28, 2025; May 29, 2025, 2:06 AM GMT+2')
  // The first of 24 hours is not when the largest hail of them fell.
  const largest = cited({ begins_at: '2025-05-28T04:00:00Z', ends_at: '2025-05-29T04:00:00Z', evidence_kind: 'radar' })
  expect(whenOf(largest, 'America/Chicago')).toBe('May 28, 2025')
})

test('records of one day are in the order of their times', () => {
  const [early, late] = [cited({ begins_at: '2025-05-28T23:38:00Z' }), cited({ begins_at: '2025-05-29T00:06:00Z' })] as const
  expect(ids(filterAndSort([early, late], {}, none))).toEqual([late.id, early.id])
  expect(ids(filterAndSort([late, early], { sort: 'oldest' }, none))).toEqual([early.id, late.id])
})

test('records without the sorted figure come last, and equal ones are newest first', () => {
  const [small, large, gust, old] = [
    cited({ hail: 1, miles: 3 }),
    cited({ hail: 2, miles: null }),
    cited({ type: 'thunderstorm_wind', gust: 70, miles: 2 }),
    cited({ hail: 2, on: '2024-01-01', miles: 1 }),
  ] as const
  const all = [old, small, gust, large]
  expect(ids(filterAndSort(all, { sort: 'hail' }, none))).toEqual([large.id, old.id, small.id, gust.id])
  expect(ids(filterAndSort(all, { sort: 'nearest' }, none))).toEqual([old.id, gust.id, small.id, large.id])
  expect(ids(filterAndSort(all, { sort: 'wind' }, none))[0]).toBe(gust.id)
  expect(ids(filterAndSort(all, { sort: 'oldest' }, none))[0]).toBe(old.id)
  for (const sort of ['of no such order', '__proto__', 'toString']) expect(ids(filterAndSort(all, { sort }, none)).at(-1)).toBe(old.id)
})

test('each filter leaves out other records, and confidence is that of the family', () => {
  const radar = cited({ hail: 1, evidence_kind: 'radar' })
  const flood = cited({ type: 'flash_flood', on: '2025-05-01' })
  const all = [radar, flood]
  const confidenceOf = (family: string) => (family === 'flash_flood' ? 'low' : 'high')
  expect(ids(filterAndSort(all, { evidence: 'radar' }, confidenceOf))).toEqual([radar.id])
  expect(ids(filterAndSort(all, { confidence: 'low' }, confidenceOf))).toEqual([flood.id])
  expect(ids(filterAndSort(all, { day: '2025-05-01' }, confidenceOf))).toEqual([flood.id])
  expect(ids(filterAndSort(all, { type: 'hail', source: 'noaa_storm_events' }, confidenceOf))).toEqual([radar.id])
  expect(filterAndSort(all, { source: 'spc' }, confidenceOf)).toEqual([])
})

test('a day shows the strongest record of each kind; doubted records and records without a place are counted and give no figure', () => {
  const [newest, older] = daysOf([
    cited({ on: '2025-05-01', hail: 1 }),
    cited({ hail: 1.5 }),
    cited({ hail: 1.25 }),
    cited({ hail: 2.1, evidence_kind: 'radar' }),
    cited({ hail: 9, caveats: ['Larger than any hailstone on record.'] }),
    cited({ type: 'thunderstorm_wind', gust: 90, miles: null }),
    cited({ type: 'tornado', rating: 'EFU' }),
    cited({ type: 'tornado', rating: 'EF1' }),
  ])
  expect(newest).toEqual({
    date: '2025-05-28',
    hail: { observed_in: 1.5, radar_in: 2.1, is_observed: true },
    wind: { mph: null, is_observed: false },
    tornado_rating: 'EF1',
    records: 7,
  })
  expect(older?.date).toBe('2025-05-01')
  expect([forceOf('F3'), forceOf('EF3'), forceOf('EFU')]).toEqual([3, 3, -1])
})

test('hail or wind that was reported without a figure was reported all the same; an estimate is no report', () => {
  const [day] = daysOf([cited({}), cited({ type: 'thunderstorm_wind' }), cited({ type: 'cold_wind_chill' })])
  expect(day).toMatchObject({ hail: { observed_in: null, is_observed: true }, wind: { mph: null, is_observed: true } })
  const [radar] = daysOf([cited({ hail: 1, evidence_kind: 'radar' }), cited({ type: 'cold_wind_chill' })])
  expect(radar).toMatchObject({ hail: { is_observed: false }, wind: { is_observed: false } })
})

test('of a report that cites more records than are read, only days of which none is missing are shown', () => {
  const records = [cited({ hail: 1 }), cited({ on: '2025-05-01', hail: 2 })]
  expect(wholeDaysOf({ records, total: 2 }).map(({ date }) => date)).toEqual(['2025-05-28', '2025-05-01'])
  expect(wholeDaysOf({ records, total: 3 }).map(({ date }) => date)).toEqual(['2025-05-28'])
})

test('the days in words count reports and radar estimates apart, and claim no strength that nobody rated', () => {
  const records = [
    cited({ hail: 1.5 }),
    cited({ on: '2025-05-01', hail: 2.1, evidence_kind: 'radar' }),
    cited({ hail: 1, evidence_kind: 'radar' }),
    cited({ type: 'thunderstorm_wind', gust: 70 }),
    cited({ type: 'tornado' }),
  ]
  expect(daysInWords(daysOf(records))).toBe(
    'Hail sizes reported on 1 day, at most 1.50 in; Hail sizes estimated by radar on 2 days, at most 2.10 in; Wind speeds on 1 day, at most 70 mph; Tornadoes on 1 day, strength not known',
  )
  expect(daysInWords(daysOf([cited({ type: 'tornado', rating: 'EFU' }), cited({ type: 'tornado', rating: 'EF1' })]))).toBe(
    'Tornadoes on 1 day, at most EF1',
  )
  expect(daysInWords(daysOf([cited({ type: 'flash_flood' })]))).toBe('')
})

test('a citation states what the record does and how it was obtained, also if the source has no words for it', () => {
  const hail = cited({ hail: 1.75 })
  const provenance = { ...hail.provenance, qualifier: 'measured' as const, citation_url: 'https://example.com/1' }
  expect(citationOf({ ...hail, provenance })).toBe('Storm Events, 2025-05-28: Hail, 1.75 in (measured). https://example.com/1')
  expect(citationOf({ ...cited({ type: 'tornado' }), provenance: { ...provenance, qualifier: 'estimated' } })).toBe(
    'Storm Events, 2025-05-28: Tornado. https://example.com/1',
  )
  const radar = { ...provenance, evidence_kind: 'radar' as const, qualifier: 'radar_estimated' as const }
  expect(citationOf({ ...hail, description: 'Largest estimate.', provenance: radar })).toBe(
    'Storm Events, 2025-05-28: Hail, 1.75 in, estimated by radar. Largest estimate. https://example.com/1',
  )
})

test('a checkpoint states whose log it is, its length, and who signed it', () => {
  const note = 'example.com/log\n12\nAAAA\n\n— example.com/log c2ln\n— witness.example.org d2l0\n'
  expect(readCheckpoint(note)).toEqual({ origin: 'example.com/log', size: 12, signers: ['example.com/log', 'witness.example.org'] })
})
