import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { migrate, scriptOf } from '#domain/engines/migrations.ts'

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
  let url: string
  beforeAll(async () => {
    url = await freshDatabase('migrations')
  })

  it('applies what is new, once, two at a time, bodies of functions included', async () => {
    const folder = await aFolder({ '20200101000000_jars': TRIGGER })
    const both = await Promise.all([migrate(url, folder), migrate(url, folder)])
    expect(both.flat()).toEqual(['20200101000000_jars'])
    expect(await run(url, "INSERT INTO jars VALUES (1, 'plum') RETURNING label")).toEqual([{ label: 'PLUM;' }])
    expect(await run(url, 'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL')).toHaveLength(1)
  })

  it('names the migration that fails', async () => {
    const folder = await aFolder({ '20200101000000_jars': TRIGGER, '20200102000000_broken': 'CREATE TABLE jars (id int);' })
    await expect(migrate(url, folder)).rejects.toThrow('20200102000000_broken')
  })
})

describe('the migrations of the project', () => {
  it('come to the tables, columns, indexes and references of schema.prisma', async () => {
    const drawn = await freshDatabase('drawn')
    await run(drawn, await scriptOf(await readFile('schema.prisma', 'utf8'), drawn))
    const migrated = await freshDatabase('migrated', inject('template'))
    expect(await run(migrated, COLUMNS)).toEqual(await run(drawn, COLUMNS))
    expect(await run(migrated, REFERENCES)).toEqual(await run(drawn, REFERENCES))
    // Partial indexes stand in the migrations only: Prisma cannot express them.
    expect(await run(migrated, INDEXES)).toEqual(expect.arrayContaining(await run(drawn, INDEXES)))
  })
})

const COLUMNS = `SELECT table_name, column_name, udt_name, is_nullable, column_default, numeric_precision, datetime_precision
  FROM information_schema.columns c JOIN information_schema.tables USING (table_schema, table_name)
 WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations' ORDER BY 1, 2`
const REFERENCES = `SELECT conrelid::regclass::text AS of, conname, pg_get_constraintdef(oid) AS says FROM pg_constraint WHERE contype = 'f' ORDER BY 1, 2`
const INDEXES = `SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`

async function aFolder(migrations: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weather-migrations-'))
  await writeFile(path.join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n')
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(path.join(folder, name))
    await writeFile(path.join(folder, name, 'migration.sql'), sql)
  }
  return folder
}

/** A database of this run, gone with it; a copy of another where one is named. */
async function freshDatabase(name: string, template = 'template1'): Promise<string> {
  const database = `${inject('databases')}${name}`
  await run(inject('postgres'), `CREATE DATABASE ${database} TEMPLATE ${template}`)
  return inject('postgres').replace(/postgres$/, database)
}

async function run(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
