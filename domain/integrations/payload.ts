import type { EventName } from '#domain/events/catalogue.ts'
import { activityUrl, type News, newsOf } from '#domain/integrations/news.ts'

export const payloadKinds = ['alert', 'property', 'report', 'digest', 'test'] as const
export type PayloadKind = (typeof payloadKinds)[number]

/** The signed JSON of a webhook. Every kind carries the alert's keys, so that one receiver reads all. */
export interface Payload extends News {
  /** The delivery's id: a repeat carries the same. */
  id: string
  created_at: string
  kind: PayloadKind
  object: PayloadKind
  event: string
  team_name: string
  subject: string
  exposure_ids: number[]
  activity_url: string
  settings_url: string
  data: unknown[]
  [added: string]: unknown
}

/** What a delivery is built from. */
export interface Posted {
  delivery_id: string
  created_at: Date
  event: EventName
  subject: string
  /** All that it is about; `data` may hold the first of them alone. */
  exposure_ids: number[]
  /** `data` and the added keys of its kind, as they stood when the event happened. */
  payload: { data: unknown[] } & Record<string, unknown>
  team_name: string
}

const kinds: Record<string, PayloadKind> = { exposure: 'alert', warning: 'alert', digest: 'digest', property: 'property', report: 'report' }

/** The payload of an event, as the contract lays it out. */
export function payloadOf(posted: Posted, base_url: string): Payload {
  const { data, ...extra } = posted.payload
  const kind = kinds[posted.event.split('.')[0] as string] as PayloadKind
  const news = newsOf(posted.event, data, extra, base_url, posted.exposure_ids.length)
  return { ...envelope(posted, kind, base_url), ...news, data, ...addedKeys(kind, extra) }
}

/** The payload of a test: it says so, and carries no data. */
export function testPayload(posted: Omit<Posted, 'event' | 'payload'>, base_url: string): Payload {
  return {
    ...envelope({ ...posted, event: 'test' }, 'test', base_url),
    headline: posted.subject,
    lede: 'This post was asked for to see whether the destination answers. Nothing happened.',
    rows: [],
    facts: [],
    link: null,
    link_label: null,
    data: [],
  }
}

function envelope(
  { delivery_id, created_at, event, team_name, subject, exposure_ids }: Omit<Posted, 'event' | 'payload'> & { event: string },
  kind: PayloadKind,
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

/** Every key of the kind is there, null where the event has nothing to say of it. */
function addedKeys(kind: PayloadKind, extra: Record<string, unknown>): Record<string, unknown> {
  switch (kind) {
    case 'alert':
      return { escalation: extra.escalation ?? null }
    case 'property':
      return { changed: extra.changed ?? [], reason: extra.reason ?? 'change' }
    case 'report':
      return { download: extra.download ?? null }
    case 'digest':
      return { period: extra.period, totals: extra.totals }
    case 'test':
      return {}
  }
}
