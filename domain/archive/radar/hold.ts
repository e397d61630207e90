import type pg from 'pg'
import type { Touched } from '#domain/archive/hold.ts'
import { cellsOf, centreOf, type Frame } from '#domain/archive/radar/frame.ts'
import { insertFrame } from '#domain/archive/radar/frames.ts'
import { cellOf } from '#domain/geo/cells.ts'

/** Radar hail below an inch makes no exposure: where there is none above, nothing has to be looked at. */
const EXPOSURE_MIN_MM = 25.4
const DAY = 86_400_000

/** Keeps frames, each whole; those held already change nothing. */
export async function holdFrames(client: pg.ClientBase, source: string, frames: Frame[]): Promise<Touched> {
  const cells = new Set<number>()
  const days: string[] = []
  let inserted = 0
  for (const frame of frames) {
    const { added } = await insertFrame(client, source, frame)
    if (!added) continue
    inserted += 1
    // The 24-hour grid spans two dates and shows no day of its own.
    const large = frame.product === 'mesh' ? largeCells(frame) : []
    for (const cell of large) cells.add(cell)
    // West of Greenwich the local date is that of UTC or the day before.
    if (large.length > 0) days.push(dayOf(frame.valid_at.getTime() - DAY), dayOf(frame.valid_at.getTime()))
  }
  days.sort()
  return { inserted, updated: 0, withdrawn: 0, cells: [...cells], from: days[0] ?? null, to: days.at(-1) ?? null }
}

/** Search cells in which the radar estimated an inch or more. */
function largeCells({ blocks, peak_mm }: Frame): number[] {
  if (peak_mm < EXPOSURE_MIN_MM) return []
  const found = new Set<number>()
  for (const { block, data } of blocks) {
    for (const cell of cellsOf(block, data)) {
      if (cell.size_mm < EXPOSURE_MIN_MM) continue
      const { latitude, longitude } = centreOf(cell)
      found.add(cellOf(latitude, longitude))
    }
  }
  return [...found]
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
