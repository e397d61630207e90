import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'
import { type IdempotentRequest, once } from '#domain/idempotency.ts'
import { firstDay } from '#domain/plans/ceilings.ts'
import { readProperty } from '#domain/properties/change.ts'
import type { ReportInput } from '#domain/reports/check-request.ts'
import { findReport } from '#domain/reports/find.ts'
import { acceptReport, ownProperties } from '#domain/reports/request.ts'
import type { ReportView } from '#domain/reports/view.ts'
import type { Property } from '#generated/prisma/client.ts'

/** What may be said of a report about a saved property; the rest follows from the property and the plan. */
export type PropertyReportInput = Pick<ReportInput, 'window_start' | 'window_end' | 'radius_miles' | 'recipient' | 'layout'>

/** Miles: a report's smallest radius, to which a smaller watch radius is raised. */
const RADIUS_MIN = 1

/**
 * Accepts a report about a saved property: its address, its watch radius, and from the first day that the plan reaches to
 * today, where the body does not say otherwise.
 * @throws Refusal 404; and as requestReport does
 */
export async function requestPropertyReport(
  app: App,
  caller: Caller,
  property_id: string,
  input: PropertyReportInput,
  idempotency: IdempotentRequest | null,
): Promise<{ report: ReportView; replayed: boolean }> {
  const { outcome, replayed } = await once(caller, idempotency, async (tx) => {
    // Held before it is read: one that is removed meanwhile is not there, rather than there and gone.
    await ownProperties(tx, caller, [{ property_id }])
    const property = await readProperty(tx, property_id)
    return acceptReport(tx, app, caller, completed(input, property, caller, app.clock.now()))
  })
  return { report: await findReport(app, caller, outcome.report_id), replayed }
}

function completed(input: PropertyReportInput, property: Property, { plan, team }: Caller, now: Date): ReportInput {
  return {
    address: property.query,
    property_id: property.id,
    window_start: input.window_start ?? firstDay(plan, localDate(now, 'UTC')),
    window_end: input.window_end ?? localDate(now, zoneOf(property) ?? team.timezone),
    radius_miles: input.radius_miles ?? Math.max(property.watch_radius_miles, RADIUS_MIN),
    recipient: input.recipient,
    layout: input.layout,
  }
}

function zoneOf({ latitude, longitude }: Property): string | null {
  return latitude === null || longitude === null ? null : timezoneAt(latitude, longitude)
}
