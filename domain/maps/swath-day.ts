import type { App } from '#domain/app.ts'
import { blocksWithin, CONUS, centreOf } from '#domain/archive/radar/grid.ts'
import type { Bounds } from '#domain/geo/area.ts'
import { date } from '#domain/kernel/fields.ts'
import type { Sent } from '#domain/kernel/form.ts'
import { present } from '#domain/kernel/present.ts'
import { type Faults, gatherFaults } from '#domain/kernel/validation.ts'
import { cellsOfBlock } from '#domain/maps/block-cache.ts'
import { blocksOfDay, citationsOf } from '#domain/maps/day-blocks.ts'
import { checkPlayback, type playbackForm } from '#domain/maps/playback.ts'
import { type Swath, swathsOf } from '#domain/maps/swaths.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

/** A storm day's swaths as GeoJSON. */
export interface SwathCollection {
  type: 'FeatureCollection'
  features: SwathFeature[]
}

interface SwathFeature {
  type: 'Feature'
  geometry: { type: 'MultiPolygon'; coordinates: Swath['polygons'] }
  properties: {
    /** Local day of each place, YYYY-MM-DD. */
    day: string
    from_in: number
    to_in: number | null
    /** An estimate by radar, not a measurement. */
    kind: 'radar_estimated'
    source: RecordSource
    /** Folders of the agency with the grids of the day: a local day west of Greenwich spans two UTC days. */
    citation_urls: string[]
  }
}

/** One swath with its properties. */
export type SwathView = Omit<SwathFeature['properties'], 'day'> & Pick<SwathFeature, 'geometry'>

/**
 * Returns the swaths of a local day, from the cells whose middles are in a box. Uses made-up radar only if there is no real radar.
 * @param input the day, YYYY-MM-DD, and the box: west, south, east, north, separated by commas; null for everywhere
 * @throws Refusal validation_failed for an invalid day or box
 */
export async function swathsOfDay(app: Pick<App, 'pool'>, input: { date: string; bbox: string | null }): Promise<SwathCollection> {
  const { day, box } = check(input)
  return { type: 'FeatureCollection', features: await featuresOf(app, day, box) }
}

/**
 * Returns the swaths for playback of the day, in a box of at most six degrees per side.
 * @throws Refusal validation_failed as playback does
 */
export async function swathsAround(app: Pick<App, 'pool'>, input: Sent<typeof playbackForm>): Promise<SwathView[]> {
  const { date: day, ...box } = checkPlayback(input)
  return (await featuresOf(app, day, withinGrid(box))).map(({ geometry, properties: { day: _, ...properties } }) => ({
    geometry,
    ...properties,
  }))
}

async function featuresOf({ pool }: Pick<App, 'pool'>, day: string, box: Bounds | null): Promise<SwathFeature[]> {
  const bySource = new Map<RecordSource, Uint16Array[]>()
  for (const { block, source, data } of await blocksOfDay(pool, day, box && blocksWithin(box))) {
    const cells = cellsOfBlock(block, data)
    bySource.set(source, [...(bySource.get(source) ?? []), box ? cellsInside(cells, box) : cells])
  }
  return [...bySource].flatMap(([source, parts]) => swathsOf(parts).map((swath) => featureOf(swath, day, source)))
}

function featureOf({ from_in, to_in, polygons }: Swath, day: string, source: RecordSource): SwathFeature {
  return {
    type: 'Feature',
    geometry: { type: 'MultiPolygon', coordinates: polygons },
    properties: { day, from_in, to_in, kind: 'radar_estimated', source, citation_urls: citationsOf(day, source) },
  }
}

function check({ date: day, bbox }: { date: string; bbox: string | null }): { day: string; box: Bounds | null } {
  const faults = gatherFaults()
  const read = date('The date').read(day, 'date', faults)
  const box = bbox === null ? null : readBox(bbox, faults)
  faults.refuse()
  return { day: present(read), box: box && withinGrid(box) }
}

/** Reads the sides of a bbox and says what is wrong with them; null if they are no numbers. */
function readBox(bbox: string, faults: Faults): Bounds | null {
  const sides = bbox.split(',')
  const areNumbers = sides.length === 4 && sides.every((side) => /^-?\d{1,3}(\.\d+)?$/.test(side))
  if (!faults.unless(areNumbers, 'bbox', 'The bbox must be four numbers separated by commas: west, south, east, north in degrees.'))
    return null
  const [west = 0, south = 0, east = 0, north = 0] = sides.map(Number)
  const areOnGlobe = Math.max(Math.abs(west), Math.abs(east)) <= 180 && Math.max(Math.abs(south), Math.abs(north)) <= 90
  if (
    faults.unless(areOnGlobe, 'bbox', 'The west and the east of the bbox must be -180 to 180 degrees, its south and its north -90 to 90.')
  )
    faults.unless(west <= east && south <= north, 'bbox', 'The bbox has its west before its east, and its south before its north.')
  return { south, west, north, east }
}

/** Cuts a box to the grid: blocks are listed for each of its degrees, and there are none outside the grid. */
function withinGrid({ south, west, north, east }: Bounds): Bounds {
  return {
    south: Math.max(south, CONUS.north - CONUS.rows * CONUS.step),
    west: Math.max(west, CONUS.west),
    north: Math.min(north, CONUS.north),
    east: Math.min(east, CONUS.west + CONUS.columns * CONUS.step),
  }
}

/** Returns the cells, three numbers each, whose centres are in a box. */
export function cellsInside(cells: Uint16Array, { south, west, north, east }: Bounds): Uint16Array {
  return cells.filter((_, at) => {
    const first = at - (at % 3)
    const { latitude, longitude } = centreOf({ row: present(cells[first]), column: present(cells[first + 1]) })
    return latitude >= south && latitude <= north && longitude >= west && longitude <= east
  })
}
