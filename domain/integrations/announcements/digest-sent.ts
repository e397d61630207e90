import { factsOf, firstOf } from '#domain/integrations/announcements/facts.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'
import { consoleUrlOf } from '#domain/kernel/console-url.ts'
import { counted } from '#domain/reports/wording/phrases.ts'

export const digestSent: EventPost<'digest.sent'> = {
  kind: 'digest',
  carry: ({ data, period, totals }) => ({ data, period, totals }),
  announce: ({ data, period, totals }, { base_url }) => ({
    headline: `${counted(totals.exposures, 'storm exposure')} in the last 24 hours`,
    lede: `From ${period.from} to ${period.to}, at ${counted(totals.properties, 'property', 'properties')} and ${counted(totals.territories, 'territory', 'territories')}; ${counted(totals.warnings, 'warning')}.`,
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
