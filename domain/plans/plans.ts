import { type TierId, tierIds } from '#domain/closed-sets.ts'
import { tableOf } from '#domain/kernel/keys-of.ts'
/** The features of a tier, named as in the team's `includes`. */
export const features = [
  'api',
  'pdf_export',
  'observations',
  'imagery',
  'compose_layout',
  'report_branding',
  'property_intelligence',
  'live_warnings',
  'record_alerts',
] as const
export type Feature = (typeof features)[number]

/** The numeric limits of a tier; an operator may override each for a team. */
export const ceilings = [
  'monthly_allowance',
  'lookback_years',
  'max_radius_miles',
  'properties',
  'territories',
  'max_area_sq_miles',
  'watch_radius_miles',
] as const
export type Ceiling = (typeof ceilings)[number]

/**
 * Maximum override of each whole-number ceiling. Each maximum is generous, but rejects a number with a typing mistake.
 */
export const integerCeilings: Partial<Record<Ceiling, number>> = {
  // A report every three seconds. Two thousand such allowances fit into a balance, a 32-bit integer.
  monthly_allowance: 1_000_000,
  // The oldest records are from 1950: there is no data for dates further back.
  lookback_years: 150,
  // Twenty times the highest tier, for territories too.
  properties: 1_000_000,
  territories: 6000,
}

/** Maximum override of each other ceiling, in miles or square miles. */
export const decimalCeilings: Partial<Record<Ceiling, number>> = {
  // No report and no watch accepts a larger radius.
  max_radius_miles: 100,
  watch_radius_miles: 10,
  // All states and territories have 3.8 million.
  max_area_sq_miles: 4_000_000,
}

/** Minimum override of each ceiling below which no request would fit: the smallest radii, and a year to look back. The others may be 0. */
export const leastCeilings: Partial<Record<Ceiling, number>> = {
  lookback_years: 1,
  max_radius_miles: 1,
  watch_radius_miles: 0.5,
}

/** A tier, or a team's tier with its overrides applied. */
export interface Plan {
  tier: TierId
  label: string
  /** Credits granted at each renewal; also the reports of a month. */
  monthly_allowance: number
  lookback_years: number
  max_radius_miles: number
  /** Properties watched or paused at once. */
  properties: number
  /** Territories watched or paused at once. */
  territories: number
  /** Largest territory. */
  max_area_sq_miles: number
  /** Largest watch radius of a property. */
  watch_radius_miles: number
  includes: Readonly<Record<Feature, boolean>>
}

const including = (...included: Feature[]) => tableOf(features, (feature) => included.includes(feature))

const PAPER: Feature[] = ['pdf_export', 'record_alerts', 'imagery']
const API: Feature[] = ['api', 'live_warnings', 'report_branding', 'observations']
const DESK: Feature[] = ['compose_layout', 'property_intelligence']

/** The tiers, lowest first. The service does not know prices; these numbers are defined only here. */
export const tiers: readonly Plan[] = [
  {
    tier: 'free',
    label: 'Free',
    monthly_allowance: 3,
    lookback_years: 1,
    max_radius_miles: 5,
    properties: 5,
    territories: 1,
    max_area_sq_miles: 100,
    watch_radius_miles: 1,
    includes: including(),
  },
  {
    tier: 'starter',
    label: 'Starter',
    monthly_allowance: 25,
    lookback_years: 3,
    max_radius_miles: 10,
    properties: 50,
    territories: 3,
    max_area_sq_miles: 500,
    watch_radius_miles: 2,
    includes: including(...PAPER),
  },
  {
    tier: 'professional',
    label: 'Professional',
    monthly_allowance: 100,
    lookback_years: 10,
    max_radius_miles: 25,
    properties: 500,
    territories: 15,
    max_area_sq_miles: 5000,
    watch_radius_miles: 5,
    includes: including(...PAPER, ...API),
  },
  {
    tier: 'business',
    label: 'Business',
    monthly_allowance: 500,
    lookback_years: 20,
    max_radius_miles: 50,
    properties: 5000,
    territories: 60,
    max_area_sq_miles: 25_000,
    watch_radius_miles: 10,
    includes: including(...PAPER, ...API, ...DESK),
  },
  {
    tier: 'enterprise',
    label: 'Enterprise',
    monthly_allowance: 2500,
    lookback_years: 75,
    max_radius_miles: 100,
    properties: 50_000,
    territories: 300,
    max_area_sq_miles: 100_000,
    watch_radius_miles: 10,
    includes: including(...PAPER, ...API, ...DESK),
  },
]

/** Tier, duration in days and credits of a trial. */
export const trial = { tier: 'professional', days: 14, credits: 10 } as const

/** The columns of a team that determine its plan and status. */
export interface Subscription {
  plan: TierId
  trial_ends_at: Date | null
  lapsed_at: Date | null
  limit_overrides: unknown
}

/** Returns the current tier with the team's overrides applied. An expired trial counts as the free tier at once. */
export function planOf(team: Subscription, now: Date): Plan {
  const tier = tierOf(trialIsOver(team, now) ? 'free' : team.plan)
  return { ...tier, ...overridesOf(team.limit_overrides) }
}

/** The times of a team that decide whether its plan has lapsed. */
export type PlanTimes = Pick<Subscription, 'trial_ends_at' | 'lapsed_at'>

/** Returns whether the team is on trial and whether it is lapsed: an expired trial is lapsed at once. */
export function planStatus(team: PlanTimes, now: Date): { on_trial: boolean; lapsed: boolean } {
  const trialExpired = trialIsOver(team, now)
  return { on_trial: team.trial_ends_at !== null && !trialExpired, lapsed: team.lapsed_at !== null || trialExpired }
}

/** The plan of a tier. @throws Error for an identifier that is none */
export function tierOf(id: TierId): Plan {
  const tier = tiers.find((candidate) => candidate.tier === id)
  if (!tier) throw new Error(`there is no tier called ${id}`)
  return tier
}

/** Returns the tiers that include a feature, lowest first. */
export function tiersWith(feature: Feature): TierId[] {
  return tiers.filter(({ includes }) => includes[feature]).map(({ tier }) => tier)
}

/** Returns the lowest tier above the plan's own that satisfies a condition; null if none does. */
export function lowestTierAbove(plan: Plan, matches: (tier: Plan) => boolean): Plan | null {
  return tiers.slice(tierIds.indexOf(plan.tier) + 1).find(matches) ?? null
}

/** Whether the team had a trial that ended, and no plan since. */
export function trialIsOver(team: Pick<Subscription, 'trial_ends_at'>, now: Date): boolean {
  return team.trial_ends_at !== null && team.trial_ends_at <= now
}

/** Returns the ceilings that the operator set for a team. */
export function overridesOf(stored: unknown): Partial<Record<Ceiling, number>> {
  const numbers: Partial<Record<Ceiling, unknown>> = stored ?? {}
  return Object.fromEntries(ceilings.flatMap((name) => (typeof numbers[name] === 'number' ? [[name, numbers[name]]] : [])))
}
