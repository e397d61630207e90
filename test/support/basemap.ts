import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromVectorTileJs, GeoJSONWrapper } from '@maplibre/vt-pbf'
import type { Feature, Geometry } from 'geojson'
import { zxyToTileId } from 'pmtiles'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { EXTENT, tilesMeeting } from '#domain/maps/mercator.ts'
import { readCities } from '#domain/places/cities.ts'

/** West, south, east and north of the area that a test basemap covers: around Frisco. */
const BOUNDS = [-98, 32.4, -95.8, 33.9] as const
const ZOOM_MAX = 9
const HEADER_BYTES = 127

/** Ways in which a test's PMTiles file differs from a correct one. */
interface BasemapOptions {
  version?: number
  /** 1 vector tiles, 2 PNG. */
  tile_type?: number
  /** Names of the layers in the metadata. */
  layers?: string[]
  attribution?: string
  /** Whether the tile of zoom 0 and all other tiles are in a leaf directory each. */
  has_leaves?: boolean
  /** Its directory, instead of the one that names its tiles. */
  root?: Buffer
}

/**
 * Makes a small PMTiles archive (version 3) with the layers of Protomaps from the packaged ground data: land,
 * borders and towns, with a made-up lake and road.
 */
export function aBasemap({ version = 3, tile_type = 1, layers, attribution, has_leaves = false, root }: BasemapOptions = {}): Buffer {
  const indices = indicesOf()
  const tiles = zooms().flatMap((z) => {
    const [west, south, east, north] = BOUNDS
    return tilesMeeting({ west, south, east, north }, z).map((tile) => ({
      id: zxyToTileId(tile.z, tile.x, tile.y),
      bytes: tileOf(indices, tile),
    }))
  })
  tiles.sort((one, other) => one.id - other.id)
  const data = Buffer.concat(tiles.map(({ bytes }) => bytes))
  const entries = tiles.map(({ id, bytes }) => ({ id, length: bytes.length }))
  const leaves = has_leaves ? leavesOf(entries) : []
  const ofLeaves = leaves.map(({ id, bytes }) => ({ id, length: bytes.length }))
  const directory = gzipSync(root ?? (has_leaves ? directoryOf(ofLeaves, { run: 0 }) : directoryOf(entries)))
  const names = layers ?? Object.keys(indices)
  const metadata = gzipSync(JSON.stringify({ vector_layers: names.map((id) => ({ id, fields: {} })), ...(attribution && { attribution }) }))
  const leaf = Buffer.concat(leaves.map(({ bytes }) => bytes))
  const header = headerOf({ version, tile_type, directory, metadata, leaf, data, tiles: tiles.length })
  return Buffer.concat([header, directory, metadata, leaf, data])
}

const zooms = () => Array.from({ length: ZOOM_MAX + 1 }, (_, z) => z)

function indicesOf(): Record<string, GeoJSONVT> {
  const topology = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('us-atlas/counties-10m.json'), 'utf8')) as Topology
  const { nation, states } = topology.objects as Record<'nation' | 'states', GeometryCollection>
  const options = { maxZoom: ZOOM_MAX, extent: EXTENT, buffer: 64 }
  const index = (features: Feature[]) => new GeoJSONVT({ type: 'FeatureCollection', features }, options)
  const one = (geometry: Geometry, properties: Feature['properties']): Feature => ({ type: 'Feature', geometry, properties })
  const towns = readCities().filter(({ state }) => state === 'TX')
  const lake = [
    [-97.02, 33.06],
    [-96.94, 33.06],
    [-96.92, 33.2],
    [-97.0, 33.24],
    [-97.05, 33.16],
    [-97.02, 33.06],
  ]
  const road = [
    [-96.82, 32.5],
    [-96.8, 32.9],
    [-96.83, 33.15],
    [-96.8, 33.8],
  ]
  return {
    earth: index(feature(topology, nation).features.map(({ geometry }) => one(geometry, { kind: 'earth' }))),
    water: index([one({ type: 'Polygon', coordinates: [lake] }, { kind: 'lake', name: 'Lewisville Lake' })]),
    roads: index([one({ type: 'LineString', coordinates: road }, { kind: 'highway', min_zoom: 5, name: 'Dallas North Tollway' })]),
    boundaries: index([one(mesh(topology, states), { kind: 'region', kind_detail: 4 })]),
    places: index(
      towns.map(({ name, latitude, longitude }) =>
        one({ type: 'Point', coordinates: [longitude, latitude] }, { kind: 'locality', name, min_zoom: 7, population_rank: 8 }),
      ),
    ),
  }
}

function tileOf(indices: Record<string, GeoJSONVT>, { z, x, y }: { z: number; x: number; y: number }): Buffer {
  const layers = Object.entries(indices).flatMap(([name, index]) => {
    const features = index.getTile(z, x, y)?.features ?? []
    return features.length > 0
      ? [[name, Object.assign(new GeoJSONWrapper(features, { version: 2, extent: EXTENT }), { name })] as const]
      : []
  })
  return gzipSync(fromVectorTileJs({ layers: Object.fromEntries(layers) }))
}

interface Entry {
  id: number
  length: number
}

function leavesOf([first, ...rest]: Entry[]): { id: number; bytes: Buffer }[] {
  if (!first || !rest[0]) throw new Error('a basemap has more than one tile')
  return [
    { id: first.id, bytes: gzipSync(directoryOf([first])) },
    { id: rest[0].id, bytes: gzipSync(directoryOf(rest, { from: first.length })) },
  ]
}

/**
 * A directory as varint columns, as the PMTiles 3 specification defines it.
 * @param run 0 if its entries are leaf directories
 * @param from offset of what its first entry names
 */
function directoryOf(entries: Entry[], { run = 1, from = 0 } = {}): Buffer {
  const ids = entries.map(({ id }, at) => id - (entries[at - 1]?.id ?? 0))
  // An offset is written plus one; an entry that follows the one before directly has 0.
  const offsets = entries.map((_, at) => (at === 0 ? from + 1 : 0))
  const columns = [[entries.length], ids, entries.map(() => run), entries.map(({ length }) => length), offsets]
  return Buffer.from(columns.flat().flatMap(varint))
}

function varint(number: number): number[] {
  return number < 128 ? [number] : [(number % 128) | 128, ...varint(Math.floor(number / 128))]
}

interface Parts {
  version: number
  tile_type: number
  directory: Buffer
  metadata: Buffer
  /** All leaf directories. */
  leaf: Buffer
  data: Buffer
  tiles: number
}

function headerOf({ version, tile_type, directory, metadata, leaf, data, tiles }: Parts): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PMTiles', 0, 'latin1')
  header[7] = version
  const metadataAt = HEADER_BYTES + directory.length
  const leafAt = metadataAt + metadata.length
  const dataAt = leafAt + leaf.length
  const numbers = [
    HEADER_BYTES,
    directory.length,
    metadataAt,
    metadata.length,
    leafAt,
    leaf.length,
    dataAt,
    data.length,
    tiles,
    tiles,
    tiles,
  ]
  for (const [at, number] of numbers.entries()) header.writeBigUInt64LE(BigInt(number), 8 + at * 8)
  // Clustered; directories and tiles are gzipped.
  header.set([1, 2, 2, tile_type, 0, ZOOM_MAX], 96)
  for (const [at, degrees] of BOUNDS.entries()) header.writeInt32LE(Math.round(degrees * 1e7), 102 + at * 4)
  header[118] = ZOOM_MAX
  header.writeInt32LE(Math.round(-96.8241 * 1e7), 119)
  header.writeInt32LE(Math.round(33.1499 * 1e7), 123)
  return header
}
