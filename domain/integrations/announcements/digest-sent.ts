import { factsOf, firstOf } from '#domain/integrations/announcements/facts.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'
import { consoleUrlOf } from '#domain/kernel/console-url.ts'

export const digestSent: EventPost<'digest.sent'> = {
  kind: 'digest',
  carry: ({ data, period, totals }) => ({ data, period, totals }),
  announce: ({ data, period, totals }, { base_url }) => ({
    headline: `${totals.exposures} storm ${totals.exposures === 1 ? 'exposure' : 'exposures'} in the last 24 hours`,
    lede: `From ${period.from} to ${period.to}, at ${totals.properties} properties and ${totals.territories} territories; ${totals.warnings} warnings.`,
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
