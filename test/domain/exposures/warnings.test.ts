import { Readable } from 'node:stream'
import pg from 'pg'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { detect } from '#domain/exposures/detect.ts'
import { detectWarnings, WARNED } from '#domain/exposures/warnings.ts'
import { cellsWithin } from '#domain/geo/cells.ts'
import { type Posted, payloadOf } from '#domain/integrations/payload.ts'
import { reissueDurable } from '#domain/kernel/durable-jobs.ts'
import { syncWatch } from '#domain/properties/sync-watch.ts'
import { requestReport } from '#domain/reports/request.ts'
import type { Team } from '#generated/prisma/client.ts'
import { severeWarning } from '#test/support/severe-warning.ts'
import { drain } from '../../support/drain.ts'
import { aCaller, aTeam } from '../../support/factories.ts'
import { openWorld, type World } from '../../support/world.ts'
import { importText } from '../archive/files.ts'
import { afterRead, aProperty, aTerritory, box, events, exposures } from './storm.ts'

let world: World
let team: Team
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
  world.clock.set('2025-05-28T23:20:00Z')
  team = await aTeam(world)
})

const ring = box(33.1, -96.9, 33.2, -96.8)

/** A severe thunderstorm warning as the feed sends it. */
function alert(vtec: string, sent: string, properties: object = {}, geometry: object | null = { type: 'Polygon', coordinates: [ring] }) {
  return {
    type: 'Feature',
    geometry,
    properties: {
      id: `urn:oid:2.49.0.1.840.0.${sent}`,
      areaDesc: 'Collin, TX',
      geocode: { SAME: ['048085'], UGC: ['TXC085'] },
      sent,
      effective: sent,
      onset: sent,
      expires: '2025-05-28T23:45:00+00:00',
      ends: '2025-05-28T23:45:00+00:00',
      ...severeWarning,
      senderName: 'NWS Fort Worth TX',
      headline: 'Severe Thunderstorm Warning issued May 28 at 6:10PM CDT',
      description: 'At 610 PM CDT a severe thunderstorm was over Frisco.',
      instruction: 'Move to an interior room.',
      parameters: {
        VTEC: [vtec],
        maxHailSize: ['1.75'],
        maxWindGust: ['70 MPH'],
        hailThreat: ['RADAR INDICATED'],
        windThreat: ['OBSERVED'],
      },
      ...properties,
    },
  }
}

async function alerts(features: object[], options = {}): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }))
  await ingest(world.app, 'warnings', Readable.from([bytes]), { file_name: 'alerts.geojson', ...options })
  await world.drain()
}

/** More than two batches of exposures. */
const PLACES = 450
/** Characters: enough that most of what is written is this text. */
const INSTRUCTION = 5000

const NEW = '/O.NEW.KFWD.SV.W.0142.250528T2310Z-250528T2345Z/'
const CAN = '/O.CAN.KFWD.SV.W.0142.000000T0000Z-250528T2345Z/'

describe('a warning', () => {
  it('in force when its place becomes watched is added to the place silently', async () => {
    await alerts([alert(NEW, '2025-05-28T23:10:00+00:00')])
    await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
    await aTerritory(world, team, box(33.12, -96.88, 33.13, -96.87))
    await world.drain()
    expect(await exposures(world)).toMatchObject([
      { kind: 'warning', notified_at: null },
      { kind: 'warning', notified_at: null },
    ])
    expect(await events(world)).toEqual([])
  })

  it('is announced to the other teams if it cannot be recorded for one, and its run counts them', async () => {
    const other = await aTeam(world)
    for (const one of [team, other]) await aProperty(world, one, { latitude: 33.15, longitude: -96.85 })
    await world.drain()
    // There is no later moment for the exposures of this team.
    await world.owner.query("UPDATE teams SET exposure_clock = '294276-12-31 23:59:59.999999+00' WHERE id = $1", [team.id])
    const { id } = await world.app.db.monitoringRun.create({ data: { lane: 'warnings', started_at: world.clock.now() } })
    const detected = alerts([alert(NEW, '2025-05-28T23:10:00+00:00')], { monitoring_run_id: id })
    await expect(detected).rejects.toThrow('the warnings over a team could not be recorded (1 team)')
    expect(await exposures(world)).toMatchObject([{ team_id: other.id, notified_at: world.clock.now() }])
    expect(await world.app.db.monitoringRun.findUniqueOrThrow({ where: { id } })).toMatchObject({ written: 1, notified: 1 })
  })

  it('is announced, once, by a detection that read the place just before its watch changed', async () => {
    const property = await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
    await world.drain()
    const app = afterRead(world.app, 'watched.properties', () =>
      world.app.db.$transaction(async (tx) =>
        syncWatch(tx, await tx.property.update({ where: { id: property.id }, data: { watch_radius_miles: 2 } })),
      ),
    )
    const bytes = Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: [alert(NEW, '2025-05-28T23:10:00+00:00')] }))
    await ingest(world.app, 'warnings', Readable.from([bytes]), { file_name: 'alerts.geojson' })
    await drain(app)
    expect(await events(world)).toEqual(['warning.issued'])
    expect(await exposures(world)).toMatchObject([{ notified_at: world.clock.now() }])
  })

  it('moves to the day before, and with it the last activity and the report, if its first message arrives last', async () => {
    const { id } = await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
    const lastActivity = async () => (await world.app.db.property.findUniqueOrThrow({ where: { id } })).last_activity_on
    const times = { onset: '2025-05-29T04:55:00+00:00', expires: '2025-05-29T05:30:00+00:00', ends: '2025-05-29T05:30:00+00:00' }
    const track = 'KFWD.SV.W.0143'
    world.clock.set('2025-05-29T05:10:00Z')
    const month = { address: 'Frisco, TX', window_start: '2025-05-01', window_end: '2025-05-28', property_id: id }
    const { report } = await requestReport(world.app, await aCaller(world, team), month, null)
    await world.drain()
    await alerts([alert(`/O.CON.${track}.000000T0000Z-250529T0530Z/`, '2025-05-29T05:05:00+00:00', times)])
    expect(await exposures(world)).toMatchObject([{ date: new Date('2025-05-29'), report_id: null }])
    expect(await lastActivity()).toEqual(new Date('2025-05-29'))
    await alerts([alert(`/O.NEW.${track}.250529T0455Z-250529T0530Z/`, '2025-05-29T04:55:00+00:00', times)])
    expect(await exposures(world)).toMatchObject([{ date: new Date('2025-05-28'), report_id: report.id }])
    expect(await lastActivity()).toEqual(new Date('2025-05-28'))
  })

  it('creates an exposure for every place under it, and one event', async () => {
    await aProperty(world, team, { label: 'In', latitude: 33.15, longitude: -96.85, watch_radius_miles: 1 })
    await aProperty(world, team, { label: 'Out', latitude: 33.2 + 1 / 69.09, longitude: -96.85, watch_radius_miles: 10 })
    await aTerritory(world, team, box(33.19, -96.81, 33.3, -96.7), 'Corner')
    await aTerritory(world, team, box(33.12, -96.88, 33.13, -96.87), 'Within')
    await aTerritory(world, team, box(33.21, -96.9, 33.3, -96.8), 'Apart')
    await alerts([alert(NEW, '2025-05-28T23:10:00+00:00')])
    await alerts([alert(NEW, '2025-05-28T23:10:00+00:00')])
    const found = await exposures(world)
    expect(found.map(({ headline }) => headline).sort()).toEqual([
      'Severe Thunderstorm Warning over Corner on 2025-05-28',
      'Severe Thunderstorm Warning over In on 2025-05-28',
      'Severe Thunderstorm Warning over Within on 2025-05-28',
    ])
    expect(found[0]).toMatchObject({
      kind: 'warning',
      reports: 0,
      sources: 1,
      hail: 0,
      largest_measured_in: null,
      record_ids: [],
      evidence: [],
    })
    const emitted = await world.app.db.event.findMany()
    expect(emitted).toMatchObject([{ name: 'warning.issued', exposure_ids: found.map(({ id }) => id) }])
    const [exposure] = (emitted[0]?.content as unknown as { data: { warning: object }[] } | undefined)?.data ?? []
    expect(exposure?.warning).toEqual({
      object: 'warning',
      identifier: 'urn:oid:2.49.0.1.840.0.2025-05-28T23:10:00+00:00',
      event: 'Severe Thunderstorm Warning',
      headline: 'Severe Thunderstorm Warning issued May 28 at 6:10PM CDT',
      status: 'actual',
      message_type: 'alert',
      severity: 'severe',
      certainty: 'observed',
      urgency: 'immediate',
      issued_at: '2025-05-28T23:10:00Z',
      onset_at: '2025-05-28T23:10:00Z',
      expires_at: '2025-05-28T23:45:00Z',
      ends_at: '2025-05-28T23:45:00Z',
      in_force: true,
      cancelled_at: null,
      office: { id: 'KFWD', name: expect.stringContaining('Fort Worth') },
      vtec: NEW,
      phenomenon: 'SV',
      significance: 'W',
      tracking_number: 142,
      threats: {
        max_hail_in: 1.75,
        hail_basis: 'radar_indicated',
        max_gust_mph: 70,
        wind_basis: 'observed',
        tornado: null,
        flash_flood: null,
        damage: null,
      },
      area: 'Collin, TX',
      instruction: 'Move to an interior room.',
      geometry: { type: 'Polygon', coordinates: [ring] },
      geometry_basis: 'storm',
      citation_url: expect.stringContaining('KFWD-SV-W-0142'),
      periods: [{ from: '2025-05-28T23:10:00Z', until: '2025-05-28T23:45:00Z' }],
    })
  })

  it('over hundreds of places is one event that names them all and carries the first fifty in full', async () => {
    await manyProperties(PLACES)
    await aTerritory(world, team, box(33.12, -96.88, 33.13, -96.87), 'Within')
    const sent = vi.spyOn(pg.Client.prototype, 'query')
    await alerts([alert(NEW, '2025-05-28T23:10:00+00:00', { instruction: 'x'.repeat(INSTRUCTION) })])
    const longest = Math.max(...sent.mock.calls.map((call) => JSON.stringify(call).length))
    sent.mockRestore()
    // 200 exposures per statement, each with the warning and about 2 kB more.
    expect(longest).toBeLessThan(200 * (INSTRUCTION + 2500))
    const found = await exposures(world)
    expect(found).toHaveLength(PLACES + 1)
    expect(new Set(found.map(({ last_seen_at }) => last_seen_at.getTime())).size).toBe(1)
    const [emitted, ...others] = await world.app.db.event.findMany()
    expect(others).toEqual([])
    expect(emitted?.exposure_ids).toEqual(found.map(({ id }) => id))
    expect(emitted?.subject).toBe(`${found[0]?.headline} and ${PLACES} more`)
    const content = emitted?.content as unknown as Posted<'warning.issued'>['content']
    expect(content.data.map((one) => (one as { id: number }).id)).toEqual(found.slice(0, 50).map(({ id }) => id))
    expect(content.data).toEqual(
      Array(50).fill(expect.objectContaining({ object: 'exposure', warning: expect.objectContaining({ vtec: NEW }) })),
    )

    const { lede, rows, facts, exposure_ids, data } = payloadOf(
      { ...(emitted as NonNullable<typeof emitted>), delivery_id: 'x', event: 'warning.issued', team_name: team.name, content },
      'http://x',
    )
    const first = found[0]?.headline.match(/over (\S+) on/)?.[1]
    expect(lede).toBe(`Severe Thunderstorm Warning over ${first} and ${PLACES} more places until 2025-05-28 23:45 UTC.`)
    expect(facts).toContainEqual({ label: 'Places', value: String(PLACES + 1) })
    expect([rows[0], rows.length, rows.at(-1)]).toEqual([first, 21, `And ${PLACES + 1 - 20} more.`])
    expect([exposure_ids.length, data.length]).toEqual([PLACES + 1, 50])
  })

  it('ends in its exposure when it is cancelled', async () => {
    await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
    await alerts([alert(NEW, '2025-05-28T23:10:00+00:00')])
    await alerts([alert(CAN, '2025-05-28T23:18:00+00:00', { messageType: 'Cancel' })])
    expect(await exposures(world)).toMatchObject([{ warning: { cancelled_at: '2025-05-28T23:18:00Z' }, withdrawn: false }])
    expect(await events(world)).toEqual(['warning.issued'])
  })

  it('stays for a place that moved away from it, and still ends there when it is cancelled', async () => {
    const property = await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
    await alerts([alert(NEW, '2025-05-28T23:10:00+00:00')])
    const moved = { ...property, latitude: 35, longitude: -90 }
    await world.app.db.$transaction(async (tx) => {
      await tx.property.update({ where: { id: property.id }, data: { latitude: 35, longitude: -90 } })
      await syncWatch(tx, moved)
    })
    await world.drain()
    const before = { periods: [{ from: '2025-05-28T23:10:00Z', until: '2025-05-28T23:45:00Z' }], cancelled_at: null }
    expect(await exposures(world)).toMatchObject([{ historic: true, withdrawn: false, warning: before }])
    await alerts([alert(CAN, '2025-05-28T23:18:00+00:00', { messageType: 'Cancel' })])
    const after = { periods: [{ from: '2025-05-28T23:10:00Z', until: '2025-05-28T23:18:00Z' }], cancelled_at: '2025-05-28T23:18:00Z' }
    expect(await exposures(world)).toMatchObject([{ historic: true, withdrawn: false, warning: after }])
  })

  it('is withdrawn if a correction of the same moment leaves the place out', async () => {
    await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
    const product = (mark: string) => ({ VTEC: [NEW], AWIPSidentifier: ['SVRFWD'], WMOidentifier: [`WUUS54 KFWD 282310${mark}`] })
    await alerts([alert(NEW, '2025-05-28T23:10:00+00:00', { parameters: product('') })])
    const otherArea = { type: 'Polygon', coordinates: [box(33.3, -96.9, 33.4, -96.8)] }
    await alerts([alert(NEW, '2025-05-28T23:10:00+00:00', { id: 'urn:corrected', parameters: product(' CCA') }, otherArea)])
    expect(await exposures(world)).toMatchObject([
      {
        headline: 'The archive no longer has any Severe Thunderstorm Warning over HQ on 2025-05-28',
        withdrawn: true,
        warning: { periods: [] },
      },
    ])
  })

  it('is withdrawn silently when its source is forgotten, and returns silently when it is imported again', async () => {
    await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
    await aTerritory(world, team, box(33.12, -96.88, 33.13, -96.87), 'Within')
    const issued = alert(NEW, '2025-05-28T23:10:00+00:00')
    await alerts([issued])
    const before = await exposures(world)
    expect(before).toHaveLength(2)
    await deleteSource(world.app, 'warnings')
    await world.drain()
    const gone = { withdrawn: true, sources: 0, warning: { event: 'Severe Thunderstorm Warning', periods: [] } }
    expect(await exposures(world)).toMatchObject(
      before.map(({ id, headline }) => ({ ...gone, id, headline: `The archive no longer has any ${headline}` })),
    )
    await alerts([issued])
    const shown = ({ id, headline, warning }: (typeof before)[number]) => ({ id, headline, warning, withdrawn: false })
    expect(await exposures(world)).toMatchObject(before.map(shown))
    expect(await events(world)).toEqual(['warning.issued'])
  })

  it('covers the counties that it names if it has no polygon', async () => {
    await aProperty(world, team, { label: 'Collin', latitude: 33.15, longitude: -96.6 })
    await aProperty(world, team, { label: 'Dallas', latitude: 32.78, longitude: -96.8 })
    await alerts([alert(NEW, '2025-05-28T23:10:00+00:00', {}, null)])
    expect(await exposures(world)).toMatchObject([
      { headline: 'Severe Thunderstorm Warning over Collin on 2025-05-28', warning: { geometry_basis: 'zone' } },
    ])
  })

  it('covers the counties of its forecast zones once a table of zones is held, even if it came before the table', async () => {
    await aProperty(world, team, { label: 'Collin', latitude: 33.15, longitude: -96.6 })
    await aProperty(world, team, { label: 'Dallas', latitude: 32.78, longitude: -96.8 })
    const winter = '/O.NEW.KFWD.WS.W.0002.250528T2310Z-250528T2345Z/'
    await alerts([alert(winter, '2025-05-28T23:10:00+00:00', { event: 'Winter Storm Warning', geocode: { UGC: ['TXZ104'] } }, null)])
    expect(await exposures(world)).toEqual([])
    const line = 'TX|104|FWD|Collin|TX104|Collin|48085|C|nc|33.2|-96.6\n'
    await importText(world, line, { file_name: 'bp18mr25.dbx' }, 'zones')
    await world.drain()
    expect(await exposures(world)).toMatchObject([{ headline: 'Winter Storm Warning over Collin on 2025-05-28' }])
    expect(await events(world)).toEqual(['warning.issued'])
    await importText(world, line, { file_name: 'bp18mr25.dbx' }, 'zones')
    await world.drain()
    expect(await events(world)).toEqual(['warning.issued'])
  })

  it('is recorded silently on a plan without live warnings, when it is over, and in a backfill', async () => {
    await aProperty(world, await aTeam(world, { plan: 'starter' }), { latitude: 33.15, longitude: -96.85 })
    await alerts([alert(NEW, '2025-05-28T23:10:00+00:00')])
    await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
    await world.drain()
    expect(await exposures(world)).toMatchObject([{ notified_at: null }, { notified_at: null }])
    world.clock.set('2025-05-28T23:50:00Z')
    await alerts([alert('/O.NEW.KFWD.TO.W.0009.250528T2320Z-250528T2345Z/', '2025-05-28T23:20:00+00:00')])
    expect(await exposures(world)).toHaveLength(4)
    expect(await events(world)).toEqual([])
  })

  describe('that begins hours after it was issued', () => {
    const [sent, onset] = ['2025-05-28T18:00:00+00:00', '2025-05-29T06:00:00+00:00']
    const times = { event: 'Winter Storm Warning', onset, expires: '2025-05-29T02:00:00+00:00', ends: '2025-05-30T00:00:00+00:00' }
    const track = 'KFWD.WS.W.0003'
    const issue = () => alerts([alert(`/O.NEW.${track}.250529T0600Z-250530T0000Z/`, sent, times)])
    /** Runs the durable jobs as a sweep does at a moment. */
    const sweepAt = async (moment: string) => {
      world.clock.set(moment)
      await reissueDurable(world.app)
      await world.drain()
    }
    beforeEach(() => world.clock.set('2025-05-28T18:01:00Z'))

    it('is announced once, when it begins, also over a place watched since its issue', async () => {
      await aProperty(world, team, { label: 'First', latitude: 33.15, longitude: -96.85 })
      await issue()
      await aProperty(world, team, { label: 'Second', latitude: 33.15, longitude: -96.85 })
      await sweepAt('2025-05-29T05:59:59Z')
      expect(await exposures(world)).toMatchObject([{ notified_at: null }, { notified_at: null }])
      expect(await events(world)).toEqual([])
      await sweepAt('2025-05-29T06:00:10Z')
      await sweepAt('2025-05-29T06:00:25Z')
      const found = await exposures(world)
      const notified_at = new Date('2025-05-29T06:00:10Z')
      expect(found).toMatchObject([{ notified_at }, { notified_at }])
      expect(await world.app.db.event.findMany()).toMatchObject([{ name: 'warning.issued', exposure_ids: found.map(({ id }) => id) }])
      expect(await world.app.db.durableJob.count()).toBe(0)
    })

    it('waits for its begin with one job, however often its detection is repeated', async () => {
      await issue()
      const detection = { cells: [], from: '2025-05-28', to: '2025-05-30', quiet: false, warnings: ['KFWD.WS.W.0003.2025'] }
      await detect(world.app, detection)
      await detect(world.app, detection)
      await detect(world.app, { ...detection, quiet: true })
      const due_at = new Date(onset)
      expect(await world.app.db.durableJob.findMany()).toMatchObject([{ due_at }])
    })

    it('is not announced if it was cancelled before', async () => {
      await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
      await issue()
      await alerts([alert(`/O.CAN.${track}.250529T0600Z-250530T0000Z/`, '2025-05-28T23:00:00+00:00', { ...times, messageType: 'Cancel' })])
      await sweepAt('2025-05-29T06:00:10Z')
      expect(await events(world)).toEqual([])
    })

    it('states the time of its issue, and belongs to the day of its issue', async () => {
      await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
      await issue()
      expect(await exposures(world)).toMatchObject([
        {
          date: new Date('2025-05-28'),
          headline: 'Winter Storm Warning over HQ on 2025-05-28',
          warning: {
            issued_at: '2025-05-28T18:00:00Z',
            onset_at: '2025-05-29T06:00:00Z',
            periods: [{ from: '2025-05-29T06:00:00Z', until: '2025-05-30T00:00:00Z' }],
          },
        },
      ])
    })
  })

  it('creates no exposure if it is a watch, an advisory or a test', async () => {
    await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
    await alerts([
      alert('/O.NEW.KFWD.SV.A.0142.250528T2310Z-250528T2345Z/', '2025-05-28T23:10:00+00:00'),
      alert('/O.NEW.KFWD.WI.Y.0142.250528T2310Z-250528T2345Z/', '2025-05-28T23:10:00+00:00'),
      alert('/T.NEW.KFWD.SV.W.0143.250528T2310Z-250528T2345Z/', '2025-05-28T23:10:00+00:00'),
      alert('/O.NEW.KFWD.SV.W.0144.250528T2310Z-250528T2345Z/', '2025-05-28T23:10:00+00:00', { status: 'Test' }),
    ])
    expect(await exposures(world)).toEqual([])
  })
})

/** Watched properties inside the ring, named P1 and so on, without a backfill for each. */
async function manyProperties(count: number): Promise<void> {
  const [latitude, longitude, miles] = [33.15, -96.85, 1]
  await world.app.pool.query(
    `WITH made AS (
       INSERT INTO properties (id, team_id, label, query, query_key, located, latitude, longitude, watch_radius_miles)
       SELECT gen_random_uuid(), $1, 'P' || n, 'P' || n, 'p' || n, true, $3, $4, $5 FROM generate_series(1, $2::int) n RETURNING id, team_id)
     INSERT INTO watch_cells (team_id, subject, subject_id, cell, latitude, longitude, radius_miles)
     SELECT team_id, 'property', id, cell, $3, $4, $5 FROM made, unnest($6::int[]) cell`,
    [team.id, count, latitude, longitude, miles, cellsWithin(latitude, longitude, miles)],
  )
}

it('finds earlier exposures through an index, in one session for all warnings of a job', async () => {
  const { pool } = world.app
  const { id } = await aProperty(world, team)
  await pool.query(
    `INSERT INTO exposures (team_id, kind, date, property_id, warning_key, headline, first_seen_at, last_seen_at)
     SELECT $1, 'warning', '2025-05-28', $2, 'KFWD.SV.W.' || n || '.2024', '', now(), now() FROM generate_series(1, 20000) n`,
    [team.id, id],
  )
  await world.owner.query('ANALYZE exposures')
  const keys = ['KFWD.SV.W.7.2024', 'KFWD.SV.W.8.2024', 'KFWD.SV.W.9.2024']
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${WARNED}`, [keys])
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('exposures_warning_key')
  expect(plan).not.toContain('Seq Scan on exposures')

  const sent = vi.spyOn(pg.Client.prototype, 'query')
  await detectWarnings(world.app, keys, true, { written: 0, notified: 0 })
  const cursors = sent.mock.calls.filter(([text]) => String(text).startsWith('DECLARE paged'))
  sent.mockRestore()
  expect(cursors).toHaveLength(1)
})
