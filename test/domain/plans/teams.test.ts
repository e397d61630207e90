import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createTeam, listTeams, setLimits, setPlan } from '#domain/plans/teams.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})

test('a team begins with its plan and the first allowance', async () => {
  const team = await createTeam(world.app.db, world.clock, {
    name: '  Storm desk ',
    plan: 'professional',
    timezone: 'America/Denver',
    email: 'desk@example.com',
  })
  expect(team).toMatchObject({
    name: 'Storm desk',
    plan: 'professional',
    timezone: 'America/Denver',
    email: 'desk@example.com',
    balance: 100,
    allowance_left: 100,
    ledger_sequence: 1,
  })
  expect((await listTeams(world.app.db)).map(({ id }) => id)).toContain(team.id)
})

test('what is wrong is named', async () => {
  const make = (input: object) => createTeam(world.app.db, world.clock, { name: 'T', plan: 'free', ...input })
  const field = (name: string) => ({ code: 'validation_failed', details: { errors: { [name]: [expect.any(String)] } } })
  await expect(make({ name: ' ' })).rejects.toMatchObject(field('name'))
  await expect(make({ name: 'x'.repeat(121) })).rejects.toMatchObject(field('name'))
  await expect(make({ timezone: 'Texas' })).rejects.toMatchObject(field('timezone'))
  await expect(make({ email: 'desk' })).rejects.toMatchObject(field('email'))
  await expect(make({ plan: undefined })).rejects.toMatchObject(field('plan'))
  await expect(make({ plan: 'gold' })).rejects.toMatchObject(field('plan'))
  await expect(setPlan(world.app.db, world.clock, randomUUID(), 'gold' as 'free')).rejects.toMatchObject(field('plan'))
  await expect(setPlan(world.app.db, world.clock, randomUUID(), 'free')).rejects.toMatchObject({ code: 'not_found' })
})

test('ceilings are overridden one by one and given back', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Limits', plan: 'free' })
  await setLimits(world.app.db, team.id, { properties: 20 })
  expect((await setLimits(world.app.db, team.id, { territories: 0 })).limit_overrides).toEqual({ properties: 20, territories: 0 })
  expect((await setLimits(world.app.db, team.id, { properties: null })).limit_overrides).toEqual({ territories: 0 })
  await expect(setLimits(world.app.db, team.id, { properties: -1 })).rejects.toMatchObject({
    details: { errors: { properties: [expect.any(String)] } },
  })
  await expect(setLimits(world.app.db, team.id, { acres: 1 } as object)).rejects.toMatchObject({
    details: { errors: { acres: [expect.any(String)] } },
  })
  await expect(setLimits(world.app.db, randomUUID(), { properties: 1 })).rejects.toMatchObject({ code: 'not_found' })
})
