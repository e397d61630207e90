import type { Feature, Point } from 'geojson'
import type { Caller } from '#domain/access/caller.ts'
import { readFromReplica } from '#domain/access/read-replica.ts'
import type { App } from '#domain/app.ts'
import { type ArchiveColumn, archiveColumns, momentSql } from '#domain/exports/archive/columns.ts'
import { cursorOf, type FeatureQuery, insideOf } from '#domain/exports/archive/feature-query.ts'
import { type Condition, type PageOf, type RecordKey, readExported, recordsOf } from '#domain/exports/archive/records.ts'
import { concurrencyLimit } from '#domain/kernel/concurrency-limit.ts'
import { isSerial } from '#domain/kernel/int4.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { firstDay, narrowWindow } from '#domain/plans/ceilings.ts'

/** Pages that one team reads at once in this process: a filter that finds little looks at much, and leaves the database to the others. */
const PAGES_AT_ONCE = 2
const readLimited = concurrencyLimit(PAGES_AT_ONCE)

export type RecordFeature = Feature<Point | null>

/** A page of features; `cursor` names the next, null where there is none. */
export interface FeaturePage {
  features: RecordFeature[]
  cursor: string | null
}

/**
 * A page of the archive as features, newest day first, as far back as the plan looks; from the replica where there is one.
 * @throws Refusal 402 `lookback` for days before the first of the plan
 */
export async function readFeatures(app: App, caller: Caller, query: FeatureQuery): Promise<FeaturePage> {
  const { limit, behind, boxes, conditions } = query
  const from = reachOf(app, caller, query)
  const to = [query.to, behind?.occurred_on].filter((day) => day != null).sort()[0] ?? null
  const asked = [...recordsOf.days(from, to), ...(boxes ? [insideOf(boxes, from, to)] : []), ...conditions]
  const records = await readLimited(caller.team.id, () => readRecords(app, caller, asked, { behind, size: limit + 1 }))
  const last = records.length > limit ? records[limit - 1] : undefined
  return { features: records.slice(0, limit).map(featureOf), cursor: last ? cursorOf(last) : null }
}

/** @throws Refusal 404 for an id that no record has, or one from before the first day of the plan */
export async function readFeature(app: App, caller: Caller, id: string): Promise<RecordFeature> {
  const days = recordsOf.days(firstDay(caller.plan, todayOf(app)), null)
  const [record] = isSerial(id) ? await readRecords(app, caller, [...days, recordsOf.id(Number(id))], { size: 1 }) : []
  if (!record) throw new Refusal('not_found', 'There is no record with this id.')
  return featureOf(record)
}

/** The first day that the collection reaches for a team. */
export function collectionBegins(app: Pick<App, 'clock'>, { plan }: Pick<Caller, 'plan'>): string {
  return firstDay(plan, todayOf(app))
}

function reachOf(app: Pick<App, 'clock'>, { plan }: Pick<Caller, 'plan'>, { from, to }: FeatureQuery): string {
  const today = todayOf(app)
  return narrowWindow(plan, { start: from ?? EVER, end: to ?? today }, today).start
}

const EVER = '0001-01-01'
const todayOf = ({ clock }: Pick<App, 'clock'>) => clock.now().toISOString().slice(0, 10)

/** What a feature says of a record beside its id, which is the feature's own. */
export const featureColumns: readonly [name: string, column: ArchiveColumn][] = Object.entries(archiveColumns).filter(
  ([name]) => name !== 'id',
)

/** A record as its columns have it: a moment as text, texts as a list. */
interface RecordRow extends RecordKey {
  latitude: number | null
  longitude: number | null
  [column: string]: unknown
}

function readRecords(app: App, caller: Caller, conditions: readonly Condition[], page: PageOf): Promise<RecordRow[]> {
  return readFromReplica(app, caller, ({ pool }) =>
    readExported(async (text, values) => (await pool.query(text, values)).rows, SELECT, conditions, page),
  )
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
