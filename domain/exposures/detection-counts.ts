/** What a detection did. */
export interface DetectionCounts {
  /** Exposures made or changed. */
  written: number
  /** Events emitted. */
  notified: number
}

export const NO_CHANGES: Readonly<DetectionCounts> = { written: 0, notified: 0 }

/** Adds what was done to what was done before. */
export function addTo(sum: DetectionCounts, { written, notified }: DetectionCounts): void {
  sum.written += written
  sum.notified += notified
}
