import type { EventName } from '#domain/events/catalogue.ts'
import type { EventPayload } from '#domain/events/payloads.ts'
import type { ExposureEventPayload } from '#domain/exposures/exposure-events.ts'
import type { PropertyEventName, PropertyReason } from '#domain/properties/property-events.ts'
import type { PropertyView, PropertyWithContactsView } from '#domain/properties/view.ts'
import type { DownloadView, ReportView } from '#domain/reports/view.ts'

/** What every post states in words, whatever its kind: enough for a reader, and for a chat post, without the data. */
export interface Announcement {
  headline: string
  lede: string
  rows: string[]
  facts: Fact[]
  link: string | null
  link_label: string | null
}

export interface Fact {
  label: string
  value: string
}

/** The view of a removed property. */
export interface RemovedPropertyView {
  id: string
  object: 'property'
  removed: true
}

/** A property as a post carries it; the ledger stores it without personal data. */
export type PostedProperty = PropertyWithContactsView | Omit<PropertyView, 'notes'> | RemovedPropertyView

/** What a property's post is built from: the property as it is when the post is sent. */
export interface PropertyContent {
  data: [PostedProperty, ...PostedProperty[]]
  changed: string[]
  reason: PropertyReason
}

/** What the posts of each event are built from: its payload or, for a property event, which only contains an id, the property itself. */
export type PostContent = { [Name in EventName]: Name extends PropertyEventName ? PropertyContent : EventPayload[Name] }

const payloadKinds = ['alert', 'property', 'report', 'digest', 'test'] as const
export type PayloadKind = (typeof payloadKinds)[number]

/** The data that posts of each kind carry beside their words. */
export interface Carried {
  /** `data` contains the first 50 of `exposure_ids`. */
  alert: ExposureEventPayload
  /** One property as of when the post was sent. `changed` lists fields; empty for a new property. */
  property: { data: PostedProperty[]; changed: string[]; reason: PropertyReason }
  /** One report. `download` is null except for report.pdf_ready. */
  report: { data: ReportView[]; download: DownloadView | null }
  /** `data` contains the newest 50 exposures of the period; `totals` counts all. */
  digest: Omit<EventPayload['digest.sent'], 'timezone'>
}

type KindOf<Name extends EventName> = Name extends PropertyEventName
  ? 'property'
  : Name extends `report.${string}`
    ? 'report'
    : Name extends `digest.${string}`
      ? 'digest'
      : 'alert'

/** The events with posts of a kind. */
export type EventOfKind<Kind extends keyof Carried> = { [Name in EventName]: KindOf<Name> extends Kind ? Name : never }[EventName]

/** How one event is posted: the kind of its payload, its words, and the data it carries beside them. */
export interface EventPost<Name extends EventName> {
  kind: KindOf<Name>
  announce(content: PostContent[Name], about: AnnouncedAbout): Announcement
  carry(content: PostContent[Name]): Carried[KindOf<Name>]
}

export interface AnnouncedAbout {
  base_url: string
  /** How many exposures it is about; the data may contain only the first of them. */
  total: number
}
