import type { Feature, Point } from 'geojson'
import type { Caller } from '#domain/access/caller.ts'
import { permit } from '#domain/access/permit.ts'
import { readFromReplica } from '#domain/access/read-replica.ts'
import type { App } from '#domain/app.ts'
import { type ArchiveColumn, archiveColumns, momentSql } from '#domain/exports/archive/columns.ts'
import { cursorOf, type FeatureQuery, insideOf } from '#domain/exports/archive/feature-query.ts'
import { type Condition, type PageOf, type RecordKey, readExported, recordsOf } from '#domain/exports/archive/records.ts'
import { refuseParameter } from '#domain/exports/archive/refuse-parameter.ts'
import { concurrencyLimit } from '#domain/kernel/concurrency-limit.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { isOutOfTime } from '#domain/kernel/engine-unavailable.ts'
import { isSerial } from '#domain/kernel/int4.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { clampWindow, firstDay } from '#domain/plans/ceilings.ts'

/** Pages that one team may read concurrently in this process: a filter that finds little reads much, and must not slow down other teams. */
const PAGES_AT_ONCE = 2
/** Pages of one team that may wait: the last of them waits as long as a slow page takes, times ten, and few clients wait longer. */
const PAGES_WAITING_MAX = 20
const readLimited = concurrencyLimit(PAGES_AT_ONCE, PAGES_WAITING_MAX)

/** The ability to read the archive. */
export const ARCHIVE_ABILITY = 'maps:read'

export type RecordFeature = Feature<Point | null>

/** A page of features; `cursor` leads to the next page, null if there is none. */
export interface FeaturePage {
  features: RecordFeature[]
  cursor: string | null
}

/** How long a page keeps searching when its filter finds little, milliseconds. */
interface TimeLimits {
  /** If something was found, the page ends, and the next page continues. */
  partial_after_ms: number
  /** If nothing was found, the request is refused: clients would take an empty page for the last. */
  refuse_after_ms: number
}
interface ReadOptions extends Partial<TimeLimits> {
  /** Whether the client has left: nothing more is read, and the page is worthless. */
  isAborted?: () => boolean
}
const TIME_LIMITS: TimeLimits = { partial_after_ms: 2000, refuse_after_ms: 20_000 }
/** Days of the first span. Each span has twice the days of the one before: no statement takes much longer than all before it. */
const FIRST_SPAN_DAYS = 16

/**
 * Returns a page of the archive as features, newest day first, as far back as the plan allows; read from the replica if there is one. The page
 * has fewer features than requested if finding more took long.
 * @throws Refusal 402 `lookback` for days before the plan's first; 400 if nothing was found within the time limit of a page; 429 if too many
 *   pages of the team are waiting; if it waited, also as for a new request that is not admitted
 */
export async function readFeatures(app: App, caller: Caller, query: FeatureQuery, options: ReadOptions = {}): Promise<FeaturePage> {
  const from = startDayOf(app, caller, query)
  const to = [query.to, query.after?.occurred_on].filter((day) => day != null).sort()[0] ?? null
  const spans = [...spansBack(from, to, todayOf(app))]
  return readLimited(caller.team.id, async (waited) => {
    if (waited) permit(await caller.admitAgain(), ARCHIVE_ABILITY)
    return readFromReplica(app, caller, ({ pool }) => searchSpans(pool, query, spans, options))
  })
}

/** First and last day, YYYY-MM-DD; the last is null if none was requested. */
type Span = [first: string, last: string | null]

/** Searches the spans one after another, until the page is full, the search took long, or a statement reached its time limit. */
async function searchSpans(
  pool: App['pool'],
  query: FeatureQuery,
  spans: readonly Span[],
  { isAborted = () => false, ...more }: ReadOptions,
): Promise<FeaturePage> {
  const timeLimits = { ...TIME_LIMITS, ...more }
  const { limit } = query
  const startedAt = performance.now()
  const found: RecordRow[] = []
  let since: string | null = null
  for (const span of spans) {
    if (isAborted()) break
    const next = await nullOnTimeout(readSpan(pool, query, span, limit + 1 - found.length))
    found.push(...(next ?? []))
    if (found.length > limit) return pageOf(found.slice(0, limit), found[limit - 1])
    if (next && span === spans.at(-1)) break
    if (next) since = span[0]
    const elapsed = next ? performance.now() - startedAt : Number.POSITIVE_INFINITY
    if (since !== null && found.length > 0 && elapsed > timeLimits.partial_after_ms)
      return pageOf(found, { occurred_on: since, id: FIRST_ID })
    if (elapsed > timeLimits.refuse_after_ms) refuseLongSearch(since)
  }
  return pageOf(found, null)
}

async function nullOnTimeout<Rows>(reading: Promise<Rows>): Promise<Rows | null> {
  try {
    return await reading
  } catch (fault) {
    if (isOutOfTime(fault)) return null
    throw fault
  }
}

/** A cursor with this id has no records of its own day behind it. */
const FIRST_ID = 1

const pageOf = (records: RecordRow[], last: RecordKey | null | undefined): FeaturePage => ({
  features: records.map(featureOf),
  cursor: last ? cursorOf(last) : null,
})

function refuseLongSearch(since: string | null): never {
  const days = since === null ? '' : ` from ${since} on`
  refuseParameter('datetime', `Nothing was found${days} within the time limit of a page: request fewer days, or a smaller bbox.`)
}

/** Yields days from the newest back to the first, each span twice as long as the one before it. */
function* spansBack(from: string, to: string | null, today: string): Generator<Span> {
  let last = to
  for (let days = FIRST_SPAN_DAYS; ; days *= 2) {
    const first = daysBefore(last ?? today, days)
    if (first <= from) return yield [from, last]
    yield [first, last]
    last = daysBefore(first, 1)
  }
}

const daysBefore = (day: string, days: number) => {
  const at = Math.max(Date.parse(day) - days * DAY_MS, Date.parse(EARLIEST_DAY))
  return new Date(at).toISOString().slice(0, 10)
}

function readSpan(pool: App['pool'], query: FeatureQuery, [from, to]: Span, size: number): Promise<RecordRow[]> {
  const { after, boxes, conditions } = query
  const allConditions = [...recordsOf.days(from, to), ...(boxes ? [insideOf(boxes, from, to)] : []), ...conditions]
  return readRecords(pool, allConditions, { after, size })
}

/** @throws Refusal 404 for an unknown id, or a record from before the first day of the plan */
export async function readFeature(app: App, caller: Caller, id: string): Promise<RecordFeature> {
  const days = recordsOf.days(firstDay(caller.plan, todayOf(app)), null)
  const conditions = [...days, recordsOf.id(Number(id))]
  const [record] = isSerial(id) ? await readFromReplica(app, caller, ({ pool }) => readRecords(pool, conditions, { size: 1 })) : []
  if (!record) throw new Refusal('not_found', 'There is no record with this id.')
  return featureOf(record)
}

/** Returns the first day of the collection for a team. */
export function collectionStart(app: Pick<App, 'clock'>, { plan }: Pick<Caller, 'plan'>): string {
  return firstDay(plan, todayOf(app))
}

function startDayOf(app: Pick<App, 'clock'>, { plan }: Pick<Caller, 'plan'>, { from, to }: FeatureQuery): string {
  const today = todayOf(app)
  return clampWindow(plan, { start: from ?? EARLIEST_DAY, end: to ?? today }, today).start
}

const EARLIEST_DAY = '0001-01-01'
const todayOf = ({ clock }: Pick<App, 'clock'>) => clock.now().toISOString().slice(0, 10)

/** The properties of a feature: all columns except the id, which is the feature's own. */
export const featureColumns: readonly [name: string, column: ArchiveColumn][] = Object.entries(archiveColumns).filter(
  ([name]) => name !== 'id',
)

/** A record's columns: a moment as text, texts as a list. */
interface RecordRow extends RecordKey {
  latitude: number | null
  longitude: number | null
  [column: string]: unknown
}

function readRecords(pool: App['pool'], conditions: readonly Condition[], page: PageOf): Promise<RecordRow[]> {
  return readExported(async (text, values) => (await pool.query(text, values)).rows, SELECT, conditions, page)
}

const SELECT = Object.entries(archiveColumns)
  .map(([name, column]) => `${cellSql(column)} AS ${name}`)
  .join(', ')

function cellSql({ type, sql }: ArchiveColumn): string {
  if (type === 'texts') return `to_json(${sql})`
  return type === 'moment' ? momentSql(sql) : sql
}

function featureOf({ id, ...properties }: RecordRow): RecordFeature {
  const { latitude, longitude } = properties
  const geometry: Point | null = latitude === null || longitude === null ? null : { type: 'Point', coordinates: [longitude, latitude] }
  return { type: 'Feature', id, geometry, properties }
}
