import type { Caller } from '#domain/access/caller.ts'
import { type IdempotentRequest, once } from '#domain/access/idempotency.ts'
import type { App } from '#domain/app.ts'
import { localDate, timezoneOf } from '#domain/geo/zones.ts'
import { refuseUnknown, type Sent } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { firstDay } from '#domain/plans/ceilings.ts'
import { readProperty } from '#domain/properties/change.ts'
import { latestWindowEnd, propertyReportForm, REPORT_RADIUS, type ReportInput } from '#domain/reports/check-request.ts'
import { findReport } from '#domain/reports/find.ts'
import { acceptReport, lockOwnProperties } from '#domain/reports/request.ts'
import type { ReportView } from '#domain/reports/view.ts'
import type { Property } from '#generated/prisma/client.ts'

type PropertyReportInput = Sent<typeof propertyReportForm>

/**
 * Accepts a report about a saved property. Unless the body states otherwise, it uses the property's address and watch radius, from the first
 * day that the plan covers to today.
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
    // Locked before it is read, so that a property removed meanwhile counts as missing instead of disappearing midway.
    await lockOwnProperties(tx, caller, [{ property_id }])
    const property = await readProperty(tx, property_id)
    const faults = gatherFaults()
    refuseUnknown(propertyReportForm, input, faults)
    return acceptReport(tx, app, caller, reportOfProperty(property, input, caller, app.clock.now()), faults)
  })
  return { report: await findReport(app, caller, outcome.report_id), replayed }
}

/** Builds a report's body for a property, with defaults from the property and the plan. */
export function reportOfProperty(property: Property, input: PropertyReportInput, { plan, team }: Caller, now: Date): ReportInput {
  const latest = latestWindowEnd(now)
  // A team may be east of every place of the United States.
  const today = localDate(now, timezoneOf(property) ?? team.timezone)
  return {
    address: property.query,
    latitude: property.sent_latitude,
    longitude: property.sent_longitude,
    property_id: property.id,
    window_start: input.window_start ?? firstDay(plan, localDate(now, 'UTC')),
    window_end: input.window_end ?? (today < latest ? today : latest),
    radius_miles: input.radius_miles ?? Math.max(property.watch_radius_miles, REPORT_RADIUS.min),
    as_of: input.as_of,
    date_of_loss: input.date_of_loss,
    recipient: input.recipient,
    layout: input.layout,
  }
}
