import { createReadStream, existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { listExposures } from '#domain/exposures/find.ts'
import { cellsWithin } from '#domain/geo/cells.ts'
import { playStormDay } from '#domain/maps/playback.ts'
import { readDocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { findReport } from '#domain/reports/find.ts'
import { requestReport } from '#domain/reports/request.ts'
import type { Team } from '#generated/prisma/client.ts'
import { type Graph, openGraph } from '../../graphql/graph.ts'
import { SECOND } from '../../support/clock.ts'
import { aCaller, aTeam, aToken } from '../../support/factories.ts'
import { openWorld, type World } from '../../support/world.ts'
import { aProperty, aTerritory, box, events } from './storm.ts'

const folder = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'nws-text')
const present = existsSync(folder)

let world: World
let graph: Graph
let team: Team
beforeAll(async () => {
  world = await openWorld()
  graph = await openGraph(world.app)
})
afterAll(async () => {
  await graph.close()
  await world.close()
})
beforeEach(async () => {
  await world.owner.query('TRUNCATE warnings, import_runs CASCADE')
  team = await aTeam(world)
})

async function read(name: string, options = {}) {
  const summary = await ingest(world.app, 'warnings', createReadStream(path.join(folder, name)), { file_name: name, ...options })
  await world.drain()
  return summary
}

/** The ZIP that the report once denied the warning, and Minden, which the tornado crossed. */
const mcClelland = { label: '51548', latitude: 41.2932, longitude: -95.6813 }
const minden = { label: 'Minden', latitude: 41.4666, longitude: -95.5414 }
const council = { label: 'Council Bluffs', latitude: 41.2619, longitude: -95.8608 }

describe.skipIf(!present)(`the Omaha tornado warning of 26 April 2024${present ? '' : ' (skipped: real records not present)'}`, () => {
  it('is in force at a place while the polygon of one of its messages covers it, and is announced once', async () => {
    for (const place of [mcClelland, minden, council]) await aProperty(world, team, place)
    await aTerritory(world, team, box(41.01, -95.8, 41.03, -95.76), 'Glenwood')
    const caller = await aCaller(world, team)
    const inForce = async () => {
      const { data } = await listExposures(world.app, caller, { page: 1, per_page: 10 })
      return data
        .filter(({ warning }) => warning?.in_force)
        .map(({ subject }) => subject.name)
        .sort()
    }
    world.clock.set('2024-04-26T22:05:00Z')
    await read('TOROAX_0.txt')
    expect(await inForce()).toEqual(['51548', 'Glenwood', 'Minden'])
    world.clock.set('2024-04-26T22:20:00Z')
    await read('TOROAX_1.txt')
    expect(await inForce()).toEqual(['51548', 'Minden'])
    world.clock.set('2024-04-26T22:44:00Z')
    await read('TOROAX_2.txt')
    expect(await inForce()).toEqual(['Minden'])
    world.clock.set('2024-04-26T22:59:00Z')
    await read('TOROAX_3.txt')
    expect(await inForce()).toEqual(['Minden'])
    world.clock.set('2024-04-26T23:00:00Z')
    expect(await inForce()).toEqual([])

    const { data } = await listExposures(world.app, caller, { page: 1, per_page: 10 })
    expect(Object.fromEntries(data.map(({ subject, warning }) => [subject.name, warning?.periods]))).toEqual({
      '51548': [{ from: '2024-04-26T21:59:00Z', until: '2024-04-26T22:43:00Z' }],
      Minden: [{ from: '2024-04-26T21:59:00Z', until: '2024-04-26T23:00:00Z' }],
      Glenwood: [{ from: '2024-04-26T21:59:00Z', until: '2024-04-26T22:18:00Z' }],
    })
    // Each exposure shows the newest message over its place: the emergency was for Minden only.
    const damage = Object.fromEntries(data.map(({ subject, warning }) => [subject.name, warning?.threats.damage]))
    expect(damage).toEqual({ '51548': null, Minden: 'catastrophic', Glenwood: null })
    const headlineOf = (name: string) => data.find(({ subject }) => subject.name === name)?.headline
    expect(headlineOf('Minden')).toBe('Tornado Warning (threat tag catastrophic) over Minden on 2024-04-26')
    expect(headlineOf('Glenwood')).toBe('Tornado Warning over Glenwood on 2024-04-26')
    expect(data.find(({ subject }) => subject.name === 'Minden')?.warning).toMatchObject({
      cancelled_at: null,
      vtec: expect.stringContaining('.EXP.'),
    })
    expect(data.find(({ subject }) => subject.name === '51548')?.warning).toMatchObject({
      cancelled_at: null,
      vtec: expect.stringContaining('.CON.'),
    })
    expect(await events(world, 'warning.issued')).toHaveLength(1)
  })

  it('is found by the backfill of a place that is watched later, in one pass and silently', async () => {
    world.clock.set('2024-04-27T12:00:00Z')
    for (const name of ['TOROAX_0.txt', 'TOROAX_1.txt', 'TOROAX_2.txt', 'TOROAX_3.txt']) await read(name)
    const before = await events(world)
    await aProperty(world, team, mcClelland)
    await world.drain()
    const { data } = await listExposures(world.app, await aCaller(world, team), { page: 1, per_page: 10 })
    expect(data).toMatchObject([{ notified_at: null, warning: { in_force: false, periods: [{ until: '2024-04-26T22:43:00Z' }] } }])
    expect(await events(world)).toEqual(before)
  })

  it('shows its messages in GraphQL, each with its own polygon, tags, times and text', async () => {
    world.clock.set('2024-04-26T22:05:00Z')
    await aProperty(world, team, mcClelland)
    for (const name of ['TOROAX_0.txt', 'TOROAX_1.txt', 'TOROAX_2.txt', 'TOROAX_3.txt']) await read(name)
    const { token } = await aToken(world, team)
    const { data, errors } = await graph.ask(
      token,
      '{ exposures { data { warning { periods { from until } } warning_messages { action sent_at from until geometry polygon_fault citation_url threats { max_hail_in damage } } } } }',
    )
    expect(errors).toBeUndefined()
    const [{ warning, warning_messages }] = data.exposures.data
    expect(warning.periods).toEqual([{ from: '2024-04-26T21:59:00Z', until: '2024-04-26T22:43:00Z' }])
    expect(warning_messages.map(({ action, sent_at, from, until }: Record<string, string>) => [action, sent_at, from, until])).toEqual([
      ['NEW', '2024-04-26T21:59:00Z', '2024-04-26T21:59:00Z', '2024-04-26T22:18:00Z'],
      ['CAN', '2024-04-26T22:18:00Z', null, null],
      ['CON', '2024-04-26T22:18:00Z', '2024-04-26T22:18:00Z', '2024-04-26T22:43:00Z'],
      ['COR', '2024-04-26T22:43:00Z', '2024-04-26T22:43:00Z', '2024-04-26T23:00:00Z'],
      ['EXP', '2024-04-26T22:54:00Z', null, null],
    ])
    expect(warning_messages[0]).toMatchObject({
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [-95.78, 41],
            [-95.85, 41.05],
            [-95.68, 41.51],
            [-95.41, 41.5],
            [-95.78, 41],
          ],
        ],
      },
      polygon_fault: null,
      threats: { max_hail_in: 1.5, damage: null },
      citation_url: 'https://mesonet.agron.iastate.edu/p.php?pid=202404262159-KOAX-WFUS53-TOROAX',
    })
    expect(warning_messages[3].threats).toEqual({ max_hail_in: 1.75, damage: 'catastrophic' })
  })

  it('is in the report of the ZIP with the times and messages that covered it', async () => {
    world.clock.set('2024-06-01T00:00:00Z')
    for (const name of ['TOROAX_0.txt', 'TOROAX_1.txt', 'TOROAX_2.txt', 'TOROAX_3.txt']) await read(name)
    world.clock.advance(SECOND)
    const input = {
      address: 'McClelland, IA 51548',
      window_start: '2024-04-26',
      window_end: '2024-04-26',
      layout: { sections: ['warnings'] },
    }
    const { report } = await requestReport(world.app, await aCaller(world, team), input, null)
    await world.drain()
    const facts = await readDocumentFacts(world.app, report.id)
    if (!facts) throw new Error('the report has no document')
    expect(facts.warnings).toMatchObject([
      {
        event: 'Tornado Warning',
        periods: [{ from: new Date('2024-04-26T21:59:00Z'), until: new Date('2024-04-26T22:43:00Z') }],
        messages: [{ sent_at: new Date('2024-04-26T21:59:00Z') }, { sent_at: new Date('2024-04-26T22:18:00Z') }],
      },
    ])
    const text = (await documentPage(facts, [])).html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    expect(text).toContain('Official warnings over the centre of ZIP 51548')
    expect(text).toContain('Tornado Warning , NWS Omaha/Valley Nebraska: 2024-04-26, 4:59 PM CDT to 5:43 PM CDT')
    expect(text).toContain(
      'Message of 2024-04-26, 4:59 PM CDT, in force 2024-04-26, 4:59 PM CDT to 5:18 PM CDT; its tags: tornado observed, hail up to 1.50 in. https://mesonet.agron.iastate.edu/p.php?pid=202404262159-KOAX-WFUS53-TOROAX',
    )
    expect(text).not.toContain('TORNADO EMERGENCY')
  })

  it('is in no document of a report whose archive search was before the warning arrived', async () => {
    world.clock.set('2024-07-01T00:00:00Z')
    await read('SVROUN.txt')
    world.clock.advance(SECOND)
    const search = { latitude: minden.latitude, longitude: minden.longitude, window_start: '2024-04-26', window_end: '2024-04-26' }
    const input = { ...search, date_of_loss: '2024-04-26', layout: { sections: ['warnings'] } }
    const caller = await aCaller(world, team)
    const { report } = await requestReport(world.app, caller, input, null)
    await world.drain()
    world.clock.advance(SECOND)
    await read('TOROAX_0.txt')
    const warningsOf = async (id: string) => (await readDocumentFacts(world.app, id))?.warnings?.length
    expect((await findReport(world.app, caller, report.id)).day_of_loss?.statement).toContain(
      'No official warning over this location is held',
    )
    expect(await warningsOf(report.id)).toBe(0)
    world.clock.advance(SECOND)
    const later = (await requestReport(world.app, caller, input, null)).report
    await world.drain()
    expect(await warningsOf(later.id)).toBe(1)
  })

  it('is played in a box for as long as one of its polygons meets the box', async () => {
    for (const name of ['TOROAX_0.txt', 'TOROAX_1.txt', 'TOROAX_2.txt', 'TOROAX_3.txt']) await read(name)
    const play = async (south: number, north: number) =>
      (await playStormDay(world.app, { date: '2024-04-26', south, north, west: -95.9, east: -95.3 })).context.warnings
    const issued = { label: 'Tornado Warning', issued: '2024-04-26T21:59:00Z' }
    expect(await play(41.4, 41.6)).toEqual([{ ...issued, expires: '2024-04-26T23:00:00Z' }])
    expect(await play(41.0, 41.1)).toEqual([{ ...issued, expires: '2024-04-26T22:18:00Z' }])
    expect(await play(41.52, 41.6)).toEqual([])
  })
})

describe.skipIf(!present)(`an implausible polygon${present ? '' : ' (skipped: real records not present)'}`, () => {
  it('is listed in the rejections of its import, stored without a shape, and matches no place', async () => {
    world.clock.set('2010-04-05T21:50:00Z')
    // Near Louisville, and the centre of a ZIP of Bangor, Maine: both are inside its lines.
    for (const place of [
      { latitude: 38.4, longitude: -85.38 },
      { latitude: 44.8242, longitude: -68.7918 },
    ])
      await aProperty(world, team, place)
    await aTerritory(world, team, box(38, -86, 39, -85), 'Louisville')
    const summary = await read('SVRLMK.txt')
    expect(summary).toMatchObject({ inserted: 1, rejected: 1 })
    expect(summary.rejections).toEqual([
      {
        row: '201004052147-KLMK-WUUS53-SVRLMK/KLMK.SV.W.0012.2010',
        reason: 'The polygon crosses itself: the message is stored without it, and is not shown anywhere.',
      },
    ])
    expect(await world.app.db.exposure.count({ where: { team_id: team.id } })).toBe(0)
    const { rows } = await world.app.pool.query(
      'SELECT w.geometry, w.geometry_basis, m.geometry AS drawn, m.polygon_fault, (SELECT count(*)::int FROM warning_cells) AS cells FROM warnings w JOIN warning_messages m ON m.warning_id = w.id',
    )
    expect(rows).toEqual([{ geometry: null, geometry_basis: 'storm', drawn: null, polygon_fault: 'crosses itself', cells: 0 }])
    expect((await playStormDay(world.app, { date: '2010-04-05', south: 37, north: 40, west: -87, east: -84 })).context.warnings).toEqual([])
    expect(await read('SVRLMK.txt')).toMatchObject({ inserted: 0, updated: 0, unchanged: 1, rejected: 1 })
  })

  it('from the live feed is handled in the same way, and the rest of the alert is stored', async () => {
    world.clock.set('2026-05-28T23:20:00Z')
    await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
    const bowTie = [
      [-96.9, 33.1],
      [-96.8, 33.2],
      [-96.8, 33.1],
      [-96.9, 33.2],
      [-96.9, 33.1],
    ]
    const broken = [
      [-96.9, 33.1],
      [-96.8, 133.2],
      [-96.8, 33.1],
      [-96.9, 33.1],
    ]
    const far = [
      [-86.9, 33.1],
      [-86.8, 33.1],
      [-86.8, 33.2],
      [-86.9, 33.1],
    ]
    const file = JSON.stringify({ features: [alert(1, bowTie), alert(2, broken), alert(3, far)] })
    const { Readable } = await import('node:stream')
    const summary = await ingest(world.app, 'warnings', Readable.from([Buffer.from(file)]), { file_name: 'alerts.geojson' })
    await world.drain()
    expect(summary.rejections).toEqual([
      { row: 'urn:oid:1, KFWD.SV.W.0001.2026', reason: expect.stringContaining('The polygon crosses itself') },
      { row: 'urn:oid:2, KFWD.SV.W.0002.2026', reason: expect.stringContaining('The polygon cannot be read') },
      {
        row: 'urn:oid:3, KFWD.SV.W.0003.2026',
        reason: expect.stringContaining('The polygon lies far from the counties that its message names'),
      },
    ])
    expect(await world.app.db.warning.count()).toBe(3)
    expect(await world.app.db.exposure.count({ where: { team_id: team.id } })).toBe(0)
  })

  it('stored before polygons were checked also matches nothing', async () => {
    const ring = [
      [-85.38, 38.65],
      [-55.24, 18.48],
      [-95.56, 58.43],
      [-85.64, 28.5],
      [-95.49, 38.59],
      [-65.49, 38.59],
      [-85.38, 38.65],
    ]
    await storeLegacyWarning('KLMK.SV.W.0012.2010', { type: 'Polygon', coordinates: [ring] })
    world.clock.set('2010-04-06T00:00:00Z')
    await aProperty(world, team, { latitude: 44.8242, longitude: -68.7918 })
    await world.drain()
    expect(await world.app.db.exposure.count({ where: { team_id: team.id } })).toBe(0)
  })
})

it('a warning stored by a process of the earlier version becomes one message and is matched by it', async () => {
  world.clock.set('2010-04-05T21:50:00Z')
  await storeLegacyWarning('KFWD.SV.W.0012.2010', { type: 'Polygon', coordinates: [box(33.1, -96.9, 33.2, -96.8)] })
  await aProperty(world, team, { latitude: 33.15, longitude: -96.85 })
  await world.drain()
  const { data } = await listExposures(world.app, await aCaller(world, team), { page: 1, per_page: 10 })
  expect(data).toMatchObject([{ warning: { in_force: true, periods: [{ from: '2010-04-05T21:47:00Z', until: '2010-04-05T22:15:00Z' }] } }])
})

describe.skipIf(!present)(`texts from before event codes${present ? '' : ' (skipped: real records not present)'}`, () => {
  it('are rejected by name', async () => {
    const reason = '199606230130-KILN-TTAA00-SVRILN has no event code (VTEC): warnings from before 2005 are not read.'
    const sentence = `No row of this file can be used. Of 1 read, the first is TTAA00 KILN 230130: ${reason}`
    await expect(read('SVR_SVRILN_mnd_timestamp.txt')).rejects.toMatchObject({ details: { errors: { file: [sentence] } } })
    await expect(read('TOROUN.txt')).rejects.toMatchObject({ code: 'validation_failed' })
  })
})

/** Stores a warning as it was before messages existed: one row, and its cells. */
async function storeLegacyWarning(source_key: string, geometry: object): Promise<void> {
  const [office, phenomenon] = source_key.split('.')
  await world.app.pool.query(
    `WITH held AS (
       INSERT INTO warnings (source_key, identifier, event, status, message_type, severity, certainty, urgency, issued_at, expires_at, ends_at, office_id,
         office_name, vtec, phenomenon, significance, tracking_number, threats, geometry, geometry_basis, county_fips, citation_url, sent_at)
       VALUES ($1, 'held', 'Severe Thunderstorm Warning', 'actual', 'alert', 'severe', 'observed', 'immediate', '2010-04-05T21:47Z', '2010-04-05T22:15Z',
         '2010-04-05T22:15Z', $2, $2, '/O.CON.' || $2 || '.SV.W.0012.000000T0000Z-100405T2215Z/', $3, 'W', 12, '{}', $4, 'storm',
         CASE WHEN $2 = 'KLMK' THEN '{21185}'::text[] ELSE '{48085}' END, 'https://example.com', '2010-04-05T21:55Z') RETURNING id)
     INSERT INTO warning_cells (warning_id, cell) SELECT id, unnest($5::int[]) FROM held`,
    [source_key, office, phenomenon, JSON.stringify(geometry), [...cellsWithin(33.15, -96.85, 20), ...cellsWithin(44.8, -68.8, 20)]],
  )
}

function alert(number: number, ring: number[][]) {
  const vtec = `/O.NEW.KFWD.SV.W.000${number}.260528T2310Z-260528T2345Z/`
  const times = { sent: '2026-05-28T23:10:00Z', onset: null, expires: '2026-05-28T23:45:00Z', ends: '2026-05-28T23:45:00Z' }
  const words = { severity: 'Severe', certainty: 'Observed', urgency: 'Immediate', messageType: 'Alert', status: 'Actual' }
  const properties = {
    id: `urn:oid:${number}`,
    event: 'Severe Thunderstorm Warning',
    geocode: { UGC: ['TXC085'] },
    ...times,
    ...words,
    parameters: { VTEC: [vtec] },
  }
  return { type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] }, properties }
}
