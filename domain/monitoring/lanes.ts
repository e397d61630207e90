/** The lanes of monitoring: what is read, and how often a pass is expected to complete. */
export const lanes = [
  { lane: 'record', label: 'Archived records', expected_every_seconds: 3600 },
  { lane: 'warnings', label: 'Official warnings', expected_every_seconds: 60 },
  { lane: 'surfaces', label: 'Radar surfaces', expected_every_seconds: 600 },
] as const

export type LaneName = (typeof lanes)[number]['lane']

export const laneStates = ['off', 'running', 'quiet', 'stalled', 'failing'] as const
export type LaneState = (typeof laneStates)[number]
