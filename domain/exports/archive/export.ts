import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { longQuery } from '#domain/engines/pool.ts'
import { sessionPool } from '#domain/engines/row-scope.ts'
import { type CsvRow, csvOf, csvPage } from '#domain/exports/archive/csv.ts'
import { GEOPARQUET_PAGE, type GeoparquetRow, geoparquetOf } from '#domain/exports/archive/geoparquet.ts'
import {
  type Condition,
  type ExportPage,
  type RecordKey,
  type RunStatement,
  readExported,
  recordsOf,
} from '#domain/exports/archive/records.ts'
import { states } from '#domain/geo/states.ts'
import { isOutOfTime } from '#domain/kernel/engine-unavailable.ts'
import { checkDays, date, list, oneOf } from '#domain/kernel/fields.ts'
import { optional, readNew, refuseUnknown, type ValuesOf } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { recordTypes } from '#domain/weather/types.ts'

export const archiveFormats = ['csv', 'geoparquet'] as const
export type ArchiveFormat = (typeof archiveFormats)[number]

const upperCode = oneOf(
  'The state',
  states.map(({ code }) => code),
  () => 'There is no state of these two letters.',
)
/** Accepts a state's two letters in any case. Unknown letters are refused: their export would be empty, as if nothing was recorded. */
const stateCode: typeof upperCode = {
  ...upperCode,
  read: (sent, path, faults) => upperCode.read(typeof sent === 'string' ? sent.trim().toUpperCase() : sent, path, faults),
}

/** Filters for an export of the archive. Both days are inclusive. */
const filters = {
  from: optional(date('The first day')),
  to: optional(date('The last day')),
  types: optional(
    list(
      'The types',
      oneOf('The type', recordTypes, () => 'There is no record type of this name.'),
    ),
  ),
  states: optional(list('The states', stateCode)),
}

/**
 * Records per page. A process holds two pages of a file in memory, some megabytes. In GeoParquet, a page is a row group, which is encoded in one
 * go: this blocks the process for some 20 ms.
 */
const PAGE = 2000

/**
 * Checks the filters and returns the archive as it is now, newest day first, as one file in pieces. Each page is a separate statement that
 * starts after the previous page's last row, so a slow client holds neither a connection nor a transaction. A record that changes its day
 * meanwhile may be missing, or appear twice.
 * @throws Refusal 422 with every invalid filter
 */
export function exportArchive(
  app: Pick<App, 'pool'>,
  format: ArchiveFormat,
  sent: Record<string, unknown>,
): AsyncGenerator<string | Buffer> {
  const faults = gatherFaults()
  refuseUnknown(filters, sent, faults)
  const values = readNew(filters, sent, faults)
  checkDays(values, faults)
  faults.refuse()
  const conditions = conditionsOf(values)
  return format === 'csv'
    ? csvOf(prefetch(everyPage<CsvRow>(app, csvPage(), conditions)))
    : geoparquetOf(prefetch(everyPage<GeoparquetRow>(app, GEOPARQUET_PAGE, conditions)))
}

function conditionsOf({ from, to, types, states: codes }: ValuesOf<typeof filters>): Condition[] {
  return [
    ...recordsOf.days(from ?? null, to ?? null),
    ...(types ? [recordsOf.types(types)] : []),
    ...(codes ? [recordsOf.states(codes)] : []),
  ]
}

/** SQL: the number of records of a page, and the key of the last. */
const END = `count(*)::int AS records, (array_agg(r.id))[count(*)] AS id, (array_agg(r.occurred_on))[count(*)] AS occurred_on`

/** Yields every page with at least one record, in the form that `select` gives it. */
async function* everyPage<Row extends object>(
  { pool }: Pick<App, 'pool'>,
  select: string,
  conditions: Condition[],
): AsyncGenerator<ExportPage<Row>> {
  for (let after: RecordKey | null = null; ; ) {
    const rows: (Row & RecordKey & { records: number })[] = await readExported(withoutTimeout(pool), `${END}, ${select}`, conditions, {
      after,
      size: PAGE,
    })
    const [row] = rows
    if (!row || row.records === 0) return
    yield { row }
    if (row.records < PAGE) return
    after = row
  }
}

/** A filter that finds little reads many records for a page: a page that exceeds the usual statement timeout is read again without it. */
const withoutTimeout =
  (pool: pg.Pool): RunStatement =>
  async <Row extends object>(text: string, values: unknown[]) => {
    try {
      return (await pool.query<Row>(text, values)).rows
    } catch (fault) {
      if (!isOutOfTime(fault)) throw fault
      return longQuery<Row>(sessionPool(pool), text, values)
    }
  }

/** Reads the next page while the one before is written. */
async function* prefetch<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  const readNext = () => {
    const nextPage = pages.next()
    // The promise is awaited below, once the previous page was taken; until then a rejection would count as unhandled.
    nextPage.catch(() => undefined)
    return nextPage
  }
  try {
    for (let next = readNext(); ; ) {
      const { done, value } = await next
      if (done) return
      next = readNext()
      yield value
    }
  } finally {
    await pages.return(undefined)
  }
}
