import { expect, test } from 'vitest'
import { Turns } from '#workers/turns.ts'

const name = 'report.generate'
const take = (turns: Turns, team_id: string | null, count = 1) => Array.from({ length: count }, () => turns.take({ name, team_id }))

test('jobs of a team lie behind each other, those of another beside them', () => {
  const turns = new Turns()
  expect(take(turns, 'many', 5)).toEqual([1, 2, 3, 4, 5])
  expect(take(turns, 'one')).toEqual([1])
  expect(take(turns, 'many')).toEqual([6])
})

test('a team that comes later has the turn after the next, not all those that it missed', () => {
  const turns = new Turns()
  take(turns, 'many', 100)
  turns.heard(name, 60)
  expect(take(turns, 'late', 2)).toEqual([61, 62])
  expect(take(turns, 'many')).toEqual([101])
})

test('work for no team comes before all turns', () => {
  const turns = new Turns()
  take(turns, 'many', 3)
  expect(take(turns, null, 2)).toEqual([0, 0])
})

test('every kind of job has turns of its own', () => {
  const turns = new Turns()
  take(turns, 'many', 3)
  expect(turns.take({ name: 'delivery.send', team_id: 'many' })).toBe(1)
  expect(turns.counted()).toEqual([name, 'delivery.send'])
})

test('where nothing waits all begin anew', () => {
  const turns = new Turns()
  take(turns, 'many', 100)
  turns.heard(name, null)
  expect(turns.counted()).toEqual([])
  expect([...take(turns, 'many'), ...take(turns, 'one')]).toEqual([1, 1])
})

test('no turn is greater than the queue takes', () => {
  const turns = new Turns()
  turns.heard(name, 2 ** 21 - 2)
  expect(take(turns, 'many', 3)).toEqual([2 ** 21 - 1, 2 ** 21 - 1, 2 ** 21 - 1])
})
