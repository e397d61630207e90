import type pg from 'pg'
import { type CorrectableReport, findCorrected, HOURS_APART_MAX, officeOf } from '#domain/archive/local-reports/corrections.ts'
import { keysBetween } from '#domain/archive/local-reports/record.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import type { SourceId } from '#domain/weather/sources.ts'

export interface Reconciled {
  /** The arrived records that no correction replaced. */
  current: ArchiveRecord[]
  /** Ids of the stored records that an arrived correction replaces. */
  corrected: number[]
}

/**
 * Compares arrived reports with the stored reports around them. Reports of other sources pass unchanged: their files
 * are whole days.
 */
export async function reconcile(client: pg.ClientBase, source: SourceId, records: ArchiveRecord[]): Promise<Reconciled> {
  const arrived = records.map((record) => ({ ...record, issued_at: record.issued_at ?? null }))
  if (source !== 'nws_lsr' || arrived.length === 0) return { current: records, corrected: [] }
  const stored = await readStoredAround(client, source, arrived)
  const keys = new Set(arrived.map(({ source_key }) => source_key))
  // A report that arrives again counts as it arrives. A stored row that was withdrawn still shows what was corrected.
  const correctedKeys = findCorrected([...arrived, ...stored.filter(({ source_key }) => !keys.has(source_key))])
  return {
    current: records.filter(({ source_key }) => !correctedKeys.has(source_key)),
    corrected: stored.filter(({ source_key, withdrawn }) => !withdrawn && correctedKeys.has(source_key)).map(({ id }) => id),
  }
}

type StoredReport = CorrectableReport & { id: number; withdrawn: boolean }

async function readStoredAround(client: pg.ClientBase, source: string, arrived: CorrectableReport[]): Promise<StoredReport[]> {
  const times = arrived.map(({ begins_at }) => begins_at.getTime()).sort((a, b) => a - b)
  const from = new Date(present(times[0]) - HOURS_APART_MAX * HOUR_MS)
  const before = new Date(present(times.at(-1)) + HOURS_APART_MAX * HOUR_MS + MINUTE_MS)
  const stored: StoredReport[] = []
  // One query for each range: for many ranges at once PostgreSQL expects so many rows that it would read the whole archive.
  for (const { first, after } of keysBetween([...new Set(arrived.map(officeOf))], from, before)) {
    const { rows } = await client.query<StoredReport>(
      `SELECT id, source_key, type, begins_at, issued_at, description, withdrawn_at IS NOT NULL AS withdrawn FROM archive_records
        WHERE source = $1 AND source_key >= $2 AND source_key < $3`,
      [source, first, after],
    )
    stored.push(...rows)
  }
  return stored
}
