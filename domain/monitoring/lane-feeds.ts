import { Readable } from 'node:stream'
import { isOlder, moveWatermark, openFeed, saveFeedAnswer, validatorsOf } from '#domain/archive/feeds/feed-states.ts'
import { syncNewestStormEvents } from '#domain/archive/feeds/sync-storm-events.ts'
import { syncZones } from '#domain/archive/feeds/sync-zones.ts'
import type { FeedEngines } from '#domain/archive/ingest/import.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { conditionalGet } from '#domain/archive/sources/feed.ts'
import { sources } from '#domain/archive/sources/index.ts'
import type { FeedAnswer, Source } from '#domain/archive/sources/source.ts'
import { stormEvents } from '#domain/archive/sources/storm-events.ts'
import { zones } from '#domain/archive/sources/zones.ts'
import type { LaneName } from '#domain/closed-sets.ts'
import { HttpFailure } from '#domain/engines/http.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { statesAroundWatched, stationsToQuery } from '#domain/monitoring/around-watched.ts'
import { type LaneLease, renewLease } from '#domain/monitoring/lane-lease.ts'

/** A run of a lane while it lasts. */
export interface LaneRun extends LaneLease {
  id: number
  /** Records that were new so far. */
  candidates: number
}

/** One of the feeds that a lane reads in sequence. */
export interface LaneFeed {
  source: Source
  read(app: FeedEngines, run: LaneRun): Promise<void>
  /** It has no records of its own, so its watermark does not count for the lane. */
  is_aid?: boolean
}

/** Returns the feeds of a lane in the order in which they are read. */
export function feedsOf(lane: LaneName): LaneFeed[] {
  const every: readonly Source[] = sources
  const fetched = every
    .filter((source) => source.lane === lane && source.fetch)
    .map((source): LaneFeed => ({ source, read: (app, run) => readFeed(app, run, source) }))
  if (lane === 'record')
    return [...fetched, { source: stormEvents, read: readFinalRecord }, { source: zones, read: readZoneTable, is_aid: true }]
  return fetched
}

/** Returns the reason why a feed could not be read, for the operator; null if it was read. */
export async function readLaneFeed(app: FeedEngines, run: LaneRun, { source, read }: LaneFeed): Promise<string | null> {
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

async function readFeed(app: FeedEngines, run: LaneRun, source: Source): Promise<void> {
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

async function saveAnswer(app: FeedEngines, run: LaneRun, source: Source, answer: FeedAnswer): Promise<void> {
  await importAnswer(app, run, source, answer)
  await saveFeedAnswer(app, source.id, answer)
}

async function importAnswer(app: FeedEngines, run: LaneRun, source: Source, answer: FeedAnswer): Promise<void> {
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

async function readFinalRecord(app: FeedEngines, run: LaneRun): Promise<void> {
  const now = app.clock.now()
  const since = await openFeed(app, stormEvents.id)
  if (since && now.getTime() - since.getTime() < FINAL_EVERY_MS) return
  for (const { inserted } of await syncNewestStormEvents(app, run.id)) run.candidates += inserted
  await moveWatermark(app, stormEvents.id, now)
}

/** The zone table changes a few times a year. */
const ZONES_EVERY_MS = 7 * DAY_MS

async function readZoneTable(app: FeedEngines, run: LaneRun): Promise<void> {
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
