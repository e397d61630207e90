import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { longQuery } from '#domain/engines/pool.ts'
import { sessionPool } from '#domain/engines/row-scope.ts'
import { type CsvRow, csvOf, csvPage } from '#domain/exports/archive/csv.ts'
import { GEOPARQUET_PAGE, type GeoparquetRow, geoparquetOf } from '#domain/exports/archive/geoparquet.ts'
import { type Ask, type Condition, type ExportPage, type RecordKey, readExported, recordsOf } from '#domain/exports/archive/records.ts'
import { states } from '#domain/geo/states.ts'
import { isOutOfTime } from '#domain/kernel/engine-away.ts'
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
/** The two letters of a state, in any case. Those of none would answer an empty file, which reads as nothing recorded. */
const stateCode: typeof upperCode = {
  ...upperCode,
  read: (sent, path, faults) => upperCode.read(typeof sent === 'string' ? sent.trim().toUpperCase() : sent, path, faults),
}

/** What an export of the archive is narrowed by. Both days are included. */
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
 * Records of one page: what the process holds of a file is two of them, some megabytes. In GeoParquet a page is a row group, which is encoded at once:
 * the process does nothing else for some 20 ms.
 */
const PAGE = 2000

/**
 * Judges the filters and answers the archive as it stands, newest day first, as one file in pieces. Each page is a statement of its own behind the
 * last row of the one before: while a client waits, neither a connection nor a transaction does. A record that changes its day meanwhile may be
 * missing, or there twice.
 * @throws Refusal 422 with every filter that is at fault
 */
export function exportArchive(
  app: Pick<App, 'pool'>,
  format: ArchiveFormat,
  sent: Record<string, unknown>,
): AsyncGenerator<string | Buffer> {
  const faults = gatherFaults()
  refuseUnknown(filters, sent, faults)
  const asked = readNew(filters, sent, faults)
  checkDays(asked, faults)
  faults.refuse()
  const conditions = conditionsOf(asked)
  return format === 'csv'
    ? csvOf(oneAhead(everyPage<CsvRow>(app, csvPage(), conditions)))
    : geoparquetOf(oneAhead(everyPage<GeoparquetRow>(app, GEOPARQUET_PAGE, conditions)))
}

function conditionsOf({ from, to, types, states: codes }: ValuesOf<typeof filters>): Condition[] {
  return [
    ...recordsOf.days(from ?? null, to ?? null),
    ...(types ? [recordsOf.types(types)] : []),
    ...(codes ? [recordsOf.states(codes)] : []),
  ]
}

/** SQL: of a page how many its records are, and which is the last. */
const END = `count(*)::int AS records, (array_agg(r.id))[count(*)] AS id, (array_agg(r.occurred_on))[count(*)] AS occurred_on`

/** Every page that has a record, as `select` makes it. */
async function* everyPage<Row extends object>(
  { pool }: Pick<App, 'pool'>,
  select: string,
  conditions: Condition[],
): AsyncGenerator<ExportPage<Row>> {
  for (let behind: RecordKey | null = null; ; ) {
    const rows: (Row & RecordKey & { records: number })[] = await readExported(atLength(pool), `${END}, ${select}`, conditions, {
      behind,
      size: PAGE,
    })
    const [row] = rows
    if (!row || row.records === 0) return
    yield { row }
    if (row.records < PAGE) return
    behind = row
  }
}

/** A filter that finds little goes through much for a page: where that takes longer than a question has, it has as long as it takes. */
const atLength =
  (pool: pg.Pool): Ask =>
  async <Row extends object>(text: string, values: unknown[]) => {
    try {
      return (await pool.query<Row>(text, values)).rows
    } catch (fault) {
      if (!isOutOfTime(fault)) throw fault
      return longQuery<Row>(sessionPool(pool), text, values)
    }
  }

/** Reads the next page while the one before is written. */
async function* oneAhead<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  const ask = () => {
    const asked = pages.next()
    // It is awaited below, after the page before was taken; until then nobody is there to hear of a fault.
    asked.catch(() => undefined)
    return asked
  }
  try {
    for (let next = ask(); ; ) {
      const { done, value } = await next
      if (done) return
      next = ask()
      yield value
    }
  } finally {
    await pages.return(undefined)
  }
}
