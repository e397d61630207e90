import type { App } from '#domain/app.ts'
import { LINK_MINUTES, signLink } from '#domain/engines/signed-link.ts'
import type { DownloadView } from '#domain/reports/view.ts'

const MS_PER_MINUTE = 60_000

/** A link to the document for whoever holds it, for a quarter of an hour. */
export function downloadOf({ config }: Pick<App, 'config'>, report_id: string, bytes: number, now: Date): DownloadView {
  const expires_at = new Date(now.getTime() + LINK_MINUTES * MS_PER_MINUTE)
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

/** A text in which the links to documents open nothing. */
export const withoutLinks = (text: string) => text.replaceAll(/\/download\/[\w-]+/g, '/download/...')

export const filenameOf = (report_id: string) => `weather-report-${report_id}.pdf`
