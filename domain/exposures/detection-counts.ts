/** The counts of a detection. */
export interface DetectionCounts {
  /** Exposures created or changed. */
  written: number
  /** Events emitted. */
  notified: number
}

export const NO_CHANGES: Readonly<DetectionCounts> = { written: 0, notified: 0 }

/** Adds counts to a running sum. */
export function addTo(sum: DetectionCounts, { written, notified }: DetectionCounts): void {
  sum.written += written
  sum.notified += notified
}
