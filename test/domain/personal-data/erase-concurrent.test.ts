import { beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import type { Geocode } from '#domain/engines/geocoder.ts'
import type { AddressMatch } from '#domain/engines/geocoders/answer.ts'
import { NO_CHANGES } from '#domain/exposures/detection-counts.ts'
import { emitExposureEvents } from '#domain/exposures/exposure-events.ts'
import { withDetectionLock } from '#domain/exposures/with-detection-lock.ts'
import { buildBody } from '#domain/integrations/build-body.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { sendDigest } from '#domain/integrations/digest.ts'
import { lease } from '#domain/integrations/lease.ts'
import { testDestination } from '#domain/integrations/test-destination.ts'
import { erasePersonalData } from '#domain/personal-data/erase.ts'
import { forgetAnswers } from '#domain/places/geocode-cache.ts'
import { locate } from '#domain/places/locate.ts'
import { addContact } from '#domain/properties/contacts.ts'
import { createProperty } from '#domain/properties/create.ts'
import { generateReport } from '#domain/reports/generate.ts'
import { requestReport } from '#domain/reports/request.ts'
import type { Team } from '#generated/prisma/client.ts'
import { addExposure, anExposure } from '#test/support/exposures.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { readInTransaction } from '#test/support/read-in-transaction.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'

const EMAIL = 'jane.quillfeather@example.org'
const LABEL = `Home, ${EMAIL}`
const ADDRESS = '1 Main St, Moore, OK 73160'

let world: World
let team: Team
let caller: Caller
let home: string
beforeEach(async () => {
  world = await openWorld({ config: { webhook_allowed_networks: ['127.0.0.0/8'] } })
  team = await aTeam(world, { timezone: 'America/Chicago' })
  caller = await aCaller(world, team)
  home = (await createProperty(world.app, caller, { address: ADDRESS, label: LABEL })).id
})

/** Starts an erasure and returns once it is done or waits for a lock. */
async function beginErasing(): Promise<{ erased: Promise<unknown> }> {
  let done = false
  const erased = erasePersonalData(world.app, caller, EMAIL).finally(() => {
    done = true
  })
  await waitUntil(async () => done || (await lockWaits(world.owner)) > 0)
  return { erased }
}

/** Rows of a table, as text, that still name the person. */
async function leftIn(table: string): Promise<string[]> {
  const { rows } = await world.owner.query<{ text: string }>(`SELECT t::text AS text FROM ${table} t`)
  return rows.flatMap(({ text }) => (/quillfeather/i.test(text) ? [text] : []))
}

const detected = { name: 'exposure.detected' as const, escalation: null }

describe('an erased person is not in what is written at the same time', () => {
  it('an exposure and its event with the earlier name of the place', async () => {
    let erased: Promise<unknown> | undefined
    await withDetectionLock(world.app, team.id, async (tx) => {
      const { label } = await world.app.db.property.findUniqueOrThrow({ where: { id: home } })
      ;({ erased } = await beginErasing())
      const id = await addExposure(tx as never, world.clock.now(), team.id, { property_id: home, headline: `Hail at ${label}` })
      await emitExposureEvents(tx, world.app, team.id, [{ id, event: detected, warning_key: null }], world.clock.now())
      return NO_CHANGES
    })
    await erased
    expect([await leftIn('exposures'), await leftIn('events')]).toEqual([[], []])
  })

  it('a contact of another property that is saved while the erasure waits for the first', async () => {
    await keptContact()
    const other = (await createProperty(world.app, caller, { address: '2 Main St, Moore, OK 73160' })).id
    const holding = await world.owner.connect()
    await holding.query('BEGIN')
    await holding.query('SELECT FROM properties WHERE id = $1 FOR KEY SHARE', [home])
    const { erased } = await beginErasing()
    await addContact(world.app, caller, other, { name: 'Jane Quillfeather', email: EMAIL })
    await addContact(world.app, caller, other, { name: 'J. Q.', email: EMAIL.toUpperCase() })
    await holding.query('COMMIT')
    holding.release()
    await erased
    expect(await leftIn('contacts')).toEqual([])
    expect(await world.app.db.contact.count({ where: { property_id: other } })).toBe(0)
    expect(await leftIn('events')).toEqual([])
  })

  it('a digest made from earlier exposures', async () => {
    world.clock.set(new Date('2026-05-20T11:00:00Z'))
    await anExposure(world, team, { property_id: home, headline: `Hail at ${LABEL}`, notified_at: world.clock.now() })
    world.clock.set(new Date('2026-05-20T12:01:00Z'))
    let erasing: Awaited<ReturnType<typeof beginErasing>> | undefined
    const db = readInTransaction(world.app.db, async () => {
      erasing = await beginErasing()
    })
    await sendDigest({ ...world.app, db }, { team_id: team.id, local_date: '2026-05-20' })
    await erasing?.erased
    expect(await world.app.db.event.count({ where: { name: 'digest.sent' } })).toBe(1)
    expect(await leftIn('events')).toEqual([])
  })

  it('a report that refreshes another', async () => {
    const input = { address: ADDRESS, window_start: '2026-01-01', window_end: '2026-05-01', reference: EMAIL }
    const { report } = await requestReport(world.app, caller, input, null)
    await world.drain()
    const refreshing = await world.owner.connect()
    await refreshing.query('BEGIN')
    await refreshing.query('SELECT FROM reports WHERE id = $1 FOR NO KEY UPDATE', [report.id])
    await refreshing.query(
      `INSERT INTO reports (id, team_id, plan_tier, query, reference, window_start, window_end, radius_miles, layout, issued_at, created_at, refreshes)
       SELECT gen_random_uuid(), team_id, plan_tier, query, reference, window_start, window_end, radius_miles, layout, issued_at, created_at, id FROM reports WHERE id = $1`,
      [report.id],
    )
    const { erased } = await beginErasing()
    await refreshing.query('COMMIT')
    refreshing.release()
    await erased
    expect(await leftIn('reports')).toEqual([])
  })

  it('a report compiled with the earlier address', async () => {
    const input = { address: `${EMAIL} Lane, Moore, OK 73160`, window_start: '2026-01-01', window_end: '2026-05-01' }
    const { report } = await requestReport(world.app, caller, input, null)
    const pool = meanwhile('report.pending', async () => {
      await (await beginErasing()).erased
    })
    await generateReport({ ...world.app, pool }, report.id)
    expect(await world.app.db.report.findUnique({ where: { id: report.id } })).toMatchObject({ status: 'complete' })
    expect(await leftIn('reports')).toEqual([])
  })

  it('the failure of a report whose earlier address was located', async () => {
    await keptContact()
    const input = { address: '1 Jane Quillfeather Ln, Moore, OK', window_start: '2026-01-01', window_end: '2026-05-01' }
    const { report } = await requestReport(world.app, caller, input, null)
    const geocode = answering(async (query) => {
      if (/quillfeather/i.test(query)) await (await beginErasing()).erased
      return [located(query, 35.34), located(query, 35.44)]
    })
    await generateReport({ ...world.app, geocode }, report.id)
    expect(await world.app.db.report.findUnique({ where: { id: report.id } })).toMatchObject({
      failure_reason: 'address_ambiguous',
      failure_message: expect.stringMatching(/1 \[erased\] Ln/i),
    })
    expect([await leftIn('reports'), await leftIn('events'), await leftIn('credit_transactions')]).toEqual([[], [], []])
  })

  it("a geocoder's answer to a request sent before", async () => {
    await keptContact()
    const geocode = answering(async (query) => {
      await (await beginErasing()).erased
      return [located(query, 35.34)]
    })
    await locate({ ...world.app, geocode }, '1 Jane Quillfeather Ln, Moore, OK 73160')
    expect(await leftIn('geocode_answers')).toEqual([])
  })

  it("a geocoder's answer that arrives before the erasure commits", async () => {
    await keptContact()
    const address = '1 Jane Quillfeather Ln, Moore, OK 73160'
    await requestReport(world.app, caller, { address, window_start: '2026-01-01', window_end: '2026-05-01' }, null)
    const geocode = answering(async (query) => [located(query, 35.34)])
    const writer = await world.owner.connect()
    await writer.query('BEGIN')
    await writer.query('SELECT FROM reports FOR UPDATE')
    const { erased } = await beginErasing()
    await locate({ ...world.app, geocode }, address)
    expect(await leftIn('geocode_answers')).toHaveLength(1)
    await writer.query('COMMIT')
    writer.release()
    await erased
    expect(await leftIn('geocode_answers')).toEqual([])
  })

  it("a geocoder's answer that arrives while earlier answers are deleted", async () => {
    const geocode = answering(async (query) => [located(query, 35.34)])
    await world.app.db.$transaction(async (tx) => {
      await forgetAnswers(tx, { phrases: ['Quillfeather'], digits: [] })
      await locate({ ...world.app, geocode }, '1 Jane Quillfeather Ln, Moore, OK 73160')
    })
    expect(await leftIn('geocode_answers')).toEqual([])
    await locate({ ...world.app, geocode }, ADDRESS)
    expect(await world.owner.query('SELECT query_key FROM geocode_answers')).toMatchObject({ rowCount: 1 })
  })

  const register = (url: string) =>
    registerDestination(world.app, caller, { name: 'Receiver', channel: 'webhook', url, events: ['exposure.detected'] })

  /** Leases a post about an exposure and builds it around an erasure that waits for the property. @param before runs while it waits */
  async function postMeanwhile(seen: number, before = async (): Promise<unknown> => undefined) {
    const writer = await world.owner.connect()
    await writer.query('BEGIN')
    await writer.query('SELECT FROM properties WHERE id = $1 FOR UPDATE', [home])
    const { erased } = await beginErasing()
    await before()
    await world.app.db.$transaction((tx) =>
      emitExposureEvents(tx, world.app, team.id, [{ id: seen, event: detected, warning_key: null }], world.clock.now()),
    )
    const { id } = await world.app.db.delivery.findFirstOrThrow()
    const leased = await lease(world.app, id)
    await writer.query('COMMIT')
    writer.release()
    await erased
    if (leased) await buildBody(world.app, leased)
  }

  it('a post leased for a destination that had nothing waiting', async () => {
    const receiver = await openReceiver()
    await register(receiver.url)
    const seen = await anExposure(world, team, { property_id: home, headline: `Hail at ${LABEL}` })
    await postMeanwhile(seen)
    expect(await leftIn('deliveries')).toEqual([])
    await receiver.close()
  })

  it('a post leased for a destination that was registered in the meantime', async () => {
    const receiver = await openReceiver()
    const seen = await anExposure(world, team, { property_id: home, headline: `Hail at ${LABEL}` })
    await postMeanwhile(seen, () => register(receiver.url))
    expect(await leftIn('deliveries')).toEqual([])
    await world.drain()
    expect(receiver.posts.map(({ body }) => JSON.parse(body).event)).toEqual(['exposure.detected'])
    await receiver.close()
  })

  it("a test of a destination whose name has the person's address", async () => {
    const receiver = await openReceiver(async (response) => {
      await erasePersonalData(world.app, caller, EMAIL)
      response.writeHead(204).end()
    })
    const destination = { name: `Posts to ${EMAIL}`, channel: 'webhook', url: receiver.url, events: ['exposure.detected'] }
    const { integration } = await registerDestination(world.app, caller, destination)
    await testDestination(world.app, caller, integration.id)
    expect(await world.app.db.delivery.findMany({ select: { subject: true } })).toEqual([{ subject: 'Test of Posts to [erased]' }])
    expect(await leftIn('deliveries')).toEqual([])
    await receiver.close()
  })
})

/** Adds the person as a contact with a name, by which they are found. */
async function keptContact(): Promise<void> {
  await addContact(world.app, caller, home, { name: 'Jane Quillfeather', email: EMAIL })
}

const answering = (find: (query: string) => Promise<AddressMatch[]>): Geocode => ({ provider: 'census', streets_only: true, find })
const located = (query: string, latitude: number): AddressMatch => ({
  ...{ street: query.split(',')[0] ?? '', city: 'Moore', state: 'OK', postal_code: '73160', county_fips: '40027' },
  ...{ latitude, longitude: -97.49, precision: 'point', in_us: true },
})

/** The pool with an action after a statement has its result, before its caller continues. */
function meanwhile(name: string, act: () => Promise<void>): App['pool'] {
  let done = false
  const query = async (statement: { name?: string }) => {
    const answer = await world.app.pool.query(statement as never)
    if (statement.name === name && !done) {
      done = true
      await act()
    }
    return answer
  }
  return Object.assign(Object.create(world.app.pool), { query })
}
