import { type PlanLimit, Refusal } from '#domain/kernel/refusal.ts'
import { type Feature, lowestTierAbove, type Plan } from '#domain/plans/plans.ts'

/** What plan checks need to know about a caller. */
interface Subscriber {
  plan: Plan
  team: { lapsed: boolean }
}

/** 402 unless the plan includes the API. */
export function requireApiAccess(caller: Subscriber): void {
  requireFeature(caller, 'api', 'api_access', 'API access')
}

/** 402 unless the plan includes the composition of layouts. */
export function requireLayouts(caller: Subscriber): void {
  requireFeature(caller, 'compose_layout', 'layout', 'Composing a layout')
}

/** 402 unless the plan includes PDF export. */
export function requirePdfExport(caller: Subscriber): void {
  requireFeature(caller, 'pdf_export', 'pdf_export', 'PDF export')
}

/** 402 unless the plan includes alert mails. */
export function requireRecordAlerts(caller: Pick<Subscriber, 'plan'>): void {
  requireFeature(caller, 'record_alerts', null, 'Mailing alerts')
}

/** 402 if the plan has lapsed: for every write that costs credits or watches a place, and for new destinations and alert rules. */
export function requireActivePlan(caller: Pick<Subscriber, 'team'>): void {
  if (caller.team.lapsed) {
    throw new Refusal(
      'plan_limit',
      'The plan has lapsed: new reports, watched places, destinations and alert rules are refused until it is renewed. What is watched stays watched.',
      {
        limit: 'lapsed',
      },
    )
  }
}

/**
 * Moves the start of a window (dates, YYYY-MM-DD) to the first day that the plan covers, if it is earlier.
 * @throws Refusal 402 `lookback` if the window ends before that day.
 */
export function clampWindow(
  plan: Plan,
  window: { start: string; end: string },
  today: string,
): { start: string; end: string; clamped: boolean } {
  const first = firstDay(plan, today)
  if (window.end < first) {
    const tier = lowestTierAbove(plan, (higher) => window.end >= firstDay(higher, today))
    throw planLimitRefusal(
      'lookback',
      tier,
      `The ${plan.label} plan looks back ${years(plan.lookback_years)}, to ${first}`,
      tier && `looks back ${years(tier.lookback_years)}`,
    )
  }
  return window.start < first ? { start: first, end: window.end, clamped: true } : { ...window, clamped: false }
}

/** Clamps a radius to the plan's maximum. */
export function clampRadius(plan: Plan, radius_miles: number): { radius_miles: number; clamped: boolean } {
  const clamped = radius_miles > plan.max_radius_miles
  return { radius_miles: clamped ? plan.max_radius_miles : radius_miles, clamped }
}

/** First day that the plan covers: today, `lookback_years` ago; 29 February becomes the 28th in other years. */
export function firstDay(plan: Pick<Plan, 'lookback_years'>, today: string): string {
  const year = Number(today.slice(0, 4)) - plan.lookback_years
  const day = today.slice(5)
  return `${String(year).padStart(4, '0')}-${day === '02-29' && !isLeapYear(year) ? '02-28' : day}`
}

/**
 * 402 unless the team may hold `added` properties or territories in addition to the `used` ones.
 * If a ceiling was lowered, existing ones above it stay, but none can be added.
 */
export function requireBelowCeiling(plan: Plan, kind: 'properties' | 'territories', used: number, added = 1): void {
  if (used + added <= plan[kind]) return
  const tier = lowestTierAbove(plan, (higher) => higher[kind] >= used + added)
  throw planLimitRefusal(
    kind,
    tier,
    `The ${plan.label} plan holds ${plan[kind]} ${plan[kind] === 1 ? ONE_OF[kind] : kind}`,
    tier && `holds ${tier[kind]}`,
  )
}

/** 402 unless the plan allows a territory of this size. */
export function requireArea(plan: Plan, area_sq_miles: number): void {
  if (area_sq_miles <= plan.max_area_sq_miles) return
  const tier = lowestTierAbove(plan, (higher) => higher.max_area_sq_miles >= area_sq_miles)
  throw planLimitRefusal(
    'territory_area',
    tier,
    `The ${plan.label} plan watches at most ${plan.max_area_sq_miles} sq mi in one territory`,
    tier && `watches ${tier.max_area_sq_miles}`,
  )
}

/** 402 unless the plan allows this watch radius. */
export function requireReach(plan: Plan, watch_radius_miles: number): void {
  if (watch_radius_miles <= plan.watch_radius_miles) return
  const tier = lowestTierAbove(plan, (higher) => higher.watch_radius_miles >= watch_radius_miles)
  throw planLimitRefusal(
    'watch_radius',
    tier,
    `The ${plan.label} plan watches at most ${plan.watch_radius_miles} mi around a property`,
    tier && `watches ${tier.watch_radius_miles}`,
  )
}

const ONE_OF = { properties: 'property', territories: 'territory' }

function requireFeature({ plan }: Pick<Subscriber, 'plan'>, feature: Feature, limit: PlanLimit | null, what: string): void {
  if (plan.includes[feature]) return
  const tier = lowestTierAbove(plan, (higher) => higher.includes[feature])
  throw planLimitRefusal(limit, tier, `${what} is not part of the ${plan.label} plan`, tier && 'includes it')
}

function planLimitRefusal(limit: PlanLimit | null, tier: Plan | null, fact: string, remedy: string | null): Refusal {
  const tail = tier ? `; the ${tier.label} plan ${remedy}.` : '. No plan goes further.'
  return new Refusal('plan_limit', fact + tail, { ...(limit && { limit }), required_plan: tier?.tier ?? null })
}

function years(count: number): string {
  return count === 1 ? '1 year' : `${count} years`
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}
