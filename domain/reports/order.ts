import type { Caller } from '#domain/access/caller.ts'
import { type IdempotentRequest, once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { date, idOf, list, text, wholeNumber } from '#domain/kernel/fields.ts'
import { optional, readNew, required, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import { type Faults, gatherFaults, refuseField } from '#domain/kernel/validation.ts'
import { leastSize, propertiesInSwath } from '#domain/maps/storm-days.ts'
import { requireActivePlan } from '#domain/plans/ceilings.ts'
import { type Charge, chargeForReports, readBalance } from '#domain/plans/credits.ts'
import {
  checkReport,
  checkWindow,
  type LimitedRequest,
  latestWindowEnd,
  limitToPlan,
  propertyReportForm,
  type ReportRequest,
} from '#domain/reports/check-request.ts'
import { reportOfProperty } from '#domain/reports/for-property.ts'
import { defaultLayout } from '#domain/reports/layout.ts'
import { chargeDescription, createPendingReport } from '#domain/reports/request.ts'
import type { Property } from '#generated/prisma/client.ts'

/** The most properties that one order may include. */
export const ORDER_MAX = 500

/** The properties of an order, chosen in exactly one of the three ways, and what is requested for each. */
export const reportQuoteForm = {
  property_ids: optional(list('The properties', idOf('property'), { min: 1, max: ORDER_MAX, count: `Send 1 to ${ORDER_MAX} properties.` })),
  tag: optional(text('The tag', { min: 1, max: 100 })),
  storm_day: optional(date('The storm day')),
  swath_at_least_in: optional(leastSize),
  window_start: propertyReportForm.window_start,
  window_end: propertyReportForm.window_end,
  radius_miles: propertyReportForm.radius_miles,
  date_of_loss: propertyReportForm.date_of_loss,
}

/** A quote's fields, and the price that the quote showed. */
export const reportOrderForm = { ...reportQuoteForm, cost: required(wholeNumber('The cost', { min: 1 })) }

/** What an order includes and costs, before anything is charged. */
export interface ReportQuoteView {
  /** Properties that get a report. */
  property_count: number
  /** Chosen properties that get no report, because they are not located yet. */
  not_located_count: number
  /** What is requested for each property; null if the plan and the property decide. */
  window_start: string | null
  window_end: string | null
  radius_miles: number | null
  date_of_loss: string | null
  /** Credits that the order costs, and credits that the team has. */
  cost: number
  balance: number
}

/** The result of an order. */
export interface ReportOrderView {
  report_ids: string[]
  credits_spent: number
  credits_remaining: number
}

type ReportOrder = ValuesOf<typeof reportQuoteForm>

/** A quote's fields, and the ids of the properties inside the requested swaths; null if no swath is requested. */
type OrderWithSwath = ReportOrder & { inside: string[] | null }

/** Days before and after a storm day that its reports cover, so that the storm day can be compared with other days. */
const DAYS_AROUND = 30

/**
 * Returns what an order of reports would include, and its price. Nothing is charged.
 * @throws Refusal 422 if the properties are not chosen in exactly one way, or are too many; 402 `lookback` or `lapsed`
 */
export async function quoteReports(app: App, caller: Caller, input: Sent<typeof reportQuoteForm>): Promise<ReportQuoteView> {
  const faults = gatherFaults()
  const order = withStormDayDefaults(readNew(reportQuoteForm, input, faults), app.clock.now())
  const inside = await swathPropertyIds(app, caller, input)
  return caller.db.$transaction(async (tx) => {
    const { requests, not_located_count } = await validateOrder(tx, app, caller, { ...order, inside }, faults)
    const { window_start = null, window_end = null, radius_miles = null, date_of_loss } = order
    return {
      property_count: requests.length,
      not_located_count,
      window_start,
      window_end,
      radius_miles,
      date_of_loss,
      cost: requests.length,
      balance: await readBalance(tx, caller.team.id),
    }
  })
}

/**
 * Accepts a report for every property of the order: all of them with their charges in one transaction, or none.
 * @throws Refusal as `quoteReports` does; 422 `cost` if the price differs from the one shown; 402 `credits`; 409 for the key
 */
export async function orderReports(
  app: App,
  caller: Caller,
  input: Sent<typeof reportOrderForm>,
  idempotency: IdempotentRequest | null,
): Promise<{ order: ReportOrderView; replayed: boolean }> {
  const inside = await swathPropertyIds(app, caller, input)
  const { outcome: order, replayed } = await once(caller, idempotency, async (tx) => {
    const now = app.clock.now()
    const faults = gatherFaults()
    const { cost, ...rest } = readNew(reportOrderForm, input, faults)
    const { requests } = await validateOrder(tx, app, caller, { ...withStormDayDefaults(rest, now), inside }, faults)
    if (cost !== requests.length) refuseField('cost', `The order costs ${requests.length} credits now.`)
    const layout = defaultLayout(caller.plan, app.config)
    const charges: Charge[] = []
    for (const request of requests) {
      charges.push({ report_id: await createPendingReport(tx, caller, request, layout, now), description: chargeDescription(request) })
    }
    const { balance } = await chargeForReports(tx, caller.team.id, charges, now)
    const report_ids = charges.map(({ report_id }) => report_id)
    auditWrite(tx, { kind: 'report_batch', id: null, after: { accepted: report_ids.length, rejected: 0, skipped: 0, report_ids } })
    return { report_ids, credits_spent: report_ids.length, credits_remaining: balance }
  })
  return { order, replayed }
}

/**
 * Returns the properties inside the swaths of an order; null if no swath is requested. They are read before the order's transaction, so
 * that one order uses one connection. Faults in the input are reported later.
 */
async function swathPropertyIds(app: App, caller: Caller, input: Sent<typeof reportQuoteForm>): Promise<string[] | null> {
  const { storm_day, swath_at_least_in } = readNew(reportQuoteForm, input, gatherFaults())
  return storm_day && swath_at_least_in ? propertiesInSwath(app, caller, storm_day, swath_at_least_in) : null
}

/** If they are not sent, the date of loss is the storm day, and the window surrounds it. */
function withStormDayDefaults(order: ReportOrder, now: Date): ReportOrder {
  const { storm_day } = order
  if (!storm_day) return order
  const today = latestWindowEnd(now)
  const end = dayFrom(storm_day, DAYS_AROUND)
  return {
    ...order,
    window_start: order.window_start ?? dayFrom(storm_day, -DAYS_AROUND),
    window_end: order.window_end ?? (end < today ? end : today),
    date_of_loss: order.date_of_loss ?? storm_day,
  }
}

const dayFrom = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

interface ValidatedOrder {
  requests: (ReportRequest & LimitedRequest)[]
  not_located_count: number
}

/** Checks an order as far as possible before the charge. Locks its properties until the transaction ends. */
async function validateOrder(
  tx: ScopedTx,
  app: Pick<App, 'clock'>,
  caller: Caller,
  order: OrderWithSwath,
  faults: Faults,
): Promise<ValidatedOrder> {
  const now = app.clock.now()
  checkChoice(order, faults)
  checkWindow(order, faults, now)
  faults.refuse()
  requireActivePlan(caller)
  const chosen = await lockChosenProperties(tx, caller.team.id, order)
  const located = chosen.filter(({ latitude }) => latitude !== null)
  const requests = located.map((property) => {
    const input = reportOfProperty(property, order, caller, now)
    const request = checkReport(input, new Set([property.id]), now, faults)
    faults.refuse()
    return { ...request, ...limitToPlan(caller, request, now) }
  })
  return { requests, not_located_count: chosen.length - located.length }
}

const NONE_TAGGED = 'There is no property with this tag.'
const NONE_REACHED = 'There is no property that this day reached.'
const NONE_INSIDE = 'There is no property inside a swath of this size on this day.'

const CHOICES = ['property_ids', 'tag', 'storm_day'] as const

function checkChoice(order: ReportOrder, faults: Faults): void {
  const sent = CHOICES.filter((name) => order[name] !== undefined)
  for (const name of sent.length === 0 ? CHOICES.slice(0, 1) : sent.slice(1)) {
    faults.unless(false, name, 'Choose the properties in exactly one way: property_ids, tag or storm_day.')
  }
  faults.unless(
    order.swath_at_least_in === undefined || order.storm_day !== undefined,
    'swath_at_least_in',
    'A swath belongs to a storm day: send storm_day too.',
  )
}

/**
 * Returns the properties of an order, locked until the transaction ends.
 * @throws Refusal 422 if a named property does not exist, or if a tag or a day matches none or more than an order may include
 */
async function lockChosenProperties(
  tx: ScopedTx,
  team_id: string,
  { property_ids, tag, storm_day, inside }: OrderWithSwath,
): Promise<Property[]> {
  const ids = property_ids && [...new Set(property_ids)]
  const chosen = await tx.$queryRaw<Property[]>`
    SELECT p.* FROM properties p
     WHERE p.team_id = ${team_id}::uuid
       AND CASE WHEN ${ids ?? null}::uuid[] IS NOT NULL THEN p.id = ANY (${ids ?? null}::uuid[]) ELSE p.status <> 'archived' END
       AND (${tag ?? null}::text IS NULL OR EXISTS (SELECT FROM unnest(p.tags) AS held WHERE lower(held) = lower(${tag ?? null}::text)))
       AND (${inside}::uuid[] IS NULL OR p.id = ANY (${inside}::uuid[]))
       AND (${storm_day ?? null}::date IS NULL OR ${inside}::uuid[] IS NOT NULL OR EXISTS (
              SELECT FROM exposures e
               WHERE e.team_id = p.team_id AND e.property_id = p.id AND e.kind = 'record' AND e.date = ${storm_day ?? null}::date
                 AND e.dismissed_at IS NULL AND NOT e.withdrawn))
     ORDER BY p.id LIMIT ${ORDER_MAX + 1} FOR KEY SHARE`
  if (ids && chosen.length < ids.length) refuseField('property_ids', 'There is no property with one of these ids.')
  const field = CHOICES.find((name) => name !== 'property_ids' && { tag, storm_day }[name] !== undefined)
  if (field && chosen.length === 0) {
    refuseField(field, field === 'tag' ? NONE_TAGGED : inside ? NONE_INSIDE : NONE_REACHED)
  }
  if (field && chosen.length > ORDER_MAX) {
    refuseField(field, `More than ${ORDER_MAX} properties are chosen: order them in parts, by their ids.`)
  }
  return chosen
}
