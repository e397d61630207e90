import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BLOCK_CELLS, BLOCK_SIDE, packSizes } from '#domain/archive/radar/day-sizes.ts'
import { cellsOf, frameOf } from '#domain/archive/radar/frame.ts'
import { readGrid } from '#domain/archive/radar/grib2.ts'
import { CONUS } from '#domain/archive/radar/grid.ts'
import { cellsOfBlock } from '#domain/maps/block-cache.ts'
import { swathsOf } from '#domain/maps/swaths.ts'
import { bandOf, bandsAtCentres, columnAt, rowAt } from '#test/domain/maps/centres.ts'
import { realFolder } from './files.ts'

/**
 * npm run test:swaths
 * Checks that the swaths of the agency's grids, compressed and decompressed as stored, contain each of the 24.5
 * million centres in the band of its value and in no other. Values and places come from eccodes' grib_get_data. The
 * exit status is 1 if one is wrong.
 */
const files = ['MRMS_MESH_00.50_20240228-025239.grib2', 'MRMS_MESH_Max_1440min_00.50_20240228-100000.grib2']
const DECODER = 'grib_get_data'
const CENTRES = CONUS.rows * CONUS.columns

const missing = [
  ...(spawnSync(DECODER, ['-V']).error ? [`no ${DECODER} (apt install libeccodes-tools)`] : []),
  ...(existsSync(path.join(realFolder, 'mrms')) ? [] : ['real records not present']),
]
if (missing.length > 0) console.log(`skipped: ${missing.join(', ')}`)
else for (const name of files) await compare(name)

async function compare(name: string): Promise<void> {
  const file = path.join(realFolder, 'mrms', name)
  const bands = await bandsOf(file)
  let [centres, inBands, wrong] = [0, 0, 0]
  await eachForeignCentre(file, (latitude, longitude, value) => {
    const [row, column] = [Math.round(rowAt(latitude)), Math.round(columnAt(longitude > 180 ? longitude - 360 : longitude))]
    const band = bandOf(value)
    centres++
    if (band > 0) inBands++
    if (bands[row * CONUS.columns + column] === band) return
    if (wrong++ < 5)
      console.log(`${name}: ${latitude} ${longitude} is ${value} mm, and lies in band ${bands[row * CONUS.columns + column]}`)
  })
  console.log(
    `${name}: ${centres.toLocaleString('en')} centres by ${DECODER}, ${inBands.toLocaleString('en')} of them in a band, ${wrong} in another than their value says`,
  )
  if (wrong > 0 || centres !== CENTRES || inBands === 0) process.exitCode = 1
}

async function bandsOf(file: string): Promise<Uint8Array> {
  const { blocks } = await frameOf(await readGrid(readFileSync(file)))
  const parts = blocks.map(({ block, data }) => {
    const sizes = new Uint16Array(BLOCK_CELLS)
    for (const { row, column, size_mm } of cellsOf(block, data))
      sizes[(row % BLOCK_SIDE) * BLOCK_SIDE + (column % BLOCK_SIDE)] = Math.round(size_mm * 10)
    return cellsOfBlock(block, packSizes(sizes))
  })
  return bandsAtCentres(swathsOf(parts))
}

/** Latitude, longitude and value of each centre as the other program prints them: one on each line, the first two nine characters wide. */
async function eachForeignCentre(file: string, visit: (latitude: number, longitude: number, value: number) => void): Promise<void> {
  const decoder = spawn(DECODER, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  let rest = ''
  for await (const chunk of decoder.stdout.setEncoding('latin1')) {
    const text: string = rest + chunk
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const latitude = Number(text.slice(from, from + 9))
      // The first line is a title.
      if (Number.isFinite(latitude)) visit(latitude, Number(text.slice(from + 9, from + 18)), Number(text.slice(from + 18, end)))
      from = end + 1
    }
    rest = text.slice(from)
  }
}
