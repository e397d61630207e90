import { Readable } from 'node:stream'
import type { App } from '#domain/app.ts'
import { SAMPLE_FORGOTTEN } from '#domain/archive/forget.ts'
import { ingest } from '#domain/archive/ingest.ts'
import { detailsName, locationsName, sampleDetails, sampleLocations } from '#domain/archive/sample/storm-day.ts'

export { sampleStorm } from '#domain/archive/sample/storm-day.ts'

/** Reads the made-up storm day into the archive through the same import as real files; once forgotten, it stays so. */
export async function seedSample(app: Pick<App, 'pool' | 'clock' | 'log'>): Promise<void> {
  const { rowCount } = await app.pool.query('SELECT FROM install_facts WHERE name = $1', [SAMPLE_FORGOTTEN])
  if (rowCount) return
  await ingest(app, 'sample', Readable.from([Buffer.from(sampleDetails())]), { file_name: detailsName, whole_year: true, quiet: true })
  await ingest(app, 'sample', Readable.from([Buffer.from(sampleLocations())]), { file_name: locationsName, quiet: true })
}
