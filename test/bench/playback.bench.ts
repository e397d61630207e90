import assert from 'node:assert'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { abilities } from '#domain/access/abilities.ts'
import { issueToken } from '#domain/access/tokens.ts'
import { closeApp, openApp } from '#domain/app.ts'
import { type Frame, frameOf, inches } from '#domain/archive/radar/frame.ts'
import { storeFrame } from '#domain/archive/radar/frames.ts'
import { type Grid, readGrid } from '#domain/archive/radar/grib2.ts'
import { blocksWithin, CONUS } from '#domain/archive/radar/grid.ts'
import { systemClock } from '#domain/engines/clock.ts'
import type { Bounds } from '#domain/geo/area.ts'
import { CELLS_A_MOMENT_MAX, type PlaybackView } from '#domain/maps/playback.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { createApiServer } from '#rest/host.ts'
import { configFor } from '#test/support/config-for.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'

export const claim = 'A storm day is sent as the cells that have hail, the largest first, in a small part of the bytes of its grids'
export const unit = 'bytes'

/** Moments of the day: five minutes each, a day has 288. */
export const sizes = { small: [2, 20], full: [28, 280] } as const
const STEP_MS = 300_000

const folder = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'mrms')

/** The agency's own grids, each over the six degrees with the most hail. The largest of 24 hours is a daily grid, with one moment. */
const cases = {
  'a grid of a moment': { file: 'MRMS_MESH_00.50_20240228-025239.grib2', date: '2024-02-27', repeated: true },
  'a grid of 24 hours': { file: 'MRMS_MESH_Max_1440min_00.50_20240228-100000.grib2', date: '2024-02-27', repeated: false },
} as const
type Case = keyof typeof cases

interface Day {
  fastify: FastifyInstance
  token: string
  date: string
  box: Bounds
  moments: number
  /** Inches of each cell in the box, row by row from the north-west. */
  grid: { latitude: number; longitude: number; mesh_in: number }[][]
}

type Stage = Partial<Record<Case, Day>>

export async function setup(bed: Bed): Promise<Stage> {
  const stage: Stage = {}
  for (const [name, { file, date, repeated }] of Object.entries(cases)) {
    if (!existsSync(path.join(folder, file))) continue
    const grid = await readGrid(readFileSync(path.join(folder, file)))
    const frame = await frameOf(grid)
    const box = busiestBox(frame)
    const service = await openService(bed)
    const moments = repeated ? bed.size : 1
    for (let moment = 0; moment < moments; moment++)
      await storeFrame(service.app, 'noaa_mesh', within(frame, box, date, repeated ? moment : null))
    stage[name as Case] = { ...service, date, box, moments, grid: valuesIn(grid, box) }
  }
  return stage
}

async function openService(bed: Bed) {
  const { url } = await bed.database()
  const app = await openApp(configFor({ database_url: url, rate_limit_per_minute: 1_000_000, home: bed.folder }))
  bed.closing(() => closeApp(app))
  const { id: team_id } = await createTeam(app.db, systemClock, { name: 'Bench', plan: 'enterprise' })
  const { token } = await issueToken(app.db, { team_id, name: 'Bench', abilities: abilities.map(({ name }) => name), expires_at: null })
  const fastify = await createApiServer(app)
  bed.closing(() => fastify.close())
  return { app, fastify, token }
}

/** Largest side of a box in degrees. */
const SIDE = 6

/** Half a cell within whole degrees, so that a box contains whole blocks. */
function busiestBox({ blocks }: Frame): Bounds {
  const cells = new Map(blocks.map(({ block, cells }) => [block, cells]))
  let [best, most] = [{ south: 0, west: 0, north: 0, east: 0 }, -1]
  for (let south = 20; south + SIDE <= 55; south++)
    for (let west = -130; west + SIDE <= -60; west++) {
      const box = { south: south + 0.001, west: west + 0.001, north: south + SIDE - 0.001, east: west + SIDE - 0.001 }
      const cellCount = blocksWithin(box).reduce((sum, block) => sum + (cells.get(block) ?? 0), 0)
      if (cellCount > most) [best, most] = [box, cellCount]
    }
  return best
}

/** Returns the frame's blocks in the box. A repeated frame gets moments from 08:00 UTC on, after midnight at all places. */
function within(frame: Frame, box: Bounds, date: string, moment: number | null): Frame {
  const kept = new Set(blocksWithin(box))
  const valid_at = moment === null ? frame.valid_at : new Date(Date.parse(`${date}T08:00:00Z`) + moment * STEP_MS)
  return { ...frame, valid_at, blocks: frame.blocks.filter(({ block }) => kept.has(block)) }
}

function valuesIn({ packed, unpack }: Grid, { south, west, north, east }: Bounds): Day['grid'] {
  const degrees = (value: number) => Math.round(value * 1000) / 1000
  const rows: Day['grid'] = []
  for (let row = 0; row < CONUS.rows; row++) {
    const latitude = degrees(CONUS.north - row * CONUS.step)
    if (latitude < south || latitude > north) continue
    const cells: Day['grid'][number] = []
    for (let column = 0; column < CONUS.columns; column++) {
      const longitude = degrees(CONUS.west + column * CONUS.step)
      if (longitude < west || longitude > east) continue
      cells.push({ latitude, longitude, mesh_in: inches(Math.max(0, unpack(packed[row * CONUS.columns + column] as number))) })
    }
    rows.push(cells)
  }
  return rows
}

async function sent({ fastify, token, date, box }: Day, accepts: string): Promise<Buffer> {
  const query = new URLSearchParams({ date, ...Object.fromEntries(Object.entries(box).map(([side, degrees]) => [side, String(degrees)])) })
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': accepts }
  const { statusCode, rawPayload } = await fastify.inject({ url: `/api/v1/playback?${query}`, headers })
  assert.equal(statusCode, 200)
  return rawPayload
}

/** The peer: the value of every cell in the box, one grid for each moment. */
const gridAsJson = ({ grid }: Day) => JSON.stringify(grid.map((row) => row.map(({ mesh_in }) => mesh_in)))

const quickest = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY + 1 } }

const missing = (of: Case) => (stage: Stage) => (stage[of] ? null : 'real records not present')

export const arms: Arm<Stage>[] = (Object.keys(cases) as Case[]).flatMap((of) => {
  const arm = (name: string, measure: (day: Day) => Promise<number> | number, peer = false): Arm<Stage> => ({
    name,
    case: of,
    peer,
    operations: 1,
    missing: missing(of),
    run: async (stage): Promise<Measured> => ({ value: await measure(stage[of] as Day) }),
  })
  return [
    arm('playback, brotli', async (day) => (await sent(day, 'br')).length),
    arm('playback, gzip', async (day) => (await sent(day, 'gzip')).length),
    arm('playback, plain', async (day) => (await sent(day, 'identity')).length),
    arm('full grids as JSON', (day) => gridAsJson(day).length * day.moments, true),
    arm('full grids as JSON, brotli', (day) => brotliCompressSync(gridAsJson(day), quickest).length * day.moments, true),
  ]
})

export const reach: Reach[] = (Object.keys(cases) as Case[]).flatMap((of) =>
  ['playback, brotli', 'playback, gzip'].map((arm) => ({ case: of, arm, peer: 'full grids as JSON', ratio_at_most: 0.1 })),
)

/** Every cell with hail is played with its own size; if there are too many, none that is left out is larger than one that stays. */
export async function check(stage: Stage): Promise<void> {
  for (const day of Object.values(stage)) {
    const plain = await sent(day, 'identity')
    assert(brotliDecompressSync(await sent(day, 'br')).equals(plain))
    const { moments, meta } = JSON.parse(plain.toString()) as PlaybackView
    const hailCells = day.grid.flat().filter(({ mesh_in }) => mesh_in > 0)
    assert.equal(moments.length, day.moments)
    for (const { cells } of moments) {
      if (!meta.thinned) assert.deepStrictEqual(cells.map(textOf).sort(), hailCells.map(textOf).sort())
      const smallest = Math.min(...cells.map(({ mesh_in }) => mesh_in))
      const larger = hailCells.filter(({ mesh_in }) => mesh_in > smallest)
      assert(cells.length <= CELLS_A_MOMENT_MAX && larger.length <= cells.length)
      const shown = new Set(cells.map(({ latitude, longitude }) => `${latitude} ${longitude}`))
      for (const { latitude, longitude } of larger) assert(shown.has(`${latitude} ${longitude}`))
    }
  }
}

const textOf = ({ latitude, longitude, mesh_in }: Day['grid'][number][number]) => `${latitude} ${longitude} ${mesh_in}`
