import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packSizes } from '#domain/archive/radar/day-sizes.ts'
import { cellsOf, type FrameCell, frameOf } from '#domain/archive/radar/frame.ts'
import { readGrid } from '#domain/archive/radar/grib2.ts'
import { CONUS } from '#domain/archive/radar/grid.ts'
import { cellsOfBlock } from '#domain/maps/block-cache.ts'
import { type Swath, swathBandOf, swathsOf } from '#domain/maps/swaths.ts'
import { swathBands } from '#domain/weather/swath-bands.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { hailStorms, sizesOf } from './hail-storms.ts'
import { gridOf } from './mesh-file.ts'

export const claim =
  'A national grid of hail is read from its message, kept, and becomes swath polygons, within 2 s and in no more time than gdal_contour -p takes for polygons of the same bands'

/** Cells with hail; the grid has the agency's dimensions at every size. */
export const sizes = { small: [2_500, 25_000], full: [25_000, 250_000] } as const

const MM_PER_IN = 25.4
const TENTHS = 10

interface Stage {
  file: string
  output: string
  hail: FrameCell[]
}

export async function setup(bed: Bed): Promise<Stage> {
  const hail = hailStorms(bed.size, bed.random)
  const file = path.join(bed.folder, `swaths-${bed.size}.grib2`)
  writeFileSync(file, gridOf(hail, new Date('2026-05-28T20:00:00Z')))
  return { file, output: path.join(bed.folder, `swaths-${bed.size}.geojson`), hail }
}

/** As a day's grid is stored and its swaths are requested: compressed by block, and decompressed. */
async function swathsFrom(file: string): Promise<Swath[]> {
  const { blocks } = await frameOf(await readGrid(readFileSync(file)))
  const days = blocks.map(({ block, data }) => ({ block, data: packSizes(sizesOf(cellsOf(block, data))) }))
  return swathsOf(days.map(({ block, data }) => cellsOfBlock(block, data)))
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

/** By the shoelace formula: holes run the other way, and subtract themselves. */
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
