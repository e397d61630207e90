import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { frameOf } from '#domain/archive/radar/frame.ts'
import { readGrid } from '#domain/archive/radar/grib2.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { meshFile } from './mesh-file.ts'

export const claim =
  'A hail-size grid of 24.5 million cells is read from its message, sorted into blocks and made small in no more time than eccodes reads it'

/** Cells with hail; the grid has the agency's dimensions at every size. */
export const sizes = { small: [2_500, 25_000], full: [25_000, 250_000] } as const

interface Stage {
  file: string
}

export async function setup(bed: Bed): Promise<Stage> {
  const file = path.join(bed.folder, `mesh-${bed.size}.grib2`)
  writeFileSync(file, meshFile(bed.size, bed.random))
  return { file }
}

const decode = async (file: string) => frameOf(await readGrid(readFileSync(file)))
const hasEccodes = spawnSync('grib_get_data', ['-V']).error === undefined

export const arms: Arm<Stage>[] = [
  { name: 'decode and keep', operations: 1, run: async ({ file }) => void (await decode(file)) },
  {
    name: 'grib_get_data',
    peer: true,
    operations: 1,
    missing: () => (hasEccodes ? null : 'no eccodes (apt install libeccodes-tools)'),
    run: ({ file }) => void spawnSync('sh', ['-c', 'grib_get_data "$0" > /dev/null', file]),
  },
]

export const reach: Reach[] = [{ arm: 'decode and keep', peer: 'grib_get_data', ratio_at_most: 1 }]

/** Both find the same number of cells above zero, and the same largest value. */
export async function check({ file }: Stage): Promise<void> {
  const { cells, peak_mm } = await decode(file)
  assert(cells > 0)
  if (!hasEccodes) return
  const { stdout, status } = spawnSync(
    'sh',
    ['-c', `grib_get_data "$0" | awk 'NR > 1 && $3 > 0 { n++; if ($3 > m) m = $3 } END { printf "%d %.1f", n, m }'`, file],
    { encoding: 'utf8' },
  )
  assert.deepStrictEqual([status, stdout], [0, `${cells} ${peak_mm.toFixed(1)}`])
}
