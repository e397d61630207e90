import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { openLog } from '#domain/engines/log.ts'
import { adjust, chargeForReport, topUp } from '#domain/plans/credits.ts'
import { planStatus } from '#domain/plans/plans.ts'
import { renewDue } from '#domain/plans/renewal.ts'
import { createTeam, lapseTeam, setLimits, setPlan } from '#domain/plans/teams.ts'
import type { Team } from '#generated/prisma/client.ts'
import { DAY } from '#test/support/clock.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})

const read = (team: Team) => world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
const charge = (team: Team) => chargeForReport(world.app.db, team.id, randomUUID(), 'Report', world.clock.now())
const rows = async (team: Team) => {
  const found = await world.app.db.creditTransaction.findMany({ where: { team_id: team.id }, orderBy: { sequence: 'asc' } })
  return found.map(({ kind, amount, created_at }) => `${created_at.toISOString().slice(0, 16)} ${kind} ${amount}`)
}

test('at renewal, the remaining allowance lapses and the next is granted, dated at the renewal', async () => {
  world.clock.set('2027-03-10T15:30:00Z')
  const team = await createTeam(world.app.db, world.clock, { name: 'Turn', plan: 'starter' })
  expect([team.period_started_at, team.renews_at]).toEqual([new Date('2027-03-10T00:00:00Z'), new Date('2027-04-10T00:00:00Z')])
  await charge(team)
  world.clock.set('2027-04-09T23:59:59.999Z')
  expect(await renewDue(world.app)).toBe(0)
  world.clock.set('2027-04-10T09:00:00Z')
  expect(await renewDue(world.app)).toBe(1)
  expect(await renewDue(world.app)).toBe(0)
  expect(await rows(team)).toEqual([
    '2027-03-10T15:30 allowance 25',
    '2027-03-10T15:30 spend -1',
    '2027-04-10T00:00 lapse -24',
    '2027-04-10T00:00 allowance 25',
  ])
  expect(await read(team)).toMatchObject({
    balance: 25,
    allowance_left: 25,
    used_this_period: 0,
    lapsed_this_period: 24,
    renews_at: new Date('2027-05-10T00:00:00Z'),
  })
})

test('renews missed months one by one, across a leap February', async () => {
  world.clock.set('2027-11-30T12:00:00Z')
  const team = await createTeam(world.app.db, world.clock, { name: 'Asleep', plan: 'free' })
  world.clock.set('2028-03-30T00:00:00Z')
  expect(await renewDue(world.app)).toBeGreaterThanOrEqual(4)
  expect((await rows(team)).filter((row) => row.includes('allowance'))).toEqual([
    '2027-11-30T12:00 allowance 3',
    '2027-12-30T00:00 allowance 3',
    '2028-01-30T00:00 allowance 3',
    '2028-02-29T00:00 allowance 3',
    '2028-03-30T00:00 allowance 3',
  ])
  expect(await read(team)).toMatchObject({ balance: 3, renews_at: new Date('2028-04-30T00:00:00Z') })
})

test('a fully spent allowance leaves no lapse, and top-ups stay', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Spent', plan: 'free' })
  await topUp(world.app.db, team.id, 4, world.clock.now())
  for (let spent = 0; spent < 4; spent++) await charge(team)
  world.clock.set(team.renews_at)
  await renewDue(world.app)
  expect((await rows(team)).map((row) => row.slice(17)).slice(-2)).toEqual(['spend -1', 'allowance 3'])
  expect(await read(team)).toMatchObject({ balance: 6, allowance_left: 3, lapsed_this_period: 0 })
})

test('concurrent processes renew each period once', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Crowd', plan: 'free' })
  world.clock.set(team.renews_at)
  await Promise.all(Array.from({ length: 5 }, () => renewDue(world.app)))
  expect((await rows(team)).map((row) => row.slice(17))).toEqual(['allowance 3', 'lapse -3', 'allowance 3'])
})

test('a trial has 14 days and 10 credits; at its end the team is free and lapsed, and gets no more', async () => {
  world.clock.set('2029-01-01T10:00:00Z')
  const team = await createTeam(world.app.db, world.clock, { name: 'Trial', trial: true })
  expect(team).toMatchObject({ plan: 'professional', balance: 10, allowance_left: 10, trial_ends_at: new Date('2029-01-15T10:00:00Z') })
  world.clock.advance(14 * DAY)
  await renewDue(world.app)
  const ended = await read(team)
  expect(ended).toMatchObject({ plan: 'free', balance: 10, lapsed_at: team.trial_ends_at })
  expect(planStatus(ended, world.clock.now())).toEqual({ on_trial: false, lapsed: true })
  world.clock.set('2029-03-05T00:00:00Z')
  await renewDue(world.app)
  expect((await rows(team)).map((row) => row.slice(17))).toEqual(['allowance 10', 'lapse -10'])
  expect(await read(team)).toMatchObject({ balance: 0, renews_at: new Date('2029-04-01T00:00:00Z') })
})

test('grants an overridden allowance', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Custom', plan: 'free' })
  await setLimits(world.app.db, team.id, { monthly_allowance: 8 })
  world.clock.set(team.renews_at)
  await renewDue(world.app)
  expect(await read(team)).toMatchObject({ balance: 8, allowance_left: 8 })
})

test('grants an overridden allowance on another plan too, and nothing for an override of zero', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Custom mover', plan: 'free' })
  await setLimits(world.app.db, team.id, { monthly_allowance: 8 })
  expect(await setPlan(world.app.db, world.clock, team.id, 'business')).toMatchObject({ balance: 8, allowance_left: 8 })
  await setLimits(world.app.db, team.id, { monthly_allowance: 0 })
  expect(await setPlan(world.app.db, world.clock, team.id, 'starter')).toMatchObject({ balance: 0, allowance_left: 0 })
})

test('a team whose period cannot be renewed is logged and does not block the others', async () => {
  const balance_max = 2 ** 31 - 1
  const [full, ...others] = await Promise.all(
    ['Full', 'One', 'Two'].map((name) => createTeam(world.app.db, world.clock, { name, plan: 'free' })),
  )
  if (!full) throw new Error('no team was made')
  // The next allowance would take the balance beyond the integer range.
  for (let spent = 0; spent < 3; spent++) await charge(full)
  await world.owner.query(
    `WITH team AS (UPDATE teams SET balance = $2, ledger_sequence = ledger_sequence + 1 WHERE id = $1 RETURNING ledger_sequence)
     INSERT INTO credit_transactions (team_id, sequence, kind, amount, balance_after, description, created_at)
     SELECT $1, ledger_sequence, 'top_up', $2, $2, 'before there was a limit', $3 FROM team`,
    [full.id, balance_max, world.clock.now()],
  )
  world.clock.set(full.renews_at)
  const lines: string[] = []
  const log = openLog('error', { write: (line) => lines.push(line) })
  await expect(renewDue({ ...world.app, log })).rejects.toThrow('the period of a team could not be renewed (1 team)')
  for (const other of others) expect(await read(other)).toMatchObject({ allowance_left: 3, renews_at: expect.toSatisfy(isToCome) })
  expect(await read(full)).toMatchObject({ balance: balance_max, renews_at: full.renews_at })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ team_id: full.id, msg: 'the period of a team could not be renewed' }])

  await adjust(world.app.db, full.id, -3, 'room for the allowance', world.clock.now())
  expect(await renewDue(world.app)).toBe(1)
  expect(await read(full)).toMatchObject({ balance: balance_max, allowance_left: 3 })
})

const isToCome = (moment: Date) => moment > world.clock.now()

test('a plan change begins a new period today', async () => {
  world.clock.set('2030-05-20T08:00:00Z')
  const team = await createTeam(world.app.db, world.clock, { name: 'Mover', plan: 'free' })
  await adjust(world.app.db, team.id, 2, 'welcome', world.clock.now())
  await charge(team)
  world.clock.set('2030-05-31T08:00:00Z')
  const moved = await setPlan(world.app.db, world.clock, team.id, 'business')
  expect(moved).toMatchObject({
    plan: 'business',
    balance: 502,
    allowance_left: 500,
    used_this_period: 0,
    renewal_day: 31,
    renews_at: new Date('2030-06-30T00:00:00Z'),
  })
  expect(await setPlan(world.app.db, world.clock, team.id, 'business')).toEqual(moved)
  expect((await rows(team)).map((row) => row.slice(17))).toEqual(['allowance 3', 'adjustment 2', 'spend -1', 'lapse -2', 'allowance 500'])
})

test('setting a plan on a lapsed team reactivates it', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Late', plan: 'professional' })
  await world.app.db.team.update({ where: { id: team.id }, data: { lapsed_at: world.clock.now() } })
  expect(await setPlan(world.app.db, world.clock, team.id, 'professional')).toMatchObject({ lapsed_at: null, balance: 100 })
})

test('a lapse that spans a renewal costs no allowance once it is undone, and undoing it again grants no more', async () => {
  world.clock.set('2031-05-01T08:00:00Z')
  const team = await createTeam(world.app.db, world.clock, { name: 'Late payer', plan: 'professional' })
  const lapse = (undo: boolean) => lapseTeam(world.app.db, world.clock, team.id, undo)
  world.clock.set('2031-05-20T08:00:00Z')
  await lapse(false)
  expect(await lapse(true)).toMatchObject({ lapsed_at: null, balance: 100 })
  await lapse(false)
  world.clock.set('2031-06-01T00:00:00Z')
  await renewDue(world.app)
  expect(await read(team)).toMatchObject({ balance: 0 })
  world.clock.set('2031-06-02T08:00:00Z')
  expect(await lapse(true)).toMatchObject({
    lapsed_at: null,
    balance: 100,
    allowance_left: 100,
    renews_at: new Date('2031-07-01T00:00:00Z'),
  })
  await lapse(false)
  expect(await lapse(true)).toMatchObject({ balance: 100 })
  expect(await rows(team)).toEqual(['2031-05-01T08:00 allowance 100', '2031-06-01T00:00 lapse -100', '2031-06-02T08:00 allowance 100'])
})

test('only a plan ends an expired trial: undoing its lapse does nothing, before its renewal and after it', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Tried', trial: true })
  const undo = () => lapseTeam(world.app.db, world.clock, team.id, true)
  await lapseTeam(world.app.db, world.clock, team.id, false)
  expect(planStatus(await undo(), world.clock.now())).toEqual({ on_trial: true, lapsed: false })
  world.clock.advance(14 * DAY)
  const expired = { on_trial: false, lapsed: true }
  expect(planStatus(await undo(), world.clock.now())).toEqual(expired)
  for (let run = 0; run < 2; run++) {
    await renewDue(world.app)
    expect(planStatus(await undo(), world.clock.now())).toEqual(expired)
  }
  expect(await read(team)).toMatchObject({ plan: 'free', lapsed_at: team.trial_ends_at })
  const paid = await setPlan(world.app.db, world.clock, team.id, 'starter')
  expect(planStatus(paid, world.clock.now())).toEqual({ on_trial: false, lapsed: false })
  await lapseTeam(world.app.db, world.clock, team.id, false)
  expect(await undo()).toMatchObject({ plan: 'starter', lapsed_at: null })
})
