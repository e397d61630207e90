import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { accountView, creditsView, listTransactions, teamView } from '#domain/account/account.ts'
import { watchStatuses } from '#domain/closed-sets.ts'
import { chargeForReport, refundReport, topUp } from '#domain/plans/credits.ts'
import { createTeam, setLimits } from '#domain/plans/teams.ts'
import { aCaller } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let caller: Caller
const report_id = randomUUID()

beforeAll(async () => {
  world = await openWorld({ config: { base_url: 'https://weather.example' } })
  world.clock.set('2026-06-15T18:00:00Z')
  const { db } = world.app
  const team = await createTeam(db, world.clock, { name: 'Desk', plan: 'professional' })
  await setLimits(db, team.id, { properties: 20 })
  await chargeForReport(db, team.id, report_id, 'Report for 1 Main St', world.clock.now())
  const failed = randomUUID()
  await chargeForReport(db, team.id, failed, 'Report for 2 Main St', world.clock.now())
  await refundReport(db, team.id, failed, 'Report failed', world.clock.now())
  await topUp(db, team.id, 5, world.clock.now())
  for (const [place, status] of watchStatuses.entries()) {
    await db.property.create({ data: { team_id: team.id, query: String(place), query_key: String(place), status } })
  }
  caller = await aCaller(world, team, ['account:read'])
})

const credits = { balance: 104, monthly_allowance: 100, used_this_period: 1, renews_at: '2026-07-15T00:00:00.000Z' }

test('the account', async () => {
  expect(await accountView(world.app, caller)).toEqual({
    object: 'account',
    team: { name: 'Desk', plan: 'professional', plan_label: 'Professional', on_trial: false, lapsed: false },
    limits: { lookback_years: 10, max_radius_miles: 25, monthly_reports: 100, reports_used: 1, reports_remaining: 99, pdf_export: true },
    credits,
    token: {
      name: 'Test',
      prefix: caller.token.prefix,
      abilities: ['account:read'],
      expires_at: null,
      last_used_at: '2026-06-15T18:00:00.000Z',
    },
  })
})

test('the team', async () => {
  expect(await teamView(world.app, caller)).toEqual({
    object: 'team',
    name: 'Desk',
    timezone: 'America/Chicago',
    plan: { tier: 'professional', label: 'Professional', on_trial: false, lapsed: false },
    includes: {
      api: true,
      pdf_export: true,
      observations: true,
      imagery: true,
      compose_layout: false,
      report_branding: true,
      property_intelligence: false,
      live_warnings: true,
      record_alerts: true,
    },
    limits: {
      lookback_years: 10,
      max_radius_miles: 25,
      properties: { held: 2, limit: 20 },
      territories: { held: 0, limit: 15, max_area_sq_miles: 5000 },
      watch_radius_miles: 5,
    },
    credits,
    links: { credits: 'https://weather.example/api/v1/credits', monitoring: 'https://weather.example/api/v1/monitoring/runs' },
  })
})

test('the credits', async () => {
  expect(await creditsView(world.app, caller)).toEqual({
    object: 'credits',
    ...credits,
    lapsed_this_period: 0,
    links: { transactions: 'https://weather.example/api/v1/credits/transactions' },
  })
})

test('the ledger, newest first, by page and kind', async () => {
  const all = await listTransactions(world.app, caller, { page: 1, per_page: 25 })
  expect(all.total).toBe(5)
  expect(all.data.map(({ kind }) => kind)).toEqual(['top_up', 'refund', 'spend', 'spend', 'allowance'])
  expect(all.data[3]).toEqual({
    id: expect.any(Number),
    object: 'credit_transaction',
    kind: 'spend',
    amount: -1,
    balance_after: 99,
    description: 'Report for 1 Main St',
    note: null,
    report_id,
    created_at: '2026-06-15T18:00:00.000Z',
  })
  const spends = await listTransactions(world.app, caller, { kind: 'spend', page: 2, per_page: 1 })
  expect([spends.total, spends.data.map((row) => row.report_id)]).toEqual([2, [report_id]])
  expect(await listTransactions(world.app, caller, { kind: 'lapse', page: 9, per_page: 100 })).toEqual({ data: [], total: 0 })
})

test('another team sees none of it', async () => {
  const other = await aCaller(world, await createTeam(world.app.db, world.clock, { name: 'Other', plan: 'free' }))
  expect((await listTransactions(world.app, other, { page: 1, per_page: 25 })).total).toBe(1)
  expect((await teamView(world.app, other)).limits.properties.held).toBe(0)
})
