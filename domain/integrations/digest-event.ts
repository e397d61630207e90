import type { ExposureView } from '#domain/exposures/view.ts'

/** How many of each a digest counts. */
export type DigestTotals = Record<'exposures' | 'properties' | 'territories' | 'warnings', number>

declare module '#domain/events/payloads.ts' {
  interface EventPayload {
    /** The newest 50 exposures of the period; the totals count all. */
    'digest.sent': { data: ExposureView[]; period: { from: string; to: string }; totals: DigestTotals }
  }
}
