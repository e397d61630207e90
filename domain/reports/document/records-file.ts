import { csvRecord } from '#domain/kernel/csv.ts'
import type { AttachedFile } from '#domain/reports/document/attach.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { type NumberedRecord, numberedRecords, PRINTED_MAX } from '#domain/reports/document/numbered-records.ts'
import { evidenceOf } from '#domain/reports/fingerprint.ts'

export const RECORDS_FILE = 'records.csv'

/** The fields of a record's evidence that become columns, in this order. */
const COLUMNS = [
  ...['occurred_on', 'begins_at', 'ends_at', 'type', 'family', 'severity', 'wind_speed_mph', 'wind_gust_mph', 'hail_size_in'],
  ...['tornado_ef_scale', 'distance_miles', 'bearing', 'relevance', 'latitude', 'longitude', 'precision', 'county', 'state', 'source'],
  ...['evidence_kind', 'is_observed', 'qualifier', 'citation_url', 'description'],
]
/** The columns that are numbers; the evidence has them as texts of fixed decimals. */
const NUMBERS = ['wind_speed_mph', 'wind_gust_mph', 'hail_size_in', 'tornado_ef_scale', 'distance_miles', 'latitude', 'longitude']

/** Returns all cited records as a table, if the pages do not print them all. It is attached beside the evidence, which has the same values. */
export function recordsFiles(facts: Pick<DocumentFacts, 'report' | 'records'>): AttachedFile[] {
  const printed_max = facts.report.layout.sections.includes('events') ? PRINTED_MAX : 0
  if (facts.records.length <= printed_max) return []
  const rows = [['number', ...COLUMNS, 'caveats'], ...numberedRecords(facts).map(cellsOf)]
  return [
    {
      name: RECORDS_FILE,
      media_type: 'text/csv',
      description: 'Every cited record, by the numbers of the pages and of the map',
      bytes: Buffer.from(rows.map(csvRecord).join(''), 'utf8'),
    },
  ]
}

function cellsOf({ record, number }: NumberedRecord) {
  const { measurements, location, relevance, provenance, ...of } = evidenceOf(record)
  const cells: Record<string, string | boolean | null> = { ...of, ...measurements, ...location, ...relevance, ...provenance }
  const cell = (column: string) => (NUMBERS.includes(column) && cells[column] != null ? Number(cells[column]) : (cells[column] ?? null))
  return [number, ...COLUMNS.map(cell), record.provenance.caveats.join(' ')]
}
