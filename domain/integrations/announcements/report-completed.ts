import { announceReport } from '#domain/integrations/announcements/report.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'

export const reportCompleted: EventPost<'report.completed'> = {
  kind: 'report',
  announce: ({ data: [report] }) => announceReport(report, { state: 'complete', link: report.links.self, link_label: 'Read the report' }),
  carry: ({ data }) => ({ data, download: null }),
}
