import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { type Database, openDatabase } from '#domain/engines/database.ts'
import { scopedPool, sharedPool } from '#domain/engines/row-scope.ts'
import type { Config } from '#domain/kernel/config.ts'
import { declareGauges } from '#domain/observability/gauges.ts'
import { PLACES_KNOWN, seedPlaces } from '#domain/places/places.ts'
import { configFor } from '#test/support/config-for.ts'
import { type MovableClock, movableClock } from './clock.ts'
import { countReads, emptyRedis, type FleetSlot, fleetConfig, redisDatabaseOf } from './fleet-config.ts'
import { openWorlds } from './open-worlds.ts'
import { blankPrinter } from './printer.ts'
import { waitUntil } from './wait-until.ts'

/** One install: the App over its own empty database, with a clock that the test moves. */
export interface World {
  /** Connected as the role that serves. */
  app: App
  /** Connections of the tables' owner, whom neither row-level security nor missing rights restrict. */
  owner: pg.Pool
  clock: MovableClock
  /** Runs every staged job, and the jobs that these stage, until none is left. */
  drain(): Promise<void>
  /** Leaves reports pending until `drain`, where workers would otherwise run by themselves. */
  keepPending(): Promise<void>
  /** Runs after every test: throws the rows of the invariant view. */
  checkInvariants(): Promise<void>
  /** Called by a test that breaks an invariant by hand. */
  expectViolations(): void
  close(): Promise<void>
}

/**
 * Opens the App on an empty migrated database. The first world of a worker copies the template; later worlds empty
 * that copy. Two worlds at once are two installs, each with its own database.
 */
export async function openWorld(options: { replace?: Partial<App>; config?: Partial<Config> } = {}): Promise<World> {
  const slot = await freeSlot()
  const fleet = inject('fleet')
  const home = await mkdtemp(path.join(tmpdir(), 'weather-test-'))
  const clock = movableClock()
  const app = await openApp(
    configFor({
      database_url: slot.url,
      home,
      blobs: path.join(home, 'blobs'),
      operator_key: OPERATOR_KEY,
      database_pool: POOL,
      ...(fleet && fleetConfig(fleet, slot, slot.url, options.config ?? {})),
      ...options.config,
    }),
    { clock, printer: blankPrinter, ...(usesOwn(options.config) || fleet ? {} : keptDatabase(slot)), ...options.replace },
  )
  declareGauges(app)
  // The first call starts the first check of the replica.
  await waitUntil(async () => !app.replica?.unfit())
  const owner = new pg.Pool({ connectionString: slot.owned, max: 2, allowExitOnIdle: true })
  let violationsExpected = false
  const world: World = {
    app,
    owner,
    clock,
    async drain() {
      const { drain } = await import('./drain.ts')
      await drain(app)
    },
    keepPending: async () => {},
    expectViolations() {
      violationsExpected = true
    },
    async checkInvariants() {
      if (violationsExpected) return
      // A named statement, planned once for each connection: planning takes longer than reading what a test wrote.
      const { rows } = await app.pool.query({ name: 'invariants', text: 'SELECT invariant, subject, detail FROM invariant_violations' })
      if (rows.length) throw new Error(`invariants are broken: ${JSON.stringify(rows)}`)
    },
    async close() {
      if (!openWorlds.delete(world)) return
      await closeApp(app)
      if (fleet) await countReads(fleet, app)
      await owner.end()
      await rm(home, { recursive: true, force: true })
      slot.taken = false
    },
  }
  if (slot.lacks_places) await seedPlaces(app.pool)
  slot.lacks_places = false
  openWorlds.add(world)
  return world
}

/** The operator's key of every world that sets no other. */
export const OPERATOR_KEY = 'wo_operator-of-the-tests-0000'

/** Connections of a world's pool: enough for the races in tests, few enough for all workers at once. */
const POOL = 6

/** A database of this worker. */
interface Slot extends FleetSlot {
  /** For the role that serves, and for the owner. */
  url: string
  owned: string
  taken: boolean
  /** Open from its first world on, because opening takes longer than most tests. */
  kept?: Database
  /** The owner's connection, which empties the database. */
  emptier?: pg.Client
  /** A test changed the places that every install has. */
  lacks_places?: boolean
}

const slots: Slot[] = []

/** Whether a test sets something about the database: its world then opens a database connection of its own. */
const usesOwn = (config: Partial<Config> = {}) => Object.keys(config).some((name) => name.startsWith('database_'))

/**
 * The connections of a slot and the client over them stay open for the next world. Each world has a pool object of
 * its own in front, because the service keeps caches such as drawn tiles by pool.
 */
function keptDatabase(slot: Slot): Pick<App, 'db' | 'pool'> {
  slot.kept ??= openDatabase(slot.url, POOL)
  const stays = { $disconnect: async () => {} }
  const db = new Proxy(slot.kept.db, { get: (client, name) => Reflect.get(name in stays ? stays : client, name) })
  const connections = sharedPool(slot.kept.pool)
  const own = Object.assign(Object.create(connections) as pg.Pool, {
    query: connections.query.bind(connections),
    connect: connections.connect.bind(connections),
  })
  return { db, pool: scopedPool(own, 'system') }
}

async function freeSlot(): Promise<Slot> {
  const free = slots.find((slot) => !slot.taken)
  if (!free) return makeSlot()
  free.taken = true
  free.emptier ??= await openClient(free.owned)
  free.lacks_places = await empty(free.emptier)
  const fleet = inject('fleet')
  if (fleet) await emptyRedis(fleet, free)
  return free
}

/** Databases of a worker. A file that opens more worlds at once leaves them open: making a database takes longer than most tests. */
const SLOTS_MAX = 8

async function makeSlot(): Promise<Slot> {
  if (slots.length === SLOTS_MAX) throw new Error(`More than ${SLOTS_MAX} worlds are open: close those that the test no longer needs.`)
  const database = `${inject('databases')}${process.env.VITEST_POOL_ID}_${slots.length}`
  const redis_database = redisDatabaseOf(slots.length)
  const slot = { database, redis_database, url: addressOf('serving', database), owned: addressOf('postgres', database), taken: true }
  slots.push(slot)
  const client = await openClient(inject('postgres'))
  await client.query(`CREATE DATABASE ${database} TEMPLATE ${inject('template')}`)
  await client.end()
  return slot
}

/** Bytes of a table and its indexes above which recreating its files is faster than deleting row by row. */
const LARGE_BYTES = 1_000_000

/**
 * Empties every table except the migration histories, the queue's tables too: the next world's workers would run a
 * job that is left there. Ids begin at 1 again. Places are as on every install. Most tables of most worlds have few
 * or no rows: deleting takes milliseconds, while TRUNCATE makes the files of some hundred tables and their indexes
 * again.
 * @returns whether the places were emptied too, because they were not as on every install
 */
async function empty(owner: pg.Client): Promise<boolean> {
  const filled = await filledTables(owner)
  const large = await namesOf(
    owner,
    `SELECT name FROM unnest($1::text[]) name WHERE pg_total_relation_size(name::regclass) > ${LARGE_BYTES}`,
    [filled],
  )
  // The audit log refuses deletion even by its owner.
  await owner.query('SET session_replication_role = replica')
  if (large.length > 0) await owner.query(`TRUNCATE ${large.join(', ')} CASCADE`)
  await owner.query(filled.map((name) => `DELETE FROM ${name}`).join('; '))
  await owner.query(`
    SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences
     WHERE schemaname IN ('public', 'bullmq') AND last_value IS NOT NULL AND sequencename <> 'places_id_seq'`)
  await owner.query('RESET session_replication_role')
  const places = await owner.query('SELECT FROM places HAVING count(*) = $1 AND max(id) = $1', [PLACES_KNOWN])
  if (!places.rowCount) await owner.query('TRUNCATE places RESTART IDENTITY')
  return !places.rowCount
}

async function namesOf(owner: pg.Client, text: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(text, values)
  return rows.map(({ name }) => name)
}

/** Lists the tables that have a row. One array is planned in half the time of as many selects. */
async function filledTables(owner: pg.Client): Promise<string[]> {
  const tables = await namesOf(
    owner,
    `SELECT oid::regclass::text AS name FROM pg_class
      WHERE relkind IN ('r', 'p') AND relnamespace IN ('public'::regnamespace, 'bullmq'::regnamespace)
        AND relname NOT IN ('_prisma_migrations', 'migration', 'places')`,
  )
  const filled = tables.map((name) => `CASE WHEN EXISTS (SELECT FROM ${name}) THEN '${name}' END`)
  return namesOf(owner, `SELECT name FROM unnest(ARRAY[${filled.join(', ')}]) name WHERE name IS NOT NULL`)
}

async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

function addressOf(role: 'postgres' | 'serving', database: string): string {
  const address = new URL(inject(role))
  address.pathname = `/${database}`
  return address.href
}
