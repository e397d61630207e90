import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clockAt } from './clock.ts'
import type { Cited } from './expected.ts'
import { realFolder } from './files.ts'
import { milesBetween, type Spot } from './geography.ts'

/** Reads the mosaic's estimate of a moment with GDAL: https://gdal.org/en/stable/drivers/raster/grib.html */
export const momentGrid = path.join(realFolder, 'mrms', 'MRMS_MESH_00.50_20240228-025239.grib2')
const MOMENT = new Date('2024-02-28T02:52:39Z')
const DECODER = 'gdal_translate'

export const decoderPresent = spawnSync(DECODER, ['--version']).error === undefined

/** A grid cell with hail: its centre, and millimetres. */
export interface RadarCell {
  centre: Spot
  mm: number
}

const COLUMNS = 7000
const STEP = 0.01
/** The centre of the first cell, in the north-west. */
const FIRST: Spot = [-129.995, 54.995]

/** Returns every cell in which the grid has hail. */
export function radarCells(): RadarCell[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'weather-grid-'))
  try {
    const raw = path.join(folder, 'grid.raw')
    execFileSync(DECODER, ['-q', '-of', 'ENVI', '-ot', 'Float32', momentGrid, raw])
    const bytes = readFileSync(raw)
    const cells: RadarCell[] = []
    for (let at = 0; at < bytes.length / 4; at++) {
      const mm = bytes.readFloatLE(at * 4)
      if (mm > 0)
        cells.push({ centre: [degrees(FIRST[0] + (at % COLUMNS) * STEP), degrees(FIRST[1] - Math.floor(at / COLUMNS) * STEP)], mm })
    }
    return cells
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const degrees = (value: number) => Number(value.toFixed(3))

const MM_AN_INCH = 25.4
/** Half an inch: a cell over the place below this is not cited next to the largest around. */
const OVER_MM = 12.7

/** Returns the cells that a report cites for the moment: the largest within the radius, and the one over the place. */
export function radarCited(cells: readonly RadarCell[], place: Spot, radius_miles: number): Cited[] {
  const near = cells
    .map((cell) => ({ ...cell, over: isOver(cell, place), miles: isOver(cell, place) ? 0 : milesBetween(place, cell.centre) }))
    .filter(({ miles }) => miles <= radius_miles)
    .sort((a, b) => b.mm - a.mm || a.miles - b.miles)
  const over = near.find((cell) => cell.over && cell.mm >= OVER_MM)
  return [...new Set([...near.slice(0, 1), ...(over ? [over] : [])])].map(({ centre, mm, miles }) => ({
    fact: factOf(centre, mm),
    near: { miles, toward: '', at: centre },
  }))
}

const isOver = ({ centre }: RadarCell, place: Spot) =>
  Math.abs(centre[0] - place[0]) <= STEP / 2 && Math.abs(centre[1] - place[1]) <= STEP / 2

function factOf(centre: Spot, mm: number): Cited['fact'] {
  const zone = clockAt(centre)
  const inches = Number((mm / MM_AN_INCH).toFixed(2))
  return {
    event_id: `radar ${centre}`,
    type: 'hail',
    family: 'thunderstorm',
    severity: inches >= 1 ? 'moderate' : 'minor',
    occurred_on: new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(MOMENT),
    filed_on: '2024-02-28',
    begins_at: MOMENT.toISOString().replace('.000Z', 'Z'),
    hail_size_in: inches,
    wind_gust_mph: null,
    wind_speed_mph: null,
    tornado_ef_scale: null,
    state: null,
    channel: 'radar',
    start_point: centre,
    location: { as: 'point', ends: [centre] },
    doubts: [],
  }
}
