import { expect, it } from 'vitest'
import { WITHOUT_RECORDS } from '#domain/exposures/compose.ts'
import { bandOf, escalationOf, hasNewCitation, hasNewEvidence, postedAfter } from '#domain/exposures/escalation.ts'

it('puts a size into the highest band that it reaches', () => {
  const sizes = [null, 0.74, 0.75, 0.99, 1, 1.49, 1.5, 1.75, 1.99, 2, 2.74, 2.75, 3.99, 4, 6]
  expect(sizes.map(bandOf)).toEqual([null, null, 0.75, 0.75, 1, 1, 1.5, 1.75, 1.75, 2, 2, 2.75, 2.75, 4, 4])
})

it('announces a band once, even if a storm shrinks and grows again', () => {
  const at = (largest_measured_in: number | null, tornado = 0) => ({ largest_measured_in, tornado })
  const posted = postedAfter({ posted_band_in: null, posted_tornado: false }, at(1.75))
  expect(posted).toEqual({ posted_band_in: 1.75, posted_tornado: false })
  expect(escalationOf(posted, at(1), at(1.75))).toBeNull()
  expect(escalationOf(posted, at(1.75), at(2))).toEqual({ from_in: 1.75, to_in: 2, tornado: false })
  expect(escalationOf(posted, at(1.75), at(1.75, 1))).toEqual({ from_in: 1.75, to_in: 1.75, tornado: true })
  expect(escalationOf(postedAfter(posted, at(1.75, 1)), at(1.75), at(1.75, 2))).toBeNull()
})

it('states the growth since the last announcement if a day also grew silently', () => {
  const at = (largest_measured_in: number | null, tornado = 0) => ({ largest_measured_in, tornado })
  const posted = { posted_band_in: 1, posted_tornado: false }
  expect(escalationOf(posted, at(2), at(2))).toEqual({ from_in: 1, to_in: 2, tornado: false })
  expect(escalationOf(posted, at(2.75), at(2))).toEqual({ from_in: 1, to_in: 2, tornado: false })
  expect(escalationOf(posted, at(2.75), at(0.75, 1))).toEqual({ from_in: 1, to_in: 0.75, tornado: true })
  expect(escalationOf({ ...posted, posted_band_in: null }, at(2), at(2))).toEqual({ from_in: null, to_in: 2, tornado: false })
})

it('escalates with a first tornado without measured hail, and with a first size', () => {
  const at = (largest_measured_in: number | null, tornado = 0) => ({ largest_measured_in, tornado })
  const nothing = { posted_band_in: null, posted_tornado: false }
  expect(escalationOf(nothing, at(null), at(null, 1))).toEqual({ from_in: null, to_in: null, tornado: true })
  expect(escalationOf(nothing, at(null), at(0.75))).toEqual({ from_in: null, to_in: 0.75, tornado: false })
  expect(escalationOf(nothing, at(null), at(0.7))).toBeNull()
  expect(postedAfter(nothing, at(null))).toEqual(nothing)
  expect(postedAfter({ posted_band_in: 2, posted_tornado: true }, at(1))).toEqual({ posted_band_in: 2, posted_tornado: true })
})

it('counts a new report, a tornado or a larger size of either kind as growth, but not an unchanged day', () => {
  const before: Parameters<typeof hasNewEvidence>[0] = { reports: 2, tornado: 1, largest_measured_in: 1, largest_detected_in: 1.5 }
  const grows = (after: Partial<typeof before>, from = before) =>
    hasNewEvidence(from, { ...WITHOUT_RECORDS, headline: '', ...before, ...after })
  expect([{ reports: 3 }, { tornado: 2 }, { largest_measured_in: 1.25 }, { largest_detected_in: 1.75 }].map((more) => grows(more))).toEqual(
    [true, true, true, true],
  )
  expect(
    [{}, { reports: 1 }, { tornado: 0 }, { largest_measured_in: 0.75 }, { largest_detected_in: null }].map((less) => grows(less)),
  ).toEqual([false, false, false, false, false])
  expect(grows({}, { ...before, largest_measured_in: null })).toBe(true)
})

it('cites more if a record is added, comes nearer or changes its kind, but not if final records replace preliminary ones', () => {
  const before: Parameters<typeof hasNewCitation>[0] = {
    ...{ record_ids: [1, 2], nearest_miles: 2, provisional: true },
    ...{ hail: 2, wind: 0, tornado: 0, other: 0 },
  }
  const more = [{ record_ids: [1, 3] }, { nearest_miles: 1.5 }, { hail: 1, wind: 1 }]
  expect(more.map((after) => hasNewCitation(before, { ...before, ...after }))).toEqual([true, true, true])
  const same = [{}, { record_ids: [2] }, { nearest_miles: 2.5 }, { hail: 1 }, { record_ids: [3, 4], provisional: false }]
  expect(same.map((after) => hasNewCitation(before, { ...before, ...after }))).toEqual([false, false, false, false, false])
})
