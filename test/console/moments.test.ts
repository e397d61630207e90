import { expect, test } from 'vitest'
import { dayNotes, frameAt, nearestStep, playableBox, radarAt, timesOf } from '../../console/pages/storms/moments.ts'
import { withShown } from '../../console/pages/storms/with-shown.ts'

const at = (text: string) => ({ at: `2025-05-28T${text}:00Z` })
const time = (text: string) => Date.parse(at(text).at)

test('the shown day is in the list of days once, in its place', () => {
  const days = [{ date: '2025-05-28' }, { date: '2025-05-20' }]
  const listed = (shown?: string) => withShown(days, shown).map(({ date }) => date)
  expect([listed('2025-05-20'), listed()]).toEqual(Array(2).fill(['2025-05-28', '2025-05-20']))
  expect(listed('2025-05-24')).toEqual(['2025-05-28', '2025-05-24', '2025-05-20'])
  expect(listed('2025-06-01')[0]).toBe('2025-06-01')
  expect(listed('2024-01-01').at(-1)).toBe('2024-01-01')
})

test('times of radar and of reports are merged into one list without duplicates', () => {
  expect(timesOf([at('18:05'), at('18:10')], [at('18:07'), at('18:10')])).toEqual(['18:05', '18:07', '18:10'].map(time))
})

test('the last radar frame is shown for a quarter of an hour', () => {
  const moments = [at('18:05'), at('18:10')]
  expect(frameAt(moments, time('18:00'))).toBeNull()
  expect(frameAt(moments, time('18:07'))).toBe(moments[0])
  expect(frameAt(moments, time('18:25'))).toBe(moments[1])
  expect(frameAt(moments, time('18:26'))).toBeNull()
})

test('the largest of 24 hours is shown at every time, not as a moment of its own', () => {
  const hours = at('18:00')
  for (const shownAt of [time('09:00'), time('18:07'), time('23:00'), undefined]) expect(radarAt([hours], {}, shownAt)).toBe(hours)
  expect([radarAt([hours], null, time('18:07')), radarAt([hours], null, time('23:00')), radarAt([hours], null, undefined)]).toEqual([
    hours,
    null,
    null,
  ])
})

test('a shared moment selects the nearest step, and an invalid one the first', () => {
  const times = ['18:05', '18:10', '18:20'].map(time)
  expect(nearestStep(times, at('18:13').at)).toBe(1)
  expect(nearestStep(times, 'soon')).toBe(0)
  expect(nearestStep(times, undefined)).toBe(0)
  expect(nearestStep([], at('18:13').at)).toBe(0)
})

test('a box that is too wide is narrowed around its centre', () => {
  const [west, south, east, north] = playableBox([-110, 30, -90, 32])
  expect(east - west).toBeLessThanOrEqual(6)
  expect([(west + east) / 2, south, north]).toEqual([-100, 30, 32])
})

test('notes about the radar data are sentences with a space between them', () => {
  expect(dayNotes({ available: true, thinned: true, largest_of: {}, reports_without_point: 0 })).toBe(
    'Radar data is thinned: only the largest estimates are shown. Radar shows the largest estimate of 24 hours at once.',
  )
  expect(dayNotes({ available: true, thinned: false, largest_of: null, reports_without_point: 0 })).toBe('')
})

test('reports that no map can show are counted', () => {
  const note = (count: number) => dayNotes({ available: true, thinned: false, largest_of: null, reports_without_point: count })
  expect(note(1)).toBe('1 report of this day names a county or a forecast zone in or beside this area, and no point: no map shows it.')
  expect(note(25)).toMatch(/^25 reports of this day name .* no map shows them\.$/)
})

test('a day whose moments were deleted is not denied its radar data', () => {
  expect(dayNotes({ available: false, thinned: false, largest_of: null, reports_without_point: 0 })).toBe(
    'No radar moments of this day are stored here. Moments are deleted after a time; the swaths of a day are kept.',
  )
})
