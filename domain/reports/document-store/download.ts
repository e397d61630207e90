import type { App } from '#domain/app.ts'
import { LINK_MINUTES, signLink } from '#domain/engines/signed-link.ts'
import { MINUTE_MS } from '#domain/kernel/durations.ts'
import type { DownloadView } from '#domain/reports/view.ts'

/** Returns a link to the document, which is valid for a quarter of an hour for anyone who has it. */
export function downloadOf({ config }: Pick<App, 'config'>, report_id: string, bytes: number, now: Date): DownloadView {
  const expires_at = new Date(now.getTime() + LINK_MINUTES * MINUTE_MS)
  return {
    object: 'download',
    url: `${config.base_url}/download/${signLink(config, { report_id, expires_at })}`,
    signed: true,
    filename: filenameOf(report_id),
    content_type: 'application/pdf',
    bytes,
    expires_at: expires_at.toISOString(),
  }
}

/** Removes the tokens of document links from a text, so that the links no longer open anything. */
export const withoutLinks = (text: string) => text.replaceAll(/\/download\/[\w-]+/g, '/download/...')

/** The name under which a browser saves a report's document. */
export const filenameOf = (report_id: string) => `weather-report-${report_id}.pdf`
