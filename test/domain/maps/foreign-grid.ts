import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The agency's own grids: one of a moment, one 24-hour maximum. */
export const gridsFolder = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'mrms')
export const gridOf24Hours = 'MRMS_MESH_Max_1440min_00.50_20240228-100000.grib2'
export const grids = ['MRMS_MESH_00.50_20240228-025239.grib2', gridOf24Hours]

/** Decodes a grid. Part of Debian's gdal-bin. */
const DECODER = 'gdal_translate'
const hasGdal = spawnSync(DECODER, ['--version']).error === undefined
const missing = [!existsSync(gridsFolder) && 'real records not present', !hasGdal && 'no gdal_translate (apt install gdal-bin)'].filter(
  Boolean,
)

/** Why the grids are not compared, for a test's title. Empty if they are. */
export const skipped = missing.length > 0 ? ` (skipped: ${missing.join(', ')})` : ''

/** Every value of a grid as another program decodes it: millimetres, row by row from the north-west. */
export function foreignValues(file: string): Float64Array {
  const place = mkdtempSync(path.join(tmpdir(), 'swaths-'))
  try {
    const out = path.join(place, 'grid')
    execFileSync(DECODER, ['-q', '-of', 'ENVI', '-ot', 'Float64', '-unscale', file, out], {
      env: { ...process.env, GRIB_NORMALIZE_UNITS: 'NO' },
    })
    const bytes = readFileSync(out)
    return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8)
  } finally {
    rmSync(place, { recursive: true })
  }
}
