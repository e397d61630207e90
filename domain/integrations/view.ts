import type { Channel, DeliveryKind, DeliveryStatus } from '#domain/closed-sets.ts'
import type { EventName } from '#domain/events/catalogue.ts'

export const channelLabels: Record<Channel, string> = { webhook: 'Webhook', chat_a: 'Chat A', chat_b: 'Chat B' }

export const deliveryStatusLabels: Record<DeliveryStatus, string> = {
  queued: 'Waiting to be sent',
  retrying: 'Failed, will be tried again',
  sent: 'Delivered',
  failed: 'Failed for good',
  skipped: 'Not sent: destination inactive or removed, or nothing left to send',
}

/** A destination as the API shows it. Its url is never returned. */
export interface IntegrationView {
  id: string
  object: 'integration'
  name: string
  channel: Channel
  channel_label: string
  address_hint: string
  events: EventName[]
  active: boolean
  signed: boolean
  /** Three deliveries in a row failed for good, and none has arrived since. */
  failing: boolean
  last_sent_at: string | null
  last_failed_at: string | null
  last_failure: string | null
  /** Null unless the service, not the team, set it inactive. */
  switched_off: SwitchedOffView | null
  /** Until when nothing is posted because the receiver asked for a pause; null without one, and while it is inactive. Not in REST. */
  held_until: string | null
  created_at: string
  updated_at: string
  links: { self: string; deliveries: string }
}

/** When and why the service set a destination inactive, and whether someone in the team has acknowledged it. */
export interface SwitchedOffView {
  at: string
  reason: string
  acknowledged_at: string | null
}

/** One delivery, as the ledger shows it. */
export interface DeliveryView {
  id: string
  object: 'delivery'
  kind: DeliveryKind
  channel: Channel
  status: DeliveryStatus
  status_label: string
  subject: string
  address_hint: string
  attempts: number
  response_code: number | null
  failure_reason: string | null
  exposure_ids: number[]
  sent_at: string | null
  failed_at: string | null
  created_at: string
  integration_id: string
}
