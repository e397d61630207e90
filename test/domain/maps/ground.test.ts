import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { expect, it } from 'vitest'
import { groundTile } from '#domain/maps/ground.ts'
import { tilesMeeting } from '#domain/maps/mercator.ts'

/** Returns the names of one kind in a tile. */
async function namesIn(tile: { z: number; x: number; y: number }, kind: string): Promise<string[]> {
  const packed = await groundTile(tile)
  const names = packed && new VectorTile(new PbfReader(gunzipSync(packed))).layers.names
  if (!names) return []
  const found = Array.from({ length: names.length }, (_, index) => names.feature(index).properties)
  return found.filter((one) => one.kind === kind).map(({ name }) => String(name))
}

const COUNTRY = { west: -125, south: 24, east: -66, north: 50 }

it('shows the largest towns at low zoom and every town at high zoom', async () => {
  const far = (await Promise.all(tilesMeeting(COUNTRY, 3).map((tile) => namesIn(tile, 'town')))).flat()
  expect(far).toEqual(expect.arrayContaining(['New York City', 'Houston', 'Chicago', 'Los Angeles']))
  expect(far).not.toContain('Frisco')
  expect(far.length).toBeLessThan(60)
  const near = (
    await Promise.all(tilesMeeting({ west: -97, south: 33, east: -96.6, north: 33.3 }, 8).map((tile) => namesIn(tile, 'town')))
  ).flat()
  expect(near).toEqual(expect.arrayContaining(['Frisco', 'Plano', 'The Colony']))
})

it('names each state once, inside it', async () => {
  const states = (await Promise.all(tilesMeeting(COUNTRY, 4).map((tile) => namesIn(tile, 'state')))).flat()
  expect(new Set(states).size).toBeGreaterThanOrEqual(49)
  expect(states).toEqual(expect.arrayContaining(['Texas', 'Florida', 'Michigan']))
})

it('covers the whole country at low zoom in less than a quarter of a megabyte', async () => {
  for (const zoom of [3, 4, 5]) {
    const tiles = await Promise.all(tilesMeeting(COUNTRY, zoom).map((tile) => groundTile(tile)))
    expect(tiles.reduce((sum, tile) => sum + (tile?.length ?? 0), 0)).toBeLessThan(250_000)
  }
})

it('has no tile outside the covered land', async () => {
  expect(await groundTile({ z: 6, x: 32, y: 32 })).toBeNull()
})
