import { randomUUID } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { SAMPLE_DELETED, SAMPLE_POSTED, SAMPLE_WATCHED } from '#domain/archive/ingest/delete-source.ts'
import { seal } from '#domain/engines/sealed.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import { hintOf } from '#domain/integrations/address.ts'
import { bodies } from '#domain/integrations/channels/index.ts'
import type { PropertyContent } from '#domain/integrations/event-post.ts'
import { payloadOf, testPayload, withoutContacts } from '#domain/integrations/payload.ts'
import { ATTEMPTS_MAX, RETRY_DELAYS_SECONDS } from '#domain/integrations/schedule.ts'
import { newSigningSecret } from '#domain/integrations/signature.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import { findProperties } from '#domain/properties/find.ts'
import type { PropertyView } from '#domain/properties/view.ts'
import { MADE_UP } from '#domain/weather/sources.ts'

/** RFC 2606 keeps .invalid from ever resolving: if someone switches the destination on, it posts to nobody. */
const ADDRESS = 'https://receiver.invalid/weather/sample'

/** The rows of the ledger, one for each way that a post can end. The oldest is older than the whole retry schedule. */
const ledger = [
  { kind: 'test', status: 'sent', hours_ago: 96, attempts: 1, response_code: 204 },
  { kind: 'event', event: 'property.created', status: 'sent', hours_ago: 95, attempts: 1, response_code: 204 },
  { kind: 'event', event: 'property.updated', status: 'sent', hours_ago: 90, attempts: 3, response_code: 200 },
  { kind: 'event', event: 'property.updated', status: 'failed', hours_ago: 72, attempts: ATTEMPTS_MAX, response_code: 503 },
  { kind: 'event', event: 'property.archived', status: 'skipped', hours_ago: 6, attempts: 0, response_code: null },
] as const

type Row = (typeof ledger)[number]
type Made = { id: string; team: { id: string; name: string }; property: PropertyView; base_url: string; now: Date }

/**
 * Creates a made-up destination for the sample's team, switched off, with a short ledger of posts that were never sent. It
 * does so once, and never again after the sample is deleted. The posts are about the sample's property, so `watchSample` must
 * run first.
 */
export async function postSample(app: App, team_id: string): Promise<void> {
  const facts = await app.db.installFact.findMany({ where: { name: { in: [SAMPLE_DELETED, SAMPLE_POSTED, SAMPLE_WATCHED] } } })
  const watched = facts.find(({ name }) => name === SAMPLE_WATCHED)?.value as { property_id: string } | undefined
  if (!watched || facts.some(({ name }) => name !== SAMPLE_WATCHED)) return
  const team = await app.db.team.findUniqueOrThrow({ where: { id: team_id }, select: { id: true, name: true } })
  const [property] = await findProperties(app, { team }, [watched.property_id])
  if (!property) return
  const made: Made = { id: randomUUID(), team, property, base_url: app.config.base_url, now: app.clock.now() }
  await app.db.$transaction(async (tx) => {
    await tx.installFact.create({ data: { name: SAMPLE_POSTED, value: { integration_id: made.id } } })
    await tx.integration.create({ data: destinationOf(app, made) })
    for (const row of ledger) {
      const { event, delivery } = deliveryOf(row, made)
      if (event) await tx.event.create({ data: event })
      await tx.delivery.create({ data: delivery })
    }
  })
}

function destinationOf(app: App, { id, team, now }: Made) {
  const last = (status: Row['status']) =>
    present(
      ledger
        .filter((row) => row.status === status)
        .map((row) => endOf(row, now))
        .at(-1),
    )
  const registered = new Date(now.getTime() - ledger[0].hours_ago * HOUR_MS)
  return {
    id,
    team_id: team.id,
    name: `${MADE_UP}: CRM`,
    channel: 'webhook' as const,
    events: ['property.created', 'property.updated', 'property.archived'],
    active: false,
    address_hint: hintOf(ADDRESS),
    url_encrypted: seal(app, ADDRESS, `url ${id}`),
    secret_encrypted: seal(app, newSigningSecret(), `secret ${id}`),
    failure_streak: 1,
    last_sent_at: last('sent'),
    last_failed_at: last('failed'),
    last_failure: failureOf(ledger[3]),
    created_at: registered,
    updated_at: registered,
  }
}

function deliveryOf(row: Row, { id: integration_id, team, property, base_url, now }: Made) {
  const { kind, status, attempts, response_code } = row
  const [id, event_id] = [randomUUID(), randomUUID()]
  const created_at = startOf(row, now)
  const subject = `${MADE_UP}: ${kind === 'test' ? 'test' : subjects[row.event]}`
  const shared = { delivery_id: id, created_at, subject, exposure_ids: [], team_name: team.name }
  const happened = { changed: [], reason: 'change' as const }
  const content: PropertyContent = { data: [property], ...happened }
  const body = kind === 'test' ? testPayload(shared, base_url) : payloadOf({ ...shared, event: row.event, content }, base_url)
  const delivery = {
    id,
    team_id: team.id,
    event_id: kind === 'test' ? null : event_id,
    event: kind === 'test' ? 'test' : row.event,
    integration_id,
    kind,
    channel: 'webhook' as const,
    status,
    subject,
    address_hint: hintOf(ADDRESS),
    attempts,
    response_code,
    failure_reason: failureOf(row),
    exposure_ids: [],
    body: attempts === 0 ? null : bodies.webhook(withoutContacts(body)),
    created_at,
    ...(status === 'sent' && { sent_at: endOf(row, now) }),
    ...(status === 'failed' && { failed_at: endOf(row, now) }),
  }
  const kept = { id: event_id, team_id: team.id, subject, exposure_ids: [], created_at, content: { property_id: property.id, ...happened } }
  return { delivery, event: kind === 'test' ? null : { ...kept, name: row.event } }
}

const subjects: Partial<Record<EventName, string>> = {
  'property.created': 'property saved',
  'property.updated': 'property changed',
  'property.archived': 'property no longer watched',
}

const startOf = ({ hours_ago }: Row, now: Date) => new Date(now.getTime() - hours_ago * HOUR_MS)

/** Returns the time of the last attempt: the first plus the waits of the schedule. */
function endOf(row: Row, now: Date): Date {
  const waited = RETRY_DELAYS_SECONDS.slice(0, Math.max(0, row.attempts - 1)).reduce((sum, seconds) => sum + seconds, 0)
  return new Date(startOf(row, now).getTime() + waited * 1000)
}

function failureOf({ status, response_code }: Row): string | null {
  if (status === 'failed') return `The destination answered ${response_code}.`
  return status === 'skipped' ? 'The destination is inactive.' : null
}
