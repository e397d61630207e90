/** What a detection did. */
export interface Detected {
  /** Exposures made or changed. */
  written: number
  /** Events emitted. */
  notified: number
}

export const NOTHING: Readonly<Detected> = { written: 0, notified: 0 }

/** Adds what was done to what was done before. */
export function addTo(sum: Detected, { written, notified }: Detected): void {
  sum.written += written
  sum.notified += notified
}
