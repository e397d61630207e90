import { present } from '#domain/kernel/present.ts'
import { WORLD_BITS } from '#domain/maps/mercator.ts'
import { layerAt, type MapPath, POINT_WORDS, type PointList, strongerAt, takePoints, word } from '#domain/maps/point-list.ts'
import { byStrength } from '#domain/maps/strength.ts'
import { pointLayers } from '#domain/weather/layers.ts'

/**
 * A tile is 64 spots wide and high: 8 of the 512 pixels that it is drawn with, about the width of a marker. Each spot of a
 * tile consists of whole spots of its four children, so the strongest points of the children's lists are the tile's own.
 */
const SPOT_BITS = 6
const SIDE = 2 ** SPOT_BITS
const SPOTS = SIDE * SIDE
const NONE = -1
/** The most paths of a tile: more could not be distinguished, and these take less than half of a tile's bytes. */
const PATHS_MAX = 4000

/** Returns the strongest point of each spot and layer, strongest first, from points in one tile of a zoom. */
export function strongestPoints(list: PointList, z: number): PointList {
  const shift = WORLD_BITS - z - SPOT_BITS
  const best = new Int32Array(pointLayers.length * SPOTS).fill(NONE)
  for (let at = 0; at < list.length; at += POINT_WORDS) {
    const row = (present(list[at + word.y]) >>> shift) & (SIDE - 1)
    const column = (present(list[at + word.x]) >>> shift) & (SIDE - 1)
    const spot = layerAt(list, at) * SPOTS + row * SIDE + column
    const current = present(best[spot])
    if (current === NONE || strongerAt(list, at, current) < 0) best[spot] = at
  }
  return strongestFirst(
    list,
    [...best].filter((at) => at !== NONE),
  )
}

/** Returns the points at these words of a list, strongest first. */
export function strongestFirst(list: PointList, from: number[]): PointList {
  return takePoints(
    list,
    from.sort((one, other) => strongerAt(list, one, other)),
  )
}

/** Returns the strongest path with its middle in each spot of a zoom; each path once. */
export function strongestPaths(paths: Iterable<MapPath>, z: number): MapPath[] {
  const width = 2 ** (WORLD_BITS - z - SPOT_BITS)
  const best = new Map<number, MapPath>()
  for (const path of paths) {
    const column = Math.floor((path.x + path.end_x) / 2 / width)
    const row = Math.floor((path.y + path.end_y) / 2 / width)
    const spot = row * 2 ** (z + SPOT_BITS) + column
    const current = best.get(spot)
    if (!current || byStrength(path, current) < 0) best.set(spot, path)
  }
  return [...best.values()].sort(byStrength).slice(0, PATHS_MAX)
}
