import { beforeAll, expect, test } from 'vitest'
import { catalogue, eventNames } from '#domain/events/catalogue.ts'
import { emit } from '#domain/events/emit.ts'
import type { ReportView } from '#domain/reports/view.ts'
import type { Integration, Team } from '#generated/prisma/client.ts'
import { aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let team: Team
beforeAll(async () => {
  world = await openWorld()
  team = await aTeam(world)
})

const aDestination = (owner: Team, columns: Partial<Integration> = {}) =>
  world.app.db.integration.create({
    data: {
      team_id: owner.id,
      name: 'CRM',
      channel: 'webhook',
      address_hint: 'https://crm.example/…a1b2',
      events: ['report.completed'],
      active: columns.active ?? true,
      url_encrypted: Buffer.from('x'),
      secret_encrypted: Buffer.from('y'),
      ...(columns.events && { events: columns.events }),
    },
  })

test('the catalogue names each of the ten events once', () => {
  expect(new Set(eventNames).size).toBe(10)
  expect(new Set(catalogue.map(({ group }) => group))).toEqual(new Set(['Monitoring', 'Properties', 'Reports']))
})

test('an event creates a delivery for each active subscribed destination, in its own transaction', async () => {
  const subscribed = await aDestination(team)
  await aDestination(team, { active: false })
  await aDestination(team, { events: ['report.pdf_ready'] })
  await aDestination(await aTeam(world))
  const about = { team_id: team.id, subject: 'Hail near 1 Main St', exposure_ids: [4, 2] }
  const payload = { data: [{ id: 'r' } as ReportView] as [ReportView] }
  await expect(
    world.app.db.$transaction(async (tx) => {
      await emit(tx, 'report.completed', about, payload)
      throw new Error('taken back')
    }),
  ).rejects.toThrow('taken back')
  expect([await world.app.db.event.count(), await world.app.db.delivery.count()]).toEqual([0, 0])

  const event_id = await world.app.db.$transaction((tx) => emit(tx, 'report.completed', about, payload))
  expect(await world.app.db.event.findUniqueOrThrow({ where: { id: event_id } })).toMatchObject({
    ...about,
    name: 'report.completed',
    content: payload,
  })
  expect(await world.app.db.delivery.findMany()).toEqual([
    expect.objectContaining({
      team_id: team.id,
      event_id,
      event: 'report.completed',
      integration_id: subscribed.id,
      kind: 'event',
      channel: 'webhook',
      status: 'queued',
      subject: about.subject,
      address_hint: subscribed.address_hint,
      attempts: 0,
      exposure_ids: [4, 2],
      body: null,
    }),
  ])
})
