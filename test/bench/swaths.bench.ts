import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CONUS, cellsOf, type FrameCell, frameOf } from '#domain/archive/radar/frame.ts'
import { readGrid } from '#domain/archive/radar/grib2.ts'
import { type Swath, swathBandOf, swathsOf } from '#domain/maps/swaths.ts'
import { swathBands } from '#domain/weather/swath-bands.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { gridOf } from './mesh-file.ts'
import type { Random } from './random.ts'

export const claim =
  'A national grid of hail becomes swath polygons, from its message, within 2 s and in no more time than gdal_contour -p takes for polygons of the same bands'

/** Cells with hail; the grid is the agency's at every size. */
export const sizes = { small: [2_500, 25_000], full: [25_000, 250_000] } as const

const MM_PER_IN = 25.4
const TENTHS = 10
/** Grid cells from the core of a storm to its edge, and its largest hail. */
const STORM_RADIUS = 20
const PEAK_MM = 80

interface Stage {
  file: string
  output: string
  hail: FrameCell[]
}

export async function setup(bed: Bed): Promise<Stage> {
  const hail = storms(bed.size, bed.random)
  const file = path.join(bed.folder, `swaths-${bed.size}.grib2`)
  writeFileSync(file, gridOf(hail, new Date('2026-05-28T20:00:00Z')))
  return { file, output: path.join(bed.folder, `swaths-${bed.size}.geojson`), hail }
}

/** Hail that grows toward the core of each storm, with a tenth of it left to chance; where two meet, the larger. */
function storms(cells: number, random: Random): FrameCell[] {
  const byPlace = new Map<number, FrameCell>()
  while (byPlace.size < cells) {
    const middle = {
      row: random.whole(STORM_RADIUS, CONUS.rows - STORM_RADIUS - 1),
      column: random.whole(STORM_RADIUS, CONUS.columns - STORM_RADIUS - 1),
    }
    const peak = random.whole(PEAK_MM / 8, PEAK_MM)
    for (let down = -STORM_RADIUS; down <= STORM_RADIUS; down++)
      for (let right = -STORM_RADIUS; right <= STORM_RADIUS; right++) {
        const strength = 1 - Math.hypot(down, right) / STORM_RADIUS
        const size_mm = Math.round(peak * strength * random.whole(90, 110)) / 100
        const [row, column] = [middle.row + down, middle.column + right]
        const tenths = Math.round(size_mm * TENTHS)
        const place = row * CONUS.columns + column
        if (tenths > 0 && tenths / TENTHS > (byPlace.get(place)?.size_mm ?? 0))
          byPlace.set(place, { row, column, size_mm: tenths / TENTHS })
      }
  }
  return [...byPlace.values()]
}

async function swathsFrom(file: string): Promise<Swath[]> {
  const { blocks } = await frameOf(await readGrid(readFileSync(file)))
  return swathsOf(
    blocks.map(({ block, data }) =>
      Uint16Array.from(cellsOf(block, data).flatMap(({ row, column, size_mm }) => [row, column, Math.round(size_mm * TENTHS)])),
    ),
  )
}

const CONTOUR = 'gdal_contour'
const hasGdal = spawnSync(CONTOUR, ['--version']).error === undefined
const levels = swathBands.map((inches) => String(inches * MM_PER_IN))

export const arms: Arm<Stage>[] = [
  { name: 'swaths', operations: 1, run: async ({ file }) => void (await swathsFrom(file)) },
  {
    name: 'gdal_contour -p',
    peer: true,
    operations: 1,
    missing: () => (hasGdal ? null : 'no gdal_contour (apt install gdal-bin)'),
    run: ({ file, output }) => void contour(file, output),
  },
]

function contour(file: string, output: string): number | null {
  rmSync(output, { force: true })
  return spawnSync(CONTOUR, ['-q', '-p', '-amin', 'from', '-amax', 'to', '-f', 'GeoJSON', '-fl', ...levels, file, output]).status
}

export const reach: Reach[] = [
  { arm: 'swaths', peer: 'gdal_contour -p', ratio_at_most: 1 },
  { arm: 'swaths', at_most: 2000, percentile: 95 },
]

/** Each band is as large as its cells, and the peer makes polygons of it. */
export async function check({ file, output, hail }: Stage): Promise<void> {
  const cells = swathBands.map((_, index) => hail.filter(({ size_mm }) => swathBandOf(Math.round(size_mm * TENTHS)) === index + 1).length)
  const swaths = await swathsFrom(file)
  const areas = swathBands.map((inches) => Math.round(cellsIn(swaths.find(({ from_in }) => from_in === inches))))
  assert.deepStrictEqual(areas, cells)
  if (!hasGdal) return
  assert.strictEqual(contour(file, output), 0)
  const { features } = JSON.parse(readFileSync(output, 'utf8')) as { features: unknown[] }
  assert(features.length > 0)
}

/** By the shoelace formula: holes run the other way, and take themselves off. */
function cellsIn(swath: Swath | undefined): number {
  const rings = swath?.polygons.flat() ?? []
  const twice = rings.reduce((sum, ring) => {
    const edges = ring.slice(1).map(([x, y], index) => {
      const [before_x, before_y] = ring[index] as [number, number]
      return before_x * y - x * before_y
    })
    return sum + edges.reduce((total, edge) => total + edge, 0)
  }, 0)
  return twice / 2 / CONUS.step ** 2
}
