import { beforeEach, describe, expect, it } from 'vitest'
import { backfill } from '#domain/exposures/backfill.ts'
import { detect } from '#domain/exposures/detect.ts'
import type { ExposureEventPayload } from '#domain/exposures/exposure-events.ts'
import { announceExposure } from '#domain/integrations/announcements/exposure.ts'
import { reissueDurable } from '#domain/kernel/durable-jobs.ts'
import { POOL_MIN } from '#domain/kernel/settings.ts'
import { syncWatch } from '#domain/properties/sync-watch.ts'
import type { Team } from '#generated/prisma/client.ts'
import { drain } from '../../support/drain.ts'
import { aTeam } from '../../support/factories.ts'
import { lockWaits } from '../../support/lock-waits.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { openWorld, type World } from '../../support/world.ts'
import { aRule, mails } from '../alerts/alerts.ts'
import { details, detailsText, importText } from '../archive/files.ts'
import { afterRead, aProperty, aTerritory, box, events, exposures, frisco, north, storm } from './storm.ts'

let world: World
let team: Team
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
  team = await aTeam(world)
})

describe('a storm day', () => {
  it('lists what was reported near a property, and is announced once', async () => {
    const property = await aProperty(world, team)
    const rows = [
      { EVENT_ID: '1', MAGNITUDE: '1.75', ...north(0.8) },
      { EVENT_ID: '2', MAGNITUDE: '1.00', ...north(2) },
      { EVENT_ID: '3', EVENT_TYPE: 'Thunderstorm Wind', MAGNITUDE: '56.00', MAGNITUDE_TYPE: 'MG', SOURCE: 'Mesonet', ...north(3) },
    ]
    await storm(world, rows)
    await storm(world, rows)
    expect(await exposures(world)).toMatchObject([
      {
        property_id: property.id,
        kind: 'record',
        headline: 'Hail up to 1.75 in reported 0.8 mi N of HQ on 2019-03-24',
        reports: 3,
        sources: 1,
        hail: 2,
        wind: 1,
        tornado: 0,
        other: 0,
        largest_measured_in: 1.75,
        largest_detected_in: null,
        nearest_miles: 0.8,
        observed: true,
        provisional: false,
        evidence: ['ground', 'instrument'],
        notified_at: world.clock.now(),
        posted_band_in: 1.75,
      },
    ])
    expect(await events(world)).toEqual(['exposure.detected'])
    expect(await world.app.db.property.findUnique({ where: { id: property.id } })).toMatchObject({
      last_activity_on: new Date('2019-03-24'),
    })
  })

  it('is announced to the other teams if it cannot be recorded for one, and to that one once it can', async () => {
    const other = await aTeam(world)
    for (const one of [team, other]) await aProperty(world, one)
    await world.drain()
    const setClock = (moment: string) => world.owner.query('UPDATE teams SET exposure_clock = $2 WHERE id = $1', [team.id, moment])
    // There is no later moment for the exposures of this team.
    await setClock('294276-12-31 23:59:59.999999+00')
    const detected = storm(world, [{ EVENT_ID: '1', MAGNITUDE: '1.75' }])
    await expect(detected).rejects.toThrow('the storm days of a team could not be updated (1 team)')
    expect(await exposures(world)).toMatchObject([{ team_id: other.id }])
    expect(await events(world)).toEqual(['exposure.detected'])
    await setClock('2000-01-01 00:00:00+00')
    await world.app.pool.query("UPDATE lasting_jobs SET due_at = now() - interval '1 s'")
    await reissueDurable(world.app)
    await world.drain()
    expect(await exposures(world)).toMatchObject([{ team_id: other.id }, { team_id: team.id }])
    expect(await events(world)).toEqual(['exposure.detected', 'exposure.detected'])
    expect(await world.app.db.durableJob.count()).toBe(0)
  })

  it('counts only qualifying records', async () => {
    await aProperty(world, team)
    const point = { MAGNITUDE: '' }
    await storm(world, [
      { EVENT_ID: '1', MAGNITUDE: '0.50' },
      { EVENT_ID: '2', EVENT_TYPE: 'Thunderstorm Wind', MAGNITUDE: '45.00', MAGNITUDE_TYPE: 'EG' },
      { EVENT_ID: '3', EVENT_TYPE: 'Heavy Rain', ...point },
      { EVENT_ID: '4', EVENT_TYPE: 'Winter Storm', CZ_TYPE: 'Z', ...point, BEGIN_LAT: '', BEGIN_LON: '', END_LAT: '', END_LON: '' },
    ])
    expect(await exposures(world)).toEqual([])
    await storm(world, [
      { EVENT_ID: '5', EVENT_TYPE: 'Funnel Cloud', ...point },
      { EVENT_ID: '6', EVENT_TYPE: 'Lightning', ...point },
      { EVENT_ID: '7', EVENT_TYPE: 'Thunderstorm Wind', ...point },
      { EVENT_ID: '8', EVENT_TYPE: 'Flash Flood', ...point },
      { EVENT_ID: '9', MAGNITUDE: '0.75' },
    ])
    expect(await exposures(world)).toMatchObject([{ reports: 5, hail: 1, wind: 1, tornado: 1, other: 2, largest_measured_in: 0.75 }])
  })

  it('is not created by a record with a doubtful place, time or size, and does not count one beside others', async () => {
    await aProperty(world, team)
    // A point at Frisco in a row of El Paso County; a path of 48 miles with a stated length of 2; hail larger than any on record.
    const suspect = [
      { EVENT_ID: '1', MAGNITUDE: '2.75', CZ_FIPS: '141', CZ_NAME: 'EL PASO', CZ_TIMEZONE: 'MST-7', BEGIN_TIME: '1635' },
      { EVENT_ID: '2', EVENT_TYPE: 'Tornado', MAGNITUDE: '', TOR_F_SCALE: 'EF3', TOR_LENGTH: '2', END_LAT: '33.85' },
      { EVENT_ID: '3', MAGNITUDE: '9.00' },
    ]
    await storm(world, suspect)
    expect(await exposures(world)).toEqual([])
    await storm(world, [...suspect, { EVENT_ID: '4', MAGNITUDE: '1.00', ...north(1) }])
    expect(await exposures(world)).toMatchObject([
      { headline: 'Hail up to 1.00 in reported 1.0 mi N of HQ on 2019-03-24', reports: 1, tornado: 0, largest_measured_in: 1 },
    ])
  })

  it('is created by a flood without corners, at the point where it began', async () => {
    await aProperty(world, team)
    await storm(world, [{ EVENT_ID: '1', EVENT_TYPE: 'Flash Flood', MAGNITUDE: '', ...north(1) }])
    expect(await exposures(world)).toMatchObject([{ headline: 'Flash flood reported 1.0 mi N of HQ on 2019-03-24', other: 1 }])
  })

  it('states if only a doubtful record is left', async () => {
    await aProperty(world, team)
    await storm(world, [{ EVENT_ID: '1', MAGNITUDE: '1.00' }], { file_name: details(2019, '20190601') })
    await storm(world, [{ EVENT_ID: '1', MAGNITUDE: '9.00' }], { file_name: details(2019, '20190701') })
    expect(await exposures(world)).toMatchObject([
      { withdrawn: true, reports: 0, record_ids: [], headline: 'The archive has only a doubtful record near HQ on 2019-03-24' },
    ])
  })

  it('does not state that nothing is left beside a record too weak for a storm day', async () => {
    await aProperty(world, team)
    const headline = 'The archive no longer has any record near HQ on 2019-03-24 that makes a storm day'
    await storm(world, [{ EVENT_ID: '1', MAGNITUDE: '1.00' }], { file_name: details(2019, '20190601') })
    const weak = { EVENT_ID: '1', MAGNITUDE: '0.50' }
    await storm(world, [weak, { EVENT_ID: '2', MAGNITUDE: '9.00' }], { file_name: details(2019, '20190701') })
    expect(await exposures(world)).toMatchObject([{ withdrawn: true, headline }])
  })

  it('reaches exactly as far as the watch', async () => {
    await aProperty(world, team, { label: 'Near', watch_radius_miles: 2 })
    await aProperty(world, team, { label: 'Far', watch_radius_miles: 1.99 })
    await storm(world, [{ ...north(1.995) }])
    expect((await exposures(world)).map(({ headline }) => headline)).toEqual(['Hail up to 2.00 in reported 2.0 mi N of Near on 2019-03-24'])
  })

  it('limits a watch radius to the plan’s maximum', async () => {
    const small = await aTeam(world, { plan: 'starter' })
    await aProperty(world, small, { watch_radius_miles: 5 })
    await storm(world, [{ EVENT_ID: '1', ...north(2.1) }])
    expect(await exposures(world)).toEqual([])
    await storm(world, [{ EVENT_ID: '2', ...north(1.9) }])
    expect(await exposures(world)).toMatchObject([{ reports: 1 }])
  })

  it('covers properties of a lapsed team, but not paused or archived ones', async () => {
    await aProperty(world, await aTeam(world, { lapsed_at: world.clock.now() }), { label: 'Lapsed' })
    await aProperty(world, team, { label: 'Paused', status: 'paused' })
    await aProperty(world, team, { label: 'Archived', status: 'archived' })
    await storm(world, [{}])
    expect((await exposures(world)).map(({ headline }) => headline)).toEqual(['Hail up to 2.00 in reported at Lapsed on 2019-03-24'])
  })

  it('matches a territory by its shape, with points and with paths that cross it', async () => {
    await aTerritory(world, team, box(33.1, -96.9, 33.2, -96.8))
    await storm(world, [
      { EVENT_ID: '1' },
      { EVENT_ID: '2', BEGIN_LAT: '33.2001', END_LAT: '33.2001' },
      {
        EVENT_ID: '3',
        EVENT_TYPE: 'Tornado',
        TOR_F_SCALE: 'EF1',
        MAGNITUDE: '',
        BEGIN_LAT: '33.00',
        BEGIN_LON: '-96.85',
        END_LAT: '33.30',
        END_LON: '-96.85',
      },
      {
        EVENT_ID: '4',
        EVENT_TYPE: 'Tornado',
        TOR_F_SCALE: 'EF1',
        MAGNITUDE: '',
        BEGIN_LAT: '33.00',
        BEGIN_LON: '-96.95',
        END_LAT: '33.30',
        END_LON: '-96.95',
      },
    ])
    expect(await exposures(world)).toMatchObject([
      { reports: 2, hail: 1, tornado: 1, nearest_miles: 0, headline: 'Tornado (EF1) reported in North on 2019-03-24' },
    ])
  })

  it('is one exposure per place and date', async () => {
    await aProperty(world, team)
    await aTerritory(world, team, box(33.1, -96.9, 33.2, -96.8))
    await storm(world, [{ EVENT_ID: '1' }, { EVENT_ID: '2', BEGIN_DAY: '25', END_DAY: '25' }])
    expect((await exposures(world)).map(({ date, property_id }) => [date.toISOString().slice(0, 10), property_id !== null])).toEqual([
      ['2019-03-24', true],
      ['2019-03-24', false],
      ['2019-03-25', true],
      ['2019-03-25', false],
    ])
    expect(await events(world)).toHaveLength(4)
  })
})

describe('a storm day that grows', () => {
  it('is announced again at each higher band and at the first tornado, once each', async () => {
    await aProperty(world, team)
    await storm(world, [{ EVENT_ID: '1', MAGNITUDE: '1.00' }])
    await storm(world, [{ EVENT_ID: '2', MAGNITUDE: '1.25' }])
    expect(await events(world)).toEqual(['exposure.detected'])
    expect(await exposures(world)).toMatchObject([{ escalated_at: null }])
    await storm(world, [{ EVENT_ID: '3', MAGNITUDE: '1.75' }])
    expect(await exposures(world)).toMatchObject([{ escalated_at: world.clock.now() }])
    await storm(world, [{ EVENT_ID: '4', EVENT_TYPE: 'Tornado', TOR_F_SCALE: 'EF0', MAGNITUDE: '' }])
    await storm(world, [{ EVENT_ID: '5', EVENT_TYPE: 'Tornado', TOR_F_SCALE: 'EF1', MAGNITUDE: '' }])
    expect(await events(world)).toEqual(['exposure.detected', 'exposure.escalated', 'exposure.escalated'])
    const rows = await world.app.db.event.findMany({ where: { name: 'exposure.escalated' }, orderBy: { created_at: 'asc' } })
    expect(rows.map(({ content }) => (content as { escalation: unknown }).escalation)).toEqual([
      { from_in: 1.25, to_in: 1.75, tornado: false },
      { from_in: 1.75, to_in: 1.75, tornado: true },
    ])
  })

  it('is announced again after it was acknowledged, and stays acknowledged', async () => {
    await aProperty(world, team)
    await storm(world, [{ EVENT_ID: '1', MAGNITUDE: '1.00' }])
    await world.app.db.exposure.updateMany({ data: { acknowledged_at: world.clock.now() } })
    await storm(world, [{ EVENT_ID: '2', MAGNITUDE: '2.00' }])
    expect(await events(world)).toEqual(['exposure.detected', 'exposure.escalated'])
    expect(await exposures(world)).toMatchObject([{ acknowledged_at: world.clock.now(), largest_measured_in: 2 }])
  })

  it('is not announced again if one correction removes what was announced and another restores it', async () => {
    await aProperty(world, team)
    const hail = (MAGNITUDE: string) => ({ EVENT_ID: '1', MAGNITUDE })
    const tornado = { EVENT_ID: '2', EVENT_TYPE: 'Tornado', TOR_F_SCALE: 'EF0', MAGNITUDE: '' }
    const files = [
      [hail('1.00')],
      [hail('2.00')],
      [hail('1.00')],
      [hail('2.00')],
      // The tornado is announced while the hail is below the announced size.
      [hail('1.00'), tornado],
      [hail('2.00'), tornado],
      // The hail is announced while the tornado is missing.
      [hail('2.75')],
      [hail('2.75'), tornado],
    ]
    const announced: number[] = []
    for (const [nth, rows] of files.entries()) {
      await storm(world, rows, { whole_year: true, file_name: details(2019, `2019060${nth + 1}`) })
      announced.push((await events(world)).length)
    }
    expect(announced).toEqual([1, 2, 2, 2, 3, 3, 4, 4])
    expect(await exposures(world)).toMatchObject([{ posted_band_in: 2.75, posted_tornado: true }])
  })

  it('does not count a quiet import as announced', async () => {
    await aProperty(world, team)
    await storm(world, [{ EVENT_ID: '1', MAGNITUDE: '1.00' }])
    await storm(world, [{ EVENT_ID: '2', MAGNITUDE: '2.00' }], { quiet: true })
    expect(await exposures(world)).toMatchObject([{ largest_measured_in: 2, posted_band_in: 1 }])
    await storm(world, [{ EVENT_ID: '3', MAGNITUDE: '1.00' }])
    expect(await events(world)).toEqual(['exposure.detected', 'exposure.escalated'])
    const { content } = await world.app.db.event.findFirstOrThrow({ where: { name: 'exposure.escalated' } })
    const post = content as unknown as ExposureEventPayload
    expect(post.escalation).toEqual({ from_in: 1, to_in: 2, tornado: false })
    expect(announceExposure(post, { base_url: 'http://x', total: 1 }).lede).toBe('Reported hail grew from 1.00 in to 2.00 in.')
  })

  it('does not grow because its watch was widened', async () => {
    world.clock.set('2019-04-10T12:00:00Z')
    const property = await aProperty(world, team, { watch_radius_miles: 1 })
    await world.drain()
    await storm(world, [
      { EVENT_ID: '1', MAGNITUDE: '1.00' },
      { EVENT_ID: '2', MAGNITUDE: '2.00', ...north(3) },
    ])
    const wider = { watch_radius_miles: 5 }
    await world.app.db.$transaction(async (tx) => syncWatch(tx, await tx.property.update({ where: { id: property.id }, data: wider })))
    await world.drain()
    expect(await exposures(world)).toMatchObject([{ largest_measured_in: 2 }])
    expect(await events(world)).toEqual(['exposure.detected'])
    await storm(world, [{ EVENT_ID: '3', MAGNITUDE: '1.00' }])
    expect(await events(world)).toEqual(['exposure.detected'])
    await storm(world, [{ EVENT_ID: '4', MAGNITUDE: '2.75' }])
    expect(await events(world)).toEqual(['exposure.detected', 'exposure.escalated'])
  })

  it('is recorded silently by a quiet import, and announced when a normal import adds more', async () => {
    await aProperty(world, team)
    await storm(world, [{ EVENT_ID: '1', MAGNITUDE: '1.00' }], { quiet: true })
    expect(await exposures(world)).toMatchObject([{ notified_at: null }])
    await storm(world, [{ EVENT_ID: '1', MAGNITUDE: '1.00' }])
    expect(await events(world)).toEqual([])
    await storm(world, [{ EVENT_ID: '2', MAGNITUDE: '1.25' }])
    expect(await events(world)).toEqual(['exposure.detected'])
  })
})

describe('a record that changes', () => {
  it('moves the storm day with it', async () => {
    await aProperty(world, team)
    await storm(world, [{ MAGNITUDE: '1.00' }], { file_name: details(2019, '20190601') })
    const [before] = await exposures(world)
    await storm(world, [{ MAGNITUDE: '1.25', BEGIN_DAY: '25', END_DAY: '25' }], { file_name: details(2019, '20190701') })
    const after = await exposures(world)
    expect(after).toMatchObject([
      {
        id: before?.id,
        withdrawn: true,
        reports: 0,
        record_ids: [],
        headline: 'The archive no longer has any record near HQ on 2019-03-24 that makes a storm day',
      },
      { withdrawn: false, largest_measured_in: 1.25 },
    ])
  })

  it('withdraws the storm day when its source withdraws it, and restores it', async () => {
    await aProperty(world, team)
    const both = detailsText({ EVENT_ID: '1' }, { EVENT_ID: '2', BEGIN_LAT: '40.0', END_LAT: '40.0', BEGIN_DAY: '1', END_DAY: '1' })
    await importText(world, both, { whole_year: true, file_name: details(2019, '20190601') })
    await world.drain()
    const [found] = await exposures(world)
    await importText(world, detailsText({ EVENT_ID: '2', BEGIN_LAT: '40.0', END_LAT: '40.0', BEGIN_DAY: '1', END_DAY: '1' }), {
      whole_year: true,
      file_name: details(2019, '20190701'),
    })
    await world.drain()
    expect(await exposures(world)).toMatchObject([{ id: found?.id, withdrawn: true, reports: 0 }])
    await importText(world, both, { whole_year: true, file_name: details(2019, '20190801') })
    await world.drain()
    expect(await exposures(world)).toMatchObject([{ id: found?.id, withdrawn: false, reports: 1 }])
    expect(await events(world, 'exposure.detected')).toHaveLength(1)
  })
})

describe('a watch that changes', () => {
  const lately = { BEGIN_YEARMONTH: '201903' }
  beforeEach(() => world.clock.set('2019-04-10T12:00:00Z'))

  it('gets the last 30 days silently', async () => {
    await storm(world, [lately, { EVENT_ID: '2', BEGIN_DAY: '1', END_DAY: '1' }])
    await aProperty(world, team)
    await world.drain()
    expect(await exposures(world)).toMatchObject([{ date: new Date('2019-03-24'), notified_at: null }])
    expect(await events(world)).toEqual([])
  })

  /** Imports hail near the place, whose detection stays in its queue. */
  async function hailNotYetDetected(): Promise<void> {
    await importText(world, detailsText({ ...lately, ...north(0.4) }))
    const { rowCount } = await world.app.pool.query("DELETE FROM outbox WHERE name = 'detection.run'")
    expect(rowCount).toBe(1)
  }

  async function runDelayed(): Promise<void> {
    await world.app.pool.query("UPDATE lasting_jobs SET due_at = now() - interval '1 s'")
    await reissueDurable(world.app)
    await world.drain()
  }

  it('announces, once, what came in before it was widened and was not yet detected', async () => {
    await aRule(world, team)
    const property = await aProperty(world, team, { watch_radius_miles: 1 })
    await world.drain()
    await hailNotYetDetected()
    await world.app.db.$transaction(async (tx) =>
      syncWatch(tx, await tx.property.update({ where: { id: property.id }, data: { watch_radius_miles: 2 } })),
    )
    await world.drain()
    expect(await events(world)).toEqual(['exposure.detected'])
    expect(await exposures(world)).toMatchObject([{ notified_at: world.clock.now() }])
    await runDelayed()
    expect(await events(world)).toEqual(['exposure.detected'])
    expect(await mails(world)).toHaveLength(1)
    expect(await world.app.db.durableJob.count()).toBe(0)
  })

  it('announces, once, what a detection finds that read the place just before it was widened', async () => {
    await aRule(world, team)
    const property = await aProperty(world, team, { watch_radius_miles: 1 })
    await world.drain()
    await hailNotYetDetected()
    const app = afterRead(world.app, 'watched.properties', () =>
      world.app.db.$transaction(async (tx) =>
        syncWatch(tx, await tx.property.update({ where: { id: property.id }, data: { watch_radius_miles: 2 } })),
      ),
    )
    await world.app.pool.query("UPDATE lasting_jobs SET due_at = now() - interval '1 s'")
    await reissueDurable(world.app)
    await drain(app)
    expect(await events(world)).toEqual(['exposure.detected'])
    expect(await exposures(world)).toMatchObject([{ notified_at: world.clock.now() }])
    expect(await mails(world)).toHaveLength(1)
    expect(await world.app.db.durableJob.count()).toBe(0)
  })

  it('announces what comes in while its backfill waits, but not what came in before the place was watched', async () => {
    await hailNotYetDetected()
    await aProperty(world, team)
    await world.drain()
    expect(await exposures(world)).toMatchObject([{ notified_at: null }])
    await runDelayed()
    expect(await events(world)).toEqual([])

    const later = await aProperty(world, team, { label: 'Later' })
    const [job] = await world.app.db.$queryRaw<{ id: bigint }[]>`
      DELETE FROM outbox WHERE name = 'detection.backfill' RETURNING (payload ->> 'lasting_id')::bigint AS id`
    await importText(world, detailsText({ ...lately, EVENT_ID: '2', ...north(0.5) }))
    await world.app.pool.query("DELETE FROM outbox WHERE name = 'detection.run'")
    await backfill(world.app, Number(job?.id), { subject: 'property', subject_id: later.id })
    expect((await exposures(world)).filter(({ property_id }) => property_id === later.id)).toMatchObject([
      { reports: 2, notified_at: world.clock.now() },
    ])
    await runDelayed()
    expect(await events(world)).toHaveLength(2)
  })

  it('keeps exposures that its new place no longer reaches as historic, and waits for other writers of the team before', async () => {
    const property = await aProperty(world, team)
    await storm(world, [lately])
    const before = await exposures(world)
    const moved = { latitude: frisco.latitude + 1, longitude: frisco.longitude }
    await world.app.db.$transaction(async (tx) => syncWatch(tx, await tx.property.update({ where: { id: property.id }, data: moved })))
    const writer = await world.owner.connect()
    await writer.query(`BEGIN; SELECT FROM teams WHERE id = '${team.id}' FOR NO KEY UPDATE`)
    const detecting = world.drain()
    await waitUntil(async () => (await lockWaits(world.owner)) > 0 || (await world.app.db.durableJob.count()) === 0)
    const meanwhile = await exposures(world)
    await writer.query('COMMIT')
    writer.release()
    await detecting
    expect(meanwhile).toEqual(before)
    await storm(world, [{ EVENT_ID: '9', ...north(30) }])
    expect(await exposures(world)).toEqual(before.map((row) => ({ ...row, historic: true })))
  })

  it('also keeps them if the archive changes before the watch is backfilled', async () => {
    const property = await aProperty(world, team)
    await storm(world, [lately])
    const before = await exposures(world)
    const moved = { latitude: frisco.latitude + 0.2, longitude: frisco.longitude }
    await world.app.db.$transaction(async (tx) => syncWatch(tx, await tx.property.update({ where: { id: property.id }, data: moved })))
    // The backfill waits in its queue. Another report of that day, near both places, comes first.
    const [waiting] = await world.app.db.$queryRaw<{ id: bigint }[]>`DELETE FROM outbox WHERE name = 'detection.backfill' RETURNING id`
    expect(waiting).toBeDefined()
    await storm(world, [{ EVENT_ID: '9', EVENT_TYPE: 'Hail', MAGNITUDE: '0.50', ...north(14) }])
    expect(await exposures(world)).toEqual(before.map((row) => ({ ...row, historic: true })))
    await world.app.pool.query("UPDATE lasting_jobs SET due_at = now() - interval '1 s'")
    await reissueDurable(world.app)
    await world.drain()
    expect(await exposures(world)).toEqual(before.map((row) => ({ ...row, historic: true })))
  })

  it('also keeps them if the watch moves during detection', async () => {
    const property = await aProperty(world, team)
    await storm(world, [lately])
    const before = await exposures(world)
    const { cells, ...days } = await importText(world, detailsText({ EVENT_ID: '9', EVENT_TYPE: 'Hail', MAGNITUDE: '0.50', ...north(1) }))
    const moved = { latitude: frisco.latitude + 0.2, longitude: frisco.longitude }
    const move = () =>
      world.app.db.$transaction(async (tx) => syncWatch(tx, await tx.property.update({ where: { id: property.id }, data: moved })))
    const app = { ...world.app, pool: beforeQuery(world.app.pool, 'watched.properties', move) }
    await detect(app, { cells, from: days.from as string, to: days.to as string, quiet: false })
    expect(await exposures(world)).toEqual(before.map((row) => ({ ...row, historic: true })))
  })

  it.each<[string, () => Promise<unknown>]>([
    ['is paused', () => world.app.db.property.updateMany({ data: { status: 'paused' } })],
    [
      'moves',
      async () => {
        const { id } = await world.app.db.property.findFirstOrThrow()
        const moved = { latitude: frisco.latitude + 0.2 }
        await world.app.db.$transaction(async (tx) => syncWatch(tx, await tx.property.update({ where: { id }, data: moved })))
      },
    ],
  ])('announces nothing if it %s while its records are matched', async (_, happens) => {
    await aRule(world, team)
    await aProperty(world, team)
    await world.drain()
    const { cells, ...days } = await importText(world, detailsText({ EVENT_ID: '1', MAGNITUDE: '1.75' }))
    await world.owner.query('TRUNCATE outbox, lasting_jobs')
    const app = { ...world.app, pool: beforeQuery(world.app.pool, 'match.horizons', happens) }
    await detect(app, { cells, from: days.from as string, to: days.to as string, quiet: false })
    await world.drain()
    expect([await exposures(world), await events(world), await mails(world)]).toEqual([[], [], []])
  })

  it('keeps exposures that a smaller plan no longer reaches as historic, and withdraws one only if its record is gone', async () => {
    world.clock.set('2019-08-01T12:00:00Z')
    await aProperty(world, team)
    const far = { EVENT_ID: '1', ...north(4) }
    await storm(world, [far], { file_name: details(2019, '20190601') })
    const before = await exposures(world)
    expect(before).toMatchObject([{ reports: 1 }])
    await world.app.db.team.update({ where: { id: team.id }, data: { plan: 'starter' } })
    await storm(world, [{ ...far, MAGNITUDE: '2.25' }], { file_name: details(2019, '20190701') })
    expect(await exposures(world)).toEqual(before.map((row) => ({ ...row, historic: true })))
    const near = { ...far, ...north(1) }
    await storm(world, [near], { file_name: details(2019, '20190710') })
    expect(await exposures(world)).toMatchObject([{ reports: 1, nearest_miles: 1, historic: false }])
    await storm(world, [{ ...near, MAGNITUDE: '9.00' }], { file_name: details(2019, '20190715') })
    expect(await exposures(world)).toMatchObject([{ withdrawn: true, reports: 0 }])
  })
})

/** A pool that runs something before the first query with a given name. */
function beforeQuery(pool: World['app']['pool'], name: string, happens: () => Promise<unknown>): World['app']['pool'] {
  let left = true
  return new Proxy(pool, {
    get(target, key) {
      const value = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      if (key !== 'query') return value.bind(target)
      return async (...sent: [{ name?: string }]) => {
        if (left && sent[0].name === name) {
          left = false
          await happens()
        }
        return value.apply(target, sent)
      }
    },
  })
}

it('detection and a backfill run side by side with the smallest allowed pool', async () => {
  await world.close()
  world = await openWorld({ config: { database_pool: POOL_MIN } })
  team = await aTeam(world)
  const { id: subject_id } = await aProperty(world, team)
  const { cells, ...days } = await importText(world, detailsText({ EVENT_ID: '1' }))
  const change = { cells, from: days.from as string, to: days.to as string, quiet: true }
  const watch = { subject: 'property', subject_id } as const
  const done = await Promise.all([detect(world.app, change), backfill(world.app, 1, watch)])
  expect(done.reduce((sum, { written }) => sum + written, 0)).toBe(1)
  expect(await exposures(world)).toHaveLength(1)
})
