import type { App } from '#domain/app.ts'
import { archiveColumns, textCell } from '#domain/exports/archive/columns.ts'
import { geoparquetOf } from '#domain/exports/archive/geoparquet.ts'
import { type Condition, type ExportedRecord, type RecordKey, readExported, recordsOf } from '#domain/exports/archive/records.ts'
import { csvRecord } from '#domain/kernel/csv.ts'
import { checkDays, date, list, oneOf, text } from '#domain/kernel/fields.ts'
import { optional, readNew, refuseUnknown, type ValuesOf } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { recordTypes } from '#domain/weather/types.ts'

export const archiveFormats = ['csv', 'geoparquet'] as const
export type ArchiveFormat = (typeof archiveFormats)[number]

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
  states: optional(list('The states', text('The state', { min: 2, max: 2 }))),
}

/** Rows of one page. In longer ones rows live until the collector moves them: twice the time for as many. */
const PAGE = 1000

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
  const pages = oneAhead(everyRecord(app, conditionsOf(asked)))
  return format === 'csv' ? csvOf(pages) : geoparquetOf(pages)
}

function conditionsOf({ from, to, types, states }: ValuesOf<typeof filters>): Condition[] {
  return [
    ...recordsOf.days(from ?? null, to ?? null),
    ...(types ? [recordsOf.types(types)] : []),
    ...(states ? [recordsOf.states(states.map((code) => code.toUpperCase()))] : []),
  ]
}

async function* everyRecord({ pool }: Pick<App, 'pool'>, conditions: Condition[]): AsyncGenerator<ExportedRecord[]> {
  for (let behind: RecordKey | null = null; ; ) {
    const records: ExportedRecord[] = await readExported(pool, conditions, { behind, size: PAGE })
    if (records.length > 0) yield records
    if (records.length < PAGE) return
    behind = records.at(-1) ?? null
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

const columns = Object.values(archiveColumns)

async function* csvOf(pages: AsyncIterable<ExportedRecord[]>): AsyncGenerator<string> {
  yield csvRecord(Object.keys(archiveColumns))
  for await (const records of pages) {
    let lines = ''
    for (const record of records) lines += csvRecord(columns.map((column) => textCell(column, record)))
    yield lines
  }
}
