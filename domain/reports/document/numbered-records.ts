import { relationOf } from '#domain/reports/day-of-loss/near-days.ts'
import type { DocumentFacts, DrawnRecord } from '#domain/reports/document/facts.ts'
import { severityRank } from '#domain/weather/severities.ts'

/** Records printed on the pages, 13 to a page, so that the document stays readable. The attached table has all of them. */
export const PRINTED_MAX = 60

/** A cited record and its number on the pages, on the map and in the attached table. */
export interface NumberedRecord {
  record: DrawnRecord
  /** From 1. */
  number: number
}

const relations = ['date_of_loss', 'near', 'other'] as const
const rings = ['primary', 'secondary', 'context'] as const

/**
 * Returns the records in the order of a document's numbers: if a date of loss was named, those of that date and then of the days near it; then
 * those within 3 mi, within 10 mi, beyond, and without a point; within each group the most severe first, then the nearest, then
 * the largest hail, then the newest.
 */
export function numberedRecords({ report, records }: Pick<DocumentFacts, 'records'> & LossOf): NumberedRecord[] {
  const loss = report.date_of_loss
  const keyOf = ({ occurred_on, relevance, severity, measurements }: DrawnRecord) => [
    loss === null ? 0 : relations.indexOf(relationOf(occurred_on, loss)),
    relevance.distance_miles === null ? rings.length : rings.indexOf(relevance.relevance),
    -severityRank(severity),
    relevance.distance_miles ?? 0,
    -(measurements.hail_size_in ?? 0),
  ]
  return records
    .map((record) => ({ record, key: keyOf(record) }))
    .sort((one, other) => compareKeys(one.key, other.key) || newestFirst(one.record, other.record))
    .map(({ record }, index) => ({ record, number: index + 1 }))
}

type LossOf = { report: Pick<DocumentFacts['report'], 'date_of_loss'> }

function compareKeys(one: number[], other: number[]): number {
  return one.reduce((found, part, at) => found || part - (other[at] ?? 0), 0)
}

const newestFirst = (one: DrawnRecord, other: DrawnRecord) =>
  one.begins_at < other.begins_at ? 1 : one.begins_at > other.begins_at ? -1 : 0
