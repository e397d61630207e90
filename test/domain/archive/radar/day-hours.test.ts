import { expect, test } from 'vitest'
import { beyondDay, type DayHours, hoursOfDay, hoursOfFrame, isOfDay, joinHours } from '#domain/archive/radar/day-hours.ts'

const at = (text: string) => new Date(`2026-05-${text}:00Z`)
const chicago = hoursOfDay('2026-05-28', 'America/Chicago')
const HOUR = 3_600_000

test('a local day has the hours of its local time, including days of 23 and 25', () => {
  expect(chicago).toEqual({ from_at: at('28T05:00'), until_at: at('29T05:00') })
  const length = (day: string) => {
    const { from_at, until_at } = hoursOfDay(day, 'America/New_York')
    return (until_at.getTime() - from_at.getTime()) / HOUR
  }
  expect([length('2026-03-08'), length('2026-11-01'), length('2026-07-04')]).toEqual([23, 25, 24])
})

test('a moment belongs to its local day, and a 24-hour maximum to its own 24 hours', () => {
  const from = { file_id: 7, revision: 3 }
  expect(hoursOfFrame({ product: 'mesh', valid_at: at('28T20:00') }, chicago, from)).toEqual({
    ...chicago,
    of_moments: true,
    file_id: null,
    revision: 3,
  })
  expect(hoursOfFrame({ product: 'mesh_max_1440min', valid_at: at('29T06:00') }, chicago, from)).toEqual({
    from_at: at('28T06:00'),
    until_at: at('29T06:00'),
    of_moments: false,
    ...from,
  })
})

test('joined hours cover both, and keep the file only if both are the same grid', () => {
  const grid = (until: string, overrides: Partial<DayHours> = {}): DayHours => ({
    from_at: new Date(at(until).getTime() - 24 * HOUR),
    until_at: at(until),
    of_moments: false,
    file_id: 7,
    revision: 3,
    ...overrides,
  })
  expect(joinHours(grid('29T06:00'), grid('29T06:00', { revision: 4 }))).toEqual(grid('29T06:00', { revision: 4 }))
  expect(joinHours(grid('29T06:00', { file_id: null }), grid('29T06:00'))).toEqual(grid('29T06:00'))
  expect(joinHours(grid('29T06:00'), grid('29T05:00', { file_id: 8 }))).toEqual({
    from_at: at('28T05:00'),
    until_at: at('29T06:00'),
    of_moments: false,
    file_id: null,
    revision: 3,
  })
  const moments: DayHours = { ...chicago, of_moments: true, file_id: null, revision: 9 }
  expect(joinHours(moments, moments)).toEqual(moments)
  expect(joinHours(moments, grid('29T06:00'))).toEqual({
    ...grid('29T06:00'),
    ...{ from_at: chicago.from_at },
    of_moments: null,
    file_id: null,
    revision: 9,
  })
})

test('hours belong to a day if they extend at most two hours beyond it', () => {
  const until = (text: string) => ({ from_at: new Date(at(text).getTime() - 24 * HOUR), until_at: at(text) })
  const beyond = ['29T05:00', '29T06:00', '29T03:00', '29T07:00', '29T07:01', '29T02:59'].map((end) => [
    beyondDay(until(end), chicago) / HOUR,
    isOfDay(until(end), chicago),
  ])
  expect(beyond.map(([hours, is]) => [Math.round(Number(hours) * 60), is])).toEqual([
    [0, true],
    [60, true],
    [120, true],
    [120, true],
    [121, false],
    [121, false],
  ])
})
