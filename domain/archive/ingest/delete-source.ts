import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { unnamedFiles } from '#domain/archive/ingest/archive-files.ts'
import { withSource } from '#domain/archive/ingest/source-lock.ts'
import { stageDetection } from '#domain/archive/ingest/stage-detection.ts'
import { touchedByRemoval } from '#domain/archive/search/superseded.ts'
import { requireSource } from '#domain/archive/sources/require-source.ts'
import { beginRevision, endRevision } from '#domain/archive/versions/revision.ts'
import { appendEntryOn, type Operation } from '#domain/audit/audit-log.ts'
import { present } from '#domain/kernel/present.ts'

export interface DeletedSource {
  source: string
  /** Records removed, including withdrawn ones. */
  records: number
  /** Radar frames, observations, warnings and zone counties removed: what some sources have beside records or instead of them. */
  others: number
  /** Number of earlier versions removed. A report as of a time before the change can no longer be reproduced. */
  versions: number
  /** The time from which the oldest of these versions was known; null if there was none. */
  versions_since: Date | null
}

/** Name of the install fact that the made-up sample must not be imported again. */
export const SAMPLE_DELETED = 'sample_forgotten'

/** Name of the install fact that holds the property and territory created for the sample. */
export const SAMPLE_WATCHED = 'sample_watched'

/** Name of the install fact that holds the destination created for the sample. */
export const SAMPLE_POSTED = 'sample_posted'

type DeletionEngines = Pick<App, 'pool' | 'clock'> & Partial<Pick<App, 'source_files'>>

/**
 * Removes everything that a source brought: its records, their cells and corners, its radar frames and days, observations
 * or warnings, its coverage, the marks that its files were read, and the stored copies of those files. With the made-up
 * sample it also removes the places and the destination created for it. Published reports keep their copies. It waits for a
 * running import of the source; a monitoring run that reads the source stops at its next response.
 * @param audit the operation for the audit log
 * @throws Refusal validation_failed on `source` if there is no such source
 */
export async function deleteSource(
  { pool, clock, source_files }: DeletionEngines,
  slug: string,
  audit?: Operation,
): Promise<DeletedSource> {
  const source = requireSource(slug)
  return withSource({ pool }, source.id, async (client) => {
    await client.query('BEGIN')
    await beginRevision(client)
    // Deleted first: a run records anything about the source only while this row exists, and locks it meanwhile.
    await client.query('DELETE FROM feed_states WHERE url = $1', [source.id])
    const touched = await touchedByRemoval(client, source.id)
    const { rows } = await client.query<Omit<DeletedSource, 'source'> & { kept_files: string[] }>(DELETE_SOURCE, [
      source.id,
      source.slug,
      SAMPLE_DELETED,
    ])
    if (source.slug === 'sample') {
      await client.query(DELETE_SOURCE_PLACES, [SAMPLE_WATCHED])
      await client.query(DELETE_SAMPLE_DESTINATION, [SAMPLE_POSTED])
    }
    await stageDetection(client, [touched], { quiet: true })
    if (source.slug === 'warnings') await stageWarnings(client)
    const { kept_files, ...deleted } = present(rows[0])
    if (audit) await appendEntryOn(client, audit, { kind: 'source', id: source.id, after: { removed: deleted.records + deleted.others } })
    await endRevision(client, { clock }, { source: source.id, forgot: true })
    await client.query('COMMIT')
    for (const sha256 of await unnamedFiles(client, kept_files)) await source_files?.remove(sha256)
    return { source: source.id, ...deleted }
  })
}

/** Stages detection of every warning that has exposures: none of them is stored any more. */
async function stageWarnings(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ keys: string[] | null; from: string | null; to: string | null }>(EXPOSED_WARNINGS)
  const { keys, from, to } = present(rows[0])
  const touched = { inserted: 0, updated: 0, withdrawn: 0, cells: [], from, to }
  await stageDetection(client, [touched], { quiet: true, warnings: keys ?? [] })
}

const EXPOSED_WARNINGS = `
  SELECT array_agg(DISTINCT warning_key) AS keys, min(date)::text AS from, max(date)::text AS to
    FROM exposures WHERE kind = 'warning' AND NOT withdrawn`

const DELETE_SOURCE = `
  WITH records AS (DELETE FROM archive_records WHERE source = $1 RETURNING id),
       cells AS (DELETE FROM record_cells c USING records r WHERE c.record_id = r.id),
       versions AS (DELETE FROM record_versions v USING records r WHERE v.record_id = r.id RETURNING from_revision),
       past_cells AS (DELETE FROM record_past_cells c USING records r WHERE c.record_id = r.id),
       corners AS (DELETE FROM record_corners WHERE source = $1),
       files AS (DELETE FROM archive_files WHERE source = $1 RETURNING sha256, stored),
       frames AS (DELETE FROM radar_frames WHERE source = $1 RETURNING 1),
       drawn_days AS (DELETE FROM radar_day_overviews WHERE source = $1 RETURNING day),
       changed AS (INSERT INTO map_changes (days) SELECT array_agg(day) FROM drawn_days HAVING count(*) > 0),
       seen AS (DELETE FROM observations WHERE $2 = 'observations' RETURNING 1),
       corrected AS (DELETE FROM observation_corrections WHERE $2 = 'observations'),
       seen_before AS (DELETE FROM observation_versions WHERE $2 = 'observations' RETURNING from_revision),
       stood AS (DELETE FROM station_versions WHERE $2 = 'observations' RETURNING from_revision),
       warned AS (DELETE FROM warnings WHERE $2 = 'warnings' RETURNING 1),
       warned_before AS (DELETE FROM warning_message_versions WHERE $2 = 'warnings' RETURNING from_revision),
       warned_cells AS (DELETE FROM warning_past_cells WHERE $2 = 'warnings'),
       months AS (DELETE FROM coverage WHERE source = $1),
       months_before AS (DELETE FROM coverage_versions WHERE source = $1 RETURNING from_revision),
       marks AS (DELETE FROM feed_marks WHERE source = $1),
       days AS (DELETE FROM coverage_days WHERE source = $1),
       feeds AS (DELETE FROM feed_states WHERE source = $1),
       zones AS (DELETE FROM zone_counties WHERE $2 = 'zones' RETURNING 1),
       zones_before AS (DELETE FROM zone_county_versions WHERE $2 = 'zones' RETURNING from_revision),
       ended AS (SELECT from_revision FROM versions UNION ALL SELECT from_revision FROM seen_before UNION ALL SELECT from_revision FROM stood
                 UNION ALL SELECT from_revision FROM warned_before UNION ALL SELECT from_revision FROM months_before UNION ALL SELECT from_revision FROM zones_before),
       fact AS (INSERT INTO install_facts (name, value) SELECT $3, 'true' WHERE $2 = 'sample' ON CONFLICT DO NOTHING)
  SELECT (SELECT count(*) FROM records)::int AS records,
         ((SELECT count(*) FROM frames) + (SELECT count(*) FROM seen) + (SELECT count(*) FROM warned) + (SELECT count(*) FROM zones))::int AS others,
         (SELECT count(*) FROM ended)::int AS versions,
         ARRAY(SELECT DISTINCT sha256 FROM files WHERE stored) AS kept_files,
         (SELECT min(known_at) FROM archive_revisions WHERE id IN (SELECT from_revision FROM ended)) AS versions_since`

const DELETE_SOURCE_PLACES = `
  WITH made AS (SELECT (value ->> 'property_id')::uuid AS property_id, (value ->> 'territory_id')::uuid AS territory_id FROM install_facts WHERE name = $1),
       filed AS (UPDATE reports r SET property_id = NULL FROM made m WHERE r.property_id = m.property_id),
       watches AS (DELETE FROM watch_cells w USING made m WHERE w.subject_id IN (m.property_id, m.territory_id)),
       drawn AS (DELETE FROM territories t USING made m WHERE t.id = m.territory_id)
  DELETE FROM properties p USING made m WHERE p.id = m.property_id`

/** Deletes its deliveries too: none of them was ever posted. */
const DELETE_SAMPLE_DESTINATION = `
  WITH made AS (SELECT (value ->> 'integration_id')::uuid AS id FROM install_facts WHERE name = $1),
       posts AS (DELETE FROM deliveries d USING made m WHERE d.integration_id = m.id RETURNING d.event_id),
       happened AS (DELETE FROM events e USING posts p WHERE e.id = p.event_id AND NOT EXISTS (
         SELECT FROM deliveries o, made m WHERE o.event_id = e.id AND o.integration_id <> m.id))
  DELETE FROM integrations i USING made m WHERE i.id = m.id`
