import {
  assertSchemaCompatibility,
  createPostgresBackend,
  isPgPool,
  LATEST_SCHEMA_VERSION,
  type PgPool,
  Queue,
  runMigrations,
  Worker,
} from 'bullmq'
import type pg from 'pg'
import { openPool } from '#domain/engines/pool.ts'
import { type BuiltJob, builtJobs } from '#workers/jobs.ts'
import type { BackendQueue, QueueStore } from '#workers/queue-store.ts'

/**
 * Connections of the pool that all queues and workers share: one on which each worker listens, and four for their statements.
 * docs/settings.md states it.
 */
export const QUEUE_CONNECTIONS = builtJobs.length + 4

/**
 * Creates or migrates the tables of a queue in the database, and the id counter of each job, which its first entry would otherwise
 * create. `--migrate` does this with the role that may.
 */
export async function migrateQueueOf(database_url: string): Promise<void> {
  const pool = openPool(database_url, { max: 1, application_name: 'weather-migrations', settings: { search_path: 'bullmq' } })
  try {
    await migrateQueue(pool)
    await pool.query('SELECT next_job_id(name) FROM unnest($1::text[]) name', [builtJobs])
  } finally {
    await pool.end()
  }
}

/** If the tables are up to date, nothing is changed and no rights to change them are needed. */
async function migrateQueue(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    const version = await assertSchemaCompatibility(client).catch((fault: Error) => {
      if (fault.name === 'SchemaMigrationRequiredError') return 0
      throw fault
    })
    if (version < LATEST_SCHEMA_VERSION) await runMigrations(client)
  } finally {
    client.release()
  }
}

/** Uses one pool for all queues and workers. With a pool each, a process would hold four connections per job. */
export async function databaseStore(database_url: string): Promise<QueueStore> {
  const pool = openPool(database_url, {
    max: QUEUE_CONNECTIONS,
    application_name: 'weather queue',
    // A job is a hint: a job lost in a server crash is reissued, so no job needs to wait for the disk.
    settings: { search_path: 'bullmq', synchronous_commit: 'off' },
  })
  // The package has its own type of a pool: the payload of a notification may be undefined in the driver's type, but not in this one.
  if (!isPgPool(pool)) throw new Error("the queue does not take the driver's pool")
  // Every queue and worker listens for a lost connection and reports it.
  pool.setMaxListeners(0)
  await migrateQueue(pool)
  return {
    // A process that takes a job from the outbox can reach the same database.
    reachable: () => true,
    isUnavailable: () => false,
    reportFault: () => {},
    queue: (name) => databaseQueue(name, pool),
    worker: (name, run, limits) => new Worker(name, run, { connection: pool, ...limits }, openBackend),
    close: () => pool.end(),
  }
}

/**
 * Opens the backend of a queue or worker, which takes the tables as `migrateQueue` left them. The package would check them again for each
 * one and remember a connection that failed then for good: the queue would refuse every job, and the worker would try again without a
 * pause, which blocks its process.
 */
const openBackend: typeof createPostgresBackend = (...sent) => {
  const backend = createPostgresBackend(...sent)
  backend.connection.waitUntilReady = async () => {}
  return backend
}

/** Creates a queue in the database. It adds few jobs one by one, in order, and more than that in bulk. */
function databaseQueue(name: BuiltJob, connection: PgPool): BackendQueue {
  const queue = new Queue(name, { connection }, openBackend)
  const inBulk = queue.addBulk.bind(queue)
  const addBulk: BackendQueue['addBulk'] = async (entries) => {
    if (entries.length > ONE_BY_ONE_MAX) return inBulk(entries)
    for (const { name, data, opts } of entries) await queue.add(name, data, opts)
    return undefined
  }
  return Object.assign(queue, { addBulk })
}

/**
 * For a bulk insert the package creates two temporary tables. That takes as long as about ten single inserts, and leaves dead rows in
 * PostgreSQL's system catalogue.
 */
const ONE_BY_ONE_MAX = 8
