import { expect, test } from 'vitest'
import { openTurns, type Turns } from '#workers/turns.ts'

const name = 'report.generate'
const take = (turns: Turns, team_id: string | null, count = 1) => Array.from({ length: count }, () => turns.take({ name, team_id }))

test('jobs of one team queue up in turns, and jobs of another team run alongside', () => {
  const turns = openTurns()
  expect(take(turns, 'many', 5)).toEqual([1, 2, 3, 4, 5])
  expect(take(turns, 'one')).toEqual([1])
  expect(take(turns, 'many')).toEqual([6])
})

test('a team that joins later gets the turn after the next one, not those that it missed', () => {
  const turns = openTurns()
  take(turns, 'many', 100)
  turns.recordNext(name, 60)
  expect(take(turns, 'late', 2)).toEqual([61, 62])
  expect(take(turns, 'many')).toEqual([101])
})

test('work without a team comes before all turns', () => {
  const turns = openTurns()
  take(turns, 'many', 3)
  expect(take(turns, null, 2)).toEqual([0, 0])
})

test('every kind of job has its own turns', () => {
  const turns = openTurns()
  take(turns, 'many', 3)
  expect(turns.take({ name: 'delivery.send', team_id: 'many' })).toBe(1)
  expect(turns.counted()).toEqual([name, 'delivery.send'])
})

test('turns start again once nothing waits', () => {
  const turns = openTurns()
  take(turns, 'many', 100)
  turns.recordNext(name, null)
  expect(turns.counted()).toEqual([])
  expect([...take(turns, 'many'), ...take(turns, 'one')]).toEqual([1, 1])
})

test('no turn exceeds the queue’s limit', () => {
  const turns = openTurns()
  turns.recordNext(name, 2 ** 21 - 2)
  expect(take(turns, 'many', 3)).toEqual([2 ** 21 - 1, 2 ** 21 - 1, 2 ** 21 - 1])
})
