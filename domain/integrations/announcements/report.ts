import { factsOf } from '#domain/integrations/announcements/facts.ts'
import type { Announcement } from '#domain/integrations/event-post.ts'
import { addressLine } from '#domain/places/address-line.ts'
import { stampOf } from '#domain/reports/stamp.ts'
import type { ReportView } from '#domain/reports/view.ts'

/** Announces a report in words: its headline and first statement, then the other statements. */
export function announceReport(report: ReportView, how: { state: string; link: string | null; link_label: string }): Announcement {
  const { start, end, radius_miles } = report.window
  const [first, ...others] = report.findings ?? []
  return {
    headline: report.headline ?? '',
    lede: first?.statement ?? report.nothing_found ?? '',
    rows: others.map(({ statement, confidence_label }) => `${statement} (${confidence_label})`),
    facts: factsOf([
      ['Report', how.state],
      ['Address', addressLine(report.address)],
      ['Window', `${start} to ${end}, within ${radius_miles} mi`],
      ['Confidence', first?.confidence_label ?? null],
      ['Coverage', report.coverage.summary],
      ['Records', stampOf(report.coverage).toLowerCase()],
    ]),
    link: how.link,
    link_label: how.link_label,
  }
}
