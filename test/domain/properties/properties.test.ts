import { beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { createAlertRule } from '#domain/alerts/rules.ts'
import { watchStatuses } from '#domain/closed-sets.ts'
import { cellsWithin } from '#domain/geo/cells.ts'
import { orDuplicate } from '#domain/properties/address.ts'
import { createProperties } from '#domain/properties/batch.ts'
import { changeProperty } from '#domain/properties/change.ts'
import { CONTACTS_MAX } from '#domain/properties/check-contact.ts'
import { addContact } from '#domain/properties/contacts.ts'
import { createProperty } from '#domain/properties/create.ts'
import { findProperty, listProperties } from '#domain/properties/find.ts'
import { removeProperty } from '#domain/properties/remove.ts'
import { sendProperty } from '#domain/properties/send.ts'
import { requestReports } from '#domain/reports/batch.ts'
import { requestPropertyReport } from '#domain/reports/for-property.ts'
import { createTerritory } from '#domain/territories/create.ts'
import { removeTerritory } from '#domain/territories/remove.ts'
import { Prisma } from '#generated/prisma/client.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { postedOf } from './property-posts.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})

const callerOn = async (columns: Parameters<typeof aTeam>[1] = {}) => aCaller(world, await aTeam(world, columns))
const save = (caller: Caller, address: string, more: object = {}) => createProperty(world.app, caller, { address, ...more })
const cellsOf = async (id: string) => (await world.app.db.watchCell.findMany({ where: { subject_id: id } })).map(({ cell }) => cell).sort()
const backfills = () => world.app.db.outboxJob.count({ where: { name: 'detection.backfill' } })
const outcomes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((one) => (one.status === 'fulfilled' ? 'kept' : (one.reason.details?.limit ?? one.reason.code ?? String(one.reason)))).sort()

describe('two concurrent changes', () => {
  it('do not stop the rest of a batch if one takes the address of a batch row', async () => {
    const [caller, otherCaller] = [await callerOn(), await callerOn()]
    const [taken, free] = ['5 Main St, Moore, OK', '6 Main St, Moore, OK']
    const { id: like } = await save(otherCaller, taken)
    const { address_key } = await world.app.db.property.findUniqueOrThrow({ where: { id: like } })
    const { id } = await save(caller, '7 Main St, Moore, OK')
    const writer = await world.app.pool.connect()
    await writer.query('BEGIN')
    await writer.query('UPDATE properties SET address_key = $2 WHERE id = $1', [id, address_key])
    const batch = createProperties(world.app, caller, { properties: [free, taken].map((address) => ({ address })) }, null)
    await waitUntil(async () => (await lockWaits(world.owner)) === 1)
    await writer.query('COMMIT')
    writer.release()
    expect((await batch).batch.results).toMatchObject([
      { address: free, status: 'created' },
      { address: taken, status: 'duplicate', property: { id } },
    ])
  })

  it('to exposures and to their property, which is deleted, lock in one order', async () => {
    const caller = await callerOn()
    const { id } = await save(caller, '9 Main St, Moore, OK')
    const owner = { team_id: caller.team.id, property_id: id }
    const day = { ...owner, kind: 'record' as const, headline: 'Hail', first_seen_at: world.clock.now(), last_seen_at: world.clock.now() }
    const dates = [new Date('2025-05-01'), new Date('2025-05-02')]
    const exposures = await world.app.db.exposure.createManyAndReturn({ data: dates.map((date) => ({ ...day, date })) })
    const writer = await world.app.pool.connect()
    const acknowledge = (nth: number) =>
      writer.query('UPDATE exposures SET acknowledged_at = now() WHERE id = $1', [exposures.toSorted((a, b) => a.id - b.id)[nth]?.id])
    await writer.query('BEGIN')
    await writer.query('SELECT FROM teams WHERE id = $1 FOR NO KEY UPDATE', [caller.team.id])
    await acknowledge(1)
    const removed = removeProperty(caller, id)
    await waitUntil(async () => (await lockWaits(world.owner)) === 1)
    await acknowledge(0)
    await writer.query('COMMIT')
    writer.release()
    await removed
    expect(await world.app.db.exposure.count({ where: owner })).toBe(0)
  })

  it('refuse to send a property that the other deletes', async () => {
    const caller = await callerOn()
    const { id } = await save(caller, '11 Main St, Moore, OK')
    const writer = await world.app.pool.connect()
    await writer.query('BEGIN')
    await writer.query('DELETE FROM watch_cells WHERE subject_id = $1', [id])
    await writer.query('DELETE FROM properties WHERE id = $1', [id])
    const sent = sendProperty(world.app, caller, id).catch((refusal: unknown) => refusal)
    await waitUntil(async () => (await lockWaits(world.owner)) === 1)
    await writer.query('COMMIT')
    writer.release()
    expect(await sent).toMatchObject({ code: 'not_found' })
  })

  it('lock in one order if one deletes a place that a new alert rule names', async () => {
    const caller = await callerOn({ plan: 'enterprise' })
    const { id } = await save(caller, '12 Main St, Moore, OK')
    const { territory } = await createTerritory(
      world.app,
      caller,
      { name: 'Moore', kind: 'radius', latitude: 35.34, longitude: -97.48, radius_miles: 5 },
      null,
    )
    const rule = { name: 'Hail', recipients: ['ann@example.com'] }
    const places = [
      { named: { property: id }, remove: () => removeProperty(caller, id) },
      { named: { territory: territory.id }, remove: () => removeTerritory(caller, territory.id) },
    ]
    for (const { named, remove } of places) {
      const writer = await world.app.pool.connect()
      await writer.query('BEGIN')
      await writer.query('SELECT FROM teams WHERE id = $1 FOR NO KEY UPDATE', [caller.team.id])
      const made = createAlertRule(world.app, caller, { ...rule, ...named })
      await waitUntil(async () => (await lockWaits(world.owner)) === 1)
      const removed = remove()
      await waitUntil(async () => (await lockWaits(world.owner)) === 2)
      await writer.query('COMMIT')
      writer.release()
      // The rule is deleted with its place, before or after its response.
      expect([['kept'], ['not_found']]).toContainEqual(outcomes(await Promise.allSettled([made])))
      await removed
    }
    expect(await world.app.db.alertRule.count({ where: { team_id: caller.team.id } })).toBe(0)
  })

  it('to the address and the coordinates keep the later change, built on the earlier one', async () => {
    const caller = await callerOn()
    const { id } = await save(caller, '1 Main St, Moore, OK')
    const waiting = async () => {
      const { rows } = await world.app.pool.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      )
      return rows[0].n
    }
    const writer = await world.app.pool.connect()
    await writer.query('BEGIN')
    await writer.query('SELECT FROM properties WHERE id = $1 FOR UPDATE', [id])
    const address = changeProperty(world.app, caller, id, { address: '2 Main St, Moore, OK' })
    await waitUntil(async () => (await waiting()) === 1)
    const coordinates = changeProperty(world.app, caller, id, { latitude: 35.34, longitude: -97.48 })
    await waitUntil(async () => (await waiting()) === 2)
    await writer.query('COMMIT')
    writer.release()
    await Promise.all([address, coordinates])
    expect((await findProperty(world.app, caller, id)).address).toMatchObject({
      query: '2 Main St, Moore, OK',
      latitude: 35.34,
      longitude: -97.48,
    })
  })
})

it('asks to try again if the property that took the address is gone by now', async () => {
  const taken = new Prisma.PrismaClientKnownRequestError('taken', { code: 'P2002', clientVersion: '' })
  const { team } = await callerOn()
  const saving = orDuplicate(world.app.db, team.id, { query_key: 'nowhere', address_key: null }, undefined, () => Promise.reject(taken))
  await expect(saving).rejects.toMatchObject({ code: 'engine_unavailable', details: { retry_after: 1 } })
})

describe('the property ceiling', () => {
  it('is not exceeded when 20 are saved at once with one place left', async () => {
    const caller = await callerOn({ limit_overrides: { properties: 3 } })
    await save(caller, '1 Main St, Moore, OK')
    await save(caller, '2 Main St, Moore, OK', { status: 'paused' })
    await save(caller, '3 Main St, Moore, OK', { status: 'archived' })
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => save(caller, `${n + 10} Main St, Moore, OK`)))
    expect(outcomes(results)).toEqual(['kept', ...Array(19).fill('properties')])
  })

  it('causes no deadlock when a property leaves the archive with another address while reports are filed', async () => {
    const caller = await callerOn({ plan: 'enterprise', credits: 100 })
    const deadlocks = async () => {
      const { rows } = await world.app.pool.query('SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()')
      return rows[0].deadlocks
    }
    const before = await deadlocks()
    for (let round = 0; round < 6; round++) {
      const { id } = await save(caller, `${round} Ring St, Moore, OK`, { status: 'archived' })
      const filed = Array.from({ length: 4 }, () => requestPropertyReport(world.app, caller, id, {}, null))
      await Promise.all([...filed, changeProperty(world.app, caller, id, { status: 'watching', address: `${round} Other St, Moore, OK` })])
    }
    expect(await deadlocks()).toBe(before)
  })

  it('is not exceeded by concurrent creates, batches and unarchiving', async () => {
    const caller = await callerOn({ limit_overrides: { properties: 5 } })
    const archived = await Promise.all([1, 2, 3].map((n) => save(caller, `${n} Elm St, Moore, OK`, { status: 'archived' })))
    await Promise.allSettled([
      ...archived.map(({ id }) => changeProperty(world.app, caller, id, { status: 'watching' })),
      ...[4, 5, 6].map((n) => save(caller, `${n} Elm St, Moore, OK`)),
      createProperties(world.app, caller, { properties: [7, 8, 9].map((n) => ({ address: `${n} Elm St, Moore, OK` })) }, null),
    ])
    expect(await world.app.db.property.count({ where: { team_id: caller.team.id, status: { not: 'archived' } } })).toBe(5)
  })

  it("names the tier that allows more, and counts neither archived properties nor other teams' properties", async () => {
    const caller = await callerOn({ plan: 'professional', limit_overrides: { properties: 1 } })
    await save(await callerOn(), 'Norman, OK')
    const { id } = await save(caller, 'Moore, OK')
    await expect(save(caller, 'Norman, OK')).rejects.toMatchObject({
      code: 'plan_limit',
      details: { limit: 'properties', required_plan: 'business' },
    })
    await changeProperty(world.app, caller, id, { status: 'archived' })
    await save(caller, 'Norman, OK')
    await expect(changeProperty(world.app, caller, id, { status: 'paused' })).rejects.toMatchObject({ details: { limit: 'properties' } })
    expect((await findProperty(world.app, caller, id)).status).toBe('archived')
  })

  it('does not apply to what a team already had before a downgrade', async () => {
    const caller = await callerOn({ plan: 'business' })
    const { id } = await save(caller, 'Moore, OK', { watch_radius_miles: 10 })
    await world.app.db.team.update({ where: { id: caller.team.id }, data: { plan: 'professional', limit_overrides: { properties: 0 } } })
    const lowered = await aCaller(world, caller.team)
    expect(await changeProperty(world.app, lowered, id, { label: 'HQ', watch_radius_miles: 10, status: 'paused' })).toMatchObject({
      label: 'HQ',
    })
    expect(await changeProperty(world.app, lowered, id, { status: 'watching' })).toMatchObject({
      status: 'watching',
      watch_radius_miles: 10,
    })
    await expect(changeProperty(world.app, lowered, id, { watch_radius_miles: 9 })).rejects.toMatchObject({
      details: { limit: 'watch_radius', required_plan: 'business' },
    })
  })
})

describe('an address', () => {
  it('is saved once, however many requests arrive at once', async () => {
    const caller = await callerOn()
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => save(caller, '1 Main St, Moore, OK 73160')))
    expect(outcomes(results)).toEqual([...Array(9).fill('duplicate_address'), 'kept'])
  })

  it('is refused if another property has it; otherwise the watch moves with it', async () => {
    const caller = await callerOn()
    const one = await save(caller, '1 Main St, Moore, OK 73160')
    const two = await save(caller, '2 Main St, Moore, OK 73160')
    await expect(changeProperty(world.app, caller, two.id, { address: '1 MAIN street, Moore OK 73160' })).rejects.toMatchObject({
      code: 'duplicate_address',
      details: { existing_id: one.id },
    })
    const moved = await changeProperty(world.app, caller, two.id, { address: 'Dallas, TX' })
    expect(moved.address).toMatchObject({
      query: 'Dallas, TX',
      street: null,
      city: 'Dallas',
      county: 'Dallas',
      county_fips: '48113',
      located: true,
    })
    expect(await cellsOf(two.id)).toEqual(cellsWithin(moved.address.latitude as number, moved.address.longitude as number, 1).sort())
    const lost = await changeProperty(world.app, caller, two.id, { address: 'Zzyzx Nowhere' })
    expect(lost.address).toMatchObject({ query: 'Zzyzx Nowhere', city: null, latitude: null, located: false })
    expect(await cellsOf(two.id)).toEqual([])
    await save(caller, '2 Main St, Moore, OK 73160')
  })

  it('goes to one of ten concurrent requests', async () => {
    const caller = await callerOn()
    const kept = await Promise.all(Array.from({ length: 5 }, (_, n) => save(caller, `${n + 1} Oak St, Moore, OK 73160`)))
    const moves = kept.map(({ id }) => changeProperty(world.app, caller, id, { address: '99 Oak St, Moore, OK 73160' }))
    const creates = Array.from({ length: 5 }, () => save(caller, '99 Oak St, Moore, OK 73160'))
    expect(outcomes(await Promise.allSettled([...moves, ...creates]))).toEqual([...Array(9).fill('duplicate_address'), 'kept'])
  })
})

describe('the watch', () => {
  it.each(watchStatuses.flatMap((from) => watchStatuses.map((to) => [from, to] as const)))('changes from %s to %s', async (from, to) => {
    const caller = await callerOn()
    const { id } = await save(caller, 'Moore, OK', { status: from })
    const before = await postedOf(world, caller.team.id)
    const staged = await backfills()
    expect((await changeProperty(world.app, caller, id, { status: to })).status).toBe(to)
    expect((await cellsOf(id)).length > 0).toBe(to === 'watching')
    expect((await backfills()) - staged).toBe(to === 'watching' && from !== 'watching' ? 1 : 0)
    const event = to === 'archived' ? ['property.archived', ['status'], 'archived'] : ['property.updated', ['status'], 'change']
    expect((await postedOf(world, caller.team.id)).slice(before.length)).toEqual(from === to ? [] : [event])
  })

  it('follows the radius, and is backfilled again if it widens', async () => {
    const caller = await callerOn()
    const { id, address } = await save(caller, 'Moore, OK')
    const staged = await backfills()
    await changeProperty(world.app, caller, id, { watch_radius_miles: 10 })
    expect(await cellsOf(id)).toEqual(cellsWithin(address.latitude as number, address.longitude as number, 10).sort())
    await changeProperty(world.app, caller, id, { label: 'no matter' })
    expect((await backfills()) - staged).toBe(1)
    expect(await world.app.db.watchCell.findFirst({ where: { subject_id: id } })).toMatchObject({
      subject: 'property',
      radius_miles: 10,
      team_id: caller.team.id,
    })
  })

  it('is refused on a lapsed plan, which can still read, archive and rename', async () => {
    const caller = await callerOn()
    const { id } = await save(caller, 'Moore, OK')
    const lapsed: Caller = { ...caller, team: { ...caller.team, lapsed: true } }
    const refused = { code: 'plan_limit', details: { limit: 'lapsed' } }
    await expect(save(lapsed, 'Norman, OK')).rejects.toMatchObject(refused)
    await expect(createProperties(world.app, lapsed, { properties: [{ address: 'Norman, OK' }] }, null)).rejects.toMatchObject(refused)
    for (const change of [{ watch_radius_miles: 2 }, { address: 'Norman, OK' }]) {
      await expect(changeProperty(world.app, lapsed, id, change)).rejects.toMatchObject(refused)
    }
    await changeProperty(world.app, lapsed, id, { label: 'HQ', status: 'paused' })
    await expect(changeProperty(world.app, lapsed, id, { status: 'watching' })).rejects.toMatchObject(refused)
    await changeProperty(world.app, lapsed, id, { status: 'archived' })
    expect(await listProperties(world.app, lapsed, { page: 1, per_page: 25 })).toMatchObject({ total: 1 })
    await removeProperty(lapsed, id)
  })
})

it('a property has at most 200 contacts: every post about it contains them all', async () => {
  const caller = await callerOn()
  const { id } = await save(caller, 'Moore, OK')
  const owner = { team_id: caller.team.id, property_id: id, created_at: world.clock.now(), updated_at: world.clock.now() }
  await world.app.db.contact.createMany({
    data: Array.from({ length: CONTACTS_MAX - 1 }, (_, n) => ({ ...owner, name: `Ann ${n}`, primary: n === 0 })),
  })
  const outcomes = await Promise.allSettled(['Bob', 'Cy'].map((name) => addContact(world.app, caller, id, { name })))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(addContact(world.app, caller, id, { name: 'Di' })).rejects.toMatchObject({
    details: { errors: { name: [`A property has at most ${CONTACTS_MAX} contacts. Remove one first.`] } },
  })
})

describe('events', () => {
  it('state what changed and name only the property', async () => {
    const caller = await callerOn()
    const { id } = await save(caller, 'Moore, OK', { reference: 'R' })
    const change = (body: object) => changeProperty(world.app, caller, id, body)
    await change({ label: 'HQ', notes: 'n', tags: ['a'], kind: 'land' })
    await change({ reference: 'R', status: 'watching' })
    await change({ reference: 'S', label: 'Two' })
    await change({ watch_radius_miles: 2 })
    await change({ address: 'Norman, OK' })
    await addContact(world.app, caller, id, { name: 'Ann' })
    await sendProperty(world.app, caller, id)
    await change({ status: 'archived', reference: null })
    await removeProperty(caller, id)
    expect(await postedOf(world, caller.team.id)).toEqual([
      ['property.created', [], 'change'],
      ['property.updated', ['label', 'reference'], 'change'],
      ['property.updated', ['watch_radius_miles'], 'change'],
      ['property.updated', ['address'], 'change'],
      ['property.updated', ['contacts'], 'change'],
      ['property.updated', [], 'sent'],
      ['property.archived', ['reference', 'status'], 'archived'],
    ])
    const [sent] = await world.app.db.event.findMany({ where: { team_id: caller.team.id }, orderBy: { id: 'desc' }, skip: 1, take: 1 })
    expect(sent).toMatchObject({ subject: 'Property changed: Two', exposure_ids: [] })
    expect([sent?.content, sent?.payload]).toEqual([{ property_id: id, changed: [], reason: 'sent' }, {}])
  })

  it('go to the subscribed destinations in the same transaction as the change', async () => {
    const caller = await callerOn({ limit_overrides: { properties: 1 } })
    await world.app.db.integration.create({
      data: {
        team_id: caller.team.id,
        name: 'CRM',
        channel: 'webhook',
        url_encrypted: Buffer.of(1),
        secret_encrypted: Buffer.of(1),
        address_hint: 'https://crm.example/…',
        events: ['property.created'],
      },
    })
    await save(caller, 'Moore, OK')
    await expect(save(caller, 'Norman, OK')).rejects.toMatchObject({ code: 'plan_limit' })
    expect(await world.app.db.delivery.count({ where: { team_id: caller.team.id } })).toBe(1)
  })
})

describe('removal', () => {
  it('deletes contacts, exposures and watch, and keeps the reports', async () => {
    const caller = await callerOn()
    const { id } = await save(caller, 'Moore, OK')
    await addContact(world.app, caller, id, { name: 'Ann' })
    const { report } = await requestPropertyReport(world.app, caller, id, {}, null)
    const now = world.clock.now()
    const data = {
      team_id: caller.team.id,
      property_id: id,
      kind: 'record' as const,
      date: new Date('2026-05-01'),
      headline: 'Hail',
      first_seen_at: now,
      last_seen_at: now,
    }
    await world.app.db.exposure.create({ data })
    await removeProperty(caller, id)
    expect((await postedOf(world, caller.team.id)).at(-1)).toEqual(['property.archived', [], 'removed'])
    expect(await world.app.db.contact.count({ where: { property_id: id } })).toBe(0)
    expect(await world.app.db.exposure.count({ where: { property_id: id } })).toBe(0)
    expect(await cellsOf(id)).toEqual([])
    expect(await world.app.db.report.findUnique({ where: { id: report.id } })).toMatchObject({ property_id: null })
  })

  it('runs without deadlock beside concurrent changes and report requests', async () => {
    const caller = await callerOn({ credits: 200 })
    const { id } = await save(caller, 'Moore, OK')
    for (let round = 0; round < 5; round++) {
      const reports = Array.from({ length: 6 }, () => requestPropertyReport(world.app, caller, id, {}, null))
      const changes = [
        { status: 'archived' },
        { status: 'watching' },
        { address: `${round} Elm St, Moore, OK` },
        { status: 'paused', notes: String(round) },
      ]
      const results = await Promise.allSettled([...reports, ...changes.map((change) => changeProperty(world.app, caller, id, change))])
      expect(outcomes(results)).toEqual(Array(10).fill('kept'))
    }
  })

  it('runs without deadlock beside concurrent report requests, single and in batches', async () => {
    const caller = await callerOn({ credits: 200 })
    for (let round = 0; round < 6; round++) {
      const { id } = await save(caller, `${round} Oak St, Moore, OK`)
      const reports = Array.from({ length: 6 }, () => requestPropertyReport(world.app, caller, id, {}, null))
      const row = { address: 'Moore, OK', window_start: '2025-05-01', window_end: '2025-05-31', property_id: id }
      const batches = [1, 2].map(() => requestReports(world.app, caller, { reports: [row, row] }, null))
      const results = await Promise.allSettled([...reports, removeProperty(caller, id), ...batches])
      expect(outcomes(results).filter((one) => one !== 'kept' && one !== 'not_found')).toEqual([])
      expect(await world.app.db.report.count({ where: { property_id: id } })).toBe(0)
    }
  })
})
