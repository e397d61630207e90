import type { EventName } from '#domain/events/catalogue.ts'
import { activityUrl } from '#domain/integrations/announcements/facts.ts'
import { eventPosts } from '#domain/integrations/announcements/index.ts'
import type { Announcement, Carried, EventOfKind, EventPost, PayloadKind, PostContent } from '#domain/integrations/event-post.ts'

/** The keys of every post: a receiver that reads one kind can read all. */
interface Envelope<Kind extends PayloadKind, Event extends string> extends Announcement {
  /** The delivery's id; a repeated post has the same id. */
  id: string
  created_at: string
  kind: Kind
  object: Kind
  event: Event
  team_name: string
  subject: string
  exposure_ids: number[]
  activity_url: string
  settings_url: string
}

/** The payload of an event kind, with the data that its posts carry. */
type EventPayloadOf<Kind extends keyof Carried> = Envelope<Kind, EventOfKind<Kind>> & Carried[Kind]

export type PropertyPayload = EventPayloadOf<'property'>

/** A post that a user requests to see whether it arrives. */
export interface TestPayload extends Envelope<'test', 'test'> {
  data: []
}

/** The signed JSON of a webhook. */
export type Payload = EventPayloadOf<'alert'> | PropertyPayload | EventPayloadOf<'report'> | EventPayloadOf<'digest'> | TestPayload

/** The fields that every delivery is built from. */
export interface PostedAbout {
  delivery_id: string
  created_at: Date
  subject: string
  /** All exposures that it is about; the content may contain only the first of them. */
  exposure_ids: number[]
  team_name: string
}

/** A delivery of an event, with the content that its post is built from. */
export type Posted<Name extends EventName = EventName> = { [Each in Name]: PostedAbout & { event: Each; content: PostContent[Each] } }[Name]

/** Returns the kind of an event's payload. */
export function payloadKindOf(event: EventName): PayloadKind {
  return eventPosts[event].kind
}

/** Builds the payload of an event, as the contract defines it. */
export function payloadOf<Name extends EventName>(posted: Posted<Name>, base_url: string): Payload {
  const { event, content, exposure_ids } = posted
  const { kind, announce, carry }: EventPost<Name> = eventPosts[event]
  const announcement = announce(content, { base_url, total: exposure_ids.length })
  const carried: Carried[keyof Carried] = carry(content)
  // Kind, name and carried data belong to the same event, which a union of payloads cannot express.
  return { ...envelope<PayloadKind, string>(posted, kind, base_url), ...announcement, ...carried } as Payload
}

/** Builds the payload of a test: it states that it is one, and carries no data. */
export function testPayload(posted: PostedAbout, base_url: string): TestPayload {
  return {
    ...envelope({ ...posted, event: 'test' }, 'test', base_url),
    headline: posted.subject,
    lede: 'This is a test post, sent on request to check that the destination responds. Nothing happened.',
    rows: [],
    facts: [],
    link: null,
    link_label: null,
    data: [],
  }
}

/** Returns a payload as the ledger stores it: properties without contacts and notes, which are personal data. */
export function withoutContacts(payload: Payload): Payload {
  if (payload.kind !== 'property') return payload
  const data = payload.data.map((property) => {
    if ('removed' in property) return property
    const { contacts: _, notes: __, ...rest } = { contacts: null, notes: null, ...property }
    return rest
  })
  return { ...payload, data }
}

function envelope<Kind extends PayloadKind, Event extends string>(
  { delivery_id, created_at, event, team_name, subject, exposure_ids }: PostedAbout & { event: Event },
  kind: Kind,
  base_url: string,
) {
  return {
    id: delivery_id,
    created_at: created_at.toISOString(),
    kind,
    object: kind,
    event,
    team_name,
    subject,
    exposure_ids,
    activity_url: activityUrl(base_url, exposure_ids[0]),
    settings_url: `${base_url}/docs#destinations`,
  }
}
