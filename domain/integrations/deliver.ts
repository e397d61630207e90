import type { App } from '#domain/app.ts'
import { PostFailure } from '#domain/engines/post.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import { bodies } from '#domain/integrations/channels/index.ts'
import { type Posted, payloadOf } from '#domain/integrations/payload.ts'
import { type Attempt, nextAttempt } from '#domain/integrations/schedule.ts'
import { unseal } from '#domain/integrations/sealed.ts'
import { SIGNATURE_HEADER, sign } from '#domain/integrations/signature.ts'
import type { Channel } from '#domain/integrations/view.ts'
import { stage } from '#domain/outbox.ts'

/** Posts to one destination at once: a slow receiver holds no more of the workers than this. */
export const IN_FLIGHT_MAX = 4
/**
 * An attempt ends within 15 s; a lease that outlives it by 5 was left by a worker that died or stood still. No longer: until
 * it ends, what a killed worker held counts among the posts in flight to its destination.
 */
const LEASE_MS = 20_000
/** One job goes on with what else is due for its destination, for as long as a queue's job should last. */
const TURN_MS = 20_000
/** Nothing delivered for so long, and another delivery given up: the destination is switched off. */
const SILENCE_MS = 120 * 3_600_000
const GONE = 410
const USER_AGENT = 'weather-report-service/1'

/** A delivery this worker alone may send until its lease ends. */
interface Leased {
  id: string
  lease: string
  attempts: number
  event: EventName
  subject: string
  exposure_ids: number[]
  created_at: Date
  body: string | null
  payload: Posted['payload']
  team_name: string
  integration_id: string
  channel: Channel
  url_encrypted: Buffer
  secret_encrypted: Buffer | null
}

/** What became of an attempt. */
interface Outcome extends Attempt {
  /** Null: delivered. */
  failure: string | null
}

/**
 * Sends a delivery if it is due and its destination has room, then what else is due for the same destination.
 * At least once: what is written of an attempt is written only under its lease, so a worker that wakes after its
 * lease has ended changes nothing.
 */
export async function deliver(app: App, delivery_id: string): Promise<void> {
  const until = Date.now() + TURN_MS
  let leased = await lease(app, delivery_id)
  while (leased) {
    const took = app.metrics.deliveries.startTimer({ channel: leased.channel })
    const result = await attempt(app, leased)
    took({ outcome: await record(app, leased, result) })
    if (Date.now() >= until) return handOn(app, leased.integration_id)
    leased = await leaseAnother(app, leased.integration_id)
  }
}

/** Its turn is over: what is due next for the destination gets a job of its own, whose turn begins anew. */
async function handOn(app: App, integration_id: string): Promise<void> {
  const { rows } = await app.pool.query<{ id: string }>({ name: 'delivery.next', text: NEXT, values: [integration_id, app.clock.now()] })
  for (const { id } of rows) await stage(app.db, 'delivery.send', { delivery_id: id })
}

async function attempt(app: App, leased: Leased): Promise<Outcome> {
  let { body } = leased
  try {
    body ??= await keepBody(app, leased)
  } catch (fault) {
    return unprepared(app, leased.id, fault, 'its body could not be made')
  }
  return post(app, leased, { delivery_id: leased.id, event: leased.event, body })
}

/** Sends one body to a destination's address and says what came of it. */
export async function post(
  app: App,
  to: Pick<Leased, 'channel' | 'url_encrypted' | 'secret_encrypted' | 'integration_id'>,
  { delivery_id, event, body }: { delivery_id: string; event: string; body: string },
): Promise<Outcome & { text: string }> {
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'X-Service-Event': event,
    'X-Service-Delivery': delivery_id,
  }
  let opened: ReturnType<typeof open>
  try {
    opened = open(app, to, body)
  } catch (fault) {
    return unprepared(
      app,
      delivery_id,
      fault,
      "the address or secret does not open with this install's key; save the url anew and rotate the secret",
    )
  }
  try {
    const answer = await app.poster.post(opened.url, { ...headers, ...opened.signature }, body)
    const arrived = answer.status >= 200 && answer.status < 300
    const retry_after = answer.headers['retry-after']
    return {
      status: answer.status,
      timed_out: false,
      retry_after: typeof retry_after === 'string' ? retry_after : undefined,
      failure: arrived ? null : `The destination answered ${answer.status}.`,
      text: answer.text,
    }
  } catch (fault) {
    if (!(fault instanceof PostFailure)) throw fault
    return { status: null, timed_out: fault.timed_out, retry_after: undefined, failure: fault.message, text: '' }
  }
}

/** The address, and the header of the signature where the channel has one. @throws Error where the key is another one */
function open(app: App, to: Parameters<typeof post>[1], body: string): { url: string; signature: Record<string, string> } {
  const { channel, integration_id, url_encrypted, secret_encrypted } = to
  const url = unseal(app, url_encrypted, `url ${integration_id}`)
  if (channel !== 'webhook' || !secret_encrypted) return { url, signature: {} }
  return { url, signature: { [SIGNATURE_HEADER]: sign(unseal(app, secret_encrypted, `secret ${integration_id}`), body, app.clock.now()) } }
}

/** A fault of ours before the post: an outcome like any other, so that it is tried on the schedule and given up in the end. */
function unprepared(app: App, delivery_id: string, fault: unknown, why: string): Outcome & { text: string } {
  app.log.error({ delivery_id, err: fault }, 'a post could not be prepared')
  return { status: null, timed_out: false, retry_after: undefined, failure: `The post could not be prepared: ${why}.`, text: '' }
}

/** The body is built once: every attempt sends the same bytes. */
async function keepBody(app: App, leased: Leased): Promise<string> {
  const { id: delivery_id, created_at, event, subject, exposure_ids, payload, team_name, channel } = leased
  const body = bodies[channel](
    payloadOf({ delivery_id, created_at, event, subject, exposure_ids, payload, team_name }, app.config.base_url),
  )
  await app.db.delivery.updateMany({ where: { id: leased.id, lease_token: leased.lease }, data: { body } })
  return body
}

/**
 * $1: the destination, $2: now. In the words of the partial index of what waits for a destination, so that the next is found
 * without reading the rest: what was never tried comes first, as it happened, then what has been due again for longest.
 */
const DUE_FROM = "coalesce(d.next_attempt_at, '-infinity')"
const DUE = `d.kind = 'event' AND d.status IN ('queued', 'retrying') AND ${DUE_FROM} <= $2::timestamptz AND (d.leased_until IS NULL OR d.leased_until < $2::timestamptz)`
const DUE_ORDER = `${DUE_FROM}, d.created_at, d.id`
const IN_FLIGHT = `SELECT count(*) FROM deliveries f WHERE f.integration_id = $1::uuid AND f.status IN ('queued', 'retrying') AND f.leased_until >= $2::timestamptz`

/** What is due next for a destination. */
export const NEXT = `SELECT d.id FROM deliveries d WHERE d.integration_id = $1::uuid AND ${DUE} ORDER BY ${DUE_ORDER} LIMIT 1`

/** $3: the end of the lease. */
const taking = (chosen: string) => `
  UPDATE deliveries SET lease_token = gen_random_uuid(), leased_until = $3::timestamptz, attempts = attempts + 1
   WHERE id = (SELECT d.id FROM deliveries d WHERE ${chosen} AND ${DUE} AND (${IN_FLIGHT}) < ${IN_FLIGHT_MAX} ORDER BY ${DUE_ORDER} LIMIT 1)
  RETURNING id, lease_token AS lease, attempts, event, subject, exposure_ids, created_at, body, integration_id,
            (SELECT payload FROM events e WHERE e.id = event_id) AS payload, (SELECT name FROM teams t WHERE t.id = team_id) AS team_name`

/** Leases what is due next for a destination with room; or, $4, the one that is named. */
export const TAKE_NEXT = taking('d.integration_id = $1::uuid')
export const TAKE_THIS = taking('d.integration_id = $1::uuid AND d.id = $4::uuid')

async function lease(app: App, delivery_id: string): Promise<Leased | null> {
  const { rows } = await app.pool.query<{ integration_id: string }>({
    name: 'delivery.destination',
    text: 'SELECT integration_id FROM deliveries WHERE id = $1',
    values: [delivery_id],
  })
  return rows[0] ? take(app, rows[0].integration_id, delivery_id) : null
}

const leaseAnother = (app: App, integration_id: string) => take(app, integration_id, null)

/** Takes the delivery asked for, or the one that is due next, while fewer than the limit are in flight to its destination. */
async function take(app: App, integration_id: string, delivery_id: string | null): Promise<Leased | null> {
  const now = app.clock.now()
  return app.db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${integration_id}, 4))`
    const destination = await tx.integration.findFirst({ where: { id: integration_id } })
    if (!destination?.active) {
      await tx.delivery.updateMany({
        where: {
          integration_id,
          status: { in: ['queued', 'retrying'] },
          kind: 'event',
          OR: [{ leased_until: null }, { leased_until: { lt: now } }],
        },
        data: {
          status: 'skipped',
          failure_reason: destination ? 'The destination is inactive.' : 'The destination was removed.',
          next_attempt_at: null,
        },
      })
      return null
    }
    const until = new Date(now.getTime() + LEASE_MS)
    const rows = await tx.$queryRawUnsafe<Omit<Leased, 'channel' | 'url_encrypted' | 'secret_encrypted'>[]>(
      delivery_id === null ? TAKE_NEXT : TAKE_THIS,
      ...[integration_id, now, until, ...(delivery_id === null ? [] : [delivery_id])],
    )
    const row = rows[0] as (Leased & { payload: Posted['payload'] | null }) | undefined
    if (!row) return null
    const { channel, url_encrypted, secret_encrypted } = destination
    return {
      ...row,
      payload: row.payload ?? { data: [] },
      channel: channel as Channel,
      url_encrypted: Buffer.from(url_encrypted),
      secret_encrypted: secret_encrypted && Buffer.from(secret_encrypted),
    }
  })
}

/**
 * Writes what came of an attempt, under its lease alone, and what it means for the destination. Answers the delivery's
 * status; `late` where the lease had ended and nothing was written.
 */
async function record(app: App, leased: Leased, outcome: Outcome): Promise<'sent' | 'retrying' | 'failed' | 'late'> {
  const now = app.clock.now()
  const again = outcome.failure === null ? null : nextAttempt(leased.attempts, outcome, now, Math.random())
  const status = outcome.failure === null ? 'sent' : again ? 'retrying' : 'failed'
  return app.db.$transaction(async (tx) => {
    const kept = await tx.delivery.updateMany({
      where: { id: leased.id, lease_token: leased.lease, status: { in: ['queued', 'retrying'] } },
      data: {
        status,
        response_code: outcome.status,
        failure_reason: outcome.failure,
        next_attempt_at: again,
        lease_token: null,
        leased_until: null,
        ...(status === 'sent' && { sent_at: now }),
        ...(status === 'failed' && { failed_at: now }),
      },
    })
    if (kept.count === 0) return 'late'
    const id = leased.integration_id
    if (status === 'sent') await tx.integration.updateMany({ where: { id }, data: { last_sent_at: now, failure_streak: 0 } })
    else await recordFailure(tx, id, outcome, status === 'failed', now)
    return status
  })
}

type Tx = Parameters<Parameters<App['db']['$transaction']>[0]>[0]

async function recordFailure(tx: Tx, id: string, outcome: Outcome, given_up: boolean, now: Date): Promise<void> {
  await tx.integration.updateMany({
    where: { id },
    data: { last_failed_at: now, last_failure: outcome.failure, ...(given_up && { failure_streak: { increment: 1 } }) },
  })
  if (!given_up) return
  const silent = new Date(now.getTime() - SILENCE_MS)
  const unheard = { OR: [{ last_sent_at: { lt: silent } }, { last_sent_at: null, created_at: { lt: silent } }] }
  await tx.integration.updateMany({ where: { id, ...(outcome.status !== GONE && unheard) }, data: { active: false } })
}

/**
 * Takes up deliveries that are due and that no job may be left for: a few of each destination, whose jobs go on by
 * themselves. Answers how many were staged.
 */
export async function stageDue(app: App): Promise<number> {
  const now = app.clock.now()
  const { rows } = await app.pool.query<{ id: string }>({
    name: 'delivery.due',
    text: `SELECT id FROM (
             SELECT d.id, row_number() OVER (PARTITION BY d.integration_id ORDER BY ${DUE_ORDER}) AS turn FROM deliveries d WHERE $1::int > 0 AND ${DUE}
           ) due WHERE turn <= $1`,
    values: [IN_FLIGHT_MAX, now],
  })
  for (const { id } of rows) await stage(app.db, 'delivery.send', { delivery_id: id })
  return rows.length
}
