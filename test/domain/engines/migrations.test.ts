import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrate } from '#domain/engines/migrations.ts'

/** A trigger whose body holds semicolons, quotes and a comment: a script that was cut at every ';' would not apply. */
const TRIGGER = `
CREATE TABLE jars (id int PRIMARY KEY, label text);
CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- a comment; with a semicolon
  NEW.label := upper(NEW.label) || ';';
  RETURN NEW;
END $$;
CREATE TRIGGER shout BEFORE INSERT ON jars FOR EACH ROW EXECUTE FUNCTION shout();
`

describe('migrations applied in process', () => {
  const database = `${inject('databases')}migrations`
  const url = inject('postgres').replace(/postgres$/, database)
  let client: pg.Client

  beforeAll(async () => {
    const server = new pg.Client({ connectionString: inject('postgres') })
    await server.connect()
    await server.query(`CREATE DATABASE ${database}`)
    await server.end()
    client = new pg.Client({ connectionString: url })
    await client.connect()
  })
  afterAll(() => client.end())

  it('applies what is new, once, two at a time, bodies of functions included', async () => {
    const folder = await aFolder({ '20200101000000_jars': TRIGGER })
    const both = await Promise.all([migrate(url, folder), migrate(url, folder)])
    expect(both.flat()).toEqual(['20200101000000_jars'])
    await client.query("INSERT INTO jars VALUES (1, 'plum')")
    expect((await client.query('SELECT label FROM jars')).rows).toEqual([{ label: 'PLUM;' }])
    expect((await client.query('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL')).rows).toHaveLength(1)
  })

  it('names the migration that fails', async () => {
    const folder = await aFolder({ '20200101000000_jars': TRIGGER, '20200102000000_broken': 'CREATE TABLE jars (id int);' })
    await expect(migrate(url, folder)).rejects.toThrow('20200102000000_broken')
  })
})

async function aFolder(migrations: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weather-migrations-'))
  await writeFile(path.join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n')
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(path.join(folder, name))
    await writeFile(path.join(folder, name, 'migration.sql'), sql)
  }
  return folder
}
