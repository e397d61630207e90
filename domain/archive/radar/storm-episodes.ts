import { MINUTE_MS } from '#domain/kernel/durations.ts'
import { MM_PER_IN } from '#domain/weather/units.ts'

/** Scans further apart than this belong to different storms. */
export const EPISODE_GAP_MS = 60 * MINUTE_MS
/** Below this, a value over the place says too little to be shown beside the episode's largest. */
export const OVER_PLACE_MIN_IN = 0.5
export const OVER_PLACE_MIN_MM = OVER_PLACE_MIN_IN * MM_PER_IN
