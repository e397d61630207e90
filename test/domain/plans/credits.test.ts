import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { TierId } from '#domain/closed-sets.ts'
import type { Refusal } from '#domain/kernel/refusal.ts'
import { readInvariants } from '#domain/observability/invariants.ts'
import { adjust, chargeForReport, refundReport, topUp } from '#domain/plans/credits.ts'
import { tierOf } from '#domain/plans/plans.ts'
import { renewDue } from '#domain/plans/renewal.ts'
import { createTeam, setLimits, setPlan } from '#domain/plans/teams.ts'
import { failReport } from '#domain/reports/fail.ts'
import { requestReport } from '#domain/reports/request.ts'
import type { Team } from '#generated/prisma/client.ts'
import { DAY } from '#test/support/clock.ts'
import { aKeptProperty } from '#test/support/exposures.ts'
import { aCaller } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})

const read = (team: Team) => world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
const ledger = (team: Team) => world.app.db.creditTransaction.findMany({ where: { team_id: team.id }, orderBy: { sequence: 'asc' } })
const charge = async (team: Team) => {
  const report_id = randomUUID()
  await chargeForReport(world.app.db, team.id, report_id, 'Report for 1 Main St', world.clock.now())
  return report_id
}
const refund = (team: Team, report_id: string) =>
  world.app.db.$transaction((tx) => refundReport(tx, team.id, report_id, 'Report failed', world.clock.now()))

test('every kind of row has its sign, its running balance and its purpose', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Ledger', plan: 'free' })
  const report_id = await charge(team)
  await refund(team, report_id)
  await topUp(world.app.db, team.id, 5, world.clock.now())
  await adjust(world.app.db, team.id, -2, ' counted twice ', world.clock.now())
  world.clock.set(team.renews_at)
  await renewDue(world.app)
  const rows = await ledger(team)
  expect(
    rows.map(({ sequence, kind, amount, balance_after, report_id: named, note }) => [sequence, kind, amount, balance_after, named, note]),
  ).toEqual([
    [1, 'allowance', 3, 3, null, null],
    [2, 'spend', -1, 2, report_id, null],
    [3, 'refund', 1, 3, report_id, null],
    [4, 'top_up', 5, 8, null, null],
    [5, 'adjustment', -2, 6, null, 'counted twice'],
    [6, 'lapse', -1, 5, null, null],
    [7, 'allowance', 3, 8, null, null],
  ])
  expect(await read(team)).toMatchObject({ balance: 8, allowance_left: 3, used_this_period: 0, lapsed_this_period: 1, ledger_sequence: 7 })
})

test('spends the allowance before top-ups, which never lapse', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Order', plan: 'free' })
  await topUp(world.app.db, team.id, 2, world.clock.now())
  for (let spent = 0; spent < 4; spent++) await charge(team)
  expect(await read(team)).toMatchObject({ balance: 1, allowance_left: 0, used_this_period: 4 })
  await expect(charge(team).then(() => charge(team))).rejects.toMatchObject({
    code: 'plan_limit',
    details: { limit: 'credits', required_plan: 'starter' },
  })
  expect(await read(team)).toMatchObject({ balance: 0, used_this_period: 5 })
})

test('a refusal without credits states when the plan renews or the trial ends', async () => {
  const paid = await createTeam(world.app.db, world.clock, { name: 'Paid', plan: 'free' })
  for (let spent = 0; spent < 3; spent++) await charge(paid)
  await expect(charge(paid)).rejects.toThrow(`No credits are left; the Free plan renews on ${paid.renews_at.toISOString().slice(0, 10)}.`)
  const trying = await createTeam(world.app.db, world.clock, { name: 'Trying', trial: true })
  for (let spent = 0; spent < 10; spent++) await charge(trying)
  const { trial_ends_at } = await read(trying)
  await expect(charge(trying)).rejects.toThrow(`No credits are left; the trial ends on ${trial_ends_at?.toISOString().slice(0, 10)}.`)
})

test('a refusal without credits recommends no plan with a lower allowance than the one that the operator set', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Raised', plan: 'starter' })
  const refused = () => charge(team).catch(({ message, details }) => [message, details.required_plan])
  for (let spent = 0; spent < 25; spent++) await charge(team)
  const date = team.renews_at.toISOString().slice(0, 10)
  for (const [monthly_allowance, tail, required_plan] of [
    [200, ' The Business plan includes 500 a month.', 'business'],
    [5000, '', null],
    [10, ' The Professional plan includes 100 a month.', 'professional'],
  ] as const) {
    await setLimits(world.app.db, team.id, { monthly_allowance })
    expect(await refused()).toEqual([`No credits are left; the Starter plan renews on ${date}.${tail}`, required_plan])
  }
})

test('refunds a credit once, to where it came from', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Back', plan: 'free' })
  await topUp(world.app.db, team.id, 1, world.clock.now())
  const reports = [await charge(team), await charge(team), await charge(team), await charge(team)]
  await refund(team, reports[0] as string)
  expect(await read(team)).toMatchObject({ balance: 1, allowance_left: 0, used_this_period: 3 })
  await refund(team, reports[1] as string)
  await refund(team, reports[1] as string)
  expect(await read(team)).toMatchObject({ balance: 2, allowance_left: 1, used_this_period: 2 })
  world.clock.set(team.renews_at)
  await renewDue(world.app)
  await refund(team, reports[2] as string)
  expect(await read(team)).toMatchObject({ balance: 5, allowance_left: 3, used_this_period: 0, lapsed_this_period: 1 })
})

test('refunds a bought credit as one that never lapses, also in a period without a grant', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Bought', plan: 'free' })
  await setLimits(world.app.db, team.id, { monthly_allowance: 0 })
  await topUp(world.app.db, team.id, 2, world.clock.now())
  world.clock.set(team.renews_at)
  await renewDue(world.app)
  expect(await read(team)).toMatchObject({ balance: 2, allowance_left: 0 })
  await refund(team, await charge(team))
  expect(await read(team)).toMatchObject({ balance: 2, allowance_left: 0, used_this_period: 0, used_beyond_grant: 0 })
  world.clock.advance(31 * DAY)
  await renewDue(world.app)
  expect(await read(team)).toMatchObject({ balance: 2 })
})

test('refunds a bought credit as bought if an adjustment used up the allowance', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Corrected', plan: 'free' })
  await topUp(world.app.db, team.id, 2, world.clock.now())
  await adjust(world.app.db, team.id, -3, 'counted twice', world.clock.now())
  await refund(team, await charge(team))
  expect(await read(team)).toMatchObject({ balance: 2, allowance_left: 0 })
})

test('refunds a credit spent before a plan change on the same day as one that never lapses', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Same day', plan: 'free' })
  const report_id = await charge(team)
  await setPlan(world.app.db, world.clock, team.id, 'starter')
  await charge(team)
  await refund(team, report_id)
  expect(await read(team)).toMatchObject({ balance: 25, allowance_left: 24, used_this_period: 1 })
})

test('refunds a credit spent before a plan change as one that never lapses, even if no old allowance was left', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'All spent', plan: 'free' })
  const reports = [await charge(team), await charge(team), await charge(team)]
  await setPlan(world.app.db, world.clock, team.id, 'starter')
  expect((await ledger(team)).filter(({ kind }) => kind === 'lapse')).toEqual([])
  await charge(team)
  await refund(team, reports[0] as string)
  expect(await read(team)).toMatchObject({ balance: 25, allowance_left: 24, used_this_period: 1 })
})

test('refunds a credit spent before a change to a plan without a grant as one that never lapses', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Nothing granted', plan: 'free' })
  const report_id = await charge(team)
  await setLimits(world.app.db, team.id, { monthly_allowance: 0 })
  await setPlan(world.app.db, world.clock, team.id, 'starter')
  expect((await ledger(team)).map(({ kind }) => kind)).toEqual(['allowance', 'spend', 'lapse'])
  await refund(team, report_id)
  expect(await read(team)).toMatchObject({ balance: 1, allowance_left: 0, used_this_period: 0 })
})

test('refunds a credit spent under the current plan to its allowance, whatever the plan before', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'After', plan: 'free' })
  await charge(team)
  await setPlan(world.app.db, world.clock, team.id, 'starter')
  await refund(team, await charge(team))
  expect(await read(team)).toMatchObject({ balance: 25, allowance_left: 25, used_this_period: 0 })
})

test('refunds a credit requested before and charged after a renewal to the new allowance', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Midnight', plan: 'free' })
  const caller = await aCaller(world, team)
  const { id: property_id } = await aKeptProperty(world, team)
  world.clock.set(new Date(team.renews_at.getTime() - 100))
  const changing = await world.owner.connect()
  await changing.query('BEGIN')
  await changing.query('SELECT FROM properties WHERE id = $1 FOR UPDATE', [property_id])
  const window = { window_start: '2026-05-01', window_end: '2026-05-10', radius_miles: 5 }
  const pending = requestReport(world.app, caller, { address: 'Moore, OK', ...window, property_id }, null)
  await waitUntil(async () => (await lockWaits(world.owner)) > 0)
  world.clock.set(team.renews_at)
  await renewDue(world.app)
  await changing.query('COMMIT')
  changing.release()
  const { report } = await pending
  expect(await read(team)).toMatchObject({ balance: 2, allowance_left: 2, used_this_period: 1 })
  await failReport(world.app, report.id, 'timed_out')
  expect(await read(team)).toMatchObject({ balance: 3, allowance_left: 3, used_this_period: 0 })
})

test('a team without credits is referred to the next tier with more, and from the highest to none', async () => {
  const next: [TierId, TierId | null][] = [
    ['free', 'starter'],
    ['starter', 'professional'],
    ['professional', 'business'],
    ['business', 'enterprise'],
    ['enterprise', null],
  ]
  for (const [plan, required_plan] of next) {
    const team = await createTeam(world.app.db, world.clock, { name: plan, plan })
    const { balance } = await read(team)
    await adjust(world.app.db, team.id, -balance, 'taken', world.clock.now())
    const fault = await charge(team).catch((reason: Refusal) => reason)
    expect(fault).toMatchObject({ code: 'plan_limit', details: { limit: 'credits', required_plan } })
    const more = required_plan && ` The ${tierOf(required_plan).label} plan includes ${tierOf(required_plan).monthly_allowance} a month.`
    expect(fault).toMatchObject({ message: expect.stringMatching(new RegExp(`\\d\\.${more ?? ''}$`)) })
  }
})

test('a refund of a report never charged, or charged to another team, changes nothing', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'A', plan: 'free' })
  const other = await createTeam(world.app.db, world.clock, { name: 'B', plan: 'free' })
  await refund(team, randomUUID())
  await refund(other, await charge(team))
  expect([(await read(team)).balance, (await read(other)).balance]).toEqual([2, 3])
})

test('charges a report once', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Once', plan: 'free' })
  const report_id = await charge(team)
  await expect(chargeForReport(world.app.db, team.id, report_id, 'again', world.clock.now())).rejects.toThrow(
    'credit_transactions_one_spend',
  )
  expect(await read(team)).toMatchObject({ balance: 2, ledger_sequence: 2 })
})

test('of 60 concurrent charges on 10 credits, ten succeed and the balance is zero', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Rush', trial: true })
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => charge(team)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  for (const answer of results) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ details: { limit: 'credits' } })
  expect(await read(team)).toMatchObject({ balance: 0, used_this_period: 10, ledger_sequence: 11 })
  expect((await ledger(team)).map(({ sequence }) => sequence)).toEqual(Array.from({ length: 11 }, (_, place) => place + 1))
})

test('refuses invalid amounts and notes by name, and charges nothing', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Odd', plan: 'free' })
  const { db } = world.app
  const now = world.clock.now()
  for (const amount of [0, -1, 1.5, Number.NaN])
    await expect(topUp(db, team.id, amount, now)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: { amount: expect.anything() } },
    })
  await expect(adjust(db, team.id, 0, 'why', now)).rejects.toMatchObject({ details: { errors: { amount: expect.anything() } } })
  for (const note of [' ', 'two\nlines', 'a\u001b[31m', 'x'.repeat(501)])
    await expect(adjust(db, team.id, 1, note, now)).rejects.toMatchObject({ details: { errors: { note: expect.anything() } } })
  await expect(adjust(db, team.id, -4, 'too much', now)).rejects.toMatchObject({
    message: 'The balance is 3: a correction cannot take more.',
  })
  const most = 2 ** 31 - 1
  for (const move of [() => topUp(db, team.id, most, now), () => adjust(db, team.id, most, 'a slip', now)])
    await expect(move()).rejects.toMatchObject({ message: 'The balance is 3: it cannot exceed 1000000000.' })
  await expect(topUp(db, randomUUID(), 1, now)).rejects.toMatchObject({ code: 'not_found' })
  expect(await read(team)).toMatchObject({ balance: 3, ledger_sequence: 1 })
})

test('the ledger cannot be rewritten', async () => {
  const team = await createTeam(world.app.db, world.clock, { name: 'Kept', plan: 'free' })
  await expect(world.app.db.creditTransaction.updateMany({ where: { team_id: team.id }, data: { amount: 9 } })).rejects.toThrow('denied')
  await expect(world.app.db.creditTransaction.deleteMany({ where: { team_id: team.id } })).rejects.toThrow('denied')
  await expect(world.owner.query('UPDATE credit_transactions SET amount = 9')).rejects.toThrow('never rewritten')
  await expect(world.owner.query('DELETE FROM credit_transactions')).rejects.toThrow('never rewritten')
})

test('any sequence of operations on an account follows the rules and keeps the invariants', async () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.constant({ do: 'charge' as const }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('refund' as const), which: fc.nat(7) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('topUp' as const), amount: fc.integer({ min: 1, max: 4 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('adjust' as const),
        amount: fc.integer({ min: -4, max: 4 }).filter((amount) => amount !== 0),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 70 }) }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const team = await createTeam(world.app.db, world.clock, { name: 'Model', plan: 'free' })
      const model = { balance: 3, allowance: 3, used: 0, beyond: 0, period: 0 }
      const spends: { report_id: string; period: number; refunded: boolean }[] = []
      let renews = team.renews_at
      for (const taken of steps) {
        if (taken.do === 'charge') {
          const report_id = await charge(team).catch(() => null)
          expect(report_id === null).toBe(model.balance === 0)
          if (report_id) {
            spends.push({ report_id, period: model.period, refunded: false })
            model.balance -= 1
            if (model.allowance === 0) model.beyond += 1
            else model.allowance -= 1
            model.used += 1
          }
        } else if (taken.do === 'refund') {
          const spend = spends[taken.which]
          if (!spend) continue
          await refund(team, spend.report_id)
          if (spend.refunded) continue
          spend.refunded = true
          model.balance += 1
          if (spend.period !== model.period) continue
          if (model.beyond > 0) model.beyond -= 1
          else model.allowance += 1
          model.used -= 1
        } else if (taken.do === 'topUp') {
          await topUp(world.app.db, team.id, taken.amount, world.clock.now())
          model.balance += taken.amount
        } else if (taken.do === 'adjust') {
          const done = await adjust(world.app.db, team.id, taken.amount, 'test', world.clock.now()).then(
            () => true,
            () => false,
          )
          expect(done).toBe(model.balance + taken.amount >= 0)
          if (!done) continue
          model.balance += taken.amount
          model.allowance = Math.max(0, model.allowance + Math.min(0, taken.amount))
        } else {
          world.clock.advance(taken.days * DAY)
          await renewDue(world.app)
          const { renews_at } = await read(team)
          if (renews_at.getTime() === renews.getTime()) continue
          renews = renews_at
          model.balance += 3 - model.allowance
          model.allowance = 3
          model.used = 0
          model.beyond = 0
          model.period += 1
        }
        const { balance, allowance_left, used_this_period } = await read(team)
        expect({ balance, allowance: allowance_left, used: used_this_period }).toEqual({
          balance: model.balance,
          allowance: model.allowance,
          used: model.used,
        })
      }
      expect(await readInvariants(world.app)).toEqual([])
    }),
    { numRuns: 25 },
  )
})
