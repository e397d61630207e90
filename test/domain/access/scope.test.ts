import { beforeAll, expect, test } from 'vitest'
import { type ScopedDb, scopedDb } from '#domain/access/scope.ts'
import type { Contact, Property, Team } from '#generated/prisma/client.ts'
import { Prisma } from '#generated/prisma/client.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let ownTeam: Team
let otherTeam: Team
let db: ScopedDb
let own: Property
let foreign: Property
let foreignContact: Contact

beforeAll(async () => {
  world = await openWorld()
  ownTeam = await aTeam(world)
  otherTeam = await aTeam(world)
  db = scopedDb(world.app.db, ownTeam.id)
  const property = (team_id: string) => world.app.db.property.create({ data: { team_id, query: '1 Main St', query_key: '1 main st' } })
  own = await property(ownTeam.id)
  foreign = await property(otherTeam.id)
  const contact = (team_id: string, property_id: string) =>
    world.app.db.contact.create({ data: { team_id, property_id, name: 'Ann', primary: true } })
  await contact(ownTeam.id, own.id)
  foreignContact = await contact(otherTeam.id, foreign.id)
})

test('scopes every model with a team_id', () => {
  const owned = Object.entries(Prisma).filter(
    ([name, fields]) => name.endsWith('ScalarFieldEnum') && typeof fields === 'object' && 'team_id' in fields,
  )
  expect(owned.map(([name]) => name.replace('ScalarFieldEnum', '')).sort()).toEqual([
    'AlertAddress',
    'AlertMail',
    'AlertMatch',
    'AlertRecipient',
    'AlertRule',
    'AuditChain',
    'AuditEntry',
    'Contact',
    'CreditTransaction',
    'Delivery',
    'Digest',
    'Document',
    'Event',
    'Exposure',
    'Finding',
    'IdempotencyKey',
    'Integration',
    'Invitation',
    'Membership',
    'Property',
    'Report',
    'ReportPreviews',
    'ReportRecord',
    'Territory',
    'Token',
    'WatchCell',
  ])
})

test('reads return rows of one team only', async () => {
  expect(await db.property.findMany()).toEqual([own])
  expect(await db.property.findUnique({ where: { id: foreign.id } })).toBeNull()
  expect(await db.property.findFirst({ where: { OR: [{ id: foreign.id }, { id: own.id }] } })).toEqual(own)
  expect(await db.property.findUnique({ where: { team_id_id: { team_id: otherTeam.id, id: foreign.id } } })).toBeNull()
  expect(await db.property.findMany({ where: { team_id: otherTeam.id } })).toEqual([own])
  expect(await db.contact.count()).toBe(1)
  expect(await db.contact.aggregate({ _count: true })).toEqual({ _count: 1 })
  expect(await db.contact.groupBy({ by: ['team_id'], _count: true })).toEqual([{ team_id: ownTeam.id, _count: 1 }])
  expect((await db.team.findMany()).map(({ id }) => id)).toEqual([ownTeam.id])
})

test("writes to another team's rows change nothing", async () => {
  await expect(db.property.update({ where: { id: foreign.id }, data: { notes: 'x' } })).rejects.toMatchObject({ code: 'P2025' })
  await expect(db.contact.delete({ where: { id: foreignContact.id } })).rejects.toMatchObject({ code: 'P2025' })
  expect(await db.property.updateMany({ where: { id: foreign.id }, data: { notes: 'x' } })).toEqual({ count: 0 })
  expect(await db.contact.deleteMany({ where: { id: foreignContact.id } })).toEqual({ count: 0 })
  expect(await world.app.db.property.findUniqueOrThrow({ where: { id: foreign.id } })).toEqual(foreign)
})

test('new rows belong to the team, even if the data names another', async () => {
  const data = { team_id: otherTeam.id, query: '2 Main St', query_key: '2 main st' }
  const made = await db.property.create({ data })
  const [many] = await db.property.createManyAndReturn({ data: { ...data, query_key: '3 main st' } })
  const upserted = await db.property.upsert({ where: { id: made.id }, create: data, update: { notes: 'seen' } })
  expect([made.team_id, many?.team_id, upserted.team_id, upserted.notes]).toEqual([ownTeam.id, ownTeam.id, ownTeam.id, 'seen'])
  await db.property.deleteMany({ where: { id: { in: [made.id, many?.id ?? ''] } } })
})

test('a transaction is scoped too', async () => {
  await db.$transaction(async (tx) => {
    expect(await tx.property.findMany()).toEqual([own])
    expect(await tx.property.findUnique({ where: { id: foreign.id } })).toBeNull()
  })
})

test("a row cannot move to another team or reference another team's row", async () => {
  await expect(db.property.update({ where: { id: own.id }, data: { team_id: otherTeam.id } })).rejects.toThrow('cannot change')
  await expect(world.app.db.contact.update({ where: { id: foreignContact.id }, data: { team_id: ownTeam.id } })).rejects.toThrow(
    'cannot change',
  )
  await expect(db.contact.create({ data: { team_id: ownTeam.id, property_id: foreign.id, name: 'Bob' } })).rejects.toMatchObject({
    code: 'P2003',
  })
})

test('tables shared by all teams are not scoped', async () => {
  await world.app.db.installFact.create({ data: { name: 'shared', value: 1 } })
  expect(await db.installFact.findUnique({ where: { name: 'shared' } })).toMatchObject({ value: 1 })
  await aToken(world, otherTeam)
  expect(await db.token.count()).toBe(0)
})
