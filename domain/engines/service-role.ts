import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { underMigrationLock } from '#domain/engines/migrations.ts'
import { codeOf } from '#domain/kernel/fault.ts'

/**
 * Privileges of the service role on restricted tables; it may read and write all other tables, and nothing more.
 * It owns no table, so it cannot truncate one, change triggers, or bypass row-level security.
 */
const rights: Record<string, string> = {
  // The ledger is append-only. An erasure may change its texts; a trigger checks that it is an erasure.
  credit_transactions: 'SELECT, INSERT, UPDATE (description, note)',
  // Findings and citations of a published report never change: foreign keys delete them with their report.
  findings: 'SELECT, INSERT',
  report_records: 'SELECT, INSERT',
  // Only database functions write these tables, so that each row is created in its place in the chain.
  audit_log: 'SELECT',
  audit_chains: 'SELECT',
  // A trigger on the observations counts these.
  observation_months: 'SELECT',
  // Keys are immutable; the public part of every signing key is needed forever.
  operator_keys: 'SELECT, INSERT, UPDATE (last_used_at, revoked_at)',
  signing_keys: 'SELECT, INSERT, UPDATE (certificate, sealed_private_key, retired_at)',
  // The fingerprint log is append-only. Tiles grow; a trigger checks that they keep their existing hashes.
  fingerprint_log_entries: 'SELECT, INSERT',
  fingerprint_log_checkpoints: 'SELECT, INSERT',
  fingerprint_log_cosignatures: 'SELECT, INSERT',
  fingerprint_log_timestamps: 'SELECT, INSERT',
  fingerprint_log_tiles: 'SELECT, INSERT, UPDATE (hashes)',
  _prisma_migrations: '',
}
const READ_AND_WRITE = 'SELECT, INSERT, UPDATE, DELETE'
/** Functions that it may execute with the privileges of the tables' owner. */
const FUNCTIONS = [
  'append_audit(uuid, json)',
  'retire_audit(uuid, integer)',
  'add_observation_year(integer)',
  'drop_observation_years(integer)',
]

/**
 * Grants the role of `database_url` its privileges in a database that the role of `migrate_url` has migrated, and creates the role if
 * it is missing. Does nothing if both are the same role, which then owns the tables.
 * @throws Error that explains what to do if the migrating role may not create the other
 */
export async function grantService(migrate_url: string, database_url: string): Promise<void> {
  const { user, password } = new pg.Client({ connectionString: database_url })
  if (!user || user === new pg.Client({ connectionString: migrate_url }).user) return
  await underMigrationLock(migrate_url, async (owner) => {
    await makeRole(owner, user, password)
    await owner.query('BEGIN')
    await grantSchema(owner, user, 'public', (table) => rights[table] ?? READ_AND_WRITE)
    await grantSchema(owner, user, QUEUE_SCHEMA, () => READ_AND_WRITE)
    await owner.query(letVacuum(user))
    await owner.query(letConnect(user))
    await owner.query(`GRANT EXECUTE ON FUNCTION ${FUNCTIONS.join(', ')} TO ${owner.escapeIdentifier(user)}`)
    await owner.query('COMMIT')
  })
}

/** Schema of the queue's tables, if the queue runs on the database. */
const QUEUE_SCHEMA = 'bullmq'

/**
 * Lets imports vacuum and analyze, which PostgreSQL 17 and later allow to roles other than the owner. On older versions autovacuum
 * runs within a minute, for the cells after 10,000 rows.
 */
const letVacuum = (role: string) => `DO $$ BEGIN
  IF current_setting('server_version_num')::int >= 170000 THEN EXECUTE format('GRANT MAINTAIN ON archive_records, record_cells TO %I', ${pg.escapeLiteral(role)}); END IF;
END $$`

/** PUBLIC has these privileges unless an operator revoked them; imports and the queue use temporary tables. */
const letConnect = (role: string) =>
  `DO $$ BEGIN EXECUTE format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', current_database(), ${pg.escapeLiteral(role)}); END $$`

/** PostgreSQL's "insufficient privilege". */
const NOT_ALLOWED = '42501'

async function makeRole(owner: pg.ClientBase, role: string, password: unknown): Promise<void> {
  const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [role])
  if (rowCount) return
  const secret = typeof password === 'string' && password !== '' ? ` PASSWORD '${verifierOf(password)}'` : ''
  try {
    await owner.query(`CREATE ROLE ${owner.escapeIdentifier(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS${secret}`)
  } catch (fault) {
    if (codeOf(fault) !== NOT_ALLOWED) throw fault
    throw new Error(
      `DATABASE_URL names the role ${role}, which does not exist, and the role of DATABASE_MIGRATE_URL may not create it: CREATE ROLE ${role} LOGIN`,
    )
  }
}

/** Returns PostgreSQL's stored form of a password (RFC 5803), so that the password is in no statement and in no log. */
function verifierOf(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, SCRAM_ROUNDS, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${SCRAM_ROUNDS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}

/** PostgreSQL's default. */
const SCRAM_ROUNDS = 4096

/** Grants the privileges of `rightsOf` on every table of a schema, and revokes all others. */
async function grantSchema(owner: pg.ClientBase, role: string, schema: string, rightsOf: (table: string) => string): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v') ORDER BY c.relname`,
    [schema],
  )
  if (rows.length === 0) return
  const to = owner.escapeIdentifier(role)
  const statements = rows.flatMap(({ name }) => {
    const table = `${schema}.${owner.escapeIdentifier(name)}`
    const granted = rightsOf(name)
    return [`REVOKE ALL ON ${table} FROM ${to}`, ...(granted ? [`GRANT ${granted} ON ${table} TO ${to}`] : [])]
  })
  await owner.query(
    [`GRANT USAGE ON SCHEMA ${schema} TO ${to}`, ...statements, `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${to}`].join(';\n'),
  )
}
