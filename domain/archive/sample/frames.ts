import { type Frame, type FrameCell, frameOfCells } from '#domain/archive/radar/frame.ts'
import { CONUS, gridCellAt } from '#domain/archive/radar/grid.ts'
import { MINUTE_MS } from '#domain/kernel/durations.ts'
import { MM_PER_IN } from '#domain/weather/units.ts'

/** Changes with the frames, so that an install with older ones receives these. */
export const framesName = 'sample-frames-1'

/** A cell of the made-up storm: where and when it was largest, and how it moved and grew. */
interface StormCell {
  latitude: number
  longitude: number
  /** Minutes after the first frame. */
  peak_at: number
  peak_in: number
  /** Minutes from its peak until it is gone. */
  life: number
  /** Grid cells from its middle to its edge at the peak. */
  reach: number
}

/** 18:20 local time in Frisco, on the sample's storm day. */
const STORM_START = Date.parse('2025-05-28T23:20:00Z')
/** As the radar mosaic is often thinned: one frame every five minutes, for 80 minutes. */
const STEP = 5
const FRAMES = 17
/** The storm moves east-southeast at 25 miles an hour: degrees per minute. */
const EASTWARD = 0.0069
const NORTHWARD = -0.0012

/** They pass the made-up reports at about the same times, with about the same sizes. */
const storm: StormCell[] = [
  { latitude: 33.1511, longitude: -96.829, peak_at: 29, peak_in: 2.1, life: 34, reach: 7 },
  { latitude: 33.1335, longitude: -96.8, peak_at: 34, peak_in: 1.5, life: 30, reach: 6 },
  { latitude: 33.245, longitude: -96.91, peak_at: 15, peak_in: 1.1, life: 24, reach: 5 },
  { latitude: 33.06, longitude: -96.62, peak_at: 55, peak_in: 1.8, life: 26, reach: 6 },
]

/** Returns the radar frames of the made-up storm, as the mosaic would have had them. */
export function sampleFrames(): Frame[] {
  return Array.from({ length: FRAMES }, (_, index) => frameOfCells(new Date(STORM_START + index * STEP * MINUTE_MS), cellsAt(index * STEP)))
}

function cellsAt(minute: number): FrameCell[] {
  const sizes = new Map<number, number>()
  for (const cell of storm) {
    const strength = 1 - Math.abs(minute - cell.peak_at) / cell.life
    if (strength > 0) addCell(sizes, cell, minute - cell.peak_at, strength)
  }
  return [...sizes].map(([at, size_mm]) => ({ row: Math.floor(at / CONUS.columns), column: at % CONUS.columns, size_mm }))
}

/** Sizes decrease from the middle to the edge; where two cells meet, the larger wins. */
function addCell(sizes: Map<number, number>, { latitude, longitude, peak_in, reach }: StormCell, minutes: number, strength: number): void {
  const middle = gridCellAt(latitude + NORTHWARD * minutes, longitude + EASTWARD * minutes)
  const radius = reach * Math.sqrt(strength)
  for (let down = -reach; down <= reach; down++) {
    for (let right = -reach; right <= reach; right++) {
      const share = 1 - Math.hypot(down, right) / radius
      const size = Math.round(peak_in * MM_PER_IN * strength * Math.sqrt(Math.max(0, share)) * 10) / 10
      const at = (middle.row + down) * CONUS.columns + middle.column + right
      if (size > (sizes.get(at) ?? 0)) sizes.set(at, size)
    }
  }
}
