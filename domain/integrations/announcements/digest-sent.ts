import { localTime } from '#domain/geo/local-time.ts'
import { factsOf, firstOf } from '#domain/integrations/announcements/facts.ts'
import { DIGEST_HOUR } from '#domain/integrations/digest-event.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'
import { consoleUrlOf } from '#domain/kernel/console-url.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { pluralize } from '#domain/kernel/text.ts'

export const digestSent: EventPost<'digest.sent'> = {
  kind: 'digest',
  carry: ({ data, period, totals }) => ({ data, period, totals }),
  announce: ({ data, period, totals, timezone = 'UTC' }, { base_url }) => ({
    headline: `${pluralize(totals.exposures, 'storm exposure')} in the ${hoursOf(period)} hours to ${DIGEST_HOUR} AM`,
    lede: `From ${localTime(new Date(period.from), timezone)} to ${localTime(new Date(period.to), timezone)}, at ${pluralize(totals.properties, 'property', 'properties')} and ${pluralize(totals.territories, 'territory', 'territories')}; ${pluralize(totals.warnings, 'warning')}.`,
    rows: firstOf(
      data.map(({ headline }) => headline),
      totals.exposures,
    ),
    facts: factsOf([
      ['Exposures', String(totals.exposures)],
      ['Properties', String(totals.properties)],
      ['Territories', String(totals.territories)],
      ['Warnings', String(totals.warnings)],
    ]),
    link: `${consoleUrlOf(base_url)}/inbox`,
    link_label: 'Open the inbox',
  }),
}

function hoursOf({ from, to }: { from: string; to: string }): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / HOUR_MS)
}
