import { setTimeout as pause } from 'node:timers/promises'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import type { Channel } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { ABANDONED_AFTER_MS } from '#domain/engines/pool.ts'
import type { StoredEvent } from '#domain/events/payloads.ts'
import { ATTEMPTS_MAX, JITTER, WAITS_SECONDS } from '#domain/integrations/schedule.ts'
import { stage, stageEach } from '#domain/kernel/outbox.ts'

/** Posts to one destination at once: a slow receiver holds no more of the workers than this. */
const IN_FLIGHT_MAX = 4
/** An attempt ends within 15 s. */
const ATTEMPT_MS = 15_000
/**
 * A lease that outlives an attempt by so much was left by a worker that died or stood still, and of whose transaction nothing is left.
 * No longer: until it ends, what a killed worker held counts among the posts in flight to its destination.
 */
const LEASE_MS = ATTEMPT_MS + ABANDONED_AFTER_MS

/** A delivery of an event, which this worker alone may send until its lease ends. */
export type Leased = LeasedDelivery & StoredEvent
type LeasedRow = Omit<LeasedDelivery, 'channel' | 'url_encrypted' | 'secret_encrypted'> & StoredEvent

interface LeasedDelivery {
  id: string
  lease: string
  attempts: number
  subject: string
  exposure_ids: number[]
  created_at: Date
  /** Where its event stands in its trace. */
  traceparent: string | null
  /** The body as the first attempt kept it. */
  body: string | null
  team_id: string
  team_name: string
  integration_id: string
  channel: Channel
  url_encrypted: Buffer
  secret_encrypted: Buffer | null
}

/** A job may come this early: the clocks of the queue and of two workers are a second apart at most. */
const EARLY_MAX_MS = 2000

/** Leases a delivery that is due while its destination has room; null otherwise. What waits for an inactive destination is skipped. */
export async function lease(app: App, delivery_id: string): Promise<Leased | null> {
  const { rows } = await app.pool.query<{ integration_id: string; early_ms: number | null; has_room: boolean }>({
    name: 'delivery.destination',
    text: `SELECT integration_id, (extract(epoch FROM next_attempt_at - $2::timestamptz) * 1000)::float8 AS early_ms,
                  (${inFlight('d.integration_id')}) < ${IN_FLIGHT_MAX} AS has_room
             FROM deliveries d WHERE id = $1`,
    values: [delivery_id, app.clock.now()],
  })
  const [row] = rows
  // Where there is no room nobody asks for the destination's turn: whoever sends there goes on with this one.
  if (!row?.has_room) return null
  // A retry's job that comes moments early is the only one until the sweeper looks.
  const early_ms = row.early_ms ?? 0
  if (early_ms > 0 && early_ms <= EARLY_MAX_MS) await new Promise((later) => setTimeout(later, Math.ceil(early_ms)))
  return take(app, row.integration_id, delivery_id)
}

/** The same for what is due next of a destination. */
export function leaseNext(app: App, integration_id: string): Promise<Leased | null> {
  return take(app, integration_id, null)
}

/** The delivery that is due next of a destination, left as it is. */
export async function findNext(app: App, integration_id: string): Promise<string | null> {
  const { rows } = await app.pool.query<{ id: string }>({ name: 'delivery.next', text: NEXT, values: [integration_id, app.clock.now()] })
  return rows[0]?.id ?? null
}

/** A few deliveries of each destination that are due. */
export async function findDue(app: App): Promise<string[]> {
  const { rows } = await app.pool.query<{ id: string }>({
    name: 'delivery.due',
    text: DUE_OF_ALL,
    values: [IN_FLIGHT_MAX, app.clock.now()],
  })
  return rows.map(({ id }) => id)
}

/**
 * $1: the destination, $2: now. In the words of the partial index of what waits for a destination, so that the next is found
 * without reading the rest: what was never tried comes first, as it happened, then what has been due again for longest.
 */
const DUE_FROM = "coalesce(d.next_attempt_at, '-infinity')"
const WAITING = "d.status IN ('queued', 'retrying')"
const DUE = `d.kind = 'event' AND ${WAITING} AND ${DUE_FROM} <= $2::timestamptz AND (d.leased_until IS NULL OR d.leased_until < $2::timestamptz) AND d.attempts < ${ATTEMPTS_MAX}`
const DUE_ORDER = `${DUE_FROM}, d.created_at, d.id`
function inFlight(destination: string): string {
  return `SELECT count(*) FROM deliveries f WHERE f.integration_id = ${destination} AND f.status IN ('queued', 'retrying') AND f.leased_until >= $2::timestamptz`
}

/** What is due next for a destination. */
export const NEXT = `SELECT d.id FROM deliveries d WHERE d.integration_id = $1::uuid AND ${DUE} ORDER BY ${DUE_ORDER} LIMIT 1`

/** $1: so many of each destination. One destination after another is looked up in the index, whatever waits behind its first. */
export const DUE_OF_ALL = `
  WITH RECURSIVE destinations (id) AS (
    (SELECT d.integration_id FROM deliveries d WHERE ${WAITING} ORDER BY d.integration_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.integration_id FROM deliveries d WHERE ${WAITING} AND d.integration_id > destinations.id ORDER BY d.integration_id LIMIT 1)
      FROM destinations WHERE destinations.id IS NOT NULL)
  SELECT due.id FROM destinations CROSS JOIN LATERAL (
    SELECT d.id FROM deliveries d WHERE d.integration_id = destinations.id AND ${DUE} ORDER BY ${DUE_ORDER} LIMIT $1) due`

/**
 * $3: the end of the lease; $4, $5: channel and address of the destination as it is now, to which it goes: what was made for another channel is
 * made anew. What is never heard of again is tried on the schedule, not as soon as its lease ends: a post that
 * ends its worker does so ten times in two days, and the posts beside it are sent in between.
 */
const taking = (chosen: string) => `
  UPDATE deliveries
     SET lease_token = gen_random_uuid(), leased_until = $3::timestamptz, attempts = attempts + 1, channel = $4,
         address_hint = $5, body = CASE WHEN channel = $4 THEN body END,
         next_attempt_at = greatest($3::timestamptz, $2::timestamptz + make_interval(secs =>
           (ARRAY[${WAITS_SECONDS.join(', ')}])[attempts + 1] * (1 + ${JITTER} * (2 * random() - 1))))
   WHERE id = (SELECT d.id FROM deliveries d WHERE ${chosen} AND ${DUE} AND (${inFlight('$1::uuid')}) < ${IN_FLIGHT_MAX} ORDER BY ${DUE_ORDER} LIMIT 1)
  RETURNING id, lease_token AS lease, attempts, event, subject, exposure_ids, created_at, body, team_id, integration_id,
            (SELECT coalesce(content, payload::json) FROM events e WHERE e.id = event_id) AS content,
            (SELECT traceparent FROM events e WHERE e.id = event_id) AS traceparent,
            (SELECT name FROM teams t WHERE t.id = team_id) AS team_name`

/** Leases what is due next for a destination with room; or, $6, the one that is named. */
export const TAKE_NEXT = taking('d.integration_id = $1::uuid')
export const TAKE_THIS = taking('d.integration_id = $1::uuid AND d.id = $6::uuid')

/**
 * Ends every lease of a team's deliveries, and lets nobody take one before the transaction ends, of what comes to wait meanwhile
 * either, whichever destination it is for: what was read before is written nowhere. The attempts under way do not count, and are made
 * again at once.
 */
export async function endLeases(tx: ScopedTx, team_id: string, now: Date): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${team_id}, ${TAKING}))`
  const ended = await tx.$queryRaw<{ id: string }[]>`
    UPDATE deliveries SET lease_token = NULL, leased_until = NULL, attempts = attempts - 1, next_attempt_at = ${now}
     WHERE team_id = ${team_id}::uuid AND kind = 'event' AND status IN ('queued', 'retrying') AND lease_token IS NOT NULL RETURNING id`
  const jobs = ended.map(({ id }) => ({ delivery_id: id }))
  await stageEach(tx, 'delivery.send', jobs)
}

/** Seed of the locks under which the deliveries of a destination are taken: its own, and with others its team's. */
const TAKING = 4

/** Milliseconds between tries at a destination's turn: a lease is taken in a few. */
const TURN_WAITS_MS = [5, 10, 20, 40, 80, 160]
/** A turn that is not to be had is that of a process that stands still in it: the server has ended its session by then. */
const TURN_AGAIN_MS = ABANDONED_AFTER_MS

/**
 * Takes the delivery asked for, or the one that is due next, while fewer than the limit are in flight to its destination. Leases of
 * one destination are taken in turns, and no connection waits for a turn: they would soon all wait for one destination's.
 */
async function take(app: App, integration_id: string, delivery_id: string | null): Promise<Leased | null> {
  for (const wait of [...TURN_WAITS_MS, null]) {
    const taken = await tryToTake(app, integration_id, delivery_id)
    if (taken !== NO_TURN) return taken
    if (wait !== null) await pause(wait * (1 + Math.random()))
  }
  const due = delivery_id ?? (await findNext(app, integration_id))
  if (due) await stage(app.db, 'delivery.send', { delivery_id: due }, new Date(app.clock.now().getTime() + TURN_AGAIN_MS))
  return null
}

/** Deliveries that one transaction skips: well within its time. */
const SKIPPED_AT_ONCE = 5_000

/**
 * Skips what waits for a destination that nobody is to post to, the first of it; of more, the next is staged, which comes here again.
 * Leaves all as it is, and answers false, where the destination was set active in the meantime.
 */
async function skipWaiting(tx: Tx, integration_id: string, now: Date): Promise<boolean> {
  // Locked as they are read: a worker whose lease has ended may still come to write how its attempt went.
  const waiting = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM deliveries WHERE integration_id = ${integration_id}::uuid AND kind = 'event' AND status IN ('queued', 'retrying')
       AND (leased_until IS NULL OR leased_until < ${now}) LIMIT ${SKIPPED_AT_ONCE + 1} FOR UPDATE`
  // Locked after its deliveries, as by whoever writes an outcome; whoever sets it active from here on waits, and finds nothing skipped that came later.
  const [destination] = await tx.$queryRaw<
    { active: boolean }[]
  >`SELECT active FROM integrations WHERE id = ${integration_id}::uuid FOR SHARE`
  if (destination?.active) return false
  const failure_reason = destination ? 'The destination is inactive.' : 'The destination was removed.'
  const ids = waiting.slice(0, SKIPPED_AT_ONCE).map(({ id }) => id)
  await tx.$executeRaw`
    UPDATE deliveries SET status = 'skipped', failure_reason = ${failure_reason}, next_attempt_at = NULL, lease_token = NULL, leased_until = NULL
     WHERE id = ANY (${ids}::uuid[])`
  const next = waiting[SKIPPED_AT_ONCE]
  if (next) await stage(tx, 'delivery.send', { delivery_id: next.id })
  return true
}

/**
 * Another process leases a delivery of this destination, it was set active at this moment, or somebody is erased from what its team holds:
 * to be tried again.
 */
const NO_TURN = Symbol('no turn')

async function tryToTake(app: App, integration_id: string, delivery_id: string | null): Promise<Leased | null | typeof NO_TURN> {
  const now = app.clock.now()
  return app.db.$transaction(async (tx) => {
    const [turn] = await tx.$queryRaw<[{ taken: boolean }]>`
      SELECT pg_try_advisory_xact_lock(hashtextextended(${integration_id}, ${TAKING})) AND coalesce((
               SELECT pg_try_advisory_xact_lock_shared(hashtextextended(team_id::text, ${TAKING}))
                 FROM integrations WHERE id = ${integration_id}::uuid), true) AS taken`
    if (!turn.taken) return NO_TURN
    const destination = await tx.integration.findFirst({ where: { id: integration_id } })
    if (!destination?.active) return (await skipWaiting(tx, integration_id, now)) ? null : NO_TURN
    const { channel, address_hint, url_encrypted, secret_encrypted } = destination
    const until = new Date(now.getTime() + LEASE_MS)
    const [row] = await tx.$queryRawUnsafe<LeasedRow[]>(
      delivery_id === null ? TAKE_NEXT : TAKE_THIS,
      ...[integration_id, now, until, channel, address_hint, ...(delivery_id === null ? [] : [delivery_id])],
    )
    if (!row) return null
    return {
      ...row,
      channel,
      url_encrypted: Buffer.from(url_encrypted),
      secret_encrypted: secret_encrypted && Buffer.from(secret_encrypted),
    }
  })
}
