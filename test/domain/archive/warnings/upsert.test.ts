import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { pointOnFeature, polygon as turfPolygon } from '@turf/turf'
import type { Polygon } from 'geojson'
import { beforeEach, describe, expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { cellOf } from '#domain/geo/cells.ts'
import { alert, readAlerts, type StatedWarning } from '#test/domain/archive/warnings/alerts.ts'
import { aTeam } from '../../../support/factories.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { aProperty, MILE } from '../../exposures/storm.ts'

const real = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data')
const present = existsSync(real)

let world: World
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
  world.clock.set('2026-05-28T23:20:00Z')
})

const read = (...stated: StatedWarning[]) => readAlerts(world, ...stated)
const storedWarnings = async () =>
  (
    await world.app.pool.query(
      'SELECT source_key, headline, issued_at, ends_at, cancelled_at, county_fips, threats, vtec, (SELECT count(*)::int FROM warning_cells c WHERE c.warning_id = w.id) AS cells FROM warnings w ORDER BY source_key',
    )
  ).rows

const issue: StatedWarning = { action: 'NEW', sent: '2026-05-28T23:10:00Z', begins: '260528T2310Z' }
const update: StatedWarning = { action: 'CON', sent: '2026-05-28T23:25:00Z' }
const cancel: StatedWarning = { action: 'CAN', sent: '2026-05-28T23:35:00Z', shape: null }

describe('messages of a warning', () => {
  it('are stored once, newest first, in any order of arrival', async () => {
    const orders = [
      [issue, update, cancel],
      [cancel, update, issue],
      [update, issue, cancel],
      [cancel, issue, update],
    ]
    const ended: unknown[] = []
    for (const order of orders) {
      for (const message of order) await read(message)
      ended.push(await storedWarnings())
      await world.owner.query('TRUNCATE warnings CASCADE')
    }
    for (const [first] of ended as Awaited<ReturnType<typeof storedWarnings>>[])
      expect(first).toMatchObject({
        source_key: 'KFWD.SV.W.0142.2026',
        issued_at: new Date('2026-05-28T23:10:00Z'),
        cancelled_at: new Date('2026-05-28T23:35:00Z'),
      })
    await read(issue)
    await read(update)
    expect(await read(issue, update)).toMatchObject({ inserted: 0, updated: 0, unchanged: 2, rejected: 0 })
    expect(await storedWarnings()).toMatchObject([
      { headline: update.sent, cancelled_at: null, threats: { max_hail_in: 1.75 }, cells: expect.any(Number) },
    ])
  })

  it('sent at one moment: the part that continues takes precedence over the part that ended', async () => {
    await read(issue)
    const part: StatedWarning = { ...update, action: 'CAN', area: 'Tarrant, TX', shape: null }
    await read(update, part)
    expect(await storedWarnings()).toMatchObject([{ cancelled_at: null, vtec: expect.stringContaining('.CON.') }])
    expect(await read(part, update)).toMatchObject({ updated: 0 })
  })

  it("with an open begin belong to last year's warning if that is still stored", async () => {
    const flood = { phenomenon: 'FL.W', ends: '260103T1200Z', number: 9 }
    await read({ ...flood, action: 'NEW', sent: '2025-12-31T20:00:00Z', begins: '251231T2000Z' })
    await read({ ...flood, action: 'EXT', sent: '2026-01-01T08:00:00Z' })
    expect(await storedWarnings()).toMatchObject([{ source_key: 'KFWD.FL.W.0009.2025', headline: '2026-01-01T08:00:00Z' }])
  })

  it('in segments over many counties form one area; without a polygon, the counties define it', async () => {
    const winter = { ...issue, phenomenon: 'WS.W', shape: null }
    await read({ ...winter, area: 'Dallas, TX', codes: ['TXC113'] }, { ...winter, area: 'Collin, TX', codes: ['TXC085'] })
    const { rows } = await world.app.pool.query('SELECT area, county_fips, geometry, geometry_basis FROM warnings')
    expect(rows).toEqual([{ area: 'Collin, TX; Dallas, TX', county_fips: ['48085', '48113'], geometry: null, geometry_basis: 'zone' }])
    const { rows: cells } = await world.app.pool.query<{ cell: number }>('SELECT cell FROM warning_cells')
    const touched = cells.map(({ cell }) => cell)
    expect([touched.includes(cellOf(33.2, -96.6)), touched.includes(cellOf(32.78, -96.8)), touched.includes(cellOf(30.3, -97.7))]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('with hostile content do not stop the import of the others', async () => {
    const odd = alert({ ...issue, number: 7 })
    const { parameters, ...properties } = odd.properties
    const hostile = {
      id: 'urn:'.padEnd(90_000, 'x'),
      areaDesc: 'A\u0000B\ud800C',
      headline: '\u0000',
      geocode: { UGC: ['x'.repeat(10_000), '\u0000'] },
      parameters: { ...parameters, WMOidentifier: ['\u0000'], AWIPSidentifier: [{}] },
    }
    const file = (...features: object[]) => Readable.from([Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }))])
    const aeons = { ...odd, properties: { ...odd.properties, sent: '+275760-01-01T00:00:00Z' } }
    const zoneless = { ...odd, properties: { ...odd.properties, sent: '2026-05-28T23:10:00' } }
    const dayless = { ...odd, properties: { ...odd.properties, ends: '2026-02-30T23:10:00Z' } }
    const shapeless = { ...alert({ ...issue, number: 8 }), geometry: { type: 'Polygon', coordinates: { 0: [] } } }
    const summary = await ingest(
      world.app,
      'warnings',
      file({ ...odd, properties: { ...properties, ...hostile } }, aeons, zoneless, dayless, shapeless, alert(issue)),
      { file_name: 'hostile.geojson' },
    )
    expect(summary).toMatchObject({ inserted: 3, rejected: 4 })
    const { rows } = await world.app.pool.query('SELECT area, length(message_key) AS key FROM warning_messages WHERE identifier LIKE $1', [
      'urn:x%',
    ])
    expect(rows).toEqual([{ area: 'ABC', key: expect.any(Number) }])
    expect(rows[0].key).toBeLessThan(200)
  })

  it('that are watches, advisories, at sea or tests are skipped', async () => {
    await read(
      { ...issue, phenomenon: 'SV.A' },
      { ...issue, phenomenon: 'WI.Y' },
      { ...issue, phenomenon: 'MA.W' },
      { ...issue, status: 'Test' },
    )
    expect(await storedWarnings()).toEqual([])
  })
})

describe.skipIf(!present)(`the agency's collection${present ? '' : ' (skipped: real records not present)'}`, () => {
  it('exposes a place inside every polygon of a thunderstorm or flash flood warning, and no place a mile outside', async () => {
    const now = new Date('2026-07-15T20:00:00Z')
    world.clock.set(now)
    const seconds: Record<string, number> = { second: 1, seconds: 1, minute: 60, minutes: 60 }
    const text = gunzipSync(readFileSync(path.join(real, 'nws-alerts', 'active_20260715_air-quality-alerts.json.gz')))
      .toString()
      .replace(/date:now ([+-]\d+) (seconds?|minutes?)/g, (_, amount, unit) =>
        new Date(now.getTime() + Number(amount) * (seconds[unit] as number) * 1000).toISOString(),
      )
    const { features } = JSON.parse(text) as { features: { geometry: Polygon | null; properties: { parameters: { VTEC?: string[] } } }[] }
    const drawn = features.flatMap(({ geometry, properties }) => {
      const [, office, kind, number] = /\.([A-Z]{4})\.(SV\.W|FF\.W)\.(\d{4})\./.exec(properties.parameters.VTEC?.[0] ?? '') ?? []
      return geometry && kind ? [{ geometry, key: `${office}.${kind}.${number}` }] : []
    })
    expect(drawn.filter(({ key }) => key.includes('SV.W'))).toHaveLength(2)
    const team = await aTeam(world)
    const inside = new Map<string, string>()
    const outside = new Map<string, string>()
    for (const { geometry, key } of drawn) {
      const [longitude, latitude] = pointOnFeature(turfPolygon(geometry.coordinates)).geometry.coordinates as [number, number]
      inside.set((await aProperty(world, team, { latitude, longitude, watch_radius_miles: 0.5 })).id, key)
      const north = (geometry.coordinates[0] as [number, number][]).reduce((most, at) => (at[1] > most[1] ? at : most))
      outside.set((await aProperty(world, team, { latitude: north[1] + MILE, longitude: north[0], watch_radius_miles: 0.5 })).id, key)
    }
    await ingest(world.app, 'warnings', Readable.from([Buffer.from(text)]), { file_name: 'alerts.geojson' })
    await world.drain()
    const { rows } = await world.app.pool.query<{ property_id: string; warning_key: string }>(
      "SELECT property_id, warning_key FROM exposures WHERE kind = 'warning'",
    )
    const exposed = (property: string, key: string) =>
      rows.some(({ property_id, warning_key }) => property_id === property && warning_key.startsWith(key))
    for (const [property, key] of inside) expect([key, exposed(property, key)]).toEqual([key, true])
    for (const [property, key] of outside) expect([key, exposed(property, key)]).toEqual([key, false])
    expect(inside.size).toBeGreaterThan(2)
  })
})

it('deletes warnings and counts them beside records', async () => {
  await read(issue, { ...issue, number: 143 })
  expect(await deleteSource(world.app, 'warnings')).toMatchObject({ records: 0, others: 2 })
  expect(await storedWarnings()).toEqual([])
})
