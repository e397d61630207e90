import type { App } from '#domain/app.ts'
import { sourceBySlug } from '#domain/archive/sources/index.ts'
import { stageDetection } from '#domain/archive/stage-detection.ts'
import { touchedByLeaving } from '#domain/archive/superseded.ts'
import { refuseField } from '#domain/check.ts'

export interface Forgotten {
  source: string
  /** Records removed. */
  records: number
}

/** Name of the install's fact that its made-up sample is not to come back. */
export const SAMPLE_FORGOTTEN = 'sample_forgotten'

/**
 * Removes what a source brought: its records, their cells and corners, its coverage, and that its files were read. Published reports keep their copies.
 * @throws Refusal validation_failed on `source` where no source is called so
 */
export async function forgetSource({ pool }: Pick<App, 'pool'>, slug: string): Promise<Forgotten> {
  const source = sourceBySlug(slug) ?? refuseField('source', `There is no source called ${slug}.`)
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const touched = await touchedByLeaving(client, source.id)
    const { rows } = await client.query<{ records: number }>(FORGET, [source.id, source.slug, SAMPLE_FORGOTTEN])
    await stageDetection(client, [touched], { quiet: true })
    await client.query('COMMIT')
    return { source: source.id, records: rows[0]?.records ?? 0 }
  } catch (fault) {
    await client.query('ROLLBACK')
    throw fault
  } finally {
    client.release()
  }
}

const FORGET = `
  WITH records AS (DELETE FROM archive_records WHERE source = $1 RETURNING id),
       cells AS (DELETE FROM record_cells c USING records r WHERE c.record_id = r.id),
       corners AS (DELETE FROM record_corners WHERE source = $1),
       months AS (DELETE FROM coverage WHERE source = $1),
       feeds AS (DELETE FROM feed_states WHERE source = $1),
       zones AS (DELETE FROM zone_counties WHERE $2 = 'zones'),
       fact AS (INSERT INTO install_facts (name, value) SELECT $3, 'true' WHERE $2 = 'sample' ON CONFLICT DO NOTHING)
  SELECT count(*)::int AS records FROM records`
