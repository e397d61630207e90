import { type TileAddress, WORLD_BITS } from '#domain/maps/mercator.ts'
import type { MapPath } from '#domain/maps/point-list.ts'

/** Share of a tile's side by which lines and areas reach over its edge, so that no seam shows. */
export const EDGE = 1 / 64

type Line = Pick<MapPath, 'x' | 'y' | 'end_x' | 'end_y'>

/** The part of a line inside a tile and its edge, in world units; null where it passes by (Liang and Barsky, 1984). */
export function clipToTile({ x, y, end_x, end_y }: Line, tile: TileAddress): [number, number, number, number] | null {
  const side = 2 ** (WORLD_BITS - tile.z)
  const [west, north] = [(tile.x - EDGE) * side, (tile.y - EDGE) * side]
  const reach = side * (1 + 2 * EDGE)
  const [dx, dy] = [end_x - x, end_y - y]
  let [from, to] = [0, 1]
  for (const [step, room] of [
    [-dx, x - west],
    [dx, west + reach - x],
    [-dy, y - north],
    [dy, north + reach - y],
  ] as const) {
    if (step === 0 && room < 0) return null
    if (step < 0) from = Math.max(from, room / step)
    if (step > 0) to = Math.min(to, room / step)
  }
  return from > to ? null : [x + from * dx, y + from * dy, x + to * dx, y + to * dy]
}

/** The tiles of a zoom that the box around a line and its edge meets. */
export function tilesAround({ x, y, end_x, end_y }: Line, z: number): TileAddress[] {
  const side = 2 ** (WORLD_BITS - z)
  const last = 2 ** z - 1
  const between = (one: number, other: number) => {
    const tileAt = (at: number) => Math.min(last, Math.max(0, Math.floor(at)))
    const [from, to] = [tileAt(Math.min(one, other) / side - EDGE), tileAt(Math.max(one, other) / side + EDGE)]
    return Array.from({ length: to - from + 1 }, (_, step) => from + step)
  }
  return between(x, end_x).flatMap((column) => between(y, end_y).map((row) => ({ z, x: column, y: row })))
}
