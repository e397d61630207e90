import type { App } from '#domain/app.ts'
import { type ReportRow, readNamed, reportColumns, reportView } from '#domain/reports/report-rows.ts'
import { requireComplete, verificationOf } from '#domain/reports/verification.ts'
import type { VerificationView } from '#domain/reports/view.ts'

/** What is known of a fingerprint by whoever knows it: a statement, or that no report with it is left. */
export type PublicStatement =
  | { standing: 'held'; verification: VerificationView }
  | { standing: 'withdrawn'; generated_at: Date; withdrawn_at: Date }

/** Null for a fingerprint that this install never gave. It never tells how many reports bear it. */
export async function publicStatement(
  { pool, config }: Pick<App, 'pool' | 'config'>,
  fingerprint: string,
): Promise<PublicStatement | null> {
  if (!/^[0-9a-f]{64}$/.test(fingerprint)) return null
  const [row] = await readNamed<ReportRow & { sources: string[] }>(pool, 'statement.report', HELD, [fingerprint])
  if (row)
    return {
      standing: 'held',
      verification: verificationOf(requireComplete(reportView(row, config.base_url)), row.sources, config.base_url),
    }
  const [gone] = await readNamed<{ generated_at: Date; withdrawn_at: Date }>(pool, 'statement.withdrawn', WITHDRAWN, [fingerprint])
  return gone ? { standing: 'withdrawn', ...gone } : null
}

const HELD = `
  SELECT ${reportColumns}, ARRAY(SELECT DISTINCT e.source FROM report_records e WHERE e.report_id = r.id) AS sources
    FROM reports r WHERE r.fingerprint = $1 AND r.status = 'complete' ORDER BY r.generated_at, r.id LIMIT 1`
const WITHDRAWN = 'SELECT generated_at, withdrawn_at FROM withdrawn_fingerprints WHERE fingerprint = $1'
