import { readAllBytes } from '#domain/archive/files/read-all-bytes.ts'
import { HOURS_24_MS } from '#domain/archive/radar/day-hours.ts'
import { type Frame, frameOf } from '#domain/archive/radar/frame.ts'
import { readGrid } from '#domain/archive/radar/grib2.ts'
import { feedFailed, unusableOrThrow } from '#domain/archive/sources/feed.ts'
import { type GridFile, gridsIn, gridsOfDay, largestOf24Hours, meshProducts, namedGrid } from '#domain/archive/sources/mesh-bucket.ts'
import {
  type Ask,
  type Batch,
  type Document,
  emptyBatch,
  type FeedAnswer,
  type FeedSpan,
  type ParsedFile,
  type Source,
  singleBatch,
} from '#domain/archive/sources/source.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import type { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** Maximum estimated size of hail from the national radar mosaic. */
export const mesh = {
  id: 'noaa_mesh',
  slug: 'mesh',
  label: 'NOAA MRMS maximum estimated size of hail',
  lane: 'surfaces',
  evidence_kind: 'radar',
  methodology:
    'MRMS maximum estimated size of hail (MESH): the severe hail index of the national radar mosaic on a grid of 0.01 degree every 2 minutes; size is estimated aloft, not measured at the ground, and is shown as delivered.',
  /** https://noaa-mrms-pds.s3.amazonaws.com/index.html#CONUS/MESH_00.50/20240228/ and .../MESH_Max_1440min_00.50/20240228/ */
  cite: ({ source_key, begins_at }) => {
    const isDay = source_key.startsWith(largestOf24Hours.key)
    // A grid of 24 hours is in the folder of the day on which they end.
    const filed = isDay ? new Date(begins_at.getTime() + HOURS_24_MS) : begins_at
    const product = meshProducts[isDay ? 'mesh_max_1440min' : 'mesh']
    return `https://noaa-mrms-pds.s3.amazonaws.com/index.html#CONUS/${product}/${filed.toISOString().slice(0, 10).replaceAll('-', '')}/`
  },
  read: readMesh,
  fetch: fetchMesh,
} as const satisfies Source

/** A grid file of the agency is under 2 MB. */
const FILE_MAX = 64 * 1024 * 1024

/** Reads one grid, of a single moment or of 24 hours. */
async function readMesh({ file_name, bytes }: Document): Promise<ParsedFile> {
  const frame = await frameFrom(await readAllBytes(bytes, FILE_MAX))
  requireAsNamed(file_name, frame)
  const batch: Batch = {
    ...emptyBatch(1),
    frames: [frame],
    months: frame.product === 'mesh' ? [frame.valid_at.toISOString().slice(0, 7)] : [],
  }
  return { contents: { kind: 'frames', compiled_on: null, year: null, covers: 'every_state' }, batches: singleBatch(batch) }
}

/** Moments of one field are two minutes apart, so a grid this far from the time in its name is another grid. */
const OTHER_MOMENT_MS = 120_000

/** Refuses a file whose contents differ from its agency file name. */
function requireAsNamed(file_name: string, { product, valid_at }: Frame): void {
  const named = namedGrid(file_name)
  if (!named) return
  if (named.product !== product)
    refuseField('file', `The file is named ${meshProducts[named.product]} but contains a grid of ${meshProducts[product]}.`)
  if (named.valid_at && Math.abs(named.valid_at.getTime() - valid_at.getTime()) < OTHER_MOMENT_MS) return
  refuseField(
    'file',
    `The file name has ${named.valid_at ? `the time ${stamp(named.valid_at)}` : 'no valid time'}, but the file contains a grid of ${stamp(valid_at)}.`,
  )
}

const stamp = (at: Date) => at.toISOString().replace('.000Z', 'Z')

async function frameFrom(bytes: Buffer): Promise<Frame> {
  try {
    return await frameOf(await readGrid(bytes))
  } catch (fault) {
    return refuseField('file', `The file is ${messageOf(fault)}.`)
  }
}

/** The live folder lists the grids of the last day. The open-data bucket has older ones, by day. */
const LIVE = 'https://mrms.ncep.noaa.gov/data/2D/MESH/'
const LISTING = { unconditional: true }
/** Grids read in one pass: an hour and a half of them. A longer gap is filled over several passes. */
const FRAMES_AT_ONCE = 45
/** A longer gap is not filled: the playback of a day is for those who watched it. */
const GAP_MAX_MS = DAY_MS

/** A grid that cannot be used may still be arriving, so it is requested again for this long: less than the grids of one pass span. */
const AWAITED_MS = HOUR_MS

/**
 * Yields the grids since the last one, oldest first. The first run reads those of the last hour. A grid that cannot be used
 * does not delay later ones: its error is thrown at the end, and the next passes request it again while it is awaited.
 */
async function* fetchMesh(ask: Ask, { since, now }: FeedSpan): AsyncGenerator<FeedAnswer, Date> {
  const after = new Date(Math.max(since?.getTime() ?? now.getTime() - HOUR_MS, now.getTime() - GAP_MAX_MS))
  const live = gridsIn((await ask(LIVE, LISTING))?.body.toString('latin1') ?? '', LIVE)
  const named = live[0] && live[0].valid_at <= after ? live : [...(await archived(ask, after, now)), ...live]
  // A file name with a future time is wrong, and would make every later grid look old.
  const listed = named.filter(({ valid_at }) => valid_at <= now)
  const each = new Map(listed.map((grid) => [grid.valid_at.getTime(), grid]))
  const wanted = [...each.values()].filter(({ valid_at }) => valid_at > after).sort((a, b) => a.valid_at.getTime() - b.valid_at.getTime())
  const newest = listed.at(-1)?.valid_at
  if (!newest) throw feedFailed('its folder lists no grid')
  const newestIs = `its newest grid is of ${newest.toISOString()}`
  if (since && newest < since) throw feedFailed(`it went back in time: ${newestIs}, and ${since.toISOString()} was read before`)
  // Longer ago than any gap that is filled.
  if (since && newest < after) throw feedFailed(newestIs)
  let through = after
  let fault: Refusal | null = null
  let isComplete = true
  for (const { url, name, valid_at } of wanted.slice(0, FRAMES_AT_ONCE)) {
    const answer = await ask(url, { unconditional: true })
    // The oldest grids may be deleted between the listing and the request.
    if (!answer) continue
    through = valid_at
    try {
      yield { ...answer, stated_at: null, file_name: name, ...(isComplete && { through }) }
    } catch (refused) {
      fault ??= unusableOrThrow(refused)
      isComplete &&= now.getTime() - valid_at.getTime() > AWAITED_MS
    }
  }
  if (fault) throw fault
  return through
}

async function archived(ask: Ask, after: Date, now: Date): Promise<GridFile[]> {
  const [first, last] = [
    await gridsOfDay(ask, 'mesh', after),
    after.getUTCDate() === now.getUTCDate() ? [] : await gridsOfDay(ask, 'mesh', now),
  ]
  return [...first, ...last]
}
