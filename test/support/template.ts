import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { migrate } from '#domain/engines/migrations.ts'
import { grantService } from '#domain/engines/service-role.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { migrateQueueOf } from '#workers/database-store.ts'
import type { Postgres } from '../../scripts/postgres.mjs'

/** Name of the migrated database that worlds are copied from; it changes with the files that make the database. */
export const templateName = () => `template_${fingerprintOf('migrations', 'domain/places', 'domain/engines/service-role.ts', 'workers')}`

/** Migrates a draft, fills in the places, and renames it, so that an unfinished template is never copied. */
export async function makeTemplate(run: pg.Client, { url, serving }: Pick<Postgres, 'url' | 'serving'>, template: string): Promise<void> {
  const made = await run.query('SELECT FROM pg_database WHERE datname = $1', [template])
  if (made.rowCount) return
  const draft = `draft_of_${template}`
  await run.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
  await run.query(`CREATE DATABASE ${draft}`)
  await migrate(url(draft), 'migrations')
  await migrateQueueOf(url(draft))
  await grantService(url(draft), serving(draft))
  const pool = new pg.Pool({ connectionString: url(draft), max: 1 })
  await seedPlaces(pool)
  await pool.end()
  await run.query(`ALTER DATABASE ${draft} RENAME TO ${template}`)
}

/** Returns a short hash of some files, and of every file in some folders: a change to them makes another template. */
function fingerprintOf(...places: string[]): string {
  const hash = createHash('sha256')
  const within = (folder: string) => (readdirSync(folder, { recursive: true }) as string[]).map((name) => path.join(folder, name))
  const files = places.flatMap((place) => (statSync(place).isFile() ? [place] : within(place)))
  for (const file of files.filter((name) => statSync(name).isFile()).sort()) hash.update(file).update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}
