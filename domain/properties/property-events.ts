import type { Tx } from '#domain/engines/database.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import { emit } from '#domain/events/emit.ts'
import { nameOf } from '#domain/properties/property-rows.ts'

export type PropertyEventName = Extract<EventName, `property.${string}`>

/** Why a property event happened: the property changed, a user sent it, or it stopped being watched. */
export const propertyReasons = ['change', 'sent', 'archived', 'removed'] as const
export type PropertyReason = (typeof propertyReasons)[number]

/** What happened to a property: the event, the fields that changed, and why. */
export interface PropertyEvent {
  name: PropertyEventName
  changed: string[]
  reason: PropertyReason
}

/** The stored part of a property event. Its posts are built when they are sent, from the property as it is then. */
export interface PropertyEventPayload {
  property_id: string
  changed: string[]
  reason: PropertyReason
}

declare module '#domain/events/payloads.ts' {
  interface EventPayload {
    'property.created': PropertyEventPayload
    'property.updated': PropertyEventPayload
    'property.archived': PropertyEventPayload
  }
}

type EventTx = Pick<Tx, 'property'> & Parameters<typeof emit>[0]

const headlines: Record<PropertyEventName, string> = {
  'property.created': 'Property saved',
  'property.updated': 'Property changed',
  'property.archived': 'Property archived',
}
const REMOVED = 'Property removed'

/** Emits a property's event, with the property's current name. */
export async function emitPropertyEvent(tx: EventTx, property: { team_id: string; id: string }, event: PropertyEvent): Promise<void> {
  const { team_id, id } = property
  const named = event.reason === 'removed' ? null : await tx.property.findFirstOrThrow({ where: { id, team_id }, select: NAMED })
  await emitNamed(tx, property, named && nameOf(named), event)
}

/**
 * Emits a property's event with a name that was just written. The event contains the property's id and name, and none of its
 * data: no contact is stored in a queue or ledger.
 * @param propertyName null if the property was removed
 */
export async function emitNamed(
  tx: Parameters<typeof emit>[0],
  { team_id, id }: { team_id: string; id: string },
  propertyName: string | null,
  { name, changed, reason }: PropertyEvent,
): Promise<void> {
  await emit(tx, name, { team_id, subject: eventSubject(name, propertyName), exposure_ids: [] }, { property_id: id, changed, reason })
}

const NAMED = { label: true, street: true, query: true } as const

/** Returns the short form of a property event's headline. @param propertyName the property's name; null if it was removed */
export function eventSubject(event: PropertyEventName, propertyName: string | null): string {
  return propertyName === null ? REMOVED : `${headlines[event]}: ${propertyName}`
}
