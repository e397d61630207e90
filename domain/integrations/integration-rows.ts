import type { Channel, DeliveryKind, DeliveryStatus } from '#domain/closed-sets.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import { channelLabels, type DeliveryView, deliveryStatusLabels, type IntegrationView } from '#domain/integrations/view.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** Number of consecutive failed deliveries after which a destination counts as failing. */
export const FAILING_STREAK = 3

/** A destination without its secrets. */
export interface IntegrationRow {
  id: string
  name: string
  channel: Channel
  address_hint: string
  events: EventName[]
  active: boolean
  failure_streak: number
  last_sent_at: Date | null
  last_failed_at: Date | null
  last_failure: string | null
  switched_off_at: Date | null
  switched_off_for: string | null
  acknowledged_at: Date | null
  held_until: Date | null
  created_at: Date
  updated_at: Date
}

export const integrationColumns = `
  i.id, i.name, i.channel, i.address_hint, i.events, i.active, i.failure_streak, i.last_sent_at, i.last_failed_at, i.last_failure,
  i.switched_off_at, i.switched_off_for, i.acknowledged_at, i.held_until, i.created_at, i.updated_at`

/** A destination as the API shows it: without its secret, and of its URL only a hint. */
export function integrationView(row: IntegrationRow, base_url: string, now: Date): IntegrationView {
  const self = `${base_url}/api/v1/integrations/${row.id}`
  return {
    id: row.id,
    object: 'integration',
    name: row.name,
    channel: row.channel,
    channel_label: channelLabels[row.channel],
    address_hint: row.address_hint,
    events: row.events,
    active: row.active,
    signed: row.channel === 'webhook',
    failing: row.failure_streak >= FAILING_STREAK,
    last_sent_at: timestamp(row.last_sent_at),
    last_failed_at: timestamp(row.last_failed_at),
    last_failure: row.last_failure,
    switched_off: row.switched_off_at && {
      at: row.switched_off_at.toISOString(),
      reason: row.switched_off_for ?? '',
      acknowledged_at: timestamp(row.acknowledged_at),
    },
    // A pause that is over stays in the row until a post has arrived.
    held_until: row.active && row.held_until && row.held_until > now ? row.held_until.toISOString() : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    links: { self, deliveries: `${self}/deliveries` },
  }
}

export interface DeliveryRow {
  id: string
  kind: DeliveryKind
  channel: Channel
  status: DeliveryStatus
  subject: string
  address_hint: string
  attempts: number
  response_code: number | null
  failure_reason: string | null
  exposure_ids: number[]
  sent_at: Date | null
  failed_at: Date | null
  created_at: Date
  integration_id: string
}

export const deliveryColumns =
  'd.id, d.kind, d.channel, d.status, d.subject, d.address_hint, d.attempts, d.response_code, d.failure_reason, d.exposure_ids, d.sent_at, d.failed_at, d.created_at, d.integration_id'

/** A delivery as the API shows it. */
export function deliveryView(row: DeliveryRow): DeliveryView {
  return {
    id: row.id,
    object: 'delivery',
    kind: row.kind,
    channel: row.channel,
    status: row.status,
    status_label: deliveryStatusLabels[row.status],
    subject: row.subject,
    address_hint: row.address_hint,
    attempts: row.attempts,
    response_code: row.response_code,
    failure_reason: row.failure_reason,
    exposure_ids: row.exposure_ids,
    sent_at: timestamp(row.sent_at),
    failed_at: timestamp(row.failed_at),
    created_at: row.created_at.toISOString(),
    integration_id: row.integration_id,
  }
}

export function noSuchIntegration(): Refusal {
  return new Refusal('not_found', 'There is no destination with this id.')
}

const timestamp = (at: Date | null) => at?.toISOString() ?? null
