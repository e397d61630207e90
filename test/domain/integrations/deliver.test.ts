import { randomBytes, randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { openLog } from '#domain/engines/log.ts'
import { seal } from '#domain/engines/sealed.ts'
import { emit } from '#domain/events/emit.ts'
import { deliver, FAIL_EXHAUSTED, failExhaustedDeliveries, stageDueDeliveries } from '#domain/integrations/deliver.ts'
import { findDelivery, listDeliveries, resendDelivery } from '#domain/integrations/deliveries.ts'
import { changeDestination, registerDestination, removeDestination } from '#domain/integrations/destinations.ts'
import { findDestination } from '#domain/integrations/find.ts'
import { DUE_OF_ALL, LEASE_NEXT, LEASE_ONE, leaseNext, NEXT } from '#domain/integrations/lease.ts'
import { ATTEMPTS_MAX, RETRY_DELAYS_SECONDS } from '#domain/integrations/schedule.ts'
import { rotateSecret } from '#domain/integrations/secret.ts'
import { testDestination } from '#domain/integrations/test-destination.ts'
import { secretKey } from '#domain/kernel/secret-ring.ts'
import { exposureContent } from '#test/support/event-content.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { isSigned } from '#test/support/post-signature.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const everything = { page: 1, per_page: 100 }

let world: World
let caller: Caller
const receivers: Receiver[] = []
beforeEach(async () => {
  world = await openWorld({ config: { webhook_allowed_networks: ['127.0.0.0/8'] } })
  caller = await aCaller(world, await aTeam(world))
})
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})

describe('a delivery', () => {
  it('arrives once, signed over its exact bytes', async () => {
    const receiver = await listening()
    const { secret, integration } = await register(receiver)
    await happen('Hail at HQ')
    await world.drain()
    const [post] = receiver.posts
    expect(receiver.posts).toHaveLength(1)
    const [row] = await ledger()
    expect(row).toMatchObject({
      status: 'sent',
      attempts: 1,
      response_code: 204,
      subject: 'Hail at HQ',
      integration_id: integration.id,
      failure_reason: null,
    })
    expect(post?.headers).toMatchObject({
      'x-service-event': 'exposure.detected',
      'x-service-delivery': row?.id,
      'content-type': 'application/json',
    })
    expect(isSigned(secret as string, String(post?.headers['x-service-signature']), post?.body as string, world.clock.now())).toBe(true)
    expect(JSON.parse(post?.body as string)).toMatchObject({
      id: row?.id,
      object: 'alert',
      kind: 'alert',
      event: 'exposure.detected',
      escalation: null,
      data: [{ subject: { name: 'HQ' } }],
    })
  })

  it('is tried ten times on the schedule with the same body, then fails', async () => {
    const receiver = await listening((response) => response.writeHead(500).end('broken\u0007'))
    await register(receiver)
    await happen('Hail at HQ')
    await world.drain()
    for (const minutes of [0.25, 1.25, 6.1, 37, 145, 361, 721, 721, 1730]) {
      expect(await ledger()).toMatchObject([{ status: 'retrying', response_code: 500 }])
      world.clock.advance(minutes * MINUTE)
      await stageDueDeliveries(world.app)
      await world.drain()
    }
    expect(await ledger()).toMatchObject([{ status: 'failed', attempts: 10, failure_reason: 'The destination answered 500.' }])
    expect(receiver.posts).toHaveLength(10)
    expect(new Set(receiver.posts.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.posts.map(({ headers }) => headers['x-service-signature'])).size).toBe(10)
  })

  it('is not tried before it is due', async () => {
    const receiver = await listening((response) => response.writeHead(500).end())
    await register(receiver)
    await happen('Hail at HQ')
    await world.drain()
    world.clock.advance(5000)
    const [{ id } = { id: '' }] = await ledger()
    await deliver(world.app, id)
    expect(receiver.posts).toHaveLength(1)
  })

  it('switches off a destination that responds 410, and later events skip it', async () => {
    const receiver = await listening((response) => response.writeHead(410).end())
    const { integration } = await register(receiver)
    await happen('one')
    await world.drain()
    expect(await ledger()).toMatchObject([{ status: 'failed', attempts: 1 }])
    expect(await findDestination(world.app, caller, integration.id)).toMatchObject({ active: false })
    await happen('two')
    await world.drain()
    expect(await ledger()).toHaveLength(1)
  })

  it('uses a rotated secret and a new address while it waits', async () => {
    const broken = await listening((response) => response.writeHead(500).end())
    const { integration, secret: old } = await register(broken)
    await happen('Hail at HQ')
    await world.drain()
    const { secret } = await rotateSecret(world.app, caller, integration.id)
    const mended = await listening()
    await changeDestination(world.app, caller, integration.id, { url: mended.url })
    world.clock.advance(MINUTE)
    await stageDueDeliveries(world.app)
    await world.drain()
    const [post] = mended.posts
    const signature = String(post?.headers['x-service-signature'])
    expect(isSigned(secret, signature, post?.body as string, world.clock.now())).toBe(true)
    expect(isSigned(old as string, signature, post?.body as string, world.clock.now())).toBe(false)
    expect(post?.body).toBe(broken.posts[0]?.body)
  })

  it('is rebuilt for another channel while it waits, and the ledger shows where it went', async () => {
    const broken = await listening((response) => response.writeHead(500).end())
    const { integration } = await register(broken)
    await happen('Hail at HQ')
    await world.drain()
    const chat = await listening()
    await changeDestination(world.app, caller, integration.id, { channel: 'chat_b', url: `${chat.url}chat` })
    expect(await ledger()).toMatchObject([{ channel: 'webhook', address_hint: integration.address_hint }])
    world.clock.advance(MINUTE)
    await stageDueDeliveries(world.app)
    await world.drain()
    const [post] = chat.posts
    const { address_hint } = await findDestination(world.app, caller, integration.id)
    const [row] = await ledger()
    expect(row).toMatchObject({ status: 'sent', channel: 'chat_b', address_hint })
    expect(await findDelivery(world.app, caller, row?.id as string)).toMatchObject({ body: post?.body })
    await happen('Hail at HQ')
    await world.drain()
    const keys = (body: string | undefined) => Object.keys(JSON.parse(body as string))
    expect(keys(post?.body)).toEqual(keys(chat.posts[1]?.body))
    expect(keys(post?.body)).not.toEqual(keys(broken.posts[0]?.body))
  })

  it('is skipped if its destination is removed, and stays in the ledger', async () => {
    const receiver = await listening((response) => response.writeHead(500).end())
    const { integration } = await register(receiver)
    await happen('Hail at HQ')
    await world.drain()
    await removeDestination(caller, integration.id)
    world.clock.advance(MINUTE)
    await stageDueDeliveries(world.app)
    await world.drain()
    expect(await ledger()).toMatchObject([{ status: 'skipped', integration_id: integration.id, address_hint: integration.address_hint }])
  })

  it('is skipped with all that wait for a removed destination, five thousand at a time', async () => {
    const receiver = await listening((response) => response.writeHead(500).end())
    const { integration } = await register(receiver)
    await happen('Hail at HQ')
    await world.drain()
    await world.owner.query(`
      WITH more AS (
        INSERT INTO events SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid()))).* FROM events e, generate_series(1, 5001) RETURNING id)
      INSERT INTO deliveries SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'event_id', more.id))).* FROM deliveries d, more`)
    await removeDestination(caller, integration.id)
    await world.owner.query('DELETE FROM outbox')
    const left = async () =>
      (
        await world.owner.query(
          "SELECT count(*)::int AS waiting, (SELECT count(*)::int FROM outbox) AS staged FROM deliveries WHERE status = 'retrying'",
        )
      ).rows[0]
    world.clock.advance(MINUTE)
    expect(await leaseNext(world.app, integration.id)).toBeNull()
    expect(await left()).toEqual({ waiting: 2, staged: 1 })
    expect(await leaseNext(world.app, integration.id)).toBeNull()
    expect(await left()).toEqual({ waiting: 0, staged: 1 })
  })

  it('is sent if its destination is activated while waiting deliveries are being skipped', async () => {
    const receiver = await listening()
    const { integration } = await register(receiver)
    await happen('Hail at HQ')
    await changeDestination(world.app, caller, integration.id, { active: false })
    const [{ id } = { id: '' }] = await ledger()
    const other = await world.owner.connect()
    await other.query('BEGIN')
    await other.query('SELECT FROM deliveries WHERE id = $1 FOR UPDATE', [id])
    const delivering = deliver(world.app, id)
    await until(async () => (await lockWaits(world.owner)) > 0)
    await changeDestination(world.app, caller, integration.id, { active: true })
    await other.query('COMMIT')
    other.release()
    await delivering
    expect(await ledger()).toMatchObject([{ id, status: 'sent' }])
    expect(receiver.posts).toHaveLength(1)
  })

  it('stays sent if its worker reports late while other deliveries of the removed destination are skipped', async () => {
    const receiver = await listening((response) => response.writeHead(500).end())
    const { integration } = await register(receiver)
    for (const name of ['first', 'second']) await happen(name)
    await world.drain()
    await removeDestination(caller, integration.id)
    world.clock.advance(MINUTE)
    const late = await world.owner.connect()
    await late.query('BEGIN')
    await late.query("UPDATE deliveries SET status = 'sent', sent_at = now() WHERE subject = 'first'")
    const skipping = leaseNext(world.app, integration.id)
    await until(async () => (await lockWaits(world.owner)) > 0)
    await late.query('COMMIT')
    late.release()
    expect(await skipping).toBeNull()
    const { rows } = await world.owner.query('SELECT subject, status FROM deliveries ORDER BY subject')
    expect(rows).toEqual([
      { subject: 'first', status: 'sent' },
      { subject: 'second', status: 'skipped' },
    ])
  })

  it('is not changed by a worker that wakes after its lease ended', async () => {
    const { receiver, release } = await openDelayedReceiver()
    await register(receiver)
    await happen('Hail at HQ')
    const [{ id } = { id: '' }] = await ledger()
    const asleep = deliver(world.app, id)
    await until(() => receiver.posts.length === 1)
    world.clock.advance(31_000)
    await deliver(world.app, id)
    release()
    await asleep
    expect(await ledger()).toMatchObject([{ status: 'sent', attempts: 2, response_code: 204 }])
    expect(receiver.posts.map(({ headers }) => headers['x-service-delivery'])).toEqual([id, id])
  })

  it('is not changed by a worker that wakes after it was skipped and sent again', async () => {
    const { receiver, release } = await openDelayedReceiver()
    const { integration } = await register(receiver)
    await happen('Hail at HQ')
    const [{ id } = { id: '' }] = await ledger()
    const asleep = deliver(world.app, id)
    await until(() => receiver.posts.length === 1)
    await changeDestination(world.app, caller, integration.id, { active: false })
    world.clock.advance(31_000)
    expect(await leaseNext(world.app, integration.id)).toBeNull()
    await changeDestination(world.app, caller, integration.id, { active: true })
    await resendDelivery(world.app, caller, id)
    release()
    await asleep
    expect(await ledger()).toMatchObject([{ status: 'sent', attempts: 1, response_code: 204 }])
  })

  it('that cannot be prepared is retried and then fails, with a reason but no secret', async () => {
    const receiver = await listening()
    const { integration } = await register(receiver)
    const sealed = {
      url_encrypted: seal(
        { config: { ...world.app.config, secret_keys: [secretKey(null, randomBytes(32))] } },
        receiver.url,
        `url ${integration.id}`,
      ),
    }
    await world.app.db.integration.updateMany({ data: sealed })
    await happen('Hail at HQ')
    const lines: { delivery_id?: string }[] = []
    const log = openLog('error', new Writable({ write: (line, _encoding, done) => done(void lines.push(JSON.parse(String(line)))) }))
    const [{ id } = { id: '' }] = await ledger()
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      await deliver({ ...world.app, log }, id)
      expect(await ledger()).toMatchObject([
        { status: attempt < ATTEMPTS_MAX ? 'retrying' : 'failed', attempts: attempt, response_code: null },
      ])
      world.clock.advance(30 * HOUR)
    }
    const why = expect.stringMatching(/^The post could not be prepared: the address or secret cannot be decrypted with this install's key/)
    expect(await ledger()).toMatchObject([{ failure_reason: why }])
    expect(await findDestination(world.app, caller, integration.id)).toMatchObject({ active: false, last_failure: why })
    expect(lines).toHaveLength(ATTEMPTS_MAX)
    expect(lines[0]).toMatchObject({ delivery_id: id, err: { message: expect.any(String), stack: expect.stringContaining('unseal') } })
    expect(`${JSON.stringify(lines)}${JSON.stringify(await ledger())}`).not.toContain('secret-path')
    expect(await testDestination({ ...world.app, log }, caller, integration.id)).toMatchObject({ delivered: false, detail: why })
    expect(receiver.posts).toEqual([])
  })

  it('whose body cannot be built is handled in the same way', async () => {
    await register(await listening())
    await happen('Hail at HQ')
    await world.app.db.event.updateMany({ data: { content: { data: [] } } })
    await world.drain()
    expect(await ledger()).toMatchObject([
      {
        status: 'retrying',
        attempts: 1,
        failure_reason: 'The post could not be prepared: its body could not be built (TypeError: an exposure event contains no exposure).',
      },
    ])
  })

  it('that crashes its worker every time is retried, fails after ten attempts, and blocks no other', async () => {
    const { integration } = await register(await listening())
    await happen('poison')
    const [{ id } = { id: '' }] = await ledger()
    const dies = { ...world.app, poster: { ...world.app.poster, post: () => new Promise<never>(() => {}) } }
    const waits: number[] = []
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const startedAt = world.clock.now().getTime()
      void deliver(dies, id)
      await until(async () => (await world.app.db.delivery.count({ where: { attempts: attempt, leased_until: { not: null } } })) === 1)
      const { next_attempt_at, leased_until } = await world.app.db.delivery.findUniqueOrThrow({ where: { id } })
      expect(next_attempt_at?.getTime()).toBeGreaterThanOrEqual(leased_until?.getTime() as number)
      waits.push((next_attempt_at?.getTime() as number) - startedAt)
      world.clock.set(new Date((next_attempt_at?.getTime() as number) + 1))
      await failExhaustedDeliveries(world.app)
      expect(await stageDueDeliveries(world.app)).toBe(attempt < ATTEMPTS_MAX ? 1 : 0)
      await world.app.db.outboxJob.deleteMany()
    }
    const waited = waits.slice(0, -1).map((ms, index) => ms / 1000 / (RETRY_DELAYS_SECONDS[index] as number))
    // The first lease is longer than the first wait.
    for (const ratio of waited.slice(1)) expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.2)
    const why = 'The worker stopped during the last of 10 attempts.'
    expect(await ledger()).toMatchObject([{ status: 'failed', attempts: ATTEMPTS_MAX, failure_reason: why, failed_at: expect.any(String) }])
    expect(await findDestination(world.app, caller, integration.id)).toMatchObject({ last_failure: why })
  })

  it('with no attempts left fails in a sweep even if another is locked, and destinations are locked in one order', async () => {
    const [low, high] = [await register(await listening()), await register(await listening())]
      .map(({ integration }) => integration.id)
      .sort()
    await happen('first')
    await happen('second')
    await world.owner.query('UPDATE deliveries SET attempts = $1, leased_until = $2', [
      ATTEMPTS_MAX,
      new Date(world.clock.now().getTime() - 1),
    ])
    const { rows } = await world.owner.query<{ id: string }>('SELECT id FROM deliveries WHERE integration_id = $1 ORDER BY created_at', [
      low,
    ])
    const other = await world.owner.connect()
    await other.query('BEGIN')
    await other.query('SELECT FROM deliveries WHERE id = $1 FOR UPDATE', [rows[0]?.id])
    await other.query('SELECT FROM integrations WHERE id = $1 FOR UPDATE', [low])
    // This makes the destination with the higher id come first if no order is requested.
    await world.owner.query('UPDATE deliveries SET subject = subject WHERE id = $1', [rows[1]?.id])
    const sweeping = failExhaustedDeliveries(world.app)
    await until(async () => (await lockWaits(world.owner)) > 0)
    await other.query('SELECT FROM integrations WHERE id = $1 FOR UPDATE NOWAIT', [high])
    await other.query('COMMIT')
    other.release()
    await sweeping
    expect((await ledger()).map(({ id, status }) => [id === rows[0]?.id, status]).sort()).toEqual([
      [false, 'failed'],
      [false, 'failed'],
      [false, 'failed'],
      [true, 'queued'],
    ])
    await failExhaustedDeliveries(world.app)
    expect((await ledger()).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed'])
  })

  it('that fails gets its own job for the time of its next attempt', async () => {
    let well = false
    const receiver = await listening((response) => response.writeHead(well ? 204 : 500).end())
    await register(receiver)
    await happen('Hail at HQ')
    await world.drain()
    const { id, next_attempt_at } = await world.app.db.delivery.findFirstOrThrow()
    expect(await world.app.db.outboxJob.findMany({ select: { name: true, payload: true, due_at: true } })).toEqual([
      { name: 'delivery.send', payload: { delivery_id: id }, due_at: next_attempt_at },
    ])
    well = true
    world.clock.set(next_attempt_at as Date)
    await world.drain()
    expect(await ledger()).toMatchObject([{ status: 'sent', attempts: 2 }])
    expect(await world.app.db.outboxJob.count()).toBe(0)
  })

  it('whose job runs slightly early waits until it is due', async () => {
    const receiver = await listening((response, _post, nth) => response.writeHead(nth === 1 ? 500 : 204).end())
    await register(receiver)
    await happen('Hail at HQ')
    await world.drain()
    const { id, next_attempt_at } = await world.app.db.delivery.findFirstOrThrow()
    const due = next_attempt_at?.getTime() as number
    world.clock.set(new Date(due - 40))
    const early = deliver(world.app, id)
    setTimeout(() => world.clock.set(new Date(due)), 20)
    await early
    expect(await ledger()).toMatchObject([{ status: 'sent', attempts: 2 }])
  })

  it('can be sent again under its own id', async () => {
    let well = false
    const receiver = await listening((response) => response.writeHead(well ? 204 : 410).end())
    const { integration } = await register(receiver)
    await happen('Hail at HQ')
    await world.drain()
    const [delivery] = await ledger()
    await expect(resendDelivery(world.app, caller, delivery?.id as string)).rejects.toThrow('inactive or removed')
    well = true
    await changeDestination(world.app, caller, integration.id, { active: true })
    await resendDelivery(world.app, caller, delivery?.id as string)
    await world.drain()
    expect(await ledger()).toMatchObject([{ id: delivery?.id, status: 'sent', attempts: 1 }])
  })

  it('is sent again once if two people ask at the same moment', async () => {
    const receiver = await listening()
    await register(receiver)
    await happen('Hail at HQ')
    await world.drain()
    const [{ id } = { id: '' }] = await ledger()
    const other = await world.owner.connect()
    await other.query('BEGIN')
    await other.query('SELECT FROM deliveries WHERE id = $1 FOR UPDATE', [id])
    const resends = Promise.allSettled([1, 2].map(() => resendDelivery(world.app, caller, id)))
    await until(async () => (await lockWaits(world.owner)) > 1)
    await other.query('COMMIT')
    other.release()
    const results = await resends
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'validation_failed' } })
    await world.drain()
    expect(receiver.posts).toHaveLength(2)
  })

  it('can be sent again after it arrived, with the same body, but not while it is in progress', async () => {
    const receiver = await listening()
    const { integration } = await register(receiver)
    await happen('Hail at HQ')
    const [waits] = await ledger()
    await expect(resendDelivery(world.app, caller, waits?.id as string)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: { delivery: ['This delivery is still under way.'] } },
    })
    await world.drain()
    const queued = await resendDelivery(world.app, caller, waits?.id as string)
    expect(queued).toMatchObject({ id: waits?.id, status: 'queued', attempts: 0, response_code: null, sent_at: null })
    await world.drain()
    expect(await ledger()).toMatchObject([{ id: waits?.id, status: 'sent', attempts: 1, sent_at: expect.any(String) }])
    expect(receiver.posts).toHaveLength(2)
    expect(receiver.posts[1]?.body).toBe(receiver.posts[0]?.body)
    await testDestination(world.app, caller, integration.id)
    const test = (await ledger()).find(({ kind }) => kind === 'test')
    await expect(resendDelivery(world.app, caller, test?.id as string)).rejects.toMatchObject({
      details: { errors: { delivery: ['A test cannot be resent. Send another test.'] } },
    })
  })
})

describe('a destination', () => {
  it('gets at most four posts at once, and a hanging destination slows no other', async () => {
    const slow = await listening(async (response) => {
      await new Promise((later) => setTimeout(later, 50))
      response.writeHead(204).end()
    })
    const quick = await listening()
    await register(slow)
    await register(quick)
    for (let i = 0; i < 20; i++) await happen(`storm ${i}`)
    const rows = await world.app.db.delivery.findMany({ orderBy: { created_at: 'asc' } })
    await Promise.all(rows.map(({ id }) => deliver(world.app, id)))
    await stageDueDeliveries(world.app)
    await world.drain()
    expect(slow.mostAtOnce).toBeLessThanOrEqual(4)
    expect([slow.posts.length, quick.posts.length]).toEqual([20, 20])
    expect((await ledger()).every(({ status }) => status === 'sent')).toBe(true)
  })

  it('finds due deliveries without reading all that wait for it or for others', async () => {
    const [dead, busy] = [randomUUID(), randomUUID()]
    await waiting(dead, 3000, "now() + interval '1 day'")
    await waiting(busy, 3000, 'NULL')
    await waiting(randomUUID(), 3000, 'NULL')
    await world.owner.query('ANALYZE deliveries')
    const now = world.clock.now()
    for (const destination of [dead, busy]) {
      const next = await planOf(NEXT, [destination, now])
      expect(next.match(INDEXES)).toEqual(['using deliveries_by_time'])
      const taken = await planOf(LEASE_NEXT, [destination, now, now, 'webhook', 'y', 4])
      expect(taken.match(INDEXES)).toEqual(['using deliveries_in_flight', 'using deliveries_by_time', 'using deliveries_pkey'])
      const named = await planOf(LEASE_ONE, [destination, now, now, 'webhook', 'y', 4, randomUUID()])
      expect(named.match(INDEXES)).toEqual(['using deliveries_in_flight', 'using deliveries_pkey', 'using deliveries_pkey'])
      // In index order: rows to be sorted would all be read first.
      expect(`${next}${taken}`).not.toContain('Sort')
    }
    const ofEach = await planOf(DUE_OF_ALL, [4, now])
    expect(new Set(ofEach.match(INDEXES))).toEqual(new Set(['using deliveries_by_time']))
    expect(ofEach).not.toContain('Sort')
    expect((await planOf(FAIL_EXHAUSTED, [now, 'why'])).match(/deliveries_in_flight|Seq Scan/g)).toContain('deliveries_in_flight')
  })

  it('gets what has been due for longest first: a refused delivery from its next attempt on, a new one from its creation', async () => {
    let well = false
    const receiver = await listening((response) => response.writeHead(well ? 204 : 500).end())
    await register(receiver)
    for (const name of ['first', 'second']) await happen(name)
    await world.drain()
    await happen('third')
    await world.app.pool.query(
      `UPDATE deliveries SET next_attempt_at = created_at + CASE subject WHEN 'first' THEN interval '20 s' WHEN 'second' THEN interval '10 s' END`,
    )
    for (const later of ['fourth', 'fifth']) await happen(later)
    await world.app.pool.query(
      `UPDATE deliveries SET created_at = created_at + CASE subject WHEN 'fourth' THEN interval '15 s' ELSE interval '25 s' END WHERE subject IN ('fourth', 'fifth')`,
    )
    world.clock.advance(MINUTE)
    well = true
    receiver.posts.length = 0
    await world.app.db.outboxJob.deleteMany()
    await stageDueDeliveries(world.app)
    await world.drain()
    expect(receiver.posts.map(({ body }) => JSON.parse(body).subject)).toEqual(['third', 'second', 'fourth', 'first', 'fifth'])
  })

  it.each([
    ['429', 'Retry-After', { status: 429, headers: { 'retry-after': '30' }, pause: 30 }],
    ['503', 'Retry-After', { status: 503, headers: { 'retry-after': '1800' }, pause: 1800 }],
    ['429', 'no Retry-After', { status: 429, headers: {}, pause: 1 }],
  ])('that answers %s with %s gets nothing more, also new posts and retries, until its pause is over', async (_, _header, asked) => {
    let well = false
    const receiver = await listening((response) => response.writeHead(well ? 204 : asked.status, well ? {} : asked.headers).end())
    const { integration } = await register(receiver)
    for (const name of ['first', 'second', 'third']) await happen(name)
    await world.drain()
    expect(receiver.posts).toHaveLength(1)
    expect(await attempts()).toEqual({ first: 1, second: 0, third: 0 })
    expect(await held(integration.id)).toEqual(fromNow(asked.pause * 1000))
    const shown = async () => (await findDestination(world.app, caller, integration.id)).held_until
    expect(await shown()).toBe(fromNow(asked.pause * 1000).toISOString())
    await happen('during')
    // A retry whose time comes while the destination is held, and a sweep.
    await world.app.pool.query("UPDATE deliveries SET status = 'retrying', next_attempt_at = $1 WHERE subject = 'third'", [
      world.clock.now(),
    ])
    world.clock.advance(asked.pause * 1000 - 1)
    expect(await stageDueDeliveries(world.app)).toBe(0)
    const waits = await world.app.db.delivery.findMany({ where: { subject: { not: 'first' } } })
    for (const { id, subject } of waits) if (subject !== 'third') await deliver(world.app, id)
    await world.drain()
    expect(receiver.posts).toHaveLength(1)
    expect(await attempts()).toEqual({ first: 1, second: 0, third: 0, during: 0 })
    well = true
    world.clock.advance(1)
    expect(await shown()).toBeNull()
    await world.drain()
    expect(
      receiver.posts
        .map(({ body }) => JSON.parse(body).subject)
        .slice(1, 4)
        .sort(),
    ).toEqual(['during', 'second', 'third'])
    expect(await held(integration.id)).toBeNull()
    world.clock.advance(HOUR)
    await world.drain()
    expect((await ledger()).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['sent', 1],
      ['sent', 1],
      ['sent', 1],
      ['sent', 2],
    ])
  })

  it('gets one post after its pause, and no second one until the first has arrived', async () => {
    const { receiver, release } = await openDelayedReceiver()
    const { integration } = await register(receiver)
    for (const name of ['first', 'second']) await happen(name)
    await hold(integration.id, world.clock.now())
    const rows = await world.app.db.delivery.findMany({ orderBy: { created_at: 'asc' } })
    const probing = deliver(world.app, rows[1]?.id as string)
    await until(() => receiver.posts.length === 1)
    await deliver(world.app, rows[0]?.id as string)
    await deliver(world.app, rows[1]?.id as string)
    expect(receiver.posts.map(({ body }) => JSON.parse(body).subject)).toEqual(['first'])
    release()
    await probing
    expect(await attempts()).toEqual({ first: 1, second: 1 })
    expect(await held(integration.id)).toBeNull()
  })

  it('that asks again after its pause is held again with one attempt, longer each time if it does not say how long', async () => {
    const receiver = await listening((response) => response.writeHead(429).end())
    const { integration } = await register(receiver)
    for (let n = 0; n < 12; n++) await happen(`storm ${n}`)
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      receiver.posts.length = 0
      await world.drain()
      expect(receiver.posts).toHaveLength(1)
      expect(await held(integration.id)).toEqual(fromNow(seconds * 1000))
      world.clock.advance(seconds * 1000)
    }
  })

  it('that asks for pauses for five days is switched off, though no delivery was tried for the last time', async () => {
    const receiver = await listening((response) => response.writeHead(503, { 'retry-after': '3600' }).end())
    const { integration } = await register(receiver)
    for (let nth = 0; nth < 100; nth++) await happen(`post ${nth}`)
    await world.drain()
    const isActive = async () => (await world.app.db.integration.findUniqueOrThrow({ where: { id: integration.id } })).active
    for (let hour = 0; hour < 121; hour++) {
      expect([hour, await isActive()]).toEqual([hour, true])
      world.clock.advance(HOUR)
      await world.drain()
    }
    expect(await isActive()).toBe(false)
    expect(Math.max(...Object.values(await attempts()))).toBeLessThan(10)
  })

  it('that asked for a pause and was sent nothing for a week is not switched off by the next refusals, which begin anew', async () => {
    let answer: { status: number; headers: Record<string, string> } = { status: 429, headers: { 'retry-after': '60' } }
    const receiver = await listening((response) => response.writeHead(answer.status, answer.headers).end())
    const { integration } = await register(receiver)
    await happen('before')
    await world.drain()
    // Nothing is left to send: its property was removed, say.
    await world.app.db.delivery.updateMany({ data: { status: 'skipped', next_attempt_at: null } })
    for (const { status, headers } of [
      { status: 500, headers: {} },
      { status: 429, headers: {} },
    ]) {
      answer = { status, headers }
      world.clock.advance(7 * 24 * HOUR)
      await happen('after')
      await world.drain()
      expect(await world.app.db.integration.findUniqueOrThrow({ where: { id: integration.id } })).toMatchObject({ active: true })
      await world.app.db.delivery.updateMany({ data: { status: 'skipped', next_attempt_at: null } })
    }
    expect(await world.app.db.integration.findUniqueOrThrow({ where: { id: integration.id } })).toMatchObject({
      held_until: fromNow(1000),
      hold_count: 1,
      held_since: world.clock.now(),
    })
  })

  it('is held once, and for the longest pause, by the posts that are under way together', async () => {
    const asked = ['20', '40', '30', undefined]
    const receiver = await listening(async (response, _post, nth) => {
      await until(() => receiver.posts.length === 4)
      const seconds = asked[nth - 1]
      // The one that arrives was sent before the pause, and does not end it.
      if (!seconds) await until(async () => (await world.app.db.delivery.count({ where: { status: 'retrying' } })) === 3)
      response.writeHead(seconds ? 429 : 204, seconds ? { 'retry-after': seconds } : {}).end()
    })
    const { integration } = await register(receiver)
    for (let n = 0; n < 6; n++) await happen(`storm ${n}`)
    const rows = await world.app.db.delivery.findMany({ orderBy: { created_at: 'asc' } })
    await Promise.all(rows.slice(0, 4).map(({ id }) => deliver(world.app, id)))
    expect(receiver.posts).toHaveLength(4)
    expect(await world.app.db.integration.findUniqueOrThrow({ where: { id: integration.id } })).toMatchObject({
      held_until: fromNow(40_000),
      hold_count: 1,
    })
    world.clock.advance(30_000)
    await world.drain()
    expect(receiver.posts).toHaveLength(4)
  })

  it('whose retry runs shortly before the end of a pause gets its post at the end', async () => {
    const receiver = await listening((response, _post, nth) =>
      response.writeHead(nth === 1 ? 429 : 204, nth === 1 ? { 'retry-after': '90' } : {}).end(),
    )
    await register(receiver)
    await happen('first')
    await world.drain()
    const [{ id } = { id: '' }] = await ledger()
    const end = world.clock.now().getTime() + 90_000
    world.clock.set(new Date(end - 40))
    const early = deliver(world.app, id)
    setTimeout(() => world.clock.set(new Date(end)), 20)
    await early
    expect(await ledger()).toMatchObject([{ status: 'sent', attempts: 2 }])
  })

  it.each([
    ['gets a new address', (id: string, url: string) => changeDestination(world.app, caller, id, { url })],
    [
      'is switched on again',
      async (id: string) => {
        await changeDestination(world.app, caller, id, { active: false })
        await changeDestination(world.app, caller, id, { active: true })
      },
    ],
    ['takes a test', (id: string) => testDestination(world.app, caller, id)],
  ])('is not held any longer once it %s', async (_, change) => {
    const receiver = await listening()
    const { integration } = await register(receiver)
    await hold(integration.id, new Date(world.clock.now().getTime() + HOUR))
    await happen('first')
    await world.drain()
    expect(await attempts()).toEqual({ first: 0 })
    await change(integration.id, `${receiver.url}/new`)
    await stageDueDeliveries(world.app)
    await world.drain()
    expect(await attempts()).toMatchObject({ first: 1 })
  })

  it('is held further if it is renamed and its address is sent again', async () => {
    const receiver = await listening()
    const { integration } = await register(receiver)
    await hold(integration.id, fromNow(HOUR))
    await changeDestination(world.app, caller, integration.id, { name: 'Renamed', url: receiver.url })
    expect(await held(integration.id)).toEqual(fromNow(HOUR))
  })

  it('is not held by an answer from an address that it no longer has', async () => {
    const next = await listening()
    const receiver = await listening(async (response) => {
      await changeDestination(world.app, caller, integration.id, { url: next.url })
      response.writeHead(429, { 'retry-after': '600' }).end()
    })
    const { integration } = await register(receiver)
    await happen('first')
    await world.drain()
    expect(next.posts).toHaveLength(1)
    expect(await held(integration.id)).toBeNull()
  })

  it('is failing after three failures in a row, and is switched off after five days without success', async () => {
    const receiver = await listening((response) => response.writeHead(500).end())
    const { integration } = await register(receiver)
    const giveUp = async () => {
      await happen('Hail at HQ')
      for (let attempt = 0; attempt < 10; attempt++) {
        await world.drain()
        world.clock.advance(30 * HOUR)
        await stageDueDeliveries(world.app)
      }
      return findDestination(world.app, caller, integration.id)
    }
    expect(await giveUp()).toMatchObject({ active: false, failing: false, last_failure: 'The destination answered 500.' })
    await changeDestination(world.app, caller, integration.id, { active: true })
    for (let failures = 1; failures <= 3; failures++) {
      await world.app.db.integration.updateMany({ data: { active: true } })
      expect(await giveUp()).toMatchObject({ failing: failures === 3 })
    }
  })

  it('is activated with a clean state even if it was switched off while the change was checked', async () => {
    const receiver = await listening()
    const { integration } = await register(receiver)
    const switchOff = () =>
      world.app.db.integration.update({
        where: { id: integration.id },
        data: { active: false, failure_streak: 3, switched_off_at: world.clock.now(), switched_off_for: 'It is gone.' },
      })
    const app = { ...world.app, poster: { ...world.app.poster, objection: () => switchOff().then(() => null) } }
    const changed = await changeDestination(app, caller, integration.id, { active: true, url: receiver.url })
    expect(changed).toMatchObject({ active: true, failing: false, switched_off: null })
  })

  it('can be tested with one post, which is reported plainly and marked as a test', async () => {
    const receiver = await listening((response) => response.writeHead(403).end('<b>no</b>\u001b[31m \u202egnp'))
    const { integration } = await register(receiver)
    const answer = await testDestination(world.app, caller, integration.id)
    expect(answer).toEqual({
      object: 'integration_test',
      integration_id: integration.id,
      delivered: false,
      detail: 'The destination answered 403. It said: <b>no</b> [31m  gnp',
    })
    expect(await ledger()).toMatchObject([{ kind: 'test', status: 'failed', attempts: 1, response_code: 403 }])
    await stageDueDeliveries(world.app)
    await world.drain()
    expect(receiver.posts).toHaveLength(1)
  })

  it('is one of at most ten, however many are registered at once', async () => {
    const receiver = await listening()
    const results = await Promise.allSettled(Array.from({ length: 14 }, () => register(receiver)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(results.filter((one) => one.status === 'rejected').map((one) => (one as PromiseRejectedResult).reason.code)).toEqual(
      Array(4).fill('destination_cap_reached'),
    )
  })

  it('stores its address and secret in no row in plain text', async () => {
    const receiver = await listening()
    const { secret, integration } = await register(receiver)
    await happen('Hail at HQ')
    await testDestination(world.app, caller, integration.id)
    await world.drain()
    const { rows } = await world.app.pool.query<{ dump: string }>(
      "SELECT (SELECT json_agg(i) FROM integrations i)::text || (SELECT json_agg(d) FROM deliveries d)::text || (SELECT json_agg(e) FROM events e)::text || coalesce((SELECT json_agg(o) FROM outbox o)::text, '') AS dump",
    )
    expect(rows[0]?.dump).not.toContain('secret-path')
    expect(rows[0]?.dump).not.toContain(secret as string)
    expect(rows[0]?.dump).not.toContain((secret as string).slice(6))
  })

  it('is refused with every error at once, by field', async () => {
    const refused = (input: object) => registerDestination(world.app, caller, input).catch((fault) => fault.details.errors)
    expect(await refused({})).toMatchObject({
      name: [expect.any(String)],
      channel: [expect.any(String)],
      url: [expect.any(String)],
      events: [expect.any(String)],
    })
    expect(await refused({ name: 'x'.repeat(81), channel: 'fax', url: 'ftp://x', events: ['storm'] })).toMatchObject({
      name: [expect.stringContaining('80')],
      channel: [expect.any(String)],
      url: [expect.stringContaining('https')],
      'events.0': [expect.stringContaining('storm')],
    })
    for (const url of [
      'https://10.0.0.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/latest',
      'https://user:pass@example.com/',
      `https://example.com/${'x'.repeat(2048)}`,
      'nonsense',
    ]) {
      expect(await refused({ name: 'a', channel: 'webhook', url, events: ['property.created'] }), url).toMatchObject({
        url: [expect.any(String)],
      })
    }
    await expect(
      changeDestination(world.app, caller, (await register(await listening())).integration.id, { channel: 'chat_a' }),
    ).rejects.toMatchObject({ code: 'url_required' })
  })
})

/** A receiver that responds 500 to its first post once released, and 204 to each later post at once. */
async function openDelayedReceiver(): Promise<{ receiver: Receiver; release(): void }> {
  let release = () => {}
  const released = new Promise<void>((resume) => {
    release = resume
  })
  const receiver = await listening(async (response, _post, nth) => {
    if (nth === 1) await released
    response.writeHead(nth === 1 ? 500 : 204).end()
  })
  return { receiver, release }
}

async function listening(...answer: Parameters<typeof openReceiver>): Promise<Receiver> {
  const receiver = await openReceiver(...answer)
  receivers.push(receiver)
  return receiver
}

function register(receiver: Receiver, channel = 'webhook') {
  return registerDestination(world.app, caller, { name: 'Receiver', channel, url: receiver.url, events: ['exposure.detected'] })
}

function happen(subject: string) {
  const content = exposureContent('HQ')
  return world.app.db.$transaction((tx) => emit(tx, 'exposure.detected', { team_id: caller.team.id, subject, exposure_ids: [7] }, content))
}

/** Inserts deliveries that wait for a destination. `next` is SQL for when they are due. */
async function waiting(destination: string, count: number, next: string) {
  await world.app.pool.query(
    `INSERT INTO deliveries (id, team_id, event_id, event, integration_id, kind, channel, status, subject, address_hint, next_attempt_at)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), 'property.created', $2, 'event', 'webhook', 'retrying', 'x', 'y', ${next} FROM generate_series(1, $3)`,
    [caller.team.id, destination, count],
  )
}

/** Number of attempts of each delivery, by its subject. */
async function attempts() {
  return Object.fromEntries((await ledger()).filter(({ kind }) => kind === 'event').map((row) => [row.subject, row.attempts]))
}

const fromNow = (ms: number) => new Date(world.clock.now().getTime() + ms)

async function held(id: string) {
  return (await world.app.db.integration.findUniqueOrThrow({ where: { id } })).held_until
}

function hold(id: string, held_until: Date) {
  return world.app.db.integration.update({ where: { id }, data: { held_until, hold_count: 1 } })
}

/** How a query plan reads the ledger's rows. */
const INDEXES = /using deliveries_\w+|Seq Scan on deliveries|Bitmap Heap Scan on deliveries/g

async function planOf(text: string, values: unknown[]): Promise<string> {
  const { rows } = await world.app.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${text}`, values)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

async function ledger() {
  return (await listDeliveries(world.app, caller, everything)).data
}

async function until(condition: () => boolean | Promise<boolean>) {
  for (let turn = 0; turn < 500 && !(await condition()); turn++) await new Promise((later) => setTimeout(later, 10))
  expect(await condition()).toBe(true)
}
