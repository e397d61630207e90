import type { ExposureView } from '#domain/exposures/view.ts'

/** By the team's own clock: a digest is of what was announced since the one of the day before, at this hour, and is sent from it on. */
export const DIGEST_HOUR = 7

/** How many of each a digest counts. */
export type DigestTotals = Record<'exposures' | 'properties' | 'territories' | 'warnings', number>

declare module '#domain/events/payloads.ts' {
  interface EventPayload {
    /** The newest 50 exposures of the period, which has other hours than 24 where clocks were changed or the team has moved to another zone; the totals count all. */
    'digest.sent': { data: ExposureView[]; period: { from: string; to: string }; totals: DigestTotals }
  }
}
