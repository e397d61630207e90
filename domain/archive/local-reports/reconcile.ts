import type pg from 'pg'
import { type CorrectableReport, corrected, officeOf } from '#domain/archive/local-reports/corrections.ts'
import { keysBetween } from '#domain/archive/local-reports/record.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import type { SourceId } from '#domain/weather/sources.ts'

export interface Reconciled {
  /** Of the arrived records those that no correction took the place of. */
  current: ArchiveRecord[]
  /** Ids of held records that an arrived correction takes the place of. */
  corrected: number[]
}

/** Reports within so many hours may be one another's correction (corrections.ts). */
const HOURS_AROUND = 12

/** Judges arrived reports together with those held around them. Other sources' reports pass: their files are whole days. */
export async function reconcile(client: pg.ClientBase, source: SourceId, records: ArchiveRecord[]): Promise<Reconciled> {
  const arrived = records.map((record) => ({ ...record, issued_at: record.issued_at ?? null }))
  if (source !== 'nws_lsr' || arrived.length === 0) return { current: records, corrected: [] }
  const held = await storedAround(client, source, arrived)
  const keys = new Set(arrived.map(({ source_key }) => source_key))
  // What arrives again is judged as it arrives; a stored row that was withdrawn still shows what was corrected.
  const gone = corrected([...arrived, ...held.filter(({ source_key }) => !keys.has(source_key))])
  return {
    current: records.filter(({ source_key }) => !gone.has(source_key)),
    corrected: held.filter(({ source_key, withdrawn }) => !withdrawn && gone.has(source_key)).map(({ id }) => id),
  }
}

type StoredReport = CorrectableReport & { id: number; withdrawn: boolean }

async function storedAround(client: pg.ClientBase, source: string, arrived: CorrectableReport[]): Promise<StoredReport[]> {
  const times = arrived.map(({ begins_at }) => begins_at.getTime()).sort((a, b) => a - b)
  const from = new Date(present(times[0]) - HOURS_AROUND * HOUR_MS)
  const before = new Date(present(times.at(-1)) + HOURS_AROUND * HOUR_MS + MINUTE_MS)
  const stored: StoredReport[] = []
  // One by one: of many at once PostgreSQL expects so many rows that it would read the whole archive.
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
