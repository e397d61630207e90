import type { App } from '#domain/app.ts'
import { cellsOf, type FrameCell, inches } from '#domain/archive/radar/frame.ts'
import { coversAny } from '#domain/archive/radar/frame-coverage.ts'
import { framesKeptFrom, framesWithin, type StoredFrame } from '#domain/archive/radar/frames.ts'
import { blocksWithin, centreOf } from '#domain/archive/radar/grid.ts'
import type { Bounds } from '#domain/geo/area.ts'
import { dayIn } from '#domain/geo/local-day.ts'
import { timezoneOfArea } from '#domain/geo/zones.ts'
import { date, number } from '#domain/kernel/fields.ts'
import { readNew, required, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import { isoSeconds } from '#domain/kernel/iso-seconds.ts'
import { present } from '#domain/kernel/present.ts'
import { type Faults, gatherFaults } from '#domain/kernel/validation.ts'
import { type Context, countAreal, stormDayContext } from '#domain/maps/storm-day-context.ts'
import { realElseSample } from '#domain/weather/sources.ts'

const degrees = (name: string, most: number) => required(number(name, { min: -most, max: most, unit: 'degrees' }))

/** The day and the box to play. */
export const playbackForm = {
  /** The calendar date at the box's centre. */
  date: required(date('The date')),
  south: degrees('The south', 90),
  west: degrees('The west', 180),
  north: degrees('The north', 90),
  east: degrees('The east', 180),
}

export interface MomentView {
  at: string
  cells: { latitude: number; longitude: number; mesh_in: number }[]
}

export interface PlaybackView {
  date: string
  moments: MomentView[]
  context: Context
  meta: {
    count: number
    available: boolean
    thinned: boolean
    from: string | null
    until: string | null
    largest_of: Hours | null
    /** IANA zone of the box's centre: the day is a local day there. */
    timezone: string
    /** Reports of the day that name a county or a forecast zone in or beside the box, and no point. */
    reports_without_point: number
  }
}

/** The hours that the single moment is the largest of, if it is not a real moment. They begin or end outside the date. */
export interface Hours {
  from: string
  until: string
}

/** The most degrees per side of the box. */
export const SIDE_MAX = 6
/** Degrees: in doubles, 32.7 - 26.7 is more than 6. */
const ROUNDING = 1e-9
/** Moments are five minutes apart. */
const STEP_MS = 300_000
/** Moments of a day of 24 hours; a day of 25 hours has 300. */
export const MOMENTS_A_DAY = 288
export const CELLS_A_MOMENT_MAX = 5000
export const CELLS_MAX = 200_000
const HALF_DAY = 43_200_000

/**
 * Returns a storm day in a box: the radar estimates, moment by moment, with the reports and warnings of the day.
 * @throws Refusal validation_failed for an invalid date, or a box that is inverted or wider than 6 degrees
 */
export async function playStormDay(app: Pick<App, 'pool' | 'clock' | 'config'>, input: Sent<typeof playbackForm>): Promise<PlaybackView> {
  const { date, south, west, north, east } = checkPlayback(input)
  const box = { south, west, north, east }
  const timezone = timezoneOfArea(box)
  const { from, until } = dayIn(date, timezone)
  const [{ moments, largest_of }, context, reports_without_point] = await Promise.all([
    momentsOf(app, box, from, until),
    stormDayContext(app.pool, box, date, from, until),
    countAreal(app.pool, box, date),
  ])
  const { frames, thinned } = thin(moments)
  const [first, last] = [frames[0], frames.at(-1)]
  return {
    date,
    moments: frames.map(momentView),
    context,
    meta: {
      count: frames.length,
      available: moments.length > 0,
      thinned,
      from: first ? isoSeconds(first.valid_at) : null,
      until: last ? isoSeconds(last.valid_at) : null,
      largest_of,
      timezone,
      reports_without_point,
    },
  }
}

/** Reads the input. @throws Refusal validation_failed for an invalid date, or a box that is inverted or wider than 6 degrees */
export function checkPlayback(input: Sent<typeof playbackForm>): ValuesOf<typeof playbackForm> {
  const faults = gatherFaults()
  const query = readNew(playbackForm, input, faults)
  checkBox(query, faults)
  faults.refuse()
  return query
}

/** Checks the sides of the box, as far as they are known. */
export function checkBox({ south, west, north, east }: Partial<Bounds>, faults: Faults): void {
  if (south != null && north != null && faults.unless(south < north, 'south', 'The south must be below the north.'))
    faults.unless(north - south <= SIDE_MAX + ROUNDING, 'north', `The box may be ${SIDE_MAX} degrees high at most.`)
  if (west != null && east != null && faults.unless(west < east, 'west', 'The west must be left of the east.'))
    faults.unless(east - west <= SIDE_MAX + ROUNDING, 'east', `The box may be ${SIDE_MAX} degrees wide at most.`)
}

/**
 * Returns the frames of the day with their cells in the box, unless the first of them are older than the retention. If none shows hail, returns the largest of 24 hours, if it is stored
 * and shows hail. It is placed in the middle of its hours, so it belongs to the date with most of them, as on the tiles.
 */
async function momentsOf(
  app: Pick<App, 'pool' | 'clock' | 'config'>,
  box: Bounds,
  from: Date,
  until: Date,
): Promise<{ moments: StoredFrame[]; largest_of: Hours | null }> {
  const keptFrom = framesKeptFrom(app, app.config.mesh_retention_days)
  const isCut = from < keptFrom && keptFrom <= until
  const frames = (await framesWithin(app, box, from, until, !isCut)).map((frame) => inBox(frame, box))
  if (frames.some(hasHail)) return { moments: frames, largest_of: null }
  // Only where radar has coverage does no hail mean that radar saw none.
  const moments = frames.length > 0 && (await isCovered(app, box, from, until)) ? frames : []
  const dayMaximum = await readDayMaximum(app, box, from, until)
  const day = dayMaximum && inBox(dayMaximum, box)
  // If all moments show no hail, a 24-hour grid without hail adds nothing.
  if (!day || (moments.length > 0 && !hasHail(day))) return { moments, largest_of: null }
  const ends = day.valid_at.getTime()
  return {
    moments: [{ ...day, valid_at: new Date(ends - HALF_DAY) }],
    largest_of: { from: isoSeconds(new Date(ends - 2 * HALF_DAY)), until: isoSeconds(day.valid_at) },
  }
}

const hasHail = ({ cells }: StoredFrame) => cells.length > 0

/** Whether any frame of the day covered any of the box, judged by the newest frame of each source whose frames are played. */
async function isCovered({ pool }: Pick<App, 'pool'>, box: Bounds, from: Date, until: Date): Promise<boolean> {
  const { rows } = await pool.query<{ source: string; coverage: Buffer }>({
    name: 'newest_coverages',
    text: `SELECT DISTINCT ON (source) source, coverage FROM radar_frames
            WHERE product = 'mesh' AND valid_at BETWEEN $1 AND $2
              AND day BETWEEN ($1::timestamptz AT TIME ZONE 'UTC')::date AND ($2::timestamptz AT TIME ZONE 'UTC')::date
            ORDER BY source, valid_at DESC`,
    values: [from, until],
  })
  return realElseSample(rows).some(({ coverage }) => coversAny(coverage, box))
}

/** Returns the last 24-hour maximum whose middle is in the day, with the moment at which it ends; null if none is stored. */
async function readDayMaximum({ pool }: Pick<App, 'pool'>, box: Bounds, from: Date, until: Date): Promise<StoredFrame | null> {
  const { rows } = await pool.query<{ valid_at: Date; coverage: Buffer; block: number | null; data: Buffer }>({
    name: 'day_frames_within',
    text: `SELECT f.valid_at, f.coverage, b.block, b.data FROM radar_frames f LEFT JOIN radar_blocks b ON b.frame_id = f.id AND b.block = ANY($1::int[])
            WHERE f.product = 'mesh_max_1440min' AND f.valid_at BETWEEN $2 AND $3
              AND f.day BETWEEN ($2::timestamptz AT TIME ZONE 'UTC')::date AND ($3::timestamptz AT TIME ZONE 'UTC')::date
            ORDER BY f.valid_at DESC, b.block`,
    values: [blocksWithin(box), new Date(from.getTime() + HALF_DAY), new Date(until.getTime() + HALF_DAY)],
  })
  const last = rows[0]
  if (!last || !coversAny(last.coverage, box)) return null
  const blocks = rows.filter(({ valid_at, block }) => valid_at.getTime() === last.valid_at.getTime() && block !== null)
  return { valid_at: last.valid_at, cells: blocks.flatMap(({ block, data }) => cellsOf(present(block), data)) }
}

function inBox({ valid_at, cells }: StoredFrame, { south, west, north, east }: Bounds): StoredFrame {
  const inside = (cell: FrameCell) => {
    const { latitude, longitude } = centreOf(cell)
    return latitude >= south && latitude <= north && longitude >= west && longitude <= east
  }
  return { valid_at, cells: cells.filter(inside) }
}

/** Keeps one moment per five minutes, the one with the largest hail; then the largest cells of each, and of all. */
function thin(moments: StoredFrame[]): { frames: StoredFrame[]; thinned: boolean } {
  const byStep = new Map<number, StoredFrame>()
  for (const moment of moments) {
    const step = Math.floor(moment.valid_at.getTime() / STEP_MS)
    const current = byStep.get(step)
    if (!current || peakOf(moment) > peakOf(current)) byStep.set(step, moment)
  }
  const each = [...byStep.values()].map(({ valid_at, cells }) => ({ valid_at, cells: largest(cells, CELLS_A_MOMENT_MAX) }))
  const frames = largestOfAll(each)
  return { frames, thinned: frames.length < moments.length || cellsIn(frames) < cellsIn([...byStep.values()]) }
}

function largest(cells: FrameCell[], most: number): FrameCell[] {
  return cells.length <= most ? cells : [...cells].sort((one, other) => other.size_mm - one.size_mm).slice(0, most)
}

/** Returns the largest cells of all moments. Of the size at which the limit is reached, it keeps as many as fit, in time order. */
function largestOfAll(moments: StoredFrame[]): StoredFrame[] {
  const sizes = Float64Array.from(moments.flatMap(({ cells }) => cells.map(({ size_mm }) => size_mm))).sort()
  if (sizes.length <= CELLS_MAX) return moments
  const floor = present(sizes[sizes.length - CELLS_MAX])
  let room = CELLS_MAX - sizes.filter((size) => size > floor).length
  return moments.map(({ valid_at, cells }) => ({
    valid_at,
    cells: cells.filter(({ size_mm }) => size_mm > floor || (size_mm === floor && room-- > 0)),
  }))
}

const cellsIn = (moments: StoredFrame[]) => moments.reduce((sum, { cells }) => sum + cells.length, 0)
const peakOf = ({ cells }: StoredFrame) => cells.reduce((peak, { size_mm }) => Math.max(peak, size_mm), 0)

function momentView({ valid_at, cells }: StoredFrame): MomentView {
  return { at: isoSeconds(valid_at), cells: cells.map((cell) => ({ ...centreOf(cell), mesh_in: inches(cell.size_mm) })) }
}
