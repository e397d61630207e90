import type { App } from '#domain/app.ts'
import { bodies } from '#domain/integrations/channels/index.ts'
import type { Leased } from '#domain/integrations/lease.ts'
import { type Payload, type Posted, payloadOf, type RemovedPropertyView, withoutContacts } from '#domain/integrations/payload.ts'
import { readCurrentProperty } from '#domain/properties/find.ts'
import { eventSubject, type PropertyEvent, type PropertyEventContent } from '#domain/properties/property-events.ts'

/** What an attempt posts. */
export interface BuiltBody {
  body: string
  /** What the ledger is to keep of it; null where it does already. */
  kept: { body: string; subject: string } | null
}

/**
 * Makes the body of a delivery. That of a property event is made at every attempt, from the property as it stands: nobody who
 * was removed meanwhile is in it, and where nothing changed it is the same. Every other body is made once and kept.
 * Null where there is nothing to send: the property is gone, and another event says so; or the lease has ended.
 */
export async function buildBody(app: App, leased: Leased): Promise<BuiltBody | null> {
  if (isPropertyEvent(leased.event)) return makePropertyBody(app, leased, leased.event)
  const body = leased.body ?? (await storeBody(app, leased))
  return body === null ? null : { body, kept: null }
}

async function makePropertyBody(app: App, leased: Leased, event: PropertyEvent): Promise<BuiltBody | null> {
  const { property_id, changed, reason } = contentOf(leased) as unknown as PropertyEventContent
  const property = await readCurrentProperty(app, leased.team_id, property_id)
  if (!property && event !== 'property.archived') return null
  const subject = eventSubject(event, property?.name ?? null)
  const content = property
    ? { data: [property], changed, reason }
    : { data: [{ id: property_id, object: 'property', removed: true } satisfies RemovedPropertyView], changed: [], reason: 'removed' }
  const payload = payloadFor(app, { ...leased, subject }, content)
  const word = bodies[leased.channel]
  return { body: word(payload), kept: { body: word(withoutContacts(payload)), subject } }
}

/** Kept before it is posted: should this worker end, the next attempt sends the same bytes. Null where the lease has ended. */
async function storeBody(app: App, leased: Leased): Promise<string | null> {
  const body = bodies[leased.channel](payloadFor(app, leased, contentOf(leased)))
  const { count } = await app.db.delivery.updateMany({ where: { id: leased.id, lease_token: leased.lease }, data: { body } })
  return count === 1 ? body : null
}

function payloadFor({ config }: App, { id: delivery_id, ...leased }: Leased, content: Posted['content']): Payload {
  return payloadOf({ delivery_id, ...leased, content }, config.base_url)
}

function contentOf({ content }: Leased): Posted['content'] {
  if (!content) throw new Error('its event is no longer kept')
  return content as Posted['content']
}

function isPropertyEvent(event: string): event is PropertyEvent {
  return event.startsWith('property.')
}
