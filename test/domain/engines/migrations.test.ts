import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { migrate, scriptOf } from '#domain/engines/migrations.ts'
import { waitUntil } from '#test/support/wait-until.ts'

/** A trigger whose body contains semicolons, quotes and a comment: a script split at every ';' would fail. */
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

const END_SLEEPING = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_sleep(1)%'`

describe('migrations applied in process', () => {
  let url: string
  beforeAll(async () => {
    url = await freshDatabase('migrations')
  })

  it('apply once when two processes start together, including function bodies', async () => {
    const folder = await aFolder({ '20200101000000_jars': TRIGGER })
    const both = await Promise.all([migrate(url, folder), migrate(url, folder)])
    expect(both.flat()).toEqual(['20200101000000_jars'])
    expect(await run(url, "INSERT INTO jars VALUES (1, 'plum') RETURNING label")).toEqual([{ label: 'PLUM;' }])
    expect(await run(url, 'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL')).toHaveLength(1)
  })

  it('are marked finished in their own transaction, even if the caller is gone', async () => {
    const own = await freshDatabase('finished')
    const noted = "CREATE TABLE noted AS SELECT finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE migration_name LIKE '%_b'"
    await migrate(own, await aFolder({ '20200101000000_a': 'CREATE TABLE first (id int);', '20200102000000_b': noted }))
    expect(await run(own, 'SELECT finished FROM noted')).toEqual([{ finished: true }])
  })

  it('report the name of a migration that fails', async () => {
    const folder = await aFolder({ '20200101000000_jars': TRIGGER, '20200102000000_broken': 'CREATE TABLE jars (id int);' })
    await expect(migrate(url, folder)).rejects.toThrow('20200102000000_broken')
  })

  it('run again after a failure, and after a process that stopped midway, whether or not its server committed', async () => {
    const own = await freshDatabase('unfinished')
    const broken = 'CREATE TABLE first (id int); SELECT 1 / 0;'
    await expect(migrate(own, await aFolder({ '20200101000000_a': broken }))).rejects.toThrow('20200101000000_a')
    const folder = await aFolder({
      '20200101000000_a': 'CREATE TABLE first (id int);',
      '20200102000000_b': 'SELECT pg_sleep(1); CREATE TABLE second (id int);',
    })
    // The server ends the session of the second migration, as it does when it stops.
    const ended = migrate(own, folder).catch(() => 'ended')
    await waitUntil(async () => (await run(own, END_SLEEPING)).length > 0)
    expect(await ended).toBe('ended')
    expect(await migrate(own, folder)).toEqual(['20200102000000_b'])
    // The process has exited, but its server still runs the second migration and then commits it.
    const working = new pg.Client({ connectionString: own })
    await working.connect()
    await working.query(
      `UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 0 WHERE migration_name LIKE '%_b' AND rolled_back_at IS NULL`,
    )
    await working.query('BEGIN')
    await working.query('UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL')
    const again = migrate(own, folder)
    await waitUntil(async () => (await run(own, "SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'")).length > 0)
    await working.query('COMMIT')
    await working.end()
    expect(await again).toEqual([])
    expect(await migrate(own, folder)).toEqual([])
    expect(
      await run(
        own,
        'SELECT migration_name AS name, finished_at IS NOT NULL AS finished, rolled_back_at IS NOT NULL AS given_up FROM _prisma_migrations ORDER BY started_at',
      ),
    ).toEqual([
      { name: '20200101000000_a', finished: false, given_up: true },
      { name: '20200101000000_a', finished: true, given_up: false },
      { name: '20200102000000_b', finished: false, given_up: true },
      { name: '20200102000000_b', finished: true, given_up: false },
    ])
  })
})

describe('the migrations of the project', () => {
  it('create the tables, columns, indexes and references of schema.prisma', async () => {
    const drawn = await freshDatabase('drawn')
    await run(drawn, await scriptOf(await readFile('schema.prisma', 'utf8'), drawn))
    const migrated = await freshDatabase('migrated', inject('template'))
    expect(await run(migrated, COLUMNS)).toEqual(await run(drawn, COLUMNS))
    expect(await run(migrated, REFERENCES)).toEqual(await run(drawn, REFERENCES))
    // Partial indexes exist only in the migrations: Prisma cannot express them.
    expect(await run(migrated, INDEXES)).toEqual(expect.arrayContaining(await run(drawn, INDEXES)))
  })
})

describe('the migration that erases contacts from stored posts', () => {
  const ERASURE = '20261122000700_erasure'
  const TEAM = '00000000-0000-7000-8000-000000000001'
  const property = {
    id: '00000000-0000-7000-8000-000000000002',
    object: 'property',
    name: 'HQ "contacts":',
    notes: 'Jane knows the code',
    contacts: [{ id: 1, name: 'Jane Quillfeather', email: 'jane@example.org', phone: '+1 405 555 0142' }],
  }
  const payload = { data: [property], changed: ['contacts'], reason: 'change' }
  const body = { id: 'd', kind: 'property', ...payload }

  let url: string
  beforeAll(async () => {
    url = await freshDatabase('erasure')
    await migrate(url, await aFolder(await migrationsBefore(ERASURE)))
    await run(url, insertion('before'))
    await migrate(url, path.resolve('migrations'))
    // Inserts as a process of the earlier version does while it still serves.
    await run(url, insertion('after'))
    await run(url, `UPDATE deliveries SET body = ${literal(JSON.stringify(body))} WHERE subject = 'after'`)
  })

  it('leaves the property and the changes, in existing rows and in those that the earlier version still writes', async () => {
    const content = { property_id: property.id, changed: ['contacts'], reason: 'change' }
    const { contacts: _, notes: __, ...kept } = property
    for (const subject of ['before', 'after']) {
      const [event] = await run(url, `SELECT payload, content FROM events WHERE subject = '${subject}'`)
      expect(event).toEqual({ payload: {}, content })
      const [delivery] = (await run(url, `SELECT body FROM deliveries WHERE subject = '${subject}'`)) as { body: string }[]
      expect(JSON.parse(delivery?.body as string)).toEqual({ ...body, data: [kept] })
    }
    const [{ dump } = { dump: '' }] = (await run(
      url,
      'SELECT concat((SELECT json_agg(d) FROM deliveries d), (SELECT json_agg(e) FROM events e)) AS dump',
    )) as { dump: string }[]
    expect(dump).not.toMatch(/jane|quillfeather|555 0142/i)
  })

  it('leaves other events unchanged and clears bodies that cannot be parsed', async () => {
    expect(await run(url, "SELECT payload, content FROM events WHERE name = 'report.completed'")).toEqual([
      { payload: { data: [{ id: 'r' }] }, content: null },
    ])
    expect(await run(url, "SELECT body FROM deliveries WHERE subject = 'broken'")).toEqual([{ body: null }])
  })

  function insertion(subject: string): string {
    const delivery = (rowSubject: string, text: string) =>
      `INSERT INTO deliveries (id, team_id, event_id, event, integration_id, kind, channel, subject, address_hint, body)
       VALUES (gen_random_uuid(), '${TEAM}', gen_random_uuid(), 'property.updated', gen_random_uuid(), 'event', 'webhook', '${rowSubject}', '', ${literal(text)});`
    const event = (name: string, rowSubject: string, kept: object) =>
      `INSERT INTO events (id, team_id, name, subject, payload) VALUES (gen_random_uuid(), '${TEAM}', '${name}', '${rowSubject}', ${literal(JSON.stringify(kept))});`
    const others =
      subject === 'before' ? event('report.completed', 'other', { data: [{ id: 'r' }] }) + delivery('broken', '{"data":[{"contacts":') : ''
    return event('property.updated', subject, payload) + delivery(subject, JSON.stringify(body)) + others
  }

  const literal = (text: string) => pg.escapeLiteral(text)
})

describe('the migration that partitions observations by year', () => {
  const BY_YEAR = '20261125200000_observation_years'
  const OBSERVATIONS = 'SELECT station_id, observed_at, wind_gust_mph, revision FROM observations ORDER BY station_id, observed_at'

  it('preserves rows, read privileges and concurrent reads', async () => {
    const url = await freshDatabase('observation_years')
    await migrate(url, await aFolder(await migrationsBefore(BY_YEAR)))
    const reader = new pg.Client({ connectionString: url })
    await reader.connect()
    try {
      const role = `${inject('databases')}reader`
      await run(url, `CREATE ROLE ${role}; GRANT SELECT, INSERT ON observations TO ${role}`)
      await run(url, "INSERT INTO stations (id, latitude, longitude, cell) VALUES ('KDFW', 32.9, -97, 0)")
      await run(
        url,
        `INSERT INTO observations (station_id, observed_at, wind_gust_mph, revision) SELECT 'KDFW', at, 60, 7
                        FROM generate_series('1996-12-30'::timestamptz, '2024-02-01', interval '30 days 7 hours') AS at`,
      )
      await run(
        url,
        `INSERT INTO observation_versions (station_id, observed_at, wind_gust_mph, from_revision, until_revision)
                      SELECT station_id, observed_at, 59, 1, 7 FROM observations WHERE observed_at < '1998-01-01'`,
      )
      const before = await run(url, OBSERVATIONS)
      const prepared = { name: 'held', text: OBSERVATIONS }
      const migrating = migrate(url, path.resolve('migrations'))
      let migrated = false
      void migrating.finally(() => {
        migrated = true
      })
      // Uses a statement that was prepared earlier, as processes of the earlier version do.
      while (!migrated) expect((await reader.query(prepared)).rows).toEqual(before)
      await migrating
      expect((await reader.query(prepared)).rows).toEqual(before)
      expect(await run(url, `SELECT count(*)::int AS versions FROM observation_versions`)).toEqual([{ versions: 13 }])
      expect(
        await run(
          url,
          `SELECT count(*)::int AS strays FROM observations WHERE tableoid::regclass::text <> 'partitions.observations_' || extract(year FROM observed_at AT TIME ZONE 'UTC')`,
        ),
      ).toEqual([{ strays: 0 }])
      expect(
        await run(
          url,
          `SELECT ARRAY(SELECT what FROM unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS what WHERE has_table_privilege('${role}', 'observations', what)) AS may`,
        ),
      ).toEqual([{ may: ['SELECT', 'INSERT'] }])
      await run(url, `REVOKE ALL ON observations FROM ${role}; DROP ROLE ${role}`)
    } finally {
      await reader.end()
    }
  })
})

const COLUMNS = `SELECT table_name, column_name, udt_name, is_nullable, column_default, numeric_precision, datetime_precision
  FROM information_schema.columns c JOIN information_schema.tables USING (table_schema, table_name)
 WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations' ORDER BY 1, 2`
const REFERENCES = `SELECT conrelid::regclass::text AS of, conname, pg_get_constraintdef(oid) AS says FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY 1, 2`
const INDEXES = `SELECT tablename, indexname, replace(indexdef, ' ON ONLY ', ' ON ') AS indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`

/** Returns the scripts of the project's migrations before the given one, by name. */
async function migrationsBefore(migration: string): Promise<Record<string, string>> {
  const names = (await readdir('migrations', { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const before = names.filter((name) => name < migration)
  return Object.fromEntries(
    await Promise.all(before.map(async (name) => [name, await readFile(`migrations/${name}/migration.sql`, 'utf8')] as const)),
  )
}

async function aFolder(migrations: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weather-migrations-'))
  await writeFile(path.join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n')
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(path.join(folder, name))
    await writeFile(path.join(folder, name, 'migration.sql'), sql)
  }
  return folder
}

/** Creates a database for this run, dropped with it: a copy of `template`. */
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
