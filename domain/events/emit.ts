import { randomUUID } from 'node:crypto'
import type { RawTx } from '#domain/engines/database.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import type { EventPayload } from '#domain/events/payloads.ts'
import type { JobName } from '#domain/kernel/outbox.ts'
import { traceparent } from '#domain/kernel/trace.ts'

/** The contract's retention of events, in days. */
export const EVENTS_KEPT_DAYS = 90

/** The team of an event, and what the event is about. */
export interface EventAbout {
  team_id: string
  /** The headline's short form. */
  subject: string
  exposure_ids: number[]
}

/**
 * Stores an event in the caller's transaction, with one delivery row and its job for each active destination of the team
 * that subscribes to it. It is one statement, however many destinations there are. Returns the event's id.
 * @param payload the data for the posts, in the order of its keys. It may name a contact's property, but never contain a
 *   contact
 */
export async function emit<Name extends EventName>(
  tx: RawTx,
  name: Name,
  { team_id, subject, exposure_ids }: EventAbout,
  payload: EventPayload[Name],
): Promise<string> {
  const id = newId()
  const traced = traceparent()
  await tx.$executeRaw`
    WITH event AS (
      INSERT INTO events (id, team_id, name, subject, exposure_ids, content, traceparent, created_at)
      VALUES (${id}::uuid, ${team_id}::uuid, ${name}, ${subject}, ${exposure_ids}::int[], ${JSON.stringify(payload)}::json, ${traced}, clock_timestamp())
      RETURNING id, created_at),
    delivery AS (
      INSERT INTO deliveries (id, team_id, event_id, event, integration_id, kind, channel, subject, address_hint, exposure_ids, created_at)
      SELECT (${id.slice(0, TIME_CHARACTERS)} || substr(gen_random_uuid()::text, ${TIME_CHARACTERS + 1}::int))::uuid, i.team_id, event.id, ${name}, i.id, 'event', i.channel, ${subject}, i.address_hint, ${exposure_ids}::int[], event.created_at
        FROM event, integrations i WHERE i.team_id = ${team_id}::uuid AND i.active AND ${name} = ANY (i.events)
      RETURNING id)
    INSERT INTO outbox (name, payload, traceparent) SELECT ${DELIVER}, jsonb_build_object('delivery_id', id), ${traced}::text FROM delivery`
  return id
}

/** The number of leading characters of an id that encode its time and version. */
const TIME_CHARACTERS = 15

/** Returns a UUID of version 7 (RFC 9562). Ids increase in the order of creation, even within one millisecond. */
function newId(): string {
  last = Math.max(Date.now(), last + 1)
  const moment = last.toString(16).padStart(12, '0')
  return `${moment.slice(0, 8)}-${moment.slice(8)}-7${randomUUID().slice(TIME_CHARACTERS)}`
}

let last = 0

const DELIVER: JobName = 'delivery.send'
