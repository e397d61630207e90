import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { withinTeam } from '#domain/access/scope.ts'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { sampleStorm } from '#domain/archive/sample/storm-day.ts'
import { appendEntry, type Operation } from '#domain/audit/audit-log.ts'
import { forceTeamRows, migrate } from '#domain/engines/migrations.ts'
import { prepareScopes, scopedPool } from '#domain/engines/row-scope.ts'
import { grantService } from '#domain/engines/service-role.ts'
import { watchSample } from '#domain/exposures/sample.ts'
import { postSample } from '#domain/integrations/sample.ts'
import { createOperatorLink } from '#domain/people/operator-link.ts'
import { addContact } from '#domain/properties/contacts.ts'
import { createProperty } from '#domain/properties/create.ts'
import { findReport } from '#domain/reports/find.ts'
import { requestReport } from '#domain/reports/request.ts'
import type { Team } from '#generated/prisma/client.ts'
import { aRule } from '#test/domain/alerts/alerts.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let ownTeam: Team
let otherTeam: Team
/** The service role, as a program with its own connection. */
let raw: pg.Client
/** The tables that belong to teams, from the schema: the teams themselves and every table with the column. */
let owned: { name: string; column: string }[]

beforeAll(async () => {
  world = await openWorld()
  await seedSample(world.app)
  ownTeam = await aTeam(world)
  otherTeam = await aTeam(world)
  await watchSample(world.app, ownTeam.id)
  await postSample(world.app, ownTeam.id)
  for (const team of [ownTeam, otherTeam]) {
    const caller = await aCaller(world, team)
    await world.app.db.$transaction((tx) => appendEntry(tx, { ...service, team_id: team.id }, { kind: 'team', id: team.id }))
    await createOperatorLink(world.app, { team_id: team.id, email: 'invited@example.com', role: 'viewer' })
    const { id: person_id } = await world.app.db.person.create({ data: { email: `${team.id}@example.com` } })
    await world.app.db.membership.create({ data: { team_id: team.id, person_id, role: 'owner' } })
    const property = await createProperty(world.app, caller, { address: '700 Main St, Frisco, TX 75034', label: 'Of both' })
    await addContact(world.app, caller, property.id, { name: 'Ann' })
    const input = { ...sampleStorm, property_id: property.id }
    const { address, window_start, window_end, radius_miles, property_id } = input
    const request = { key: 'once', method: 'POST', path: '/', body: null }
    await requestReport(world.app, caller, { address, window_start, window_end, radius_miles, property_id }, request)
    await world.app.db.reportPreviews.create({ data: { team_id: team.id, day: world.clock.now(), used: 1 } })
    await world.app.db.digest.create({ data: { team_id: team.id, local_date: world.clock.now(), status: 'sent' } })
  }
  await world.drain()
  const { id: rule_id } = await aRule(world, ownTeam)
  const { id: exposure_id } = await world.app.db.exposure.findFirstOrThrow({ where: { team_id: ownTeam.id } })
  await world.app.db.alertMatch.create({ data: { team_id: ownTeam.id, rule_id, exposure_id } })
  const mail = { team_id: ownTeam.id, rule_id, email: 'desk@example.com', subject: 'Hail', exposure_ids: [exposure_id] }
  await world.app.db.alertMail.create({ data: { ...mail, send_after: world.clock.now() } })
  raw = new pg.Client({ connectionString: world.app.config.database_url })
  await raw.connect()
  const { rows } = await world.owner.query(OWNED)
  owned = rows
})
afterAll(() => raw.end())

const OWNED = `SELECT DISTINCT c.table_name AS name, CASE c.table_name WHEN 'teams' THEN 'id' ELSE 'team_id' END AS column
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
 WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND (column_name = 'team_id' OR c.table_name = 'teams') ORDER BY 1`

/** The actor that the audit log names for work of the service itself. */
const service: Operation = { actor_kind: 'service', actor: 'test', operation: 'test', team_id: null, request_id: null, address: null }

const count = async (queryable: { query: pg.Client['query'] }, table: string, where = 'true'): Promise<number> =>
  (await queryable.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`)).rows[0]?.n as number

test('row security covers every table with team rows, also for its owner, and no other table references one', async () => {
  expect(owned.length).toBeGreaterThanOrEqual(17)
  const { rows } = await world.owner.query('SELECT name::text, walled, forced FROM team_tables() ORDER BY 1')
  expect(rows).toEqual(owned.map(({ name }) => ({ name, walled: true, forced: true })))
  const { rows: children } = await world.owner.query(
    `SELECT conrelid::regclass::text AS name FROM pg_constraint
      WHERE contype = 'f' AND confrelid IN (SELECT name FROM team_tables()) AND conrelid NOT IN (SELECT name FROM team_tables())`,
  )
  expect(children).toEqual([])
})

test("no view runs with its owner's rights", async () => {
  const { rows } = await world.owner.query(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm') AND NOT 'security_invoker=true' = ANY (coalesce(reloptions, '{}'))`,
  )
  expect(rows).toEqual([])
})

test("the service role sees no rows without a scope, its team's rows within one, and all rows for the service’s own work", async () => {
  const within = scopedPool(world.app.pool, { team_id: ownTeam.id })
  for (const { name, column } of owned) {
    expect([name, await count(raw, name)]).toEqual([name, 0])
    const all = await count(world.app.pool, name)
    const own = await count(world.app.pool, name, `${column} = '${ownTeam.id}'`)
    expect([name, own > 0]).toEqual([name, true])
    expect([name, await count(within, name)]).toEqual([name, own])
    expect([name, await count(world.owner, name)]).toEqual([name, all])
  }
  expect(await count(world.app.pool, 'teams')).toBe(2)
  expect(await count(raw, 'invariant_violations')).toBe(0)
})

test('a team sees its members, but not their sessions or any link', async () => {
  await world.app.db.session.create({
    data: {
      hash: 'x',
      person_id: (await world.app.db.person.findFirstOrThrow()).id,
      seen_at: world.clock.now(),
      expires_at: world.clock.now(),
    },
  })
  const passkey = { credential_id: 'x', public_key: Buffer.from('x'), counter: 0, backed_up: false, handed_over: false, name: 'Laptop' }
  await world.app.db.passkey.create({ data: { ...passkey, person_id: (await world.app.db.person.findFirstOrThrow()).id } })
  await world.app.db.passkeyChallenge.create({ data: { hash: 'x', challenge: 'x', expires_at: world.clock.now() } })
  const { id: person_id } = await world.app.db.person.findFirstOrThrow()
  await world.app.db.identity.create({ data: { person_id, issuer: 'https://id.example.com', subject: 'x' } })
  const signIn = { hash: 'x', state: 'x', nonce: 'x', code_verifier: 'x', expires_at: world.clock.now() }
  await world.app.db.companySignIn.create({ data: signIn })
  const within = scopedPool(world.app.pool, { team_id: ownTeam.id })
  expect((await within.query('SELECT email FROM people')).rows).toEqual([{ email: `${ownTeam.id}@example.com` }])
  for (const table of ['sessions', 'sign_in_links', 'passkeys', 'passkey_challenges', 'identities', 'company_sign_ins'])
    expect([table, await count(within, table)]).toEqual([table, 0])
  const foreign = `INSERT INTO sign_in_links (id, email, invitation_id, expires_at)
    SELECT gen_random_uuid(), 'somebody@example.com', id, now() FROM invitations`
  await expect(within.query(foreign)).rejects.toThrow('row-level security')
})

test('no scope stays on a connection, whatever ran on it and however it ended', async () => {
  const one = new pg.Pool({ connectionString: world.app.config.database_direct_url, max: 1, onConnect: prepareScopes })
  const within = scopedPool(one, { team_id: ownTeam.id })
  const system = scopedPool(one, 'system')
  const expectNoTeams = async () => expect(await count(one, 'teams')).toBe(0)
  expect(await count(within, 'teams')).toBe(1)
  await expectNoTeams()
  expect(
    (await system.query({ name: 'named', text: 'SELECT count(*)::int AS n FROM teams WHERE id <> $1', values: [otherTeam.id] })).rows,
  ).toEqual([{ n: 1 }])
  await expectNoTeams()
  await expect(system.query('SELECT 1 / 0')).rejects.toThrow('division by zero')
  await expect(within.query({ name: 'broken', text: 'SELECT $1::int / 0', values: [1] })).rejects.toThrow('division by zero')
  await expect(within.query({ name: 'unparsed', text: 'SELECT FROM nowhere WHERE 1 = $1', values: [1] })).rejects.toThrow('nowhere')
  await expect(within.query({ name: 'unparsed', text: 'SELECT FROM nowhere WHERE 1 = $1', values: [1] })).rejects.toThrow('nowhere')
  await expectNoTeams()
  const client = await within.connect()
  expect((await client.query('SELECT id FROM teams WHERE id <> $1', [otherTeam.id])).rows).toEqual([{ id: ownTeam.id }])
  await client.query('BEGIN')
  expect(await count(client, 'teams')).toBe(1)
  await client.query('ROLLBACK')
  client.release()
  await expectNoTeams()
  await one.end()
})

test('a team’s request never sees another team’s rows, even if a statement omits the team', async () => {
  const caller = await aCaller(world, ownTeam)
  const app = withinTeam(world.app, caller)
  const otherTeamReport = (await world.app.db.report.findFirstOrThrow({ where: { team_id: otherTeam.id } })).id
  expect((await app.pool.query('SELECT DISTINCT team_id FROM reports')).rows).toEqual([{ team_id: ownTeam.id }])
  expect(await app.db.$queryRaw`SELECT DISTINCT team_id FROM deliveries`).toEqual([{ team_id: ownTeam.id }])
  expect(await app.db.report.count({ where: { id: otherTeamReport } })).toBe(0)
  await app.db.$transaction(async (tx) => {
    expect(await tx.$queryRaw`SELECT id FROM reports WHERE id = ${otherTeamReport}::uuid`).toEqual([])
    expect(await tx.$executeRaw`UPDATE reports SET reference = 'moved' WHERE id = ${otherTeamReport}::uuid`).toBe(0)
  })
  // Without the other checks: the caller claims another team than that of its connection.
  await expect(findReport(app, { team: { ...caller.team, id: otherTeam.id } }, otherTeamReport)).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(
    app.pool.query("INSERT INTO digests (team_id, local_date, status) VALUES ($1, '2001-01-01', 'sent')", [otherTeam.id]),
  ).rejects.toThrow('row-level security')
})

describe('the service role', () => {
  test('owns nothing and has no privilege that bypasses row security', async () => {
    const { rows } = await raw.query(
      `SELECT (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owned, r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolcreatedb FROM pg_roles r WHERE rolname = current_user`,
    )
    expect(rows).toEqual([{ owned: 0, rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false }])
  })

  const NOBODYS = [
    'UPDATE credit_transactions SET amount = amount + 1',
    'DELETE FROM credit_transactions',
    'UPDATE report_records SET description = description',
    'DELETE FROM report_records',
    'UPDATE findings SET statement = statement',
    'DELETE FROM findings',
    'TRUNCATE credit_transactions',
    'TRUNCATE audit_log',
    'DELETE FROM audit_log',
    'ALTER TABLE audit_log DISABLE TRIGGER keep_audit',
    'TRUNCATE report_records',
    'TRUNCATE reports CASCADE',
    'TRUNCATE archive_records',
    'ALTER TABLE credit_transactions DISABLE TRIGGER keep_ledger',
    'ALTER TABLE credit_transactions DISABLE TRIGGER ALL',
    'DROP TRIGGER keep_ledger ON credit_transactions',
    'CREATE TRIGGER mine BEFORE UPDATE ON credit_transactions FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change()',
    'CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
    'DROP FUNCTION refuse_ledger_change() CASCADE',
    'SET session_replication_role = replica',
    'ALTER TABLE reports DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE reports NO FORCE ROW LEVEL SECURITY',
    "SELECT force_team_rows('reports', false)",
    'DROP POLICY team_rows ON reports',
    'CREATE POLICY mine ON reports USING (true)',
    'DROP TABLE credit_transactions CASCADE',
    'ALTER TABLE credit_transactions OWNER TO CURRENT_USER',
    'SET ROLE weather',
    'CREATE TABLE mine (id int)',
    'UPDATE _prisma_migrations SET checksum = checksum',
  ]
  test.each(NOBODYS)('is refused: %s', async (sql) => {
    await expect(world.app.pool.query(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^42501$/) })
  })

  test('cannot update, delete or truncate append-only tables or add triggers to them', async () => {
    const { rows } = await world.owner.query(
      `SELECT t.name || '.' || column_name AS name, may
         FROM (VALUES ('credit_transactions'), ('report_records'), ('findings')) t (name)
         JOIN information_schema.columns c ON c.table_name = t.name, unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']) may
        WHERE has_table_privilege($1, t.name, may) OR may IN ('UPDATE', 'REFERENCES') AND has_column_privilege($1, t.name, column_name, may) ORDER BY 1`,
      [new URL(world.app.config.database_url).username],
    )
    // These text columns may change for an erasure; a trigger refuses every other change.
    expect(rows).toEqual(['description', 'note'].map((word) => ({ name: `credit_transactions.${word}`, may: 'UPDATE' })))
    await expect(world.app.pool.query("UPDATE credit_transactions SET note = 'other'")).rejects.toThrow('never rewritten')
    const { rows: emptied } = await world.owner.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND has_table_privilege($1, oid, 'TRUNCATE, TRIGGER')`,
      [new URL(world.app.config.database_url).username],
    )
    expect(emptied).toEqual([])
  })

  test("may execute only the known functions that run with the owner's rights", async () => {
    const { rows } = await world.owner.query(
      `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef AND has_function_privilege($1, oid, 'EXECUTE') ORDER BY 1`,
      [new URL(world.app.config.database_url).username],
    )
    expect(rows.map(({ proname }) => proname)).toEqual(['add_observation_year', 'append_audit', 'drop_observation_years', 'retire_audit'])
  })
})

describe('a database from an earlier version, owned by a role that is not a superuser', () => {
  let owner: string
  let service: string
  let asOwner: pg.Client

  beforeAll(async () => {
    const name = `${inject('databases')}rows`
    const roles = { owner: `${name}_owner`, service: `${name}_service` }
    await world.owner.query(`CREATE ROLE ${roles.owner} LOGIN PASSWORD 'owner' NOSUPERUSER CREATEROLE`)
    await world.owner.query(`CREATE DATABASE ${name} OWNER ${roles.owner}`)
    const address = (username: string, password: string) =>
      Object.assign(new URL(inject('postgres')), { username, password, pathname: `/${name}` }).href
    owner = address(roles.owner, 'owner')
    service = address(roles.service, 'of the service /@')
    await migrate(owner, 'migrations')
    asOwner = new pg.Client({ connectionString: owner })
    await asOwner.connect()
    // The state that an upgrade finds: teams exist, and processes of the earlier version are connected as the owner.
    await asOwner.query(`SELECT force_team_rows(name, false) FROM team_tables()`)
    await asOwner.query(
      `INSERT INTO teams (id, name, plan, period_started_at, renews_at, renewal_day) VALUES (gen_random_uuid(), 'Of before', 'free', now(), now(), 1)`,
    )
  })
  afterAll(() => asOwner.end())

  test('serves the earlier version until row security is forced', async () => {
    await migrate(owner, 'migrations')
    expect(await count(asOwner, 'teams')).toBe(1)
    await forceTeamRows(owner)
    expect(await count(asOwner, 'teams')).toBe(0)
    await asOwner.query("BEGIN; SET LOCAL app.scope = 'system'")
    expect(await count(asOwner, 'teams')).toBe(1)
    await asOwner.query('COMMIT')
    expect(await count(asOwner, 'teams')).toBe(0)
  })

  test('gets a service role from two processes that start together; it sees no rows by default', async () => {
    await Promise.all([grantService(owner, service), grantService(owner, service)])
    await Promise.all([grantService(owner, service), grantService(owner, service)])
    const client = new pg.Client({ connectionString: service })
    await client.connect()
    expect(await count(client, 'teams')).toBe(0)
    await expect(client.query('TRUNCATE teams CASCADE')).rejects.toThrow('permission denied')
    await client.query("BEGIN; SET LOCAL app.scope = 'system'")
    expect(await count(client, 'teams')).toBe(1)
    await client.end()
  })

  test('applies row security to a table of a later migration, also for its owner', async () => {
    await asOwner.query('CREATE TABLE jars (id int, team_id uuid); CREATE VIEW full_jars AS SELECT * FROM jars')
    await asOwner.query('INSERT INTO jars VALUES (1, gen_random_uuid())')
    await migrate(owner, 'migrations')
    expect(await count(asOwner, 'jars')).toBe(0)
    expect(await count(asOwner, 'full_jars')).toBe(0)
  })
})
