import type pg from 'pg'

/** A transaction that changed the archive, as shown to users who ask what changed a record. */
export interface RevisionView {
  known_at: string
  source: string | null
  /** The file or feed response that it came from. */
  file_name: string | null
  /** The import that it belongs to. */
  import_id: string | null
  /** The source was forgotten, with everything that it had brought. */
  forgot: boolean
}

/**
 * Returns what changed records after one time, up to another: by record id, oldest first. For a forgotten source it
 * includes the deletion.
 */
export async function revisionsOf(
  client: Pick<pg.ClientBase, 'query'>,
  records: readonly { id: number; source: string }[],
  after: Date,
  until: Date,
): Promise<Map<number, RevisionView[]>> {
  const revisions = new Map<number, RevisionView[]>()
  if (records.length === 0) return revisions
  const values = [records.map(({ id }) => id), records.map(({ source }) => source), after, until]
  const { rows } = await client.query<RevisionRow>({ name: 'revisions.of', text: REVISIONS, values })
  for (const { record_id, known_at, ...row } of rows) {
    const view = { known_at: known_at.toISOString(), ...row }
    revisions.set(record_id, [...(revisions.get(record_id) ?? []), view])
  }
  return revisions
}

type RevisionRow = Omit<RevisionView, 'known_at'> & { record_id: number; known_at: Date }

const REVISIONS = `
  WITH requested AS (SELECT * FROM unnest($1::int[], $2::text[]) AS requested (id, source)),
  touched AS (
    SELECT r.id AS record_id, r.revision FROM requested JOIN archive_records r ON r.id = requested.id
     UNION SELECT v.record_id, v.from_revision FROM requested JOIN record_versions v ON v.record_id = requested.id
     UNION SELECT v.record_id, v.until_revision FROM requested JOIN record_versions v ON v.record_id = requested.id
     UNION SELECT requested.id, k.id FROM requested JOIN archive_revisions k ON k.source = requested.source AND k.forgot)
  SELECT t.record_id, k.known_at, k.source, k.file_name, k.run_id AS import_id, k.forgot
    FROM touched t JOIN archive_revisions k ON k.id = t.revision
   WHERE k.known_at > $3 AND k.known_at <= $4 ORDER BY t.record_id, k.known_at`
