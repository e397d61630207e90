import type { App } from '#domain/app.ts'
import { note } from '#domain/audit/note.ts'
import type { Caller } from '#domain/caller.ts'
import { announce } from '#domain/properties/announce.ts'
import { readProperty } from '#domain/properties/change.ts'
import { findProperty } from '#domain/properties/find.ts'
import type { PropertyWithContactsView } from '#domain/properties/view.ts'

/**
 * Sends a property as it stands to every destination that hears of changed properties: how somebody hands it to a CRM.
 * @throws Refusal 404
 */
export async function sendProperty(
  app: Pick<App, 'pool' | 'config'>,
  caller: Pick<Caller, 'team' | 'db'>,
  id: string,
): Promise<PropertyWithContactsView> {
  await caller.db.$transaction(async (tx) => {
    const property = await readProperty(tx, id)
    await announce(tx, property, { name: 'property.updated', changed: [], reason: 'sent' })
    note(tx, { kind: 'property', id })
  })
  return findProperty(app, caller, id)
}
