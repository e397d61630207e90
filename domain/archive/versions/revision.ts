import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { inTransaction } from '#domain/engines/database.ts'

type Client = Pick<pg.ClientBase, 'query'>

/** SQL: the revision of the open transaction, and the default for rows that it inserts. 0 outside a revision. */
export const REVISION = `coalesce(nullif(current_setting('archive.revision', true), ''), '0')::integer`

/** Makes the open transaction a revision of the archive: what it writes is known from it on, and what it changes was known until then. */
export async function beginRevision(client: Client): Promise<void> {
  await client.query(`SELECT set_config('archive.revision', nextval('archive_revisions_id_seq')::text, true)`)
}

/** Runs work in a transaction that is a revision. */
export async function withinRevision(
  app: Pick<App, 'pool' | 'clock'>,
  cause: RevisionCause,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  await inTransaction(app.pool, async (client) => {
    await beginRevision(client)
    await work(client)
    await endRevision(client, app, cause)
  })
}

/** What caused a revision. */
export interface RevisionCause {
  source: string
  /** The import that it belongs to. */
  import_run_id?: string
  file_name?: string
  /** The source was forgotten, with all of its versions. */
  forgot?: boolean
}

/**
 * Ends the revision; only the commit may follow. Its time is set under a lock that is held until the commit, so that times
 * increase in the order in which revisions become visible, across all sources. A read as of a time therefore sees what was
 * visible then.
 */
export async function endRevision(client: Client, { clock }: Pick<App, 'clock'>, cause: RevisionCause): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
  await client.query(END, [clock.now(), cause.source, cause.import_run_id ?? null, cause.file_name ?? null, cause.forgot ?? false])
}

/** Waits for revisions that have a time but are not visible yet. After this, what is known as of a time no longer changes. */
export async function awaitRevisions(client: Client): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock_shared(${LOCK})`)
}

/**
 * Returns the time of the newest visible revision; null if there is none. If it is the same before and after several
 * statements, all of them saw the same archive, because times increase as revisions become visible.
 */
export async function newestRevisionTime(client: Client): Promise<Date | null> {
  const { rows } = await client.query<{ newest: Date | null }>({
    name: 'revision.newest',
    text: 'SELECT max(known_at) AS newest FROM archive_revisions',
  })
  return rows[0]?.newest ?? null
}

const LOCK = `hashtextextended('archive revisions', 0)`

const END = `
  INSERT INTO archive_revisions (id, known_at, source, run_id, file_name, forgot)
  SELECT ${REVISION}, greatest($1::timestamptz, max(known_at) + interval '1 millisecond'), $2, $3, $4, $5 FROM archive_revisions`
