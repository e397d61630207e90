import type { EventName } from '#domain/events/catalogue.ts'
import type { Escalation } from '#domain/exposures/escalation.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { type Announcement, activityUrl, announcementOf } from '#domain/integrations/announcements.ts'
import type { PropertyEvent, PropertyReason } from '#domain/properties/property-events.ts'
import type { PropertyWithContactsView } from '#domain/properties/view.ts'
import type { DownloadView, ReportView } from '#domain/reports/view.ts'

export const payloadKinds = ['alert', 'property', 'report', 'digest', 'test'] as const
export type PayloadKind = (typeof payloadKinds)[number]

/** The keys of every post: a receiver of one kind reads all. */
interface Envelope<Kind extends PayloadKind, Event extends string> extends Announcement {
  /** The delivery's id: a repeat carries the same. */
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

/** `data` holds the first 50 of `exposure_ids`. */
export interface AlertPayload extends Envelope<'alert', 'exposure.detected' | 'exposure.escalated' | 'warning.issued'> {
  data: ExposureView[]
  escalation: Escalation | null
}

/** One property as it stood when the post was sent. `changed` names fields; a new property has none. */
export interface PropertyPayload extends Envelope<'property', PropertyEvent> {
  data: (PropertyWithContactsView | RemovedPropertyView)[]
  changed?: string[]
  reason: PropertyReason
}

/** All that a post says of a removed property. */
export interface RemovedPropertyView {
  id: string
  object: 'property'
  removed: true
}

/** One report. `download` is null but for report.pdf_ready. */
export interface ReportPayload extends Envelope<'report', 'report.completed' | 'report.pdf_ready'> {
  data: ReportView[]
  download: DownloadView | null
}

/** `data` holds the newest 50 exposures of the period, `totals` counts all. */
export interface DigestPayload extends Envelope<'digest', 'digest.sent'> {
  data: ExposureView[]
  period: { from: string; to: string }
  totals: { exposures: number; properties: number; territories: number; warnings: number }
}

/** A post that somebody asked for to see whether it arrives. */
export interface TestPayload extends Envelope<'test', 'test'> {
  data: []
}

/** The signed JSON of a webhook. */
export type Payload = AlertPayload | PropertyPayload | ReportPayload | DigestPayload | TestPayload

/** What a delivery is built from. */
export interface Posted {
  delivery_id: string
  created_at: Date
  event: EventName
  subject: string
  /** All that it is about; `data` may hold the first of them alone. */
  exposure_ids: number[]
  /** `data` and the added keys of its kind. */
  content: { data: unknown[] } & Record<string, unknown>
  team_name: string
}

const kinds: Record<string, PayloadKind> = { exposure: 'alert', warning: 'alert', digest: 'digest', property: 'property', report: 'report' }

/** The kind of an event's payload. */
export function payloadKindOf(event: EventName): PayloadKind {
  return kinds[event.split('.')[0] as string] as PayloadKind
}

/** The payload of an event, as the contract lays it out. */
export function payloadOf(posted: Posted, base_url: string): Payload {
  const { data, ...extra } = posted.content
  const kind = payloadKindOf(posted.event)
  const news = announcementOf(posted.event, data, extra, base_url, posted.exposure_ids.length)
  return { ...envelope(posted, kind, base_url), ...news, data, ...addedKeys(posted.event, kind, extra) } as Payload
}

/** The payload of a test: it says so, and carries no data. */
export function testPayload(posted: Omit<Posted, 'event' | 'content'>, base_url: string): TestPayload {
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

/** What the ledger keeps of a payload: the properties in it without contacts and notes, which are about people. */
export function withoutContacts(payload: Payload): Payload {
  if (payload.kind !== 'property') return payload
  const data = payload.data.map((property) => {
    if ('removed' in property) return property
    const { contacts: _, notes: __, ...rest } = property
    return rest
  })
  return { ...payload, data: data as PropertyPayload['data'] }
}

function envelope<Kind extends PayloadKind, Event extends string>(
  { delivery_id, created_at, event, team_name, subject, exposure_ids }: Omit<Posted, 'event' | 'content'> & { event: Event },
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

/** Every key of the kind, null where the event has nothing to say of it. */
function addedKeys(event: EventName, kind: PayloadKind, extra: Record<string, unknown>): Record<string, unknown> {
  switch (kind) {
    case 'alert':
      return { escalation: extra.escalation ?? null }
    case 'property':
      return { ...(event !== 'property.created' && { changed: extra.changed ?? [] }), reason: extra.reason ?? 'change' }
    case 'report':
      return { download: extra.download ?? null }
    case 'digest':
      return { period: extra.period, totals: extra.totals }
    case 'test':
      return {}
  }
}
