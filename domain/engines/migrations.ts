import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import * as wasm from '@prisma/schema-engine-wasm/schema_engine_bg'
import type pg from 'pg'
import { keepSession, type Limits, openPool } from '#domain/engines/pool.ts'

/**
 * Applies the pending migrations of a folder in this process, and returns their names.
 * It uses the same `_prisma_migrations` table as `prisma migrate deploy`. Two processes that migrate at once wait for each other. A failed
 * migration changed nothing. If the process stopped in the middle, it changed nothing or everything; if nothing, the next run applies it.
 * @throws Error that names the failed migration
 */
export async function migrate(database_url: string, folder: string): Promise<string[]> {
  return underMigrationLock(database_url, async (client, pool) => {
    await markUnfinishedRolledBack(client)
    const engine = await openEngine(pool)
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: await readMigrations(folder),
      filters: NO_FILTERS,
    })
    await enableRowSecurity(client)
    return appliedMigrationNames
  })
}

/**
 * Runs work that changes tables or rights, in one process at a time: PostgreSQL refuses two changes of one row of its catalogue.
 * @param work receives the session that has the lock, and the pool
 */
export async function underMigrationLock<Result>(
  database_url: string,
  work: (client: pg.PoolClient, pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = openPool(database_url, { max: 4, application_name: 'weather-migrations', limits: MIGRATION })
  const client = await pool.connect()
  let session: { stop(): void } | undefined
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    session = await keepSession(client)
    return await work(client, pool)
  } finally {
    session?.stop()
    client.release(true)
    await pool.end()
  }
}

/**
 * Applies row-level security to the owner of the tables too. Run it only when no process of a version that connects as the owner and
 * names no team still serves: such a process would see no rows.
 */
export async function forceTeamRows(database_url: string): Promise<void> {
  await underMigrationLock(database_url, async (client) => {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM team_tables() WHERE NOT forced')
    for (const { name } of rows) await client.query('SELECT force_team_rows($1, true)', [name])
  })
}

/** Marks unfinished migrations as rolled back so that they run again: otherwise the engine stops. Waits for one that still runs. */
async function markUnfinishedRolledBack(client: pg.PoolClient): Promise<void> {
  if (await hasHistory(client)) await client.query(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE ${UNFINISHED}`)
}

async function hasHistory(client: pg.PoolClient): Promise<boolean> {
  const { rowCount } = await client.query("SELECT WHERE to_regclass('_prisma_migrations') IS NOT NULL")
  return rowCount === 1
}

const UNFINISHED = 'finished_at IS NULL AND rolled_back_at IS NULL'

/**
 * Runs before each script, in the same transaction: the migration is marked finished exactly when its changes are committed, even if the
 * client is gone, and its row is locked until then. Before the first migration the table does not exist.
 */
const FINISH = `DO $$ BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN UPDATE _prisma_migrations SET finished_at = now() WHERE ${UNFINISHED}; END IF;
END $$;
`

/** Sets up row-level security, each table in its own transaction: a table is locked only briefly, while others stay in use. */
async function enableRowSecurity(client: pg.PoolClient): Promise<void> {
  const { rowCount: known } = await client.query("SELECT WHERE to_regprocedure('wall_team_rows(regclass)') IS NOT NULL")
  if (!known) return
  const { rows } = await client.query<{ name: string }>('SELECT name FROM team_tables() WHERE NOT walled')
  for (const { name } of rows) await client.query('SELECT wall_team_rows($1)', [name])
  await client.query('SELECT wall_views()')
}

/**
 * Returns the SQL that creates the tables of a schema.prisma in an empty database: the expected result of all migrations.
 * The engine only asks the database for its version, and changes nothing there.
 */
export async function scriptOf(schema: string, database_url: string): Promise<string> {
  const pool = openPool(database_url, { max: 1, application_name: 'weather-migrations', limits: MIGRATION })
  try {
    const engine = await openEngine(pool)
    const to = { tag: 'schemaDatamodel' as const, files: [{ path: 'schema.prisma', content: schema }] }
    const { stdout } = await engine.diff({ from: { tag: 'empty' }, to, script: true, exitCode: null, filters: NO_FILTERS })
    return stdout ?? ''
  } finally {
    await pool.end()
  }
}

/** A migration has no time limit and waits for another one without limit; a hanging process is disconnected after a minute. */
const MIGRATION: Limits = { statement: 0, lock: 0, idle_in_transaction: 60_000 }

/** Id of the advisory lock for migrations: an arbitrary constant, used for nothing else. */
const MIGRATION_LOCK = 7_240_510
const NO_FILTERS = { externalTables: [], externalEnums: [] }

/** Opens the WebAssembly engine of `prisma migrate` on a pool. Its code is loaded once a process. */
async function openEngine(pool: pg.Pool): Promise<wasm.SchemaEngine> {
  await (loaded ??= loadEngine())
  const adapter = bindMigrationAwareSqlAdapterFactory(sendScriptsUnsplit(new PrismaPg(pool)))
  return await wasm.SchemaEngine.new({ datamodels: [['schema.prisma', DATASOURCE]] }, () => {}, adapter)
}

/** The engine requires a schema; to apply SQL files it needs only the database type. */
const DATASOURCE = 'datasource db {\n  provider = "postgresql"\n}\n'

let loaded: Promise<void> | undefined

/** Loads the engine's code by hand: Node.js does not import WebAssembly modules. */
async function loadEngine(): Promise<void> {
  const require = createRequire(import.meta.url)
  const file = path.join(path.dirname(require.resolve('@prisma/schema-engine-wasm')), 'schema_engine_bg.wasm')
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => console.error(message) } })
  const { instance } = await WebAssembly.instantiate(await readFile(file), {
    './schema_engine_bg.js': { ...wasm },
  })
  const code = wasm as unknown as { __wbg_set_wasm(exports: WebAssembly.Exports): void }
  code.__wbg_set_wasm(instance.exports)
  const { __wbindgen_start: begin } = instance.exports
  if (typeof begin === 'function') begin()
}

/** The adapter splits a script at every ';', even within a function body: sends the file whole, which makes it one transaction. */
function sendScriptsUnsplit(factory: PrismaPg): SqlMigrationAwareDriverAdapterFactory {
  const withUnsplitScripts = (connection: Connection): SqlDriverAdapter => {
    const { onError } = connection as unknown as { onError(fault: unknown): never }
    connection.executeScript = (sql) =>
      connection
        .underlyingDriver()
        .query(FINISH + sql)
        .then(() => {}, onError.bind(connection))
    return connection
  }
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => withUnsplitScripts(await factory.connect()),
    connectToShadowDb: async () => withUnsplitScripts(await factory.connectToShadowDb()),
  }
}

type Connection = Awaited<ReturnType<PrismaPg['connect']>>

/** Reads the folder in the engine's format: the lock file and each dated folder's migration.sql, in order. */
async function readMigrations(folder: string): Promise<wasm.MigrationList> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  return {
    baseDir: path.resolve(folder),
    lockfile: { path: 'migration_lock.toml', content: await readFile(path.join(folder, 'migration_lock.toml'), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok' as const, value: await readFile(path.join(folder, name, 'migration.sql'), 'utf8') },
        },
      })),
    ),
  }
}
