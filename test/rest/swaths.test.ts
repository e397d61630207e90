import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frameOfCells } from '#domain/archive/radar/frame.ts'
import { deleteOldFrames, storeFrame } from '#domain/archive/radar/frames.ts'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
let token: string

const oklahoma = gridCellAt(35.505, -97.505)
const texas = gridCellAt(32.005, -99.005)

beforeAll(async () => {
  world = await openWorld()
  rest = await openRest(world)
  token = (await aToken(world, await aTeam(world))).token
  const cells = [
    { ...oklahoma, size_mm: 26 },
    { ...oklahoma, column: oklahoma.column + 1, size_mm: 52 },
    { ...oklahoma, row: oklahoma.row + 1, size_mm: 12 },
    { ...texas, size_mm: 30 },
  ]
  await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date('2020-05-28T23:00:00Z'), cells))
  await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date('2020-05-28T23:02:00Z'), [{ ...oklahoma, size_mm: 33 }]))
  await storeFrame(world.app, 'sample', frameOfCells(new Date('2020-05-28T23:00:00Z'), [{ ...texas, size_mm: 70 }]))
  await storeFrame(world.app, 'sample', frameOfCells(new Date('2020-05-30T23:00:00Z'), [{ ...texas, size_mm: 70 }]))
  await refreshMaps(world.app)
  await deleteOldFrames(world.app, 30)
  await refreshMaps(world.app)
})
afterAll(() => rest.close())

const ask = (path: string, of: string | null = token) =>
  rest.fastify.inject({ url: `/swaths/${path}`, headers: of === null ? {} : { authorization: `Bearer ${of}` } })

async function swaths(path: string) {
  const answer = await ask(path)
  expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
    200,
    'application/geo+json; charset=utf-8',
    'private, no-cache',
  ])
  return answer.json().features as { geometry: { type: string; coordinates: number[][][][] }; properties: Record<string, unknown> }[]
}

const bandsOf = (features: Awaited<ReturnType<typeof swaths>>) =>
  features.map(({ geometry, properties: { from_in, to_in, source } }) => [source, from_in, to_in, geometry.coordinates.length])

describe('the swaths of a day over HTTP', () => {
  it('exist after the frames are deleted, from the largest values of the day', async () => {
    expect((await world.app.pool.query("SELECT FROM radar_frames WHERE source <> 'sample'")).rowCount).toBe(0)
    const features = await swaths('2020-05-28.geojson')
    expect(bandsOf(features)).toEqual([
      ['noaa_mesh', 1, 1.25, 1],
      ['noaa_mesh', 1.25, 1.5, 1],
      ['noaa_mesh', 2, 2.5, 1],
    ])
    expect(features[0]?.properties).toEqual({
      day: '2020-05-28',
      from_in: 1,
      to_in: 1.25,
      kind: 'radar_estimated',
      source: 'noaa_mesh',
      citation_urls: ['20200528', '20200529'].map((day) => `https://noaa-mrms-pds.s3.amazonaws.com/index.html#CONUS/MESH_00.50/${day}/`),
    })
    expect(features[0]?.geometry.type).toBe('MultiPolygon')
  })

  it('contain the cells whose centres are in the box', async () => {
    expect(bandsOf(await swaths('2020-05-28.geojson?bbox=-98,35,-97,36')).map(([, from_in]) => from_in)).toEqual([1.25, 2])
    expect(bandsOf(await swaths('2020-05-28.geojson?bbox=-97.504,35,-97,36')).map(([, from_in]) => from_in)).toEqual([2])
    expect(await swaths('2020-05-28.geojson?bbox=-180,-90,180,90')).toHaveLength(3)
    for (const box of ['-97,35,-96,36', '10,40,20,50', '-98,10,-97,12']) expect(await swaths(`2020-05-28.geojson?bbox=${box}`)).toEqual([])
  })

  it('are compressed for clients that accept it', async () => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
    const answer = await rest.fastify.inject({ url: '/swaths/2020-05-28.geojson', headers })
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual(['gzip', 'accept-encoding'])
    expect(gunzipSync(answer.rawPayload).toString()).toBe((await ask('2020-05-28.geojson')).body)
  })

  it('come from made-up data only where no real data exist', async () => {
    expect(bandsOf(await swaths('2020-05-30.geojson'))).toEqual([['sample', 2.75, null, 1]])
    expect((await swaths('2020-05-30.geojson'))[0]?.properties.citation_urls).toEqual(['https://sample.invalid/made-up'])
    expect(await swaths('2020-05-29.geojson')).toEqual([])
  })

  it('require a token with the ability to read tiles', async () => {
    expect((await ask('2020-05-28.geojson', null)).statusCode).toBe(401)
    const other = (await aToken(world, await aTeam(world), ['reports:read'])).token
    const answer = await ask('2020-05-28.geojson', other)
    expect([answer.statusCode, answer.json().required_ability]).toEqual([403, 'maps:read'])
  })

  it.each([
    ['2020-02-30.geojson', 422, 'date'],
    ['yesterday.geojson', 422, 'date'],
    ['2020-05-28.geojson?bbox=1,2,3', 422, 'bbox', 'four numbers'],
    ['2020-05-28.geojson?bbox=-97,35,-98,36', 422, 'bbox', 'its west before its east'],
    ['2020-05-28.geojson?bbox=-98,35,-97,95', 422, 'bbox', '-90 to 90'],
    ['2020-05-28.geojson?bbox=-98,35,-97,', 422, 'bbox'],
    ['2020-05-28.geojson?bbox=1,1,2,2&bbox=1,1,2,2', 422, 'bbox'],
    ['2020-05-28.geojson?zoom=3', 422, 'zoom'],
    ['2020-05-28.kml', 404, null],
    ['2020-05-28', 404, null],
  ])('refuse %s with the reason', async (path, status, field, reason = '') => {
    const answer = await ask(path)
    expect(answer.json().message).toContain(reason)
    expect([answer.statusCode, Object.keys(answer.json().errors ?? {})]).toEqual([status, field === null ? [] : [field]])
  })
})
