import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { isOlder, moveWatermark, openFeed, saveFeedAnswer, validatorsOf } from '#domain/archive/feeds/feed-states.ts'
import { syncNewestStormEvents } from '#domain/archive/feeds/sync-storm-events.ts'
import { syncZones } from '#domain/archive/feeds/sync-zones.ts'
import type { FeedEngines } from '#domain/archive/ingest/import.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { latestPlausible } from '#domain/archive/ingest/reject-impossible.ts'
import { deleteOldFrames } from '#domain/archive/radar/frames.ts'
import { conditionalGet } from '#domain/archive/sources/feed.ts'
import { sources } from '#domain/archive/sources/index.ts'
import type { FeedAnswer, Source } from '#domain/archive/sources/source.ts'
import { stormEvents } from '#domain/archive/sources/storm-events.ts'
import { zones } from '#domain/archive/sources/zones.ts'
import type { LaneName } from '#domain/closed-sets.ts'
import { HttpFailure } from '#domain/engines/http.ts'
import { DAY_MS, MINUTE_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { validationFailed } from '#domain/kernel/validation.ts'
import { statesAroundWatched, stationsToQuery } from '#domain/monitoring/around-watched.ts'
import { isMonitoring } from '#domain/monitoring/is-monitoring.ts'
import { type RunRow, type RunView, runView } from '#domain/monitoring/runs.ts'

/**
 * Reads every feed of a lane once, in one process at a time: returns null if another process has the lane. A failing feed
 * affects only itself: what it returned before stays, the other feeds are read, and the run fails with the name of the feed
 * and the reason. The next run continues from where each feed stopped.
 * @throws Refusal validation_failed if monitoring is off
 */
export async function runLane(app: FeedEngines, lane: LaneName): Promise<RunView | null> {
  if (!isMonitoring(app))
    throw validationFailed({ lane: ['Monitoring is off: set WEATHER_CONTACT to an e-mail address that the agencies may write to.'] })
  const token = await leaseLane(app, lane)
  if (!token) return null
  const run: Pass = { id: await openRun(app, lane), lane, token, candidates: 0 }
  const failures: string[] = []
  // A missed renewal is made up by the next.
  const heartbeat = setInterval(() => void renewLease(app, run).catch(() => {}), HEARTBEAT_MS)
  try {
    for (const feed of feedsOf(lane)) {
      const failure = await attempt(app, run, feed)
      if (failure) failures.push(failure)
      if (!(await renewLease(app, run))) break
    }
    return await closeRun(app, run, failures.join(' ') || null)
  } finally {
    clearInterval(heartbeat)
    await app.pool.query('UPDATE lanes SET lease_token = NULL, leased_until = NULL WHERE lane = $1 AND lease_token = $2', [lane, token])
  }
}

interface Pass {
  id: number
  lane: LaneName
  token: string
  candidates: number
}

/** One of the feeds that a lane reads in sequence. */
interface LaneFeed {
  source: Source
  read(app: FeedEngines, run: Pass): Promise<void>
  /** It has no records of its own, so its watermark does not count for the lane. */
  is_aid?: boolean
}

function feedsOf(lane: LaneName): LaneFeed[] {
  const every: readonly Source[] = sources
  const fetched = every
    .filter((source) => source.lane === lane && source.fetch)
    .map((source): LaneFeed => ({ source, read: (app, run) => readFeed(app, run, source) }))
  if (lane === 'record')
    return [...fetched, { source: stormEvents, read: readFinalRecord }, { source: zones, read: readZoneTable, is_aid: true }]
  return fetched
}

// ---------------------------------------------------------------- one feed

/** Returns the reason why a feed could not be read, for the operator; null if it was read. */
async function attempt(app: FeedEngines, run: Pass, { source, read }: LaneFeed): Promise<string | null> {
  try {
    await read(app, run)
    return null
  } catch (fault) {
    const reason = reasonOf(fault)
    app.log.warn({ lane: run.lane, source: source.id, reason, err: reason === UNEXPECTED ? fault : undefined }, 'could not read a feed')
    return `${source.label}: ${reason.replace(/\.$/, '')}.`
  }
}

const UNEXPECTED = 'the service failed while reading it'

function reasonOf(fault: unknown): string {
  if (fault instanceof Refusal || fault instanceof HttpFailure) return fault.message
  return UNEXPECTED
}

async function readFeed(app: FeedEngines, run: Pass, source: Source): Promise<void> {
  const ask = conditionalGet(app.http, (url) => validatorsOf(app, url))
  const since = await openFeed(app, source.id)
  const around = { states: () => statesAroundWatched(app), stations: () => stationsToQuery(app) }
  const answers = present(source.fetch)(ask, { since, now: app.clock.now(), ...around })
  let back: Date | null = null
  let next = await answers.next()
  while (!next.done) {
    const answer = next.value
    let failure: unknown = null
    // An older response would undo newer data, so it is skipped and the next run requests it again.
    if (await isOlder(app, answer)) back = answer.stated_at
    else failure = await saveAnswer(app, run, source, answer).catch((fault) => fault)
    if (!failure && answer.through && !back) await moveWatermark(app, source.id, answer.through)
    if (!(await renewLease(app, run))) throw new Refusal('engine_unavailable', 'another process took over the lane')
    next = failure ? await answers.throw(failure) : await answers.next()
  }
  if (back) throw new Refusal('engine_unavailable', `it went back in time: it returned data of ${back.toISOString()}, older than before`)
  await moveWatermark(app, source.id, next.value)
}

async function saveAnswer(app: FeedEngines, run: Pass, source: Source, answer: FeedAnswer): Promise<void> {
  await importAnswer(app, run, source, answer)
  await saveFeedAnswer(app, source.id, answer)
}

async function importAnswer(app: FeedEngines, run: Pass, source: Source, answer: FeedAnswer): Promise<void> {
  const { url, file_name, body, months, covered_span } = answer
  const { inserted, withdrawn, rejected, rejections } = await ingest(app, source.slug, Readable.from([body]), {
    file_name,
    monitoring_run_id: run.id,
    continues_feed: true,
    origin: { from: url },
    ...(months && { months }),
    ...(covered_span && { covered_span }),
  })
  run.candidates += inserted
  if (rejected > 0)
    app.log.warn({ source: source.id, file_name, rejected, withdrawn, first: rejections[0] }, 'could not read some rows of a feed')
}

/** The final record is compiled once a month, so its folder is checked once a day. */
const FINAL_EVERY_MS = DAY_MS

async function readFinalRecord(app: FeedEngines, run: Pass): Promise<void> {
  const now = app.clock.now()
  const since = await openFeed(app, stormEvents.id)
  if (since && now.getTime() - since.getTime() < FINAL_EVERY_MS) return
  for (const { inserted } of await syncNewestStormEvents(app, run.id)) run.candidates += inserted
  await moveWatermark(app, stormEvents.id, now)
}

/** The zone table changes a few times a year. */
const ZONES_EVERY_MS = 7 * DAY_MS

async function readZoneTable(app: FeedEngines, run: Pass): Promise<void> {
  const since = await openFeed(app, zones.id)
  if (since && app.clock.now().getTime() - since.getTime() < ZONES_EVERY_MS) return
  try {
    await syncZones(app, run.id)
  } catch (fault) {
    // As with every feed, a URL that does not exist is not a failure. Every report states what is not placed.
    if (!(fault instanceof Refusal && fault.code === 'not_found')) throw fault
    app.log.warn({ source: zones.id }, fault.message)
  }
}

// ---------------------------------------------------------------- the lane's lease and its runs

/** A lease not renewed for this long belongs to a dead process, or to one that has lost the database. */
const LEASE_MS = MINUTE_MS
/** A live process renews it this often, however long a file takes: one of the final record may take ten minutes. */
const HEARTBEAT_MS = 20_000

async function leaseLane({ pool, clock }: FeedEngines, lane: LaneName): Promise<string | null> {
  const token = randomUUID()
  const now = clock.now()
  const { rowCount } = await pool.query(
    `INSERT INTO lanes AS l (lane, lease_token, leased_until) VALUES ($1, $2, $3)
     ON CONFLICT (lane) DO UPDATE SET lease_token = excluded.lease_token, leased_until = excluded.leased_until
      WHERE l.leased_until IS NULL OR l.leased_until < $4`,
    [lane, token, new Date(now.getTime() + LEASE_MS), now],
  )
  return rowCount === 1 ? token : null
}

/** Returns false if another process has taken over the lane. */
async function renewLease({ pool, clock }: FeedEngines, { lane, token }: Pass): Promise<boolean> {
  const until = new Date(clock.now().getTime() + LEASE_MS)
  const { rowCount } = await pool.query('UPDATE lanes SET leased_until = $3 WHERE lane = $1 AND lease_token = $2', [lane, token, until])
  return rowCount === 1
}

/** Opens a run. Only one process has the lane, so a run of it that is still open died with its process. */
async function openRun({ pool, clock }: FeedEngines, lane: LaneName): Promise<number> {
  const now = clock.now()
  await pool.query(
    `UPDATE monitoring_runs SET status = 'failed', finished_at = $2, failure_reason = 'The process stopped.' WHERE lane = $1 AND status = 'running'`,
    [lane, now],
  )
  const { rows } = await pool.query<{ id: number }>('INSERT INTO monitoring_runs (lane, started_at) VALUES ($1, $2) RETURNING id', [
    lane,
    now,
  ])
  return present(rows[0]).id
}

/** Closes the run. The lane's watermark is that of its slowest feed. It never moves back, except from a time in the future. */
async function closeRun(app: FeedEngines, { id, lane, candidates, token }: Pass, failure: string | null): Promise<RunView> {
  const ids = feedsOf(lane)
    .filter(({ is_aid }) => !is_aid)
    .map(({ source }) => source.id)
  const now = app.clock.now()
  const { rows: marks } = await app.pool.query<{ watermark: Date | null }>(
    `UPDATE lanes SET watermark = greatest(CASE WHEN watermark <= $4 THEN watermark END, (
       SELECT CASE WHEN count(watermark) = cardinality($2::text[]) THEN min(watermark) END FROM feed_states WHERE url = ANY($2)))
      WHERE lane = $1 AND lease_token = $3 RETURNING watermark`,
    [lane, ids, token, latestPlausible(now)],
  )
  const { rows } = await app.pool.query<RunRow>(
    `UPDATE monitoring_runs SET status = $2, finished_at = $3, watermark = $4, candidates = $5, failure_reason = $6 WHERE id = $1 AND status = 'running'
     RETURNING *`,
    [id, failure ? 'failed' : 'complete', now, marks[0]?.watermark ?? null, candidates, failure],
  )
  const run = rows[0]
  if (!run) throw new Error(`the run ${id} of ${lane} was closed by another process`)
  if (lane === 'surfaces') await deleteOldFrames(app, app.config.mesh_retention_days)
  return runView(run)
}

/**
 * Runs the lane on schedule; does nothing while monitoring is off. The queue repeats the job of a process that died within seconds, while the
 * lane is still leased to it: the job waits for the end of that lease, because the next one may be an hour away.
 * @param stop aborted when this process stops
 */
export async function runLaneIfOn(app: FeedEngines, lane: LaneName, stop?: AbortSignal): Promise<void> {
  if (!isMonitoring(app)) return
  if ((await runLane(app, lane)) === null && (await isAbandoned(app, lane, stop))) await runLane(app, lane)
}

const LOOK_EVERY_MS = 2000

/** Waits until the lease of the lane ends. False if it is renewed or returned before: its process lives. */
async function isAbandoned({ pool, clock }: FeedEngines, lane: LaneName, stop?: AbortSignal): Promise<boolean> {
  const leasedUntil = async () => {
    const { rows } = await pool.query<{ leased_until: Date | null }>('SELECT leased_until FROM lanes WHERE lane = $1', [lane])
    return rows[0]?.leased_until ?? null
  }
  const found = await leasedUntil()
  if (!found) return false
  for (const ends = performance.now() + LEASE_MS + LOOK_EVERY_MS; performance.now() < ends; await pause(LOOK_EVERY_MS)) {
    const until = await leasedUntil()
    if (stop?.aborted || until?.getTime() !== found.getTime()) return false
    if (until < clock.now()) return true
  }
  return false
}
