import type { Tx } from '#domain/engines/database.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import { stage } from '#domain/outbox.ts'
import type { Prisma } from '#generated/prisma/client.ts'

/** Something that happened to a team, as it stood when it happened. */
export interface Emission {
  team_id: string
  name: EventName
  /** The headline's short form. */
  subject: string
  exposure_ids: number[]
  /** What the posts are built from. */
  payload: Prisma.InputJsonValue
}

/**
 * Keeps an event in the caller's transaction, with one delivery row and its job for each active destination of the
 * team that subscribes to it. Answers the event's id.
 */
export async function emit(tx: Pick<Tx, 'event' | 'integration' | 'delivery' | 'outboxJob'>, emission: Emission): Promise<string> {
  const { team_id, name, subject, exposure_ids } = emission
  const event = await tx.event.create({ data: emission })
  const destinations = await tx.integration.findMany({ where: { team_id, active: true, events: { has: name } } })
  for (const { id, channel, address_hint } of destinations) {
    const delivery = await tx.delivery.create({
      data: { team_id, event_id: event.id, event: name, integration_id: id, kind: 'event', channel, subject, address_hint, exposure_ids },
    })
    await stage(tx, 'delivery.send', { delivery_id: delivery.id })
  }
  return event.id
}
