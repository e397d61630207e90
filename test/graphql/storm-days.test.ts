import { booleanPointInPolygon, multiPolygon, point } from '@turf/turf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FrameCell, frameOfCells } from '#domain/archive/radar/frame.ts'
import { deleteOldFrames, storeFrame } from '#domain/archive/radar/frames.ts'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { swathsOfDay } from '#domain/maps/swath-day.ts'
import type { Team } from '#generated/prisma/client.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aKeptProperty, aKeptTerritory } from '#test/support/exposures.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type Graph, openGraph } from './graph.ts'

/** Years before the clock of the world: the frames of these days have been deleted. */
const DAY = '2020-05-28'
const EARLIER = '2020-05-20'
const NORTH_WEST = gridCellAt(35.995, -97.995)

let world: World
let rest: Rest
let graph: Graph
let team: Team
let token: string

/** A storm of 40 x 40 cells, up to 80 mm in its middle. */
const storm = Array.from({ length: 1600 }, (_, place): FrameCell => {
  const [down, right] = [Math.floor(place / 40), place % 40]
  const size_mm = Math.round(80 - Math.hypot(down - 20, right - 20) * 4 + ((place * 7) % 5)) || 1
  return { row: NORTH_WEST.row + down, column: NORTH_WEST.column + right, size_mm: Math.max(size_mm, 1) }
})
const sizeAt = (latitude: number, longitude: number) => {
  const at = gridCellAt(latitude, longitude)
  return storm.find(({ row, column }) => row === at.row && column === at.column)?.size_mm ?? 0
}
const largest = Math.max(...storm.map(({ size_mm }) => size_mm))
/** Two hundred places in and around the storm, none of them on an edge of the grid; the last one had hail on an earlier day. */
const places = Array.from({ length: 199 }, (_, place) => ({
  latitude: 35.6 + ((place * 0.618034) % 1) * 0.4 + 0.0013,
  longitude: -98 + ((place * 0.7548777) % 1) * 0.4 + 0.0017,
})).concat({ latitude: 35.9041, longitude: -97.8043 })

beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  graph = await openGraph(world.app)
  team = await aTeam(world)
  token = (await aToken(world, team)).token
  await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date(`${DAY}T23:00:00Z`), storm))
  const small = [{ ...gridCellAt(35.905, -97.805), size_mm: 26 }]
  await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date(`${EARLIER}T23:00:00Z`), small))
  await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date('2020-05-10T23:00:00Z'), [{ ...NORTH_WEST, size_mm: 10 }]))
  await refreshMaps(world.app)
  await deleteOldFrames(world.app, 30)
  await refreshMaps(world.app)
  for (const [nth, place] of places.entries()) await aKeptProperty(world, team, { label: `Roof ${nth}`, ...place })
  const middle = { latitude: 35.7951, longitude: -97.7951 }
  await aKeptProperty(world, team, { label: 'Archived', status: 'archived', ...middle })
  await aKeptProperty(world, team, { label: 'Paused', status: 'paused', ...middle })
  await aKeptProperty(world, team, { label: 'Nowhere', located: false, latitude: null, longitude: null, precision: null })
  await aKeptProperty(world, await aTeam(world), { label: 'Theirs', ...middle })
})
afterAll(async () => {
  await graph.close()
  await rest.close()
})

const PLACE = 'subject id name latitude longitude precision size_in size_mm from_in to_in source'
const SUMMARY = 'date largest_in property_count territory_count kind sources citation_urls bands { from_in to_in properties territories }'
const show = (args: string, of = token) => graph.ask(of, `{ stormDay(${args}) { day { ${SUMMARY} } total places { ${PLACE} } } }`)
const list = (args: string, of = token) => graph.ask(of, `{ stormDays${args} { data { ${SUMMARY} } next_to } }`)
const quote = (args: string) => graph.ask(token, `{ reportQuote(${args}) { property_count date_of_loss cost } }`)
const csv = (path: string) => rest.fastify.inject({ url: `/storms/${path}`, headers: { authorization: `Bearer ${token}` } })

interface Place {
  name: string
  latitude: number
  longitude: number
  size_in: number
  size_mm: number
  from_in: number
}

async function everyPlace(): Promise<Place[]> {
  const pages = await Promise.all([1, 2, 3].map((page) => show(`date: "${DAY}", subject: property, per_page: 100, page: ${page}`)))
  return pages.flatMap(({ data }) => data.stormDay.places)
}

describe('a storm day over watched places', () => {
  it('puts each of two hundred places in the band of the polygon around it, by the cell over it, largest first', async () => {
    const inside = await everyPlace()
    const { features } = await swathsOfDay(world.app, { date: DAY, bbox: null })
    const drawn = places.flatMap(({ latitude, longitude }, nth) => {
      const swath = features.find(({ geometry }) => booleanPointInPolygon(point([longitude, latitude]), multiPolygon(geometry.coordinates)))
      return swath ? [[`Roof ${nth}`, swath.properties.from_in, sizeAt(latitude, longitude)]] : []
    })
    expect(drawn.length).toBeGreaterThan(80)
    expect(inside.map(({ name, from_in, size_mm }) => [name, from_in, size_mm]).sort()).toEqual(drawn.sort())
    expect(inside.map(({ size_mm }) => size_mm)).toEqual(inside.map(({ size_mm }) => size_mm).sort((one, other) => other - one))
    for (const { size_in, size_mm } of inside) expect(size_in).toBeCloseTo(size_mm / 25.4, 2)
  })

  it('has its swaths for playback: those of the box, as in the file', async () => {
    const querySwaths = (box: string) =>
      graph.ask(token, `{ swaths(date: "${DAY}", ${box}) { from_in to_in kind source geometry citation_urls } }`)
    const { features } = await swathsOfDay(world.app, { date: DAY, bbox: '-98,35,-97,36' })
    const { data } = await querySwaths('west: -98, south: 35, east: -97, north: 36')
    expect(data.swaths).toEqual(
      features.map(({ geometry, properties: { from_in, to_in, kind, source, citation_urls } }) => ({
        ...{ from_in, to_in, kind, source },
        geometry,
        citation_urls,
      })),
    )
    expect(data.swaths.map(({ from_in }: { from_in: number }) => from_in)).toEqual([0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 2.75])
    expect((await querySwaths('west: -90, south: 35, east: -89, north: 36')).data.swaths).toEqual([])
    const { errors } = await querySwaths('west: -98, south: 36, east: -97, north: 35')
    expect(Object.keys(errors?.[0]?.extensions.errors)).toEqual(['south'])
  })

  it('counts all of its places by band, for any page and size', async () => {
    const inside = await everyPlace()
    const { data } = await show(`date: "${DAY}", at_least_in: 2, per_page: 3`)
    const { day, total, places: page } = data.stormDay
    expect(day).toMatchObject({
      date: DAY,
      property_count: inside.length,
      territory_count: 0,
      largest_in: inside[0]?.size_in,
      kind: 'radar_estimated',
      sources: ['noaa_mesh'],
      citation_urls: ['20200528', '20200529'].map((of) => `https://noaa-mrms-pds.s3.amazonaws.com/index.html#CONUS/MESH_00.50/${of}/`),
    })
    expect(day.bands.map(({ from_in, to_in }: { from_in: number; to_in: number }) => [from_in, to_in])).toEqual([
      [0.75, 1],
      [1, 1.25],
      [1.25, 1.5],
      [1.5, 1.75],
      [1.75, 2],
      [2, 2.5],
      [2.5, 2.75],
      [2.75, null],
    ])
    for (const { from_in, properties } of day.bands) expect(properties).toBe(inside.filter((place) => place.from_in === from_in).length)
    expect(total).toBe(inside.filter(({ size_mm }) => size_mm >= 50.8).length)
    expect(page).toHaveLength(3)
  })

  it('puts a territory in the band of the largest cell that meets it, and ignores cells that are only near', async () => {
    const owner = await aTeam(world)
    const of = (await aToken(world, owner)).token
    const square = (west: number, south: number, east: number, north: number) => ({
      geometry: JSON.stringify({
        type: 'Polygon',
        coordinates: [
          [
            [west, south],
            [east, south],
            [east, north],
            [west, north],
            [west, south],
          ],
        ],
      }),
      west,
      south,
      east,
      north,
    })
    await aKeptTerritory(world, owner, { name: 'Around', ...square(-99, 35, -97, 37) })
    // Smaller than a cell, across the corner of one.
    await aKeptTerritory(world, owner, { name: 'Corner', ...square(-97.8012, 35.7988, -97.8008, 35.7992) })
    await aKeptTerritory(world, owner, { name: 'Beside', ...square(-97.59, 35.5, -97.5, 36) })
    await aKeptTerritory(world, owner, { name: 'Paused', status: 'paused', ...square(-99, 35, -97, 37) })
    const { data } = await show(`date: "${DAY}"`, of)
    const corner = sizeAt(35.799, -97.801)
    expect(data.stormDay.places.map(({ subject, name, size_mm }: Place & { subject: string }) => [subject, name, size_mm])).toEqual([
      ['territory', 'Around', largest],
      ['territory', 'Corner', corner],
    ])
    expect(data.stormDay.day).toMatchObject({ property_count: 0, territory_count: 2 })
    expect((await show(`date: "${DAY}", subject: property`, of)).data.stormDay).toMatchObject({ total: 0, day: { territory_count: 2 } })
  })

  it('is in the list with its counts, newest first, unless the hail was below every band', async () => {
    const { data } = (await list('(from: "2020-01-01", to: "2020-12-31")')).data.stormDays
    const { data: one } = await show(`date: "${DAY}"`)
    expect(data.map(({ date }: { date: string }) => date)).toEqual([DAY, EARLIER])
    expect(data[0]).toEqual(one.stormDay.day)
    const first = (await list('(first: 1, to: "2020-12-31")')).data.stormDays
    expect(first.data.map(({ date }: { date: string }) => date)).toEqual([DAY])
    const next = (await list(`(to: "${first.next_to}")`)).data.stormDays
    expect([...first.data, ...next.data]).toEqual(data)
    expect(next.next_to).toBeNull()
    expect((await list('(from: "2020-05-21", to: "2020-05-27")')).data.stormDays).toEqual({ data: [], next_to: null })
  })

  it('exports a file of the same places in the same order', async () => {
    const answer = await csv(`${DAY}.csv?subject=property`)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    const [head, ...rows] = answer.body.trim().split('\r\n')
    expect(head).toBe(
      'date,subject,subject_id,subject_name,latitude,longitude,subject_precision,kind,size_in,size_mm,from_in,to_in,source,citation_urls',
    )
    const inside = await everyPlace()
    expect(rows.map((row) => row.split(',')[3])).toEqual(inside.map(({ name }) => name))
    expect(rows[0]).toContain(`,radar_estimated,${inside[0]?.size_in},${inside[0]?.size_mm},`)
    expect((await csv(`${DAY}.csv?at_least_in=2`)).body.trim().split('\r\n')).toHaveLength(
      1 + inside.filter(({ size_mm }) => size_mm >= 50.8).length,
    )
  })

  it('orders reports for the properties inside a swath in one call', async () => {
    const inside = await everyPlace()
    const large = inside.filter(({ size_mm }) => size_mm >= 63.5).length
    const args = `storm_day: "${DAY}", swath_at_least_in: 2.5`
    expect((await quote(args)).data.reportQuote).toEqual({ property_count: large, date_of_loss: DAY, cost: large })
    const ordered = await graph.ask(token, `mutation { orderReports(${args}, cost: ${large}) { report_ids } }`)
    expect(ordered.data.orderReports.report_ids).toHaveLength(large)
    const made = await world.app.db.report.findMany({ where: { team_id: team.id }, include: { property: true } })
    expect(made.map(({ property }) => property?.label).sort()).toEqual(
      inside
        .slice(0, large)
        .map(({ name }) => name)
        .sort(),
    )
  })

  it('names each invalid argument', async () => {
    const faults = async (answer: ReturnType<typeof show>) => (await answer).errors?.[0]?.extensions.errors
    expect(await faults(show(`date: "${DAY}", at_least_in: 0.5`))).toEqual({ at_least_in: ['The least size must be 0.75 to 20 inches.'] })
    expect(await faults(list('(from: "2020-06-01", to: "2020-05-01")'))).toHaveProperty('to')
    expect(await faults(list('(first: 101)'))).toHaveProperty('first')
    expect(await faults(quote('tag: "a", swath_at_least_in: 1'))).toEqual({
      swath_at_least_in: ['A swath belongs to a storm day: send storm_day too.'],
    })
    expect(await faults(quote('storm_day: "2020-05-21", swath_at_least_in: 1'))).toEqual({
      storm_day: ['There is no property inside a swath of this size on this day.'],
    })
    const refused = async (path: string) => Object.keys((await csv(path)).json().errors ?? {})
    expect(await refused(`${DAY}.csv?at_least_in=large`)).toEqual(['at_least_in'])
    expect(await refused(`${DAY}.csv?zoom=3`)).toEqual(['zoom'])
    expect(await refused('2020-02-30.csv')).toEqual(['date'])
    expect(await refused(`${DAY}.csv?date=2020-05-22`)).toEqual(['date'])
    expect((await csv(`${DAY}.kml`)).statusCode).toBe(404)
    const other = (await aToken(world, team, ['maps:read'])).token
    expect((await show(`date: "${DAY}"`, other)).errors?.[0]?.extensions.required_ability).toBe('exposures:read')
    const answer = await rest.fastify.inject({ url: `/storms/${DAY}.csv`, headers: { authorization: `Bearer ${other}` } })
    expect([answer.statusCode, answer.json().required_ability]).toEqual([403, 'exposures:read'])
  })
})
