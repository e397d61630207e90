import type { LaneName } from '#domain/closed-sets.ts'

interface Lane {
  label: string
  /** How often a pass is expected to complete. */
  expected_every_seconds: number
}

/** The monitoring lanes. */
export const lanes: Record<LaneName, Lane> = {
  record: { label: 'Archived records', expected_every_seconds: 3600 },
  warnings: { label: 'Official warnings', expected_every_seconds: 60 },
  surfaces: { label: 'Radar surfaces', expected_every_seconds: 600 },
}

export const laneStates = ['off', 'running', 'quiet', 'stalled', 'failing'] as const
export type LaneState = (typeof laneStates)[number]
