import { beforeEach, describe, expect, it } from 'vitest'
import { emit } from '#domain/events/emit.ts'
import { changeDestination } from '#domain/integrations/destinations.ts'
import { type Leased, lease } from '#domain/integrations/lease.ts'
import type { Outcome } from '#domain/integrations/post.ts'
import { recordFailure, recordOutcome, recordSkipped } from '#domain/integrations/record-outcome.ts'
import { type SecretRing, secretKey } from '#domain/kernel/secret-ring.ts'
import { resealValues } from '#domain/secret-keys/reseal.ts'
import type { Integration, Team } from '#generated/prisma/client.ts'
import { exposureContent } from '#test/support/event-content.ts'
import { aCaller, aDestination, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

const HOUR = 3_600_000
const sent: Outcome = { status: 204, failure: null, timed_out: false, retry_after: undefined }
const refused: Outcome = { ...sent, status: 500, failure: 'The destination answered 500.' }

let world: World
let team: Team
let integration_id: string
beforeEach(async () => {
  world = await openWorld({ config: { webhook_allowed_networks: ['127.0.0.0/8'] } })
  team = await aTeam(world)
  integration_id = await aDestination(world, team, 'http://127.0.0.1:9/', ['exposure.detected'])
})

describe('a worker that wakes after its lease ended', () => {
  let late: Leased
  let current: Leased
  beforeEach(async () => {
    await world.app.db.$transaction((tx) =>
      emit(tx, 'exposure.detected', { team_id: team.id, subject: 'Hail', exposure_ids: [7] }, exposureContent('HQ')),
    )
    const { id } = await world.app.db.delivery.findFirstOrThrow()
    late = (await lease(world.app, id)) as Leased
    // Past the lease and the first wait: another worker has the lease and is working.
    world.clock.advance(60_000)
    current = (await lease(world.app, id)) as Leased
    expect(current).toMatchObject({ id: late.id, attempts: 2 })
  })

  it.each([
    ['that it arrived', () => recordOutcome(world.app, late, sent, null)],
    ['that it failed', () => recordOutcome(world.app, late, refused, null)],
    ['that there was nothing to send', () => recordSkipped(world.app, late, 'The property was removed.')],
  ])('does not record %s; the current lease holder does', async (_, record) => {
    const [before, destination] = [await deliveries(), await read()]
    expect(await record()).toBe('late')
    expect([await deliveries(), await read()]).toEqual([before, destination])
    expect(await recordOutcome(world.app, current, sent, null)).toBe('sent')
    expect(await deliveries()).toMatchObject([{ status: 'sent', lease_token: null, leased_until: null, attempts: 2 }])
    expect(await recordOutcome(world.app, current, refused, null)).toBe('late')
  })
})

describe('a destination', () => {
  const giveUp = (status = 500) =>
    world.app.db.$transaction((tx) => recordFailure(tx, integration_id, { ...refused, status }, true, world.clock.now()))
  const ago = (hours: number) => new Date(world.clock.now().getTime() - hours * HOUR)
  const updateIntegration = (columns: Partial<Integration>) =>
    world.app.db.integration.update({ where: { id: integration_id }, data: columns })

  it.each([
    ['arrived within five days', { created_at: 500, last_sent_at: 119 }],
    ['was never sent anything in the five days that it is there', { created_at: 119, last_sent_at: null }],
  ])('stays on after a failed delivery if a post %s', async (_, hours) => {
    await updateIntegration({
      created_at: ago(hours.created_at),
      last_sent_at: hours.last_sent_at === null ? null : ago(hours.last_sent_at),
    })
    await giveUp()
    expect(await read()).toMatchObject({ active: true, switched_off_at: null, failure_streak: 1, last_failure: refused.failure })
  })

  it.each([
    ['nothing arrived for five days', { created_at: 500, last_sent_at: 121 }],
    ['nothing ever arrived in more than five days', { created_at: 121, last_sent_at: null }],
  ])('is switched off after a failed delivery if %s', async (_, hours) => {
    await updateIntegration({
      created_at: ago(hours.created_at),
      last_sent_at: hours.last_sent_at === null ? null : ago(hours.last_sent_at),
    })
    await giveUp()
    expect(await read()).toMatchObject({
      active: false,
      switched_off_at: world.clock.now(),
      switched_off_for: 'The destination answered 500. Nothing arrived there for five days.',
    })
  })

  it('that was switched on again is switched off only after five days of its own, and not for those before', async () => {
    const caller = await aCaller(world, team)
    await updateIntegration({ created_at: ago(900), last_sent_at: ago(500) })
    await changeDestination(world.app, caller, integration_id, { active: false })
    await changeDestination(world.app, caller, integration_id, { active: true })
    world.clock.advance(119 * HOUR)
    await giveUp()
    expect(await read()).toMatchObject({ active: true, switched_off_at: null })
    world.clock.advance(2 * HOUR)
    await giveUp()
    expect(await read()).toMatchObject({ active: false, switched_off_at: world.clock.now() })
  })

  it('is not switched off by an attempt that will be retried, however long nothing arrived', async () => {
    await updateIntegration({ created_at: ago(500), last_sent_at: ago(400) })
    await world.app.db.$transaction((tx) => recordFailure(tx, integration_id, refused, false, world.clock.now()))
    expect(await read()).toMatchObject({ active: true, failure_streak: 0, last_failure: refused.failure })
  })

  it('that responds 410 is switched off at once, even if a post has just arrived', async () => {
    await updateIntegration({ last_sent_at: ago(0) })
    await giveUp(410)
    expect(await read()).toMatchObject({ active: false, switched_off_for: 'The destination answered 410: it is gone for good.' })
  })
})

it('a failure counts against a destination whose address was sealed again under a new key while it was posted to', async () => {
  await world.app.db.$transaction((tx) =>
    emit(tx, 'exposure.detected', { team_id: team.id, subject: 'Hail', exposure_ids: [7] }, exposureContent('HQ')),
  )
  const { id } = await world.app.db.delivery.findFirstOrThrow()
  const leased = (await lease(world.app, id)) as Leased
  const [old] = world.app.config.secret_keys
  const secret_keys: SecretRing = [secretKey('new', Buffer.alloc(32, 7)), old]
  const turned = { ...world.app, config: { ...world.app.config, secret_keys } }
  expect(await resealValues(turned)).toMatchObject({ resealed: 2 })
  await recordOutcome(turned, leased, refused, null)
  expect(await read()).toMatchObject({ last_failure: refused.failure })
  const [delivery] = await deliveries()
  expect(delivery?.next_attempt_at?.getTime()).toBeGreaterThan(world.clock.now().getTime())
})

const read = () => world.app.db.integration.findUniqueOrThrow({ where: { id: integration_id } })
const deliveries = () => world.app.db.delivery.findMany()
