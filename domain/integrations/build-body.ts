import type { App } from '#domain/app.ts'
import { bodies } from '#domain/integrations/channels/index.ts'
import type { PropertyContent } from '#domain/integrations/event-post.ts'
import type { Leased } from '#domain/integrations/lease.ts'
import { payloadOf, withoutContacts } from '#domain/integrations/payload.ts'
import { readCurrentProperty } from '#domain/properties/find.ts'
import { eventSubject, type PropertyEventName } from '#domain/properties/property-events.ts'

/** The body that an attempt posts. */
export interface BuiltBody {
  body: string
  /** The version to store in the ledger; null if it is already stored. */
  kept: { body: string; subject: string } | null
}

/**
 * Builds the body of a delivery. The body of a property event is built at every attempt, from the property as it is then: it
 * never contains a person who was removed meanwhile, and is the same if nothing changed. Every other body is built once and
 * stored.
 * @returns null if there is nothing to send: the property is gone and another event reports that, or the lease has ended
 */
export async function buildBody(app: App, leased: Leased): Promise<BuiltBody | null> {
  if (isOfProperty(leased)) return buildPropertyBody(app, leased)
  const body = leased.body ?? (await storeBody(app, leased))
  return body === null ? null : { body, kept: null }
}

type LeasedOfProperty = Extract<Leased, { event: PropertyEventName }>
type LeasedOfOther = Exclude<Leased, LeasedOfProperty>

async function buildPropertyBody(app: App, leased: LeasedOfProperty): Promise<BuiltBody | null> {
  if (leased.content === null) throw forgotten()
  const { event } = leased
  const { property_id, changed, reason } = leased.content
  const property = await readCurrentProperty(app, leased.team_id, property_id)
  if (!property && event !== 'property.archived') return null
  const subject = eventSubject(event, property?.name ?? null)
  const content: PropertyContent = property
    ? { data: [property], changed, reason }
    : { data: [{ id: property_id, object: 'property', removed: true }], changed: [], reason: 'removed' }
  const payload = payloadOf({ ...leased, delivery_id: leased.id, subject, content }, app.config.base_url)
  const formatBody = bodies[leased.channel]
  return { body: formatBody(payload), kept: { body: formatBody(withoutContacts(payload)), subject } }
}

/** Stores the body before it is posted: if this worker stops, the next attempt sends the same bytes. Null if the lease has ended. */
async function storeBody(app: App, leased: LeasedOfOther): Promise<string | null> {
  if (leased.content === null) throw forgotten()
  const body = bodies[leased.channel](payloadOf({ ...leased, delivery_id: leased.id }, app.config.base_url))
  const { count } = await app.db.delivery.updateMany({ where: { id: leased.id, lease_token: leased.lease }, data: { body } })
  return count === 1 ? body : null
}

const forgotten = () => new Error('its event is no longer stored')

function isOfProperty(leased: Leased): leased is LeasedOfProperty {
  return leased.event.startsWith('property.')
}
