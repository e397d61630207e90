import { setTimeout as pause } from 'node:timers/promises'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import type { Channel } from '#domain/closed-sets.ts'
import { CLOCKS_APART_MS } from '#domain/engines/clock.ts'
import type { Tx } from '#domain/engines/database.ts'
import { ABANDONED_AFTER_MS } from '#domain/engines/pool.ts'
import type { StoredEvent } from '#domain/events/payloads.ts'
import { ATTEMPTS_MAX, JITTER, RETRY_DELAYS_SECONDS } from '#domain/integrations/schedule.ts'
import { stage, stageEach } from '#domain/kernel/outbox.ts'

/** Concurrent posts to one destination: a slow receiver occupies no more workers than this. */
const IN_FLIGHT_MAX = 4
/** After a hold, until a post has arrived: if the receiver still refuses, one attempt is lost, not several. */
const IN_FLIGHT_AFTER_HOLD = 1
/** An attempt ends within 15 s. */
const ATTEMPT_MS = 15_000
/**
 * A lease that outlives an attempt by this much belongs to a worker that died or stalled, and whose transaction is gone. It is
 * no longer, because until it ends a killed worker's posts count as in flight to their destination.
 */
const LEASE_MS = ATTEMPT_MS + ABANDONED_AFTER_MS

/** A delivery of an event, which only this worker may send until the lease ends. */
export type Leased = LeasedDelivery & StoredEvent
type LeasedRow = Omit<LeasedDelivery, 'channel' | 'url_encrypted' | 'secret_encrypted' | 'held_until'> & StoredEvent

interface LeasedDelivery {
  id: string
  lease: string
  attempts: number
  subject: string
  exposure_ids: number[]
  created_at: Date
  /** The trace context of its event. */
  traceparent: string | null
  /** The body that the first attempt stored. */
  body: string | null
  team_id: string
  team_name: string
  integration_id: string
  channel: Channel
  url_encrypted: Buffer
  secret_encrypted: Buffer | null
  /** The end of the destination's last hold; null if a post has arrived since. */
  held_until: Date | null
}

/**
 * Leases a delivery if it is due and its destination has room; otherwise returns null. After a hold of the destination, leases the
 * next due delivery in its place. Deliveries that wait for an inactive destination are skipped.
 */
export async function lease(app: App, delivery_id: string): Promise<Leased | null> {
  const { rows } = await app.pool.query<DestinationOfDelivery>({
    name: 'delivery.destination',
    text: DESTINATION_OF_DELIVERY,
    values: [delivery_id, app.clock.now()],
  })
  const [row] = rows
  // Without room, do not try the destination's lock: the worker that posts there continues with this delivery.
  if (!row?.has_room) return null
  const { integration_id, early_ms, held_ms } = row
  // The job staged for the end of a hold continues with all that was created meanwhile: of those jobs, none waits.
  if (held_ms !== null && held_ms > 0 && (early_ms === null || held_ms > CLOCKS_APART_MS)) return null
  // A retry's job that runs slightly early is the only one until the sweeper runs, so wait for it to be due.
  const wait_ms = held_ms !== null && held_ms > 0 ? held_ms : (early_ms ?? 0)
  if (wait_ms > 0 && wait_ms <= CLOCKS_APART_MS) await pause(Math.ceil(wait_ms))
  return take(app, integration_id, held_ms === null ? delivery_id : null)
}

interface DestinationOfDelivery {
  integration_id: string
  /** Milliseconds until the delivery is due again; null if it was never tried. */
  early_ms: number | null
  /** Milliseconds until the hold of its destination ends, negative after that; null without one. */
  held_ms: number | null
  has_room: boolean
}

/** Leases the next due delivery of a destination, in the same way. */
export function leaseNext(app: App, integration_id: string): Promise<Leased | null> {
  return take(app, integration_id, null)
}

/** Returns the id of the next due delivery of a destination, without leasing it. */
export async function findNext(app: App, integration_id: string): Promise<string | null> {
  const { rows } = await app.pool.query<{ id: string }>({ name: 'delivery.next', text: NEXT, values: [integration_id, app.clock.now()] })
  return rows[0]?.id ?? null
}

/** Returns the ids of a few due deliveries of each destination. */
export async function findDue(app: App): Promise<string[]> {
  const { rows } = await app.pool.query<{ id: string }>({
    name: 'delivery.due',
    text: DUE_OF_ALL,
    values: [IN_FLIGHT_MAX, app.clock.now()],
  })
  return rows.map(({ id }) => id)
}

/**
 * $1: the destination, $2: now. A delivery is due from its creation, and again from the time of its next attempt; those due for
 * longest come first, so that neither retries nor new posts wait behind all of the others. Worded like the partial index of
 * waiting deliveries, so that the next one is found without reading the rest: DUE_BY bounds the reading. It lies a minute later
 * than any due time, because the clocks of this process and of the database, which states the creation, differ.
 */
const DUE_SINCE = 'coalesce(d.next_attempt_at, d.created_at)'
const DUE_BY = "greatest($2::timestamptz, now()) + interval '1 minute'"
const WAITING = "d.status IN ('queued', 'retrying')"
const DUE = `d.kind = 'event' AND ${WAITING} AND ${DUE_SINCE} <= ${DUE_BY} AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= $2::timestamptz) AND (d.leased_until IS NULL OR d.leased_until < $2::timestamptz) AND d.attempts < ${ATTEMPTS_MAX}`
const DUE_ORDER = `${DUE_SINCE}, d.id`
function inFlight(destination: string): string {
  return `SELECT count(*) FROM deliveries f WHERE f.integration_id = ${destination} AND f.status IN ('queued', 'retrying') AND f.leased_until >= $2::timestamptz`
}

/** $1: the delivery, $2: now. */
const DESTINATION_OF_DELIVERY = `
  SELECT d.integration_id, (extract(epoch FROM d.next_attempt_at - $2::timestamptz) * 1000)::float8 AS early_ms,
         (extract(epoch FROM i.held_until - $2::timestamptz) * 1000)::float8 AS held_ms,
         (${inFlight('d.integration_id')}) < CASE WHEN i.held_until IS NULL THEN ${IN_FLIGHT_MAX} ELSE ${IN_FLIGHT_AFTER_HOLD} END AS has_room
    FROM deliveries d LEFT JOIN integrations i ON i.id = d.integration_id AND i.active WHERE d.id = $1`

/** The next due delivery of a destination. */
export const NEXT = `SELECT d.id FROM deliveries d WHERE d.integration_id = $1::uuid AND ${DUE} ORDER BY ${DUE_ORDER} LIMIT 1`

/** $1: how many of each destination that is not held. The index is searched destination by destination, however many deliveries wait behind each first. */
export const DUE_OF_ALL = `
  WITH RECURSIVE destinations (id) AS (
    (SELECT d.integration_id FROM deliveries d WHERE ${WAITING} ORDER BY d.integration_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.integration_id FROM deliveries d WHERE ${WAITING} AND d.integration_id > destinations.id ORDER BY d.integration_id LIMIT 1)
      FROM destinations WHERE destinations.id IS NOT NULL)
  SELECT due.id FROM destinations CROSS JOIN LATERAL (
    SELECT d.id FROM deliveries d WHERE d.integration_id = destinations.id AND ${DUE} ORDER BY ${DUE_ORDER} LIMIT $1) due
   WHERE NOT EXISTS (SELECT FROM integrations i WHERE i.id = destinations.id AND i.active AND i.held_until > $2::timestamptz)`

/**
 * $3: end of the lease; $4, $5: the destination's current channel and address hint; $6: how many posts it may get at once. The
 * delivery goes to this address; a body built for another channel is built again. A delivery whose worker never reports back is
 * retried on the schedule, not when its lease ends: a post that crashes its worker does so ten times in two days, and other posts
 * are sent in between.
 */
const leaseSql = (chosen: string) => `
  UPDATE deliveries
     SET lease_token = gen_random_uuid(), leased_until = $3::timestamptz, attempts = attempts + 1, channel = $4,
         address_hint = $5, body = CASE WHEN channel = $4 THEN body END,
         next_attempt_at = greatest($3::timestamptz, $2::timestamptz + make_interval(secs =>
           (ARRAY[${RETRY_DELAYS_SECONDS.join(', ')}])[attempts + 1] * (1 + ${JITTER} * (2 * random() - 1))))
   WHERE id = (SELECT d.id FROM deliveries d WHERE ${chosen} AND ${DUE} AND (${inFlight('$1::uuid')}) < $6::int ORDER BY ${DUE_ORDER} LIMIT 1)
  RETURNING id, lease_token AS lease, attempts, event, subject, exposure_ids, created_at, body, team_id, integration_id,
            (SELECT coalesce(content, payload::json) FROM events e WHERE e.id = event_id) AS content,
            (SELECT traceparent FROM events e WHERE e.id = event_id) AS traceparent,
            (SELECT name FROM teams t WHERE t.id = team_id) AS team_name`

/** Leases the next due delivery of a destination with room; or $7, a given delivery. */
export const LEASE_NEXT = leaseSql('d.integration_id = $1::uuid')
export const LEASE_ONE = leaseSql('d.integration_id = $1::uuid AND d.id = $7::uuid')

/**
 * Ends every lease of a team's deliveries and blocks new ones until the transaction ends, for every destination and also for
 * deliveries that are queued meanwhile. Workers cannot write anything that they read before. Attempts under way do not count,
 * and are repeated at once.
 */
export async function endLeases(tx: ScopedTx, team_id: string, now: Date): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${team_id}, ${LEASE_LOCK_SEED}))`
  const ended = await tx.$queryRaw<{ id: string }[]>`
    UPDATE deliveries SET lease_token = NULL, leased_until = NULL, attempts = attempts - 1, next_attempt_at = ${now}
     WHERE team_id = ${team_id}::uuid AND kind = 'event' AND status IN ('queued', 'retrying') AND lease_token IS NOT NULL RETURNING id`
  const jobs = ended.map(({ id }) => ({ delivery_id: id }))
  await stageEach(tx, 'delivery.send', jobs)
}

/** Seed of the advisory locks for leasing: one exclusive lock per destination, and one per team that leases share. */
const LEASE_LOCK_SEED = 4

/** Milliseconds between tries for a destination's lock: taking a lease needs only a few. */
const LOCK_WAITS_MS = [5, 10, 20, 40, 80, 160]
/** A lock that stays unavailable belongs to a stalled process; PostgreSQL has ended its session by then. */
const LOCK_RETRY_MS = ABANDONED_AFTER_MS

/**
 * Leases the given delivery, or the next due one, while fewer than the limit are in flight to its destination. Leases of one
 * destination are taken one at a time, and no connection blocks on the lock: otherwise all connections would soon wait for one
 * destination.
 */
async function take(app: App, integration_id: string, delivery_id: string | null): Promise<Leased | null> {
  for (const wait of [...LOCK_WAITS_MS, null]) {
    const taken = await tryToTake(app, integration_id, delivery_id)
    if (taken !== LOCK_BUSY) return taken
    if (wait !== null) await pause(wait * (1 + Math.random()))
  }
  const due = delivery_id ?? (await findNext(app, integration_id))
  if (due) await stage(app.db, 'delivery.send', { delivery_id: due }, new Date(app.clock.now().getTime() + LOCK_RETRY_MS))
  return null
}

/** Deliveries that one transaction skips: few enough to stay well within its timeout. */
const SKIPPED_AT_ONCE = 5_000

/**
 * Skips the first waiting deliveries of a destination that must not be posted to. If there are more, it stages the next one,
 * whose job comes here again. Returns false and changes nothing if the destination was set active meanwhile.
 */
async function skipWaiting(tx: Tx, integration_id: string, now: Date): Promise<boolean> {
  // Lock them while reading: a worker whose lease has ended may still try to record its outcome.
  const waiting = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM deliveries WHERE integration_id = ${integration_id}::uuid AND kind = 'event' AND status IN ('queued', 'retrying')
       AND (leased_until IS NULL OR leased_until < ${now}) LIMIT ${SKIPPED_AT_ONCE + 1} FOR UPDATE`
  // Lock the destination after its deliveries, in the same order as a worker that records an outcome. A user who sets it active
  // from here on waits, and no later delivery is skipped.
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
 * Try again: another process leases a delivery of this destination, the destination was just set active, or a person is being
 * erased from the team's data.
 */
const LOCK_BUSY = Symbol('lock busy')

async function tryToTake(app: App, integration_id: string, delivery_id: string | null): Promise<Leased | null | typeof LOCK_BUSY> {
  const now = app.clock.now()
  return app.db.$transaction(async (tx) => {
    const [turn] = await tx.$queryRaw<[{ taken: boolean }]>`
      SELECT pg_try_advisory_xact_lock(hashtextextended(${integration_id}, ${LEASE_LOCK_SEED})) AND coalesce((
               SELECT pg_try_advisory_xact_lock_shared(hashtextextended(team_id::text, ${LEASE_LOCK_SEED}))
                 FROM integrations WHERE id = ${integration_id}::uuid), true) AS taken`
    if (!turn.taken) return LOCK_BUSY
    const destination = await tx.integration.findFirst({ where: { id: integration_id } })
    if (!destination?.active) return (await skipWaiting(tx, integration_id, now)) ? null : LOCK_BUSY
    const { channel, address_hint, url_encrypted, secret_encrypted, held_until } = destination
    if (held_until && held_until > now) return null
    const atOnce = held_until ? IN_FLIGHT_AFTER_HOLD : IN_FLIGHT_MAX
    const until = new Date(now.getTime() + LEASE_MS)
    const [row] = await tx.$queryRawUnsafe<LeasedRow[]>(
      delivery_id === null ? LEASE_NEXT : LEASE_ONE,
      ...[integration_id, now, until, channel, address_hint, atOnce, ...(delivery_id === null ? [] : [delivery_id])],
    )
    if (!row) return null
    return {
      ...row,
      channel,
      held_until,
      url_encrypted: Buffer.from(url_encrypted),
      secret_encrypted: secret_encrypted && Buffer.from(secret_encrypted),
    }
  })
}
