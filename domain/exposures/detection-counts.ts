/** The counts of a detection. */
export interface DetectionCounts {
  /** Exposures created or changed. */
  written: number
  /** Events emitted. */
  notified: number
}

export const NO_CHANGES: Readonly<DetectionCounts> = { written: 0, notified: 0 }

/** The counts of one team's places. */
export interface TeamCounts extends DetectionCounts {
  /** Places for which nothing was written, because their watch changed or ended after they were read. */
  changed: ReadonlySet<string>
}

/** Rounds for places whose watch keeps changing. After that, the backfill of their last change records them silently. */
const ROUNDS_MAX = 5

/**
 * Updates places, and again those whose watch changed meanwhile: the backfill of the changed watch is silent, so what a detection left out
 * would never be announced.
 */
export async function updateUnchanged<Place extends { subject_id: string }>(
  places: Place[],
  update: (places: Place[]) => Promise<TeamCounts | null>,
): Promise<DetectionCounts> {
  const sum = { ...NO_CHANGES }
  let rest = places
  for (let round = 1; rest.length > 0 && round <= ROUNDS_MAX; round++) {
    const done = await update(rest)
    if (!done) break
    addTo(sum, done)
    rest = rest.filter(({ subject_id }) => done.changed.has(subject_id))
  }
  return sum
}

/** Adds counts to a running sum. */
export function addTo(sum: DetectionCounts, { written, notified }: DetectionCounts): void {
  sum.written += written
  sum.notified += notified
}
