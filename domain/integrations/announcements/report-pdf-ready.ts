import { announceReport } from '#domain/integrations/announcements/report.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'

export const reportPdfReady: EventPost<'report.pdf_ready'> = {
  kind: 'report',
  announce({ data: [report], download }) {
    const announced = announceReport(report, {
      state: 'PDF ready',
      link: download?.url ?? report.links.pdf,
      link_label: 'Download the PDF',
    })
    return { ...announced, rows: ['The document is stored; the link below works for 15 minutes.', ...announced.rows] }
  },
  carry: ({ data, download }) => ({ data, download: download ?? null }),
}
