import { expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { watchSample } from '#domain/exposures/sample.ts'
import { stageDueDeliveries } from '#domain/integrations/deliver.ts'
import { findDelivery, listDeliveries } from '#domain/integrations/deliveries.ts'
import { listDestinations } from '#domain/integrations/find.ts'
import { postSample } from '#domain/integrations/sample.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'

const everything = { page: 1, per_page: 100 }

it('shows a switched-off sample destination once, with a ledger of every outcome, until the sample is deleted', async () => {
  const world = await openWorld()
  const { app } = world
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const start = async () => {
    await seedSample(app)
    await watchSample(app, team.id)
    await postSample(app, team.id)
    await stageDueDeliveries(app)
    await world.drain()
  }
  await start()
  await start()
  const { data: destinations } = await listDestinations(app, caller, everything)
  expect(destinations).toMatchObject([
    { name: 'Sample, made up: CRM', active: false, address_hint: 'https://receiver.invalid/…mple', failing: false, signed: true },
  ])
  const { data: rows } = await listDeliveries(app, caller, everything)
  expect(rows.map(({ kind, status, attempts, response_code }) => [kind, status, attempts, response_code])).toEqual([
    ['event', 'skipped', 0, null],
    ['event', 'failed', 10, 503],
    ['event', 'sent', 3, 200],
    ['event', 'sent', 1, 204],
    ['test', 'sent', 1, 204],
  ])
  const now = world.clock.now().toISOString()
  for (const { id, subject, status, sent_at, failed_at, created_at } of rows) {
    expect(subject).toMatch(/^Sample, made up: /)
    const ended = sent_at ?? failed_at
    expect([status === 'skipped', ended !== null && ended >= created_at && ended < now]).toContain(true)
    const { body } = await findDelivery(app, caller, id)
    expect(body === null ? null : JSON.parse(body).id).toBe(status === 'skipped' ? null : id)
  }

  await deleteSource(app, 'sample')
  await start()
  expect((await listDestinations(app, caller, everything)).total).toBe(0)
  expect((await listDeliveries(app, caller, everything)).total).toBe(0)
})
