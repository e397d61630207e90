import { fromCsvCell } from '../format.ts'
import type { PagesComparison } from './compare-pages.ts'
import type { EvidenceRecord } from './evidence-shape.ts'
import { unspaced } from './sections.ts'

/**
 * The columns of the table that the evidence states, in their order. The table has the record's number before them, and the caveats after.
 */
const COLUMNS = [
  ...['occurred_on', 'begins_at', 'ends_at', 'type', 'family', 'severity', 'wind_speed_mph', 'wind_gust_mph', 'hail_size_in'],
  ...['tornado_ef_scale', 'distance_miles', 'bearing', 'relevance', 'latitude', 'longitude', 'precision', 'county', 'state', 'source'],
  ...['evidence_kind', 'is_observed', 'qualifier', 'citation_url', 'description'],
]
/** The numeric columns; in the evidence these values are strings with fixed decimals. */
const NUMBERS = ['wind_speed_mph', 'wind_gust_mph', 'hail_size_in', 'tornado_ef_scale', 'distance_miles', 'latitude', 'longitude']

/**
 * Compares a document's table of records with its evidence, and its caveats with the pages. Returns the differences in words that follow the
 * file's name; empty if they agree.
 * @param pages the caveats of the records that the pages list, in their order, and the number that the first page counts
 */
export async function recordsFileFaults(
  file: Buffer,
  records: readonly EvidenceRecord[],
  pages: Pick<PagesComparison, 'caveats' | 'doubted'>,
): Promise<string[]> {
  const { parse } = await import('csv-parse/sync')
  let rows: string[][]
  try {
    rows = parse(file.toString('utf8'))
  } catch (fault) {
    return [`is not CSV: ${(fault as Error).message}`]
  }
  const [head = [], ...body] = rows
  if (head.join() !== ['number', ...COLUMNS, 'caveats'].join()) return ['does not have the columns of a report']
  if (body.length !== records.length) return [`has ${body.length} records, but the evidence contains ${records.length}`]
  const left = new Map<string, number>()
  for (const record of records) left.set(lineOf(record), (left.get(lineOf(record)) ?? 0) + 1)
  for (const [at, [number, ...cells]] of body.entries()) {
    const line = JSON.stringify(cells.slice(0, -1).map(fromCsvCell))
    const times = left.get(line) ?? 0
    if (times === 0 || number !== String(at + 1)) return [`differs from the evidence in row ${at + 1}`]
    left.set(line, times - 1)
  }
  const caveats = body.map((cells) => unspaced(fromCsvCell(cells.at(-1) ?? '')))
  const doubted = caveats.filter((caveat) => caveat !== '').length
  if (doubted !== pages.doubted) return [`has ${doubted} records with a caveat, but the first page counts ${pages.doubted}`]
  const differing = pages.caveats.findIndex((printed, at) => !isCaveat(unspaced(printed), caveats[at] ?? ''))
  return differing < 0 ? [] : [`has another caveat in row ${differing + 1} than the pages`]
}

/** Whether the pages print a caveat of the table; only the name of the source follows it on its line. */
const isCaveat = (printed: string, caveat: string) => (caveat === '' ? printed === '' : printed.startsWith(caveat))

function lineOf({ measurements, location, relevance, provenance, ...of }: EvidenceRecord): string {
  const cells: Record<string, string | boolean | null> = { ...of, ...measurements, ...location, ...relevance, ...provenance }
  const cell = (column: string) => (NUMBERS.includes(column) && cells[column] != null ? Number(cells[column]) : (cells[column] ?? ''))
  return JSON.stringify(COLUMNS.map((column) => String(cell(column))))
}
