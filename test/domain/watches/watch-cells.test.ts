import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { nextMoment } from '#domain/watches/next-moment.ts'
import { deleteWatch, writeWatch } from '#domain/watches/watch-cells.ts'
import { aTeam } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'

it('replaces all cells of a watch, stages its backfill, and deletes it', async () => {
  const { app, ...world } = await openWorld()
  const { id: team_id } = await aTeam({ app, ...world })
  const subject_id = randomUUID()
  const watch = { team_id, subject: 'property' as const, subject_id, latitude: 33.1, longitude: -96.8, radius_miles: 2 }
  const cells = async () => (await app.db.watchCell.findMany({ where: { subject_id }, orderBy: { cell: 'asc' } })).map(({ cell }) => cell)

  await app.db.$transaction((tx) => writeWatch(tx, { ...watch, cells: [7, 8, 8] }))
  await app.db.$transaction((tx) => writeWatch(tx, { ...watch, cells: [8, 9] }))
  expect(await cells()).toEqual([8, 9])
  expect(await app.db.outboxJob.count({ where: { name: 'detection.backfill' } })).toBe(2)
  await app.db.$transaction((tx) => deleteWatch(tx, subject_id))
  expect(await cells()).toEqual([])
})

it('gives each transaction of a team a later moment, even if the clock stops or runs back', async () => {
  const world = await openWorld()
  const { id } = await aTeam(world)
  const at = new Date('2026-05-20T12:00:00Z')
  const moments = []
  for (const now of [at, at, new Date(at.getTime() - 5000), new Date(at.getTime() + 1)])
    moments.push(await world.app.db.$transaction((tx) => nextMoment(tx, id, now)))
  expect(moments).toEqual([
    '2026-05-20T12:00:00.000000Z',
    '2026-05-20T12:00:00.000001Z',
    '2026-05-20T12:00:00.000002Z',
    '2026-05-20T12:00:00.001000Z',
  ])
  const together = await Promise.all(
    Array.from({ length: 20 }, () => world.app.db.$transaction((tx) => nextMoment(tx, id, at), { maxWait: 10_000 })),
  )
  expect(new Set(together).size).toBe(20)
})
