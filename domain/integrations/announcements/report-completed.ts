import { announceReport } from '#domain/integrations/announcements/report.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'
import { consoleUrlOf } from '#domain/kernel/console-url.ts'

export const reportCompleted: EventPost<'report.completed'> = {
  kind: 'report',
  announce: ({ data: [report] }, { base_url }) =>
    announceReport(report, { state: 'complete', link: `${consoleUrlOf(base_url)}/reports/${report.id}`, link_label: 'Read the report' }),
  carry: ({ data }) => ({ data, download: null }),
}
