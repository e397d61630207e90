import { RUNNING_DAYS_MAX } from '#domain/archive/search/find-running.ts'
import { parseFilter } from '#domain/exports/archive/cql2.ts'
import type { Condition, RecordKey } from '#domain/exports/archive/records.ts'
import { refuseParameter } from '#domain/exports/archive/refuse-parameter.ts'
import { CELLS_PER_DEGREE } from '#domain/geo/cells.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { moment } from '#domain/kernel/fields.ts'
import { isSerial } from '#domain/kernel/int4.ts'
import { gatherFaults, isDate } from '#domain/kernel/validation.ts'
import { cellsOfBox } from '#domain/maps/records.ts'

/** The identifier of OGC:CRS84: longitude and latitude of WGS 84, in degrees. */
export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'

/** Features of a page by default, and at most: a few megabytes. A larger number counts as the largest, as the standard requires. */
export const LIMIT = 100
export const LIMIT_MAX = 5000

/** The parsed query of the collection. */
export interface FeatureQuery {
  limit: number
  after: RecordKey | null
  /** The days in which all requested records began, YYYY-MM-DD; null for an open end. */
  from: string | null
  to: string | null
  /** A record's point must be in one of these boxes; null for anywhere. */
  boxes: Box[] | null
  conditions: Condition[]
}

export const featureParameters = ['bbox', 'bbox-crs', 'datetime', 'limit', 'filter', 'filter-lang', 'filter-crs', 'cursor'] as const
type Sent = Readonly<Partial<Record<(typeof featureParameters)[number], string>>>

/** Reads the query of a page of features. @throws Refusal 400 that names the first invalid parameter */
export function readFeatureQuery(sent: Sent): FeatureQuery {
  for (const crs of ['bbox-crs', 'filter-crs'] as const)
    if (sent[crs] !== undefined && sent[crs] !== CRS84) refuseParameter(crs, `The ${crs} must be ${CRS84}.`)
  if (sent['filter-lang'] !== undefined && sent['filter-lang'] !== 'cql2-text')
    refuseParameter('filter-lang', 'The filter-lang must be cql2-text.')
  const { from, to, conditions } = readDatetime(sent.datetime)
  return {
    limit: readLimit(sent.limit),
    after: readCursor(sent.cursor),
    from,
    to,
    boxes: sent.bbox === undefined ? null : readBox(sent.bbox),
    conditions: [...conditions, ...(sent.filter === undefined ? [] : [parseFilter(sent.filter)])],
  }
}

function readLimit(sent: string | undefined): number {
  if (sent === undefined) return LIMIT
  if (!/^\d+$/.test(sent) || Number(sent) < 1) refuseParameter('limit', 'The limit must be a whole number, 1 or more.')
  return Math.min(Number(sent), LIMIT_MAX)
}

/** The most cells of a box whose records are looked up by cell; for a larger box, the lookup by day is faster. */
const CELLS_MAX = 20 * CELLS_PER_DEGREE ** 2

function readBox(sent: string): Box[] {
  const numbers = sent.split(',').map((part) => (/^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(part) ? Number(part) : Number.NaN))
  if ((numbers.length !== 4 && numbers.length !== 6) || !numbers.every(Number.isFinite))
    refuseParameter('bbox', 'The bbox must be four numbers separated by commas: west, south, east, north in degrees.')
  // Of six numbers, the third and the last are heights, which no record has.
  const [west = 0, south = 0, east = 0, north = 0] = numbers.length === 6 ? numbers.filter((_, index) => index % 3 !== 2) : numbers
  if (Math.abs(west) > 180 || Math.abs(east) > 180)
    refuseParameter('bbox', 'The west and the east of the bbox must be -180 to 180 degrees.')
  if (Math.abs(south) > 90 || Math.abs(north) > 90)
    refuseParameter('bbox', 'The south and the north of the bbox must be -90 to 90 degrees.')
  if (south > north) refuseParameter('bbox', 'The south of the bbox must not be above its north.')
  // A box whose west is greater than its east crosses the antimeridian.
  const sides =
    west <= east
      ? [{ west, east }]
      : [
          { west, east: 180 },
          { west: -180, east },
        ]
  return sides.map((side) => ({ ...side, south, north }))
}

export interface Box {
  west: number
  south: number
  east: number
  north: number
}

/**
 * Selects records whose point is in one of the boxes. For small boxes, it uses the search index, which has the day and place of most
 * records, so records outside are not read.
 * @param from first and last day of the query; null for an open end
 */
export function insideOf(boxes: readonly Box[], from: string | null, to: string | null): Condition {
  const area = boxes.reduce((sum, { west, east, south, north }) => sum + (east - west) * (north - south), 0)
  const cells = area * CELLS_PER_DEGREE ** 2 <= CELLS_MAX ? boxes.flatMap(cellsOfBox) : null
  return (bind) => {
    const sides = boxes.map(({ west, south, east, north }) => {
      const [lowest, highest, first, last] = [south, north, west, east].map((degrees) => `${bind(degrees)}::float8`)
      return (table: string) => `(${table}.latitude BETWEEN ${lowest} AND ${highest} AND ${table}.longitude BETWEEN ${first} AND ${last})`
    })
    const within = (table: string) => sides.map((side) => side(table)).join(' OR ')
    if (!cells) return `(${within('r')})`
    const days = `c.occurred_on BETWEEN ${bind(from ?? '-infinity')}::date AND ${bind(to ?? 'infinity')}::date`
    const near = `SELECT c.record_id FROM record_cells c WHERE c.cell = ANY(${bind(cells)}::int[]) AND ${days} AND (c.latitude IS NULL OR ${within('c')})`
    return `(r.id = ANY(ARRAY(${near})) AND (${within('r')}))`
  }
}

type Span = Pick<FeatureQuery, 'from' | 'to' | 'conditions'>
const ALWAYS: Span = { from: null, to: null, conditions: [] }

/** Reads a moment, or two separated by a slash, either of which may be open: events in progress then. A day means all of it, in UTC. */
function readDatetime(sent: string | undefined): Span {
  if (sent === undefined) return ALWAYS
  const parts = sent.split('/')
  if (parts.length > 2) refuseDatetime()
  const [start = '', end = start] = parts
  const [begin, last] = [momentOf(start, 'T00:00:00Z'), momentOf(end, 'T23:59:59.999999Z')]
  if (parts.length === 1 && begin === null) refuseDatetime()
  if (begin !== null && last !== null && Date.parse(begin) > Date.parse(last))
    refuseParameter('datetime', 'The datetime must not end before it begins.')
  const startsBefore: Condition[] = last === null ? [] : [(bind) => `r.begins_at <= ${bind(last)}::timestamptz`]
  const endsAfter: Condition[] = begin === null ? [] : [(bind) => `coalesce(r.ends_at, r.begins_at) >= ${bind(begin)}::timestamptz`]
  return {
    // A record is filed under its local day, which may differ from the UTC day by one.
    from: begin && dayOf(begin, -RUNNING_DAYS_MAX - 1),
    to: last && dayOf(last, 1),
    conditions: [...startsBefore, ...endsAfter],
  }
}

/** Returns null for an open end. */
function momentOf(text: string, time: string): string | null {
  if (text === '' || text === '..') return null
  return moment('The datetime').read(isDate(text) ? text + time : text, 'datetime', gatherFaults()) ?? refuseDatetime()
}

function refuseDatetime(): never {
  refuseParameter(
    'datetime',
    'The datetime must be a moment with its zone such as 2026-05-20T12:00:00Z, a day, or two of them separated by a slash; .. is an open end.',
  )
}

/** Returns the day this many days after that of a moment, within the years that a column can store. */
function dayOf(moment: string, days: number): string {
  const at = Math.min(Math.max(Date.parse(moment) + days * DAY_MS, FIRST), LAST)
  return new Date(at).toISOString().slice(0, 10)
}

const FIRST = Date.parse('0001-01-01')
const LAST = Date.parse('9999-12-31')

function readCursor(sent: string | undefined): RecordKey | null {
  if (sent === undefined) return null
  const [, occurred_on = '', id = ''] = /^(\d{4}-\d\d-\d\d)\.(\d+)$/.exec(Buffer.from(sent, 'base64url').toString('latin1')) ?? []
  if (!isDate(occurred_on) || !isSerial(id)) refuseParameter('cursor', 'The cursor must come from a next link.')
  return { occurred_on, id: Number(id) }
}

/** Returns the cursor, opaque to clients: the day and the id of a page's last record. */
export function cursorOf({ occurred_on, id }: RecordKey): string {
  return Buffer.from(`${occurred_on}.${id}`).toString('base64url')
}
