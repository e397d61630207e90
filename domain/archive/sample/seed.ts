import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { SAMPLE_DELETED } from '#domain/archive/ingest/delete-source.ts'
import type { ImportEngines } from '#domain/archive/ingest/import.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { storeFrame } from '#domain/archive/radar/frames.ts'
import { framesName, sampleFrames } from '#domain/archive/sample/frames.ts'
import { detailsName, locationsName, sampleDetails, sampleLocations } from '#domain/archive/sample/storm-files.ts'

export { sampleStorm } from '#domain/archive/sample/storm-day.ts'

/** Name of the install fact that states which sample is stored. */
const SAMPLE_SEEDED = 'sample_seeded'

/**
 * Imports the made-up storm day the way real files are imported: once, and never again after it was forgotten. Returns
 * whether the archive has it.
 */
export async function seedSample(app: ImportEngines): Promise<boolean> {
  const [details, locations] = [sampleDetails(), sampleLocations()]
  const seeded = createHash('sha256').update(details).update(locations).update(framesName).digest('hex')
  const { rows } = await app.pool.query<{ name: string; value: unknown }>('SELECT name, value FROM install_facts WHERE name = ANY($1)', [
    [SAMPLE_DELETED, SAMPLE_SEEDED],
  ])
  if (rows.some(({ name }) => name === SAMPLE_DELETED)) return false
  if (rows.some(({ value }) => value === seeded)) return true
  await ingest(app, 'sample', Readable.from([Buffer.from(details)]), { file_name: detailsName, whole_year: true, quiet: true })
  await ingest(app, 'sample', Readable.from([Buffer.from(locations)]), { file_name: locationsName, quiet: true })
  for (const frame of sampleFrames()) await storeFrame(app, 'sample', frame)
  await app.pool.query(
    'INSERT INTO install_facts (name, value) VALUES ($1, to_jsonb($2::text)) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value, updated_at = now()',
    [SAMPLE_SEEDED, seeded],
  )
  return true
}
