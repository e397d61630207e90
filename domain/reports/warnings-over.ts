import type { App } from '#domain/app.ts'
import { warningsNearby } from '#domain/archive/warnings/nearby.ts'
import { type Period, periodsOf, reachContains, type WarningReach } from '#domain/archive/warnings/reach.ts'
import type { InForceSpan } from '#domain/archive/warnings/spans.ts'
import { stateOf } from '#domain/archive/warnings/summary.ts'
import type { Threats } from '#domain/archive/warnings/warning.ts'
import { cellOf } from '#domain/geo/cells.ts'
import { dayIn } from '#domain/geo/local-day.ts'
import type { Point } from '#domain/geo/measure.ts'

/** An official warning that was in force over the place: shown, never counted as evidence. */
export interface WarningOver {
  event: string
  office_name: string
  issued_at: Date
  /** When it covered the place. */
  periods: Period[]
  /** The messages whose area covered the place, as they were sent. */
  messages: WarningOverMessage[]
  citation_url: string
}

export interface WarningOverMessage extends Period {
  sent_at: Date
  /** Whether it is in force until further notice: `until` is then its expiry, or when the next message followed. */
  open_ended: boolean
  threats: Threats
  area: InForceSpan['area']
  /** The name of its area, if it has no polygon. */
  area_name: string | null
  citation_url: string
}

/** Returns the warnings that covered a place on the local days of a window, newest first; none that was yet to begin. */
export async function warningsOver(
  { pool, clock }: Pick<App, 'pool' | 'clock'>,
  { latitude, longitude }: Point,
  window: { start: string; end: string },
  timezone: string,
  as_of: Date | null,
): Promise<WarningOver[]> {
  const { from } = dayIn(window.start, timezone)
  const { until } = dayIn(window.end, timezone)
  const known_at = as_of ?? clock.now()
  const nearby = await warningsNearby(pool, [cellOf(latitude, longitude)], from, until, as_of)
  return nearby
    .map(({ source_key, messages, reaches }) => {
      const { event, office_name, issued_at, citation_url } = stateOf(source_key, messages)
      const over = reaches.filter((reach) => reach.from <= known_at && reachContains(reach, longitude, latitude))
      return { event, office_name, issued_at, periods: periodsOf(over), messages: over.map(messageOf), citation_url }
    })
    .filter(({ periods }) => periods.some((period) => period.from <= until && period.until > from))
    .sort((one, other) => other.issued_at.getTime() - one.issued_at.getTime())
}

function messageOf({ message, from, until, area }: WarningReach): WarningOverMessage {
  const { sent_at, ends_at, threats, citation_url } = message
  return { sent_at, from, until, open_ended: ends_at === null, threats, area, area_name: message.area, citation_url }
}
