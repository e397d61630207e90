import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { lockProperty } from '#domain/properties/change.ts'
import { findProperty } from '#domain/properties/find.ts'
import { emitPropertyEvent } from '#domain/properties/property-events.ts'
import type { PropertyWithContactsView } from '#domain/properties/view.ts'

/**
 * Sends a property as it is now to every destination that subscribes to changed properties. This is how a user passes it to a
 * CRM.
 * @throws Refusal 404
 */
export async function sendProperty(
  app: Pick<App, 'pool' | 'config'>,
  caller: Pick<Caller, 'team' | 'db'>,
  id: string,
): Promise<PropertyWithContactsView> {
  await caller.db.$transaction(async (tx) => {
    const property = await lockProperty(tx, caller.team.id, id)
    await emitPropertyEvent(tx, property, { name: 'property.updated', changed: [], reason: 'sent' })
    auditWrite(tx, { kind: 'property', id })
  })
  return findProperty(app, caller, id)
}
