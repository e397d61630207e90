import path from 'node:path'
import type { Readable } from 'node:stream'
import { isUnchecked } from '#domain/archive/coverage/unchecked-years.ts'
import { wasRead } from '#domain/archive/feeds/feed-states.ts'
import type { FeedEngines, ImportSummary } from '#domain/archive/ingest/import.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { isInFuture } from '#domain/archive/ingest/reject-impossible.ts'
import { stormEvents } from '#domain/archive/sources/storm-events.ts'
import { unreachable } from '#domain/archive/sources/unavailable.ts'
import { compiledOn } from '#domain/archive/storm-events/read.ts'
import type { ActorKind } from '#domain/closed-sets.ts'
import { HttpFailure } from '#domain/engines/http.ts'
import { spool } from '#domain/engines/spool.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import { refuseField } from '#domain/kernel/validation.ts'

export interface SyncOptions {
  /** The folder that lists the files; the agency's own folder by default. */
  folder?: string
  /** True by default for years too old for anyone to be waiting for them (see QUIET_AFTER_DAYS). */
  quiet?: boolean
  /** The monitoring run that requests the sync. */
  monitoring_run_id?: number
  /** Who started the sync. */
  by?: ActorKind
}

export interface SyncSummary {
  year: number
  /** The newest compile was already stored. */
  up_to_date: boolean
  imports: ImportSummary[]
}

const FOLDER = 'https://www.ncei.noaa.gov/pub/data/swdi/stormevents/csvfiles/'
/** The largest year file is 15 MB compressed; the agency's server is slow at times. */
const FILE_BOUNDS = { max_bytes: 256 * 1024 * 1024, timeout_ms: 600_000, retries: 3 }
const INDEX_BOUNDS = { retries: 3 }
const QUIET_AFTER_DAYS = 180
/** The first year of the record. */
const FIRST_YEAR = 1950

/**
 * Updates a year of Storm Events to the newest compile in the agency's folder: details, then corners. Each file is the
 * whole of its year, so rows that it no longer has are withdrawn. A file is read once, and again only if its records were
 * imported before plausibility checks existed.
 * @throws Refusal validation_failed on `year` if the folder has no details of it, engine_unavailable if the folder does not
 *   respond
 */
export async function syncStormEvents(app: FeedEngines, year: number, options: SyncOptions = {}): Promise<SyncSummary> {
  const folder = options.folder ?? FOLDER
  const today = app.clock.now()
  if (!Number.isInteger(year) || year < FIRST_YEAR || year > today.getUTCFullYear())
    refuseField('year', `The year must be from ${FIRST_YEAR} to ${today.getUTCFullYear()}.`)
  const quiet = options.quiet ?? today.getTime() - Date.UTC(year + 1, 0, 1) > QUIET_AFTER_DAYS * DAY_MS
  const names = await listFiles(app, folder)
  const details = newestFile(names, 'details', year)
  if (!details) return refuseField('year', `The folder has no details file of ${year}.`)
  const files = [details, newestFile(names, 'locations', year)].filter((name) => name !== null)
  const imports: ImportSummary[] = []
  const unchecked = await isUnchecked(app, stormEvents.id, year)
  for (const name of files) {
    const url = new URL(name, folder).href
    if (!unchecked && (await wasRead(app, url))) continue
    imports.push(
      await readFile(app, url, {
        file_name: name,
        whole_year: true,
        quiet,
        url,
        origin: { by: options.by ?? 'service' },
        ...(options.monitoring_run_id !== undefined && { monitoring_run_id: options.monitoring_run_id }),
      }),
    )
  }
  return { year, up_to_date: imports.length === 0, imports }
}

/** Imports the newest compiles of this year and the last two, if the folder has them. The final record still grows in these years. */
export async function syncNewestStormEvents(app: FeedEngines, monitoring_run_id: number): Promise<ImportSummary[]> {
  const names = await listFiles(app, FOLDER)
  if (names.length === 0) throw unreachable(stormEvents, 'its folder lists no file')
  const this_year = app.clock.now().getUTCFullYear()
  const imports: ImportSummary[] = []
  for (const year of [this_year, this_year - 1, this_year - 2]) {
    if (newestFile(names, 'details', year)) imports.push(...(await syncStormEvents(app, year, { monitoring_run_id })).imports)
  }
  return imports
}

/** Returns the names of the Storm Events files that the folder's page links to, without those whose compile date is in the future. */
async function listFiles(app: FeedEngines, folder: string): Promise<string[]> {
  const { status, body } = await orUnreachable(app.http.get(folder, INDEX_BOUNDS))
  if (status !== 200) throw unreachable(stormEvents, `its folder answered ${status}`)
  const now = app.clock.now()
  return [...body.toString('latin1').matchAll(/href="(StormEvents_[a-z]+-ftp_v1\.0_d\d{4}_c\d{8}\.csv\.gz)"/g)].flatMap(([, linked]) => {
    const name = present(linked)
    const compiled_on = compiledOn(name)
    return compiled_on !== null && !isInFuture(new Date(compiled_on), now) ? [name] : []
  })
}

/** Returns the file of the latest compile; null if the year has none. */
function newestFile(names: string[], kind: 'details' | 'locations', year: number): string | null {
  const prefix = `StormEvents_${kind}-ftp_v1.0_d${year}_c`
  return (
    names
      .filter((name) => name.startsWith(prefix))
      .sort()
      .at(-1) ?? null
  )
}

async function readFile(app: FeedEngines, url: string, options: Parameters<typeof ingest>[3]): Promise<ImportSummary> {
  const file = await orUnreachable(download(app, url, options.file_name))
  try {
    return await ingest(app, stormEvents.slug, file, options)
  } finally {
    file.destroy()
  }
}

/** Fetches the whole file first: its deadline then includes neither the wait for the source nor the work of the database. */
async function download({ http, config }: FeedEngines, url: string, file_name: string): Promise<Readable> {
  const { status, body } = await http.open(url, FILE_BOUNDS)
  if (status === 200) return spool(body, path.join(config.home, 'arriving'))
  body.destroy()
  throw unreachable(stormEvents, `${file_name} answered ${status}`)
}

async function orUnreachable<Answer>(promise: Promise<Answer>): Promise<Answer> {
  try {
    return await promise
  } catch (fault) {
    throw fault instanceof HttpFailure ? unreachable(stormEvents, fault.message) : fault
  }
}
