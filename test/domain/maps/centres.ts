import { CONUS } from '#domain/archive/radar/grid.ts'
import type { Swath } from '#domain/maps/swaths.ts'

const { rows, columns } = CONUS
/** Lower edges of the bands in inches. The band index of a size counts from 1. */
const edges = [0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 2.75]
export function bandOf(mm: number): number {
  const beyond = edges.findIndex((edge) => Math.round(mm * 10) / 10 < edge * 25.4 - 1e-9)
  return beyond < 0 ? edges.length : beyond
}

/** Degrees as rows and columns of the grid. Cell centres are at whole numbers. */
export const columnAt = (longitude: number) => (longitude - CONUS.west) / CONUS.step
export const rowAt = (latitude: number) => (CONUS.north - latitude) / CONUS.step

/**
 * Returns the band at each centre of the grid, from scan lines with the even-odd rule, whatever the polygons are. A centre inside two
 * swaths is 255.
 */
export function bandsAtCentres(swaths: Swath[]): Uint8Array {
  const bands = new Uint8Array(rows * columns)
  for (const { from_in, polygons } of swaths) {
    const crossings = new Map<number, number[]>()
    for (const ring of polygons.flat())
      for (const [index, [east, north]] of ring.slice(1).entries()) {
        const [west, south] = ring[index] as [number, number]
        const [above, below] = [rowAt(north), rowAt(south)].sort((one, other) => one - other) as [number, number]
        for (let row = Math.ceil(above); row < below; row++) {
          const at = columnAt(west) + ((row - rowAt(south)) / (rowAt(north) - rowAt(south))) * (columnAt(east) - columnAt(west))
          crossings.set(row, [...(crossings.get(row) ?? []), at])
        }
      }
    for (const [row, found] of crossings) {
      const sorted = found.sort((one, other) => one - other)
      for (let pair = 0; pair < sorted.length; pair += 2)
        for (let column = Math.ceil(sorted[pair] as number); column < (sorted[pair + 1] as number); column++) {
          const at = row * columns + column
          bands[at] = bands[at] ? 255 : edges.indexOf(from_in) + 1
        }
    }
  }
  return bands
}
