import { factsOf } from '#domain/integrations/announcements/facts.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'
import { consoleUrlOf } from '#domain/kernel/console-url.ts'

export const reportFailed: EventPost<'report.failed'> = {
  kind: 'report',
  announce: ({ data: [report] }, { base_url }) => ({
    headline: `Report failed: ${report.address.query}`,
    lede: `${report.failure_message} It costs no credit.`,
    rows: [],
    facts: factsOf([
      ['Report', 'failed'],
      ['Address', report.address.query],
      ['Window', `${report.window.start} to ${report.window.end}, within ${report.window.radius_miles} mi`],
      ['Reference', report.reference],
    ]),
    link: `${consoleUrlOf(base_url)}/reports/${report.id}`,
    link_label: 'See the report',
  }),
  carry: ({ data }) => ({ data, download: null }),
}
