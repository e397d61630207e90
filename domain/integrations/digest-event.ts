import type { ExposureView } from '#domain/exposures/view.ts'

/** Hour in the team's time zone. A digest covers what was announced since this hour of the day before, and is sent from this hour on. */
export const DIGEST_HOUR = 7

/** Hour in the team's time zone: a digest may be late until noon, and is not sent after that. */
export const UNTIL_HOUR = 12

/** The counts in a digest. */
export type DigestTotals = Record<'exposures' | 'properties' | 'territories' | 'warnings', number>

declare module '#domain/events/payloads.ts' {
  interface EventPayload {
    /**
     * The newest 50 exposures of the period; `totals` counts all. The period is not 24 hours if clocks changed, the team
     * moved to another time zone, or the day before had no digest. `timezone` is the team's, which its text states times in; events
     * from before it was stored have none.
     */
    'digest.sent': { data: ExposureView[]; period: { from: string; to: string }; totals: DigestTotals; timezone?: string }
  }
}
