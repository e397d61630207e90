import { expect, test } from 'vitest'
import type { CallerTeam } from '#domain/access/caller.ts'
import type { TierId } from '#domain/closed-sets.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import {
  clampRadius,
  clampWindow,
  firstDay,
  requireActivePlan,
  requireApiAccess,
  requireArea,
  requireBelowCeiling,
  requireLayouts,
  requirePdfExport,
  requireReach,
  requireRecordAlerts,
} from '#domain/plans/ceilings.ts'
import { type Plan, tierOf, tiers } from '#domain/plans/plans.ts'

const team: CallerTeam = { id: 'x', name: 'T', timezone: 'UTC', on_trial: false, lapsed: false, created_at: new Date(0) }
const on = (tier: TierId, lapsed = false) => ({ plan: tierOf(tier), team: { ...team, lapsed } })

/** Status, limit, required plan and message of a refusal; null if there is none. */
function refusalOf(work: () => unknown) {
  try {
    work()
    return null
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    return [fault.status, fault.details.limit, fault.details.required_plan ?? null, fault.message]
  }
}

test('refuses a feature with the tier that includes it', () => {
  expect(refusalOf(() => requireApiAccess(on('starter')))).toEqual([
    402,
    'api_access',
    'professional',
    'API access is not part of the Starter plan; the Professional plan includes it.',
  ])
  expect(refusalOf(() => requireRecordAlerts(on('free')))).toEqual([
    402,
    undefined,
    'starter',
    'Mailing alerts is not part of the Free plan; the Starter plan includes it.',
  ])
  expect(refusalOf(() => requireLayouts(on('professional')))).toEqual([
    402,
    'layout',
    'business',
    'Composing a layout is not part of the Professional plan; the Business plan includes it.',
  ])
  expect(refusalOf(() => requirePdfExport(on('free')))).toEqual([
    402,
    'pdf_export',
    'starter',
    'PDF export is not part of the Free plan; the Starter plan includes it.',
  ])
  for (const allowed of [requireApiAccess, requireLayouts, requirePdfExport]) expect(refusalOf(() => allowed(on('business')))).toBeNull()
})

test('a refusal names the lowest higher tier that allows the request, for every ceiling and from every tier', () => {
  const today = '2026-03-10'
  const cases: [limit: string, least: (tier: Plan) => number, ask: (plan: Plan, most: number) => unknown][] = [
    ['lookback', (tier) => tier.lookback_years, (plan, years) => clampWindow(plan, dayOf({ lookback_years: years }), today)],
    ['properties', (tier) => tier.properties, (plan, count) => requireBelowCeiling(plan, 'properties', count - 1)],
    ['territories', (tier) => tier.territories, (plan, count) => requireBelowCeiling(plan, 'territories', count - 2, 2)],
    ['territory_area', (tier) => tier.max_area_sq_miles, requireArea],
    ['watch_radius', (tier) => tier.watch_radius_miles, requireReach],
  ]
  const dayOf = (reach: Pick<Plan, 'lookback_years'>) => ({ start: firstDay(reach, today), end: firstDay(reach, today) })
  for (const [limit, least, ask] of cases)
    for (const [level, plan] of tiers.entries())
      for (const wanted of tiers) {
        const enough = tiers.find((tier, above) => above > level && least(tier) >= least(wanted))
        const expected = least(wanted) <= least(plan) ? null : [402, limit, enough?.tier ?? null]
        expect([limit, plan.tier, refusalOf(() => ask(plan, least(wanted)))?.slice(0, 3) ?? null]).toEqual([limit, plan.tier, expected])
      }
})

test('refuses a lapsed team what costs credits, whatever its tier', () => {
  expect(refusalOf(() => requireActivePlan(on('enterprise', true)))?.slice(0, 3)).toEqual([402, 'lapsed', null])
  expect(refusalOf(() => requireActivePlan(on('free')))).toBeNull()
})

test('moves the start of a window up to the first day of the plan', () => {
  const plan = tierOf('starter')
  expect(firstDay(plan, '2026-03-10')).toBe('2023-03-10')
  expect(clampWindow(plan, { start: '2020-01-01', end: '2025-01-01' }, '2026-03-10')).toEqual({
    start: '2023-03-10',
    end: '2025-01-01',
    clamped: true,
  })
  expect(clampWindow(plan, { start: '2023-03-10', end: '2023-03-10' }, '2026-03-10')).toEqual({
    start: '2023-03-10',
    end: '2023-03-10',
    clamped: false,
  })
  expect(clampWindow(plan, { start: '2020-01-01', end: '2023-03-10' }, '2026-03-10')).toEqual({
    start: '2023-03-10',
    end: '2023-03-10',
    clamped: true,
  })
})

test('refuses a window entirely before that day with the tier that reaches it', () => {
  const window = { start: '2010-01-01', end: '2016-03-09' }
  expect(refusalOf(() => clampWindow(tierOf('starter'), window, '2026-03-10'))).toEqual([
    402,
    'lookback',
    'business',
    'The Starter plan looks back 3 years, to 2023-03-10; the Business plan looks back 20 years.',
  ])
  expect(refusalOf(() => clampWindow(tierOf('enterprise'), { start: '1900-01-01', end: '1900-01-02' }, '2026-03-10'))).toEqual([
    402,
    'lookback',
    null,
    'The Enterprise plan looks back 75 years, to 1951-03-10. No plan goes further.',
  ])
})

test('looking back from 29 February gives the 28th in a common year', () => {
  expect(firstDay({ lookback_years: 1 }, '2024-02-29')).toBe('2023-02-28')
  expect(firstDay({ lookback_years: 20 }, '2024-02-29')).toBe('2004-02-29')
  expect(firstDay({ lookback_years: 124 }, '2024-02-29')).toBe('1900-02-28')
})

test('limits a radius to the plan', () => {
  expect(clampRadius(tierOf('professional'), 25.1)).toEqual({ radius_miles: 25, clamped: true })
  expect(clampRadius(tierOf('professional'), 25)).toEqual({ radius_miles: 25, clamped: false })
})

test('allows a count up to the ceiling and not above', () => {
  const plan = tierOf('free')
  expect(refusalOf(() => requireBelowCeiling(plan, 'properties', 4))).toBeNull()
  expect(refusalOf(() => requireBelowCeiling(plan, 'properties', 5))).toEqual([
    402,
    'properties',
    'starter',
    'The Free plan holds 5 properties; the Starter plan holds 50.',
  ])
  expect(refusalOf(() => requireBelowCeiling(plan, 'territories', 0, 20))?.slice(1)).toEqual([
    'territories',
    'business',
    'The Free plan holds 1 territory; the Business plan holds 60.',
  ])
  expect(refusalOf(() => requireBelowCeiling(tierOf('enterprise'), 'territories', 300))).toEqual([
    402,
    'territories',
    null,
    'The Enterprise plan holds 300 territories. No plan goes further.',
  ])
})

test('refuses area and radius with the tier that allows them', () => {
  expect(refusalOf(() => requireArea(tierOf('free'), 100))).toBeNull()
  expect(refusalOf(() => requireArea(tierOf('free'), 100.1))?.slice(1, 3)).toEqual(['territory_area', 'starter'])
  expect(refusalOf(() => requireReach(tierOf('starter'), 2))).toBeNull()
  expect(refusalOf(() => requireReach(tierOf('starter'), 6))).toEqual([
    402,
    'watch_radius',
    'business',
    'The Starter plan watches at most 2 mi around a property; the Business plan watches 10.',
  ])
})

test('every refusal states the limit of the plan and of the next sufficient plan', () => {
  const refusalText = (work: () => unknown) => refusalOf(work)?.[3]
  expect(refusalText(() => requireArea(tierOf('free'), 101))).toBe(
    'The Free plan watches at most 100 sq mi in one territory; the Starter plan watches 500.',
  )
  expect(refusalText(() => requireArea(tierOf('enterprise'), 100_001))).toBe(
    'The Enterprise plan watches at most 100000 sq mi in one territory. No plan goes further.',
  )
  expect(refusalText(() => requireActivePlan(on('free', true)))).toBe(
    'The plan has lapsed: new reports, watched places, destinations and alert rules are refused until it is renewed. What is watched stays watched.',
  )
  expect(refusalText(() => clampWindow(tierOf('free'), { start: '2020-01-01', end: '2020-01-02' }, '2026-03-10'))).toBe(
    'The Free plan looks back 1 year, to 2025-03-10; the Professional plan looks back 10 years.',
  )
})

test('a window that ends on the first day of a plan is within reach', () => {
  const window = { start: '2016-03-01', end: '2016-03-10' }
  expect(refusalOf(() => clampWindow(tierOf('starter'), window, '2026-03-10'))?.[2]).toBe('professional')
})

test('writes years with four digits, and every fourth century year is a leap year', () => {
  expect(firstDay({ lookback_years: 150 }, '2024-02-29')).toBe('1874-02-28')
  expect(firstDay({ lookback_years: 24 }, '2024-02-29')).toBe('2000-02-29')
  expect(firstDay({ lookback_years: 1074 }, '2024-02-28')).toBe('0950-02-28')
})
