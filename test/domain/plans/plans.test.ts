import { expect, test } from 'vitest'
import { type TierId, tierIds } from '#domain/closed-sets.ts'
import { features, lowestTierAbove, planOf, planStatus, type Subscription, tierOf, tiers, tiersWith } from '#domain/plans/plans.ts'

const now = new Date('2026-03-10T12:00:00Z')
const team = (columns: Partial<Subscription> = {}): Subscription => ({
  plan: 'starter',
  trial_ends_at: null,
  lapsed_at: null,
  limit_overrides: {},
  ...columns,
})

test('the tiers match the published table', () => {
  expect(tiers.map(({ tier }) => tier)).toEqual(tierIds)
  const table = tiers.map(({ includes, ...tier }) => Object.values(tier).join(' '))
  expect(table).toEqual([
    'free Free 3 1 5 5 1 100 1',
    'starter Starter 25 3 10 50 3 500 2',
    'professional Professional 100 10 25 500 15 5000 5',
    'business Business 500 20 50 5000 60 25000 10',
    'enterprise Enterprise 2500 75 100 50000 300 100000 10',
  ])
  const opens = (feature: (typeof features)[number]) => tiers.filter(({ includes }) => includes[feature]).map(({ tier }) => tier)
  expect(Object.fromEntries(features.map((feature) => [feature, opens(feature)[0]]))).toEqual({
    api: 'professional',
    live_warnings: 'professional',
    report_branding: 'professional',
    observations: 'professional',
    pdf_export: 'starter',
    record_alerts: 'starter',
    imagery: 'starter',
    compose_layout: 'business',
    property_intelligence: 'business',
  })
  for (const feature of features) expect(opens(feature)).toEqual(tiers.slice(-opens(feature).length).map(({ tier }) => tier))
})

test('no ceiling falls from one tier to the next', () => {
  for (const [place, tier] of tiers.entries()) {
    const below = tiers[place - 1]
    if (below)
      for (const [name, value] of Object.entries(tier))
        if (typeof value === 'number') expect(value).toBeGreaterThanOrEqual(below[name as 'properties'])
  }
})

test('overrides replace single ceilings and nothing else', () => {
  const plan = planOf(team({ limit_overrides: { properties: 20, territories: 0, label: 'x', unknown: 1, max_radius_miles: 'y' } }), now)
  expect(plan).toEqual({ ...tiers[1], properties: 20, territories: 0 })
})

test('a trial has its tier, and is free and lapsed from the moment it ends', () => {
  const running = team({ plan: 'professional', trial_ends_at: new Date(now.getTime() + 1) })
  expect([planOf(running, now).tier, planStatus(running, now)]).toEqual(['professional', { on_trial: true, lapsed: false }])
  const over = team({ plan: 'professional', trial_ends_at: now })
  expect([planOf(over, now).tier, planStatus(over, now)]).toEqual(['free', { on_trial: false, lapsed: true }])
})

test('a paid tier that lapses stays the same tier', () => {
  const lapsed = team({ lapsed_at: now })
  expect([planOf(lapsed, now).tier, planStatus(lapsed, now)]).toEqual(['starter', { on_trial: false, lapsed: true }])
})

test('reports an unknown tier by name as an internal error', () => {
  expect(() => tierOf('gold' as TierId)).toThrow('there is no tier called gold')
})

test('lists the tiers that include a feature, lowest first', () => {
  expect(tiersWith('api')).toEqual(['professional', 'business', 'enterprise'])
  expect(tiersWith('pdf_export')).toEqual(['starter', 'professional', 'business', 'enterprise'])
})

test('the next tier is the lowest higher one that suffices, and null above the highest', () => {
  expect(lowestTierAbove(tierOf('professional'), () => true)?.tier).toBe('business')
  expect(lowestTierAbove(tierOf('free'), ({ properties }) => properties >= 500)?.tier).toBe('professional')
  expect(lowestTierAbove(tierOf('business'), ({ properties }) => properties <= 500)).toBeNull()
  expect(lowestTierAbove(tierOf('enterprise'), () => true)).toBeNull()
})
