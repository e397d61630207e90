import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromVectorTileJs, GeoJSONWrapper } from '@maplibre/vt-pbf'
import type { Feature, GeoJSON, Geometry } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification'
import { areaSqMiles, centreOf } from '#domain/geo/area.ts'
import { polygonsOf } from '#domain/geo/shape.ts'
import type { TileFeature } from '#domain/maps/cut-paths.ts'
import { EDGE, EXTENT, type TileAddress } from '#domain/maps/mercator.ts'
import { readCities } from '#domain/places/cities.ts'
import { zipsNamed } from '#domain/places/zips.ts'

const gzip = promisify(gzipCallback)

/** Highest zoom that is cut into tiles: a unit is 38 m there, finer than the drawn borders. At higher zooms, maps enlarge it. */
export const GROUND_ZOOM_MAX = 8
/** The lowest zoom with county borders. */
const COUNTIES_FROM = 5
const COUNTY_NAMES_FROM = 8

/** Number of ZIP codes with a town's name, and the lowest zoom that shows such a town: the packages have no other measure of a town's size. */
const SHOWN_FROM = [
  { zips: 60, zoom: 3 },
  { zips: 35, zoom: 4 },
  { zips: 15, zoom: 5 },
  { zips: 6, zoom: 6 },
  { zips: 3, zoom: 7 },
  { zips: 2, zoom: 8 },
  { zips: 1, zoom: 9 },
]
const SHOWN_LAST = 11

const options = { maxZoom: GROUND_ZOOM_MAX, indexMaxZoom: 4, tolerance: 4, extent: EXTENT, buffer: EXTENT * EDGE } as const

type Areas = GeometryCollection<{ name: string }>
type Atlas = Topology<Record<'states' | 'counties' | 'nation', Areas>>
type Layer = 'land' | 'counties' | 'states' | 'names'

let ground: Promise<Record<Layer, GeoJSONVT>> | undefined

/**
 * Returns a tile of the packaged ground, gzipped: land, borders of states and counties, and names of states, counties and towns (`kind`, `name`,
 * `from`: the lowest zoom at which it is shown). Null if the tile has none of it. Borders: U.S. Census Bureau, 2017; towns: GeoNames.
 */
export async function groundTile(tile: TileAddress): Promise<Buffer | null> {
  ground ??= openGround().catch((fault) => {
    // The next tile tries again.
    ground = undefined
    throw fault
  })
  const indices = await ground
  const layers = Object.entries(indices).flatMap(([name, index]) => {
    const features = partsOf(index, tile).filter(({ tags }) => isShown(tags, tile.z))
    return features.length > 0
      ? [[name, Object.assign(new GeoJSONWrapper(features, { version: 2, extent: EXTENT }), { name })] as const]
      : []
  })
  return layers.length > 0 ? gzip(fromVectorTileJs({ layers: Object.fromEntries(layers) })) : null
}

const partsOf = (index: GeoJSONVT, { z, x, y }: TileAddress): TileFeature[] => index.getTile(z, x, y)?.features ?? []

/** The last zoom has everything that is shown at higher zooms. */
const isShown = ({ from }: TileFeature['tags'], zoom: number) => typeof from !== 'number' || from <= zoom || zoom === GROUND_ZOOM_MAX

/** Takes some two seconds, once per process, in steps that let other requests run in between. */
async function openGround(): Promise<Record<Layer, GeoJSONVT>> {
  const file = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json')
  const topology: Atlas = JSON.parse(await readFile(file, 'utf8'))
  const { states, counties, nation } = topology.objects
  const index = async (data: GeoJSON) => {
    await setImmediate()
    return new GeoJSONVT(data, options)
  }
  const land = await index(feature(topology, nation))
  const inner = await index(drawn(mesh(topology, counties, bordersInOneState), { from: COUNTIES_FROM }))
  const outer = await index(drawn(mesh(topology, states)))
  const named = [...namesOf(topology, states, 'state', 3), ...namesOf(topology, counties, 'county', COUNTY_NAMES_FROM)]
  await setImmediate()
  const names = await index({ type: 'FeatureCollection', features: [...named, ...towns()] })
  return { land, counties: inner, states: outer, names }
}

/** A county's code begins with its state's. */
const bordersInOneState = ({ id: one }: GeometryObject, { id: other }: GeometryObject) =>
  one !== other && String(one).slice(0, 2) === String(other).slice(0, 2)

const drawn = (geometry: Geometry, properties: Feature['properties'] = {}): Feature => ({ type: 'Feature', geometry, properties })

/** Returns a name in the middle of the largest part of each area. */
function namesOf(topology: Topology, areas: Areas, kind: string, from: number): Feature[] {
  return feature(topology, areas).features.flatMap(({ geometry, properties }) => {
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return []
    const [largest] = polygonsOf(geometry).sort((one, other) => areaSqMiles([other]) - areaSqMiles([one]))
    if (!largest) return []
    const { latitude, longitude } = centreOf([largest])
    return [pointFeature(longitude, latitude, { kind, name: properties.name, from })]
  })
}

function towns(): Feature[] {
  return readCities().map(({ name, state, latitude, longitude }) => {
    const zips = Math.max(zipsNamed(name, state).length, zipsNamed(name.replace(/ City$/, ''), state).length)
    const from = SHOWN_FROM.find((row) => zips >= row.zips)?.zoom ?? SHOWN_LAST
    return pointFeature(longitude, latitude, { kind: 'town', name, from, zips })
  })
}

const pointFeature = (longitude: number, latitude: number, properties: Feature['properties']) =>
  drawn({ type: 'Point', coordinates: [longitude, latitude] }, properties)
