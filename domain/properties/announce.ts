import type { Config } from '#domain/config.ts'
import type { Tx } from '#domain/engines/database.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import { emit } from '#domain/events/emit.ts'
import { nameOf, withContactsView } from '#domain/properties/property-rows.ts'

export type PropertyEvent = Extract<EventName, `property.${string}`>

/** Why a property event happened: something about it changed, somebody sent it on, or it stopped being watched. */
export const propertyReasons = ['change', 'sent', 'archived', 'removed'] as const
export type PropertyReason = (typeof propertyReasons)[number]

/** What the posts of a property event are built from: the property as it stood, the fields that changed, and why. */
export interface Announcement {
  name: PropertyEvent
  changed: string[]
  reason: PropertyReason
}

type AnnouncingTx = Pick<Tx, 'property'> & Parameters<typeof emit>[0]

const headlines: Record<PropertyEvent, string> = {
  'property.created': 'Property saved',
  'property.updated': 'Property changed',
  'property.archived': 'Property archived',
}

/** Emits a property's event with the property as the transaction now sees it, contacts included. */
export async function announce(
  tx: AnnouncingTx,
  { base_url }: Pick<Config, 'base_url'>,
  property: { team_id: string; id: string },
  { name, changed, reason }: Announcement,
): Promise<void> {
  const row = await tx.property.findFirstOrThrow({
    where: { id: property.id, team_id: property.team_id },
    include: { contacts: { orderBy: [{ primary: 'desc' }, { id: 'asc' }] } },
  })
  await emit(tx, {
    team_id: property.team_id,
    name,
    subject: `${headlines[name]}: ${nameOf(row)}`,
    exposure_ids: [],
    payload: { data: [withContactsView(row, base_url)], changed, reason } as unknown as Parameters<typeof emit>[1]['payload'],
  })
}
