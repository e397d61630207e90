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
 * Applies the migrations of a folder that the database does not have yet, in the process itself, and answers their names.
 * It keeps the same `_prisma_migrations` table as `prisma migrate deploy`. Two that migrate at once wait for one another. One that failed changed
 * nothing, one whose process ended in the middle of it nothing or all: whoever migrates next applies it where it changed nothing.
 * @throws Error naming the migration that failed
 */
export async function migrate(database_url: string, folder: string): Promise<string[]> {
  const pool = openPool(database_url, { max: 4, application_name: 'weather-migrations', limits: MIGRATION })
  const turn = await pool.connect()
  let session: { stop(): void } | undefined
  try {
    await turn.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    session = await keepSession(turn)
    await giveUpUnfinished(turn)
    const engine = await openEngine(pool)
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: await readMigrations(folder),
      filters: NOTHING_LEFT_OUT,
    })
    await wallTeamRows(turn)
    return appliedMigrationNames
  } finally {
    session?.stop()
    turn.release(true)
    await pool.end()
  }
}

/**
 * Holds also the owner of the tables to the wall around each team's rows, once no process of a version serves that is connected
 * as the owner and names no team: it would find nothing.
 */
export async function forceTeamRows(database_url: string): Promise<void> {
  const pool = openPool(database_url, { max: 1, application_name: 'weather-migrations', limits: MIGRATION })
  try {
    const { rows } = await pool.query<{ name: string }>('SELECT name FROM team_tables() WHERE NOT forced')
    for (const { name } of rows) await pool.query('SELECT force_team_rows($1, true)', [name])
  } finally {
    await pool.end()
  }
}

/** Has what did not come to its end begun anew: the engine would apply nothing more. One that its server still works on is waited for. */
async function giveUpUnfinished(client: pg.PoolClient): Promise<void> {
  if (await hasHistory(client)) await client.query(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE ${UNFINISHED}`)
}

async function hasHistory(client: pg.PoolClient): Promise<boolean> {
  const { rowCount } = await client.query("SELECT WHERE to_regclass('_prisma_migrations') IS NOT NULL")
  return rowCount === 1
}

const UNFINISHED = 'finished_at IS NULL AND rolled_back_at IS NULL'

/**
 * Before each script, and one transaction with it: it is finished where what it did is there, also when nobody was left to hear of it, and until then its
 * row is locked. Before the first there is no such table.
 */
const FINISH = `DO $$ BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN UPDATE _prisma_migrations SET finished_at = now() WHERE ${UNFINISHED}; END IF;
END $$;
`

/** Each table in a transaction of its own: it is locked for a moment, while others are in use. */
async function wallTeamRows(client: pg.PoolClient): Promise<void> {
  const { rowCount: known } = await client.query("SELECT WHERE to_regprocedure('wall_team_rows(regclass)') IS NOT NULL")
  if (!known) return
  const { rows } = await client.query<{ name: string }>('SELECT name FROM team_tables() WHERE NOT walled')
  for (const { name } of rows) await client.query('SELECT wall_team_rows($1)', [name])
  await client.query('SELECT wall_views()')
}

/**
 * The SQL that would make the tables of a schema.prisma in an empty database: what the migrations together must come to.
 * The engine asks any database which version it speaks, and changes nothing there.
 */
export async function scriptOf(schema: string, database_url: string): Promise<string> {
  const pool = openPool(database_url, { max: 1, application_name: 'weather-migrations', limits: MIGRATION })
  try {
    const engine = await openEngine(pool)
    const to = { tag: 'schemaDatamodel' as const, files: [{ path: 'schema.prisma', content: schema }] }
    const { stdout } = await engine.diff({ from: { tag: 'empty' }, to, script: true, exitCode: null, filters: NOTHING_LEFT_OUT })
    return stdout ?? ''
  } finally {
    await pool.end()
  }
}

/** A change of a table takes as long as it takes, and waits for another that migrates; a process that stands still in it is given up. */
const MIGRATION: Limits = { statement: 0, lock: 0, idle_in_transaction: 60_000 }

/** Number of the advisory lock that one migrating process holds: any constant, used for nothing else. */
const MIGRATION_LOCK = 7_240_510
const NOTHING_LEFT_OUT = { externalTables: [], externalEnums: [] }

/** The engine of `prisma migrate` as WebAssembly, on our own connections. Made once a process, bound to a pool at each use. */
async function openEngine(pool: pg.Pool): Promise<wasm.SchemaEngine> {
  await (loaded ??= loadEngine())
  const adapter = bindMigrationAwareSqlAdapterFactory(sendScriptsWhole(new PrismaPg(pool)))
  return await wasm.SchemaEngine.new({ datamodels: [['schema.prisma', DATASOURCE]] }, () => {}, adapter)
}

/** The engine asks for a schema; to apply SQL files it needs only the kind of database. */
const DATASOURCE = 'datasource db {\n  provider = "postgresql"\n}\n'

let loaded: Promise<void> | undefined

/** Loads the engine's code by hand: Node imports no WebAssembly modules. */
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

/** The adapter cuts a script at every ';', also within the body of a function: send the file whole, which makes it one transaction. */
function sendScriptsWhole(factory: PrismaPg): SqlMigrationAwareDriverAdapterFactory {
  const whole = (connection: Connection): SqlDriverAdapter => {
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
    connect: async () => whole(await factory.connect()),
    connectToShadowDb: async () => whole(await factory.connectToShadowDb()),
  }
}

type Connection = Awaited<ReturnType<PrismaPg['connect']>>

/** The folder as the engine takes it: the lock file and each dated folder's migration.sql, in order. */
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
