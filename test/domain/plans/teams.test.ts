import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { installHolder } from '#domain/access/idempotency.ts'
import { grantToken } from '#domain/access/team-tokens.ts'
import { firstDay } from '#domain/plans/ceilings.ts'
import { setLetterhead } from '#domain/plans/letterhead.ts'
import { planOf } from '#domain/plans/plans.ts'
import { createTeam, listTeams, setLimits, setPlan } from '#domain/plans/teams.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})

test('a team starts with its plan and the first allowance', async () => {
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

test('names each invalid field', async () => {
  const make = (input: object) => createTeam(world.app.db, world.clock, { name: 'T', plan: 'free', ...input })
  const field = (name: string) => ({ code: 'validation_failed', details: { errors: { [name]: [expect.any(String)] } } })
  await expect(make({ name: ' ' })).rejects.toMatchObject(field('name'))
  await expect(make({ name: 'x'.repeat(121) })).rejects.toMatchObject(field('name'))
  for (const sign of ['\u0000', '\u0007', '\n', '\u009b', '\u061c', '\u200f', '\u2028', '\u202e', '\u2066', '\ud800']) {
    await expect(make({ name: `Storm${sign} desk` })).rejects.toMatchObject(field('name'))
    await expect(make({ email: `desk${sign}@example.com` })).rejects.toMatchObject(field('email'))
    const letterhead = setLetterhead(world.app, randomUUID(), { brand_name: `Storm${sign} desk` })
    await expect(letterhead).rejects.toMatchObject(field('brand_name'))
    const input = { team_id: randomUUID(), name: `De${sign}sk`, abilities: ['reports:read'], expires_at: null }
    await expect(grantToken(world.app, installHolder(world.app.db), input, null)).rejects.toMatchObject(field('name'))
  }
  expect(await make({ name: 'Piñon Öland 漢字 – عاصفة 👩‍🔧' })).toMatchObject({ name: 'Piñon Öland 漢字 – عاصفة 👩‍🔧' })
  await expect(make({ timezone: 'Texas' })).rejects.toMatchObject(field('timezone'))
  // Node.js accepts both, and places the second elsewhere than PostgreSQL does.
  await expect(make({ timezone: 'US/Pacific-New' })).rejects.toMatchObject(field('timezone'))
  await expect(make({ timezone: 'AST' })).rejects.toMatchObject(field('timezone'))
  expect(await make({ timezone: 'america/denver' })).toMatchObject({ timezone: 'america/denver' })
  for (const email of ['desk', 'desk@example.com,other@example.com', `${'x'.repeat(250)}@example.com`])
    await expect(make({ email })).rejects.toMatchObject(field('email'))
  await expect(make({ plan: undefined })).rejects.toMatchObject(field('plan'))
  await expect(make({ plan: 'gold' })).rejects.toMatchObject(field('plan'))
  await expect(setPlan(world.app.db, world.clock, randomUUID(), 'gold' as 'free')).rejects.toMatchObject(field('plan'))
  await expect(setPlan(world.app.db, world.clock, randomUUID(), 'free')).rejects.toMatchObject({ code: 'not_found' })
})

test('ceilings can be overridden and reset one by one', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Limits', plan: 'free' })
  await setLimits(world.app.db, team.id, { properties: 20 })
  expect((await setLimits(world.app.db, team.id, { territories: 0 })).limit_overrides).toEqual({ properties: 20, territories: 0 })
  expect((await setLimits(world.app.db, team.id, { properties: null })).limit_overrides).toEqual({ territories: 0 })
  await expect(setLimits(world.app.db, team.id, { acres: 1 } as object)).rejects.toMatchObject({
    details: { errors: { acres: [expect.any(String)] } },
  })
  await expect(setLimits(world.app.db, randomUUID(), { properties: 1 })).rejects.toMatchObject({ code: 'not_found' })
})

test('refuses an impossible ceiling by name: counts must be whole and within bounds', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Slips', plan: 'free' })
  const wrong = {
    monthly_allowance: 2.5,
    lookback_years: 3000,
    properties: -1,
    territories: 1e9,
    max_radius_miles: 0.5,
    watch_radius_miles: 0.25,
  }
  await expect(setLimits(world.app.db, team.id, wrong)).rejects.toMatchObject({
    code: 'validation_failed',
    details: {
      errors: {
        monthly_allowance: ['The monthly_allowance must be a whole number from 0 to 1000000.'],
        lookback_years: ['The lookback_years must be a whole number from 1 to 150.'],
        properties: ['The properties must be a whole number from 0 to 1000000.'],
        territories: ['The territories must be a whole number from 0 to 6000.'],
        max_radius_miles: ['The max_radius_miles must be a number from 1 to 100.'],
        watch_radius_miles: ['The watch_radius_miles must be a number from 0.5 to 10.'],
      },
    },
  })
  const beyond = { max_radius_miles: 1e308, max_area_sq_miles: 1e308, watch_radius_miles: Number.POSITIVE_INFINITY }
  await expect(setLimits(world.app.db, team.id, beyond)).rejects.toMatchObject({
    details: { errors: { ...beyond, ...Object.fromEntries(Object.keys(beyond).map((name) => [name, [expect.stringContaining(' to ')]])) } },
  })
  await expect(setLimits(world.app.db, team.id, { lookback_years: 0 })).rejects.toMatchObject({ code: 'validation_failed' })
  await expect(setLimits(world.app.db, team.id, { lookback_years: 2.5 })).rejects.toMatchObject({ code: 'validation_failed' })
  const right = { lookback_years: 150, monthly_allowance: 0, max_radius_miles: 7.5, max_area_sq_miles: 12.25, watch_radius_miles: 0.5 }
  const { plan, trial_ends_at, lapsed_at, limit_overrides } = await setLimits(world.app.db, team.id, right)
  expect(limit_overrides).toEqual(right)
  expect(firstDay(planOf({ plan, trial_ends_at, lapsed_at, limit_overrides }, world.clock.now()), '2026-11-21')).toBe('1876-11-21')
})
