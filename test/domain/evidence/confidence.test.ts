import { expect, test } from 'vitest'
import { confidenceOf, confidenceRank } from '#domain/evidence/confidence.ts'
import { corroboration } from '#domain/evidence/corroborate.ts'
import { aCell, aCounty, after, aRecord, frisco } from '../reports/record-factories.ts'

type Records = ReturnType<typeof aRecord>[]
const evaluate = (records: Records, place = frisco) => confidenceOf(records, corroborationOf(records), place)
const of = (records: Records, precise = true) => evaluate(records, precise ? frisco : { ...frisco, precision: 'zip' }).confidence
const corroborationOf = (records: Records) => corroboration(records, [])
const measured = { type: 'thunderstorm_wind', evidence_kind: 'instrument', qualifier: 'measured', wind_gust_mph: 61 } as const
const surveyed = { type: 'tornado', qualifier: 'surveyed', precision: 'path', end_latitude: 33.3, end_longitude: -96.82 } as const

test('high: a primary report that another record corroborates', () => {
  expect(of([aRecord(), aCell({ miles_north: 8 })])).toBe('high')
  expect(of([aRecord({ miles_north: 3.1 }), aCell({ miles_north: 8 })])).toBe('medium')
})

test('high: a measured value within 3 miles', () => {
  expect(of([aRecord({ ...measured, miles_north: 2.9 })])).toBe('high')
  expect(of([aRecord({ ...measured, miles_north: 3.1 })])).toBe('medium')
  expect(of([aRecord({ ...measured, qualifier: 'estimated' })])).toBe('medium')
  expect(of([aRecord({ ...measured, wind_gust_mph: null })])).toBe('medium')
  expect(of([aRecord({ ...measured, wind_gust_mph: null, wind_speed_mph: 45 })])).toBe('high')
  expect(of([aRecord({ ...measured, evidence_kind: 'ground' })])).toBe('medium')
})

test('high: a surveyed tornado path within a mile', () => {
  expect(of([aRecord({ ...surveyed, distance_miles: 1 })])).toBe('high')
  expect(of([aRecord({ ...surveyed, distance_miles: 1.01 })])).toBe('medium')
  expect(of([aRecord({ ...surveyed, distance_miles: 0.2, qualifier: 'estimated' })])).toBe('medium')
})

test('medium: a single report within 10 miles; low beyond', () => {
  expect(of([aRecord({ distance_miles: 10 })])).toBe('medium')
  expect(of([aRecord({ distance_miles: 10.01 })])).toBe('low')
})

test('radar alone: medium from an inch over the address, otherwise low', () => {
  expect(of([aCell({ hail_size_in: 1 })])).toBe('medium')
  expect(of([aCell({ hail_size_in: 4 })])).toBe('medium')
  expect(of([aCell({ hail_size_in: 0.99 })])).toBe('low')
  expect(of([aCell({ hail_size_in: 3, miles_north: 1 })])).toBe('low')
})

test('low: records that name only a county', () => {
  expect(of([aCounty(), aCounty()])).toBe('low')
})

test('the best day decides', () => {
  expect(
    of([
      aRecord({ distance_miles: 12 }),
      aRecord(),
      aCell(),
      aRecord({ occurred_on: '2025-07-01', begins_at: after(60 * 24 * 30), distance_miles: 12 }),
    ]),
  ).toBe('high')
})

test('a day with only preliminary reports is at most medium', () => {
  expect(of([aRecord({ preliminary: true }), aCell()])).toBe('medium')
  expect(of([aRecord({ preliminary: true }), aRecord({ miles_north: 5 }), aCell()])).toBe('high')
  const final_day = [aRecord({ occurred_on: '2025-03-01', begins_at: after(-100_000), miles_north: 5 })]
  expect(of([...final_day, aRecord({ preliminary: true }), aCell()])).toBe('medium')
})

test('a place located only to a centre is at most medium, and no cell is over it', () => {
  expect(of([aRecord(), aCell()], false)).toBe('medium')
  expect(of([aCell({ hail_size_in: 2 })], false)).toBe('low')
})

test('a record with a caveat is low and raises no other record', () => {
  const suspect = { caveats: ['The point lies 183 mi outside the county that the source names (Grundy, TN).'] }
  expect(of([aRecord(suspect)])).toBe('low')
  expect(of([aRecord({ ...measured, ...suspect })])).toBe('low')
  expect(of([aRecord({ ...surveyed, ...suspect, distance_miles: 0.2 })])).toBe('low')
  expect(of([aRecord(suspect), aCell({ miles_north: 8 })])).toBe('low')
  expect(of([aRecord(), aRecord({ ...suspect, evidence_kind: 'instrument', miles_north: 2 })])).toBe('medium')
  expect(of([aRecord({ preliminary: true }), aCell(), aRecord({ ...suspect, miles_north: 5 })])).toBe('medium')
})

test('the label gives the reason that decided', () => {
  const label = (records: Records, place = frisco) => evaluate(records, place).confidence_label
  const caveats = ['The point lies 183 mi outside the county that the source names (Grundy, TN).']
  expect(label([aRecord(), aCell({ miles_north: 8 })])).toBe('High: independent evidence agrees')
  expect(label([aRecord({ ...measured, miles_north: 2 })])).toBe('High: measured by an instrument within 3 mi')
  expect(label([aRecord({ ...surveyed, distance_miles: 0.4 })])).toBe('High: surveyed tornado path within 1 mi')
  expect(label([aRecord(), aRecord({ miles_north: 2 })])).toBe('Medium: one kind of evidence')
  expect(label([aRecord(), aCell({ miles_north: 8 })], { ...frisco, precision: 'zip' })).toBe(
    'Medium: the address is located to its ZIP only',
  )
  expect(label([aRecord(), aCell({ miles_north: 8 })], { ...frisco, precision: 'city' })).toBe(
    'Medium: the address is located to its city only',
  )
  expect(label([aRecord({ preliminary: true }), aCell()])).toBe('Medium: preliminary reports only')
  expect(label([aCounty(), aCounty()])).toBe('Low: county records only')
  expect(label([aCounty({ precision: 'zone', zone: 'TXZ103' })])).toBe('Low: zone records only')
  expect(label([aCounty(), aCounty({ precision: 'zone', zone: 'TXZ103' })])).toBe('Low: county and zone records only')
  expect(label([aCell({ hail_size_in: 3, miles_north: 1 })])).toBe('Low: radar estimates only')
  expect(label([aRecord({ distance_miles: 12 })])).toBe('Low: only records beyond 10 mi')
  expect(label([aRecord({ distance_miles: 12 }), aCounty()])).toBe('Low: indirect or distant evidence')
  expect(label([aRecord({ distance_miles: 12 }), aCell({ miles_north: 12 })])).toBe('Low: indirect or distant evidence')
  expect(label([aRecord({ caveats })])).toBe('Low: only records with a caveat')
})

test('no label claims one kind of evidence when there are several', () => {
  const kinds = [
    aRecord({ type: 'thunderstorm_wind', miles_north: 4 }),
    aRecord({ ...measured, miles_north: 4.5, occurred_on: '2025-06-01', begins_at: after(10_000) }),
    aCell({ miles_north: 4 }),
  ]
  expect(evaluate(kinds).confidence_label).toBe('Medium: no corroborated report within 3 mi')
})

test('a label calls reports preliminary only if none of the finding is final', () => {
  const label = (...records: Records) => evaluate(records).confidence_label
  const agreeing = [
    aRecord({ preliminary: true, miles_north: 0.8, reporter: 'Public' }),
    aRecord({ preliminary: true, miles_north: 2.9, reporter: 'Trained Spotter' }),
  ]
  const earlier = { occurred_on: '2024-05-01', begins_at: after(-60 * 24 * 392) }
  expect(label(...agreeing, aCell())).toBe('Medium: preliminary reports only')
  expect(label(...agreeing, aRecord(earlier))).toBe('Medium: only preliminary reports would make it high')
  expect(label(...agreeing, aCounty({ ...earlier, type: 'hail' }))).toBe('Medium: only preliminary reports would make it high')
  expect(label(aRecord({ ...surveyed, distance_miles: 0.5, preliminary: true }), aRecord({ ...earlier, type: 'tornado' }))).toBe(
    'Medium: only preliminary reports would make it high',
  )
})

test('a radar estimate that a report corroborates is no corroborated report', () => {
  expect(evaluate([aCell(), aRecord({ miles_north: 5 })]).confidence_label).toBe('Medium: no corroborated report within 3 mi')
})

test('the reason for a high finding comes only from its high days', () => {
  const label = (records: Records) => evaluate(records).confidence_label
  const low = { miles_north: 12, occurred_on: '2025-04-01', begins_at: after(-60 * 24 * 57) }
  expect(label([aRecord({ ...measured, miles_north: 1 }), aRecord({ ...low, type: 'thunderstorm_wind' })])).toBe(
    'High: measured by an instrument within 3 mi',
  )
  expect(label([aRecord({ ...surveyed, distance_miles: 0.5 }), aRecord({ ...surveyed, distance_miles: 9 })])).toBe(
    'High: surveyed tornado path within 1 mi',
  )
  // A preliminary day with agreeing evidence is not a high day: another day's instrument is the reason.
  const preliminary = { preliminary: true, occurred_on: '2025-04-01', begins_at: after(-60 * 24 * 57) }
  expect(
    label([
      aRecord({ ...measured, miles_north: 1 }),
      aRecord({ ...preliminary, type: 'thunderstorm_wind', reporter: 'Public' }),
      aRecord({ ...preliminary, type: 'thunderstorm_wind', evidence_kind: 'instrument', miles_north: 5 }),
    ]),
  ).toBe('High: measured by an instrument within 3 mi')
})

test('distances of exactly three, one and ten miles count as within', () => {
  expect(of([aRecord({ ...measured, distance_miles: 3 })])).toBe('high')
  expect(of([aRecord({ ...measured, distance_miles: null })])).toBe('low')
  expect(of([aRecord({ ...surveyed, type: 'high_wind', distance_miles: 0.5 })])).toBe('medium')
  expect(of([aRecord({ ...surveyed, distance_miles: null })])).toBe('low')
  expect(evaluate([aRecord({ distance_miles: 10.01 })]).confidence_label).toBe('Low: only records beyond 10 mi')
})

test('the reason for a low finding names what all its records without a caveat have in common', () => {
  const label = (...records: Records) => evaluate(records).confidence_label
  const zone = aCounty({ precision: 'zone' })
  const beyond = aRecord({ distance_miles: 12 })
  const cell = aCell({ miles_north: 2 })
  expect(label(aCounty())).toBe('Low: county records only')
  expect(label(zone)).toBe('Low: zone records only')
  expect(label(aCounty(), zone)).toBe('Low: county and zone records only')
  expect(label(cell)).toBe('Low: radar estimates only')
  expect(label(beyond)).toBe('Low: only records beyond 10 mi')
  expect(label(beyond, cell)).toBe('Low: indirect or distant evidence')
  expect(label(beyond, aCounty())).toBe('Low: indirect or distant evidence')
  expect(label(aRecord({ caveats: ['Doubted.'] }))).toBe('Low: only records with a caveat')
  expect(label(aRecord({ caveats: ['Doubted.'] }), cell)).toBe('Low: radar estimates only')
})

test('a day of radar alone is not limited as preliminary, and confidence ranks from low to high', () => {
  expect(of([aCell({ preliminary: true, hail_size_in: 2 })])).toBe('medium')
  expect((['low', 'medium', 'high'] as const).map(confidenceRank)).toEqual([0, 1, 2])
})

test('one high record gives the reason, whatever the others are; a record with a caveat gives none', () => {
  const label = (records: Records) => evaluate(records).confidence_label
  const later = { occurred_on: '2025-07-01', begins_at: after(60 * 24 * 34) }
  const caveats = ['The point lies 183 mi outside the county that the source names (Grundy, TN).']
  expect(label([aRecord(), aCell({ miles_north: 8 }), aRecord({ ...measured, ...later })])).toBe('High: independent evidence agrees')
  expect(label([aRecord({ ...surveyed, distance_miles: 0.5 }), aRecord({ ...measured, ...later })])).toBe(
    'High: measured by an instrument within 3 mi',
  )
  expect(label([aRecord({ ...surveyed, distance_miles: 0.5 }), aRecord({ ...measured, caveats })])).toBe(
    'High: surveyed tornado path within 1 mi',
  )
})
