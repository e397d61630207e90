import { DAY_MS } from '../durations.ts'
import type { EvidenceRecord } from './evidence-shape.ts'
import { oneLine } from './sections.ts'

/** The least number of records that a document prints before it leaves others to its table. */
const PRINTED_MIN = 60

/** The records that a document states it prints, in a sentence before the first of them. */
export interface Selection {
  printed: number
  of: number
  /** The date whose records come first; null for none. */
  loss: string | null
}

const STATED =
  /^The (\d+) nearest and strongest of (\d+) records are printed: .*? All (\d+) are in the attached records\.csv, by the same numbers, and in evidence\.json\. /

/**
 * Reads that sentence of the section on the records; null if it has none. Returns the rest of the section as well.
 * @param loss the date of loss that the document names
 */
export function selectionIn(section: string, loss: string | null): { selection: Selection | null; rest: string } {
  const opening = /^[\s\S]*?evidence\.json\.\s+/.exec(section)?.[0]
  const [, printed, of, all] = STATED.exec(`${oneLine(opening ?? '')} `) ?? []
  if (opening === undefined || printed === undefined || of !== all) return { selection: null, rest: section }
  return { selection: { printed: Number(printed), of: Number(of), loss }, rest: section.slice(opening.length) }
}

/** Checks the printed records against the order that the document states: no nearer or more severe record may be missing. */
export function selectionFaults(
  { printed, of, loss }: Selection,
  listed: readonly EvidenceRecord[],
  all: readonly EvidenceRecord[],
): string[] {
  if (of !== all.length) return [`the pages count ${of} records, but the evidence contains ${all.length}`]
  if (printed < PRINTED_MIN || printed >= of) return [`the pages state that ${printed} of ${of} records are printed, which no report does`]
  const first = all
    .map((record) => sortKeyOf(record, loss))
    .sort()
    .slice(0, printed)
  const found = listed.map((record) => sortKeyOf(record, loss)).sort()
  return first.every((place, at) => place === found[at]) ? [] : [`the pages leave out one of the ${printed} nearest and strongest records`]
}

const RELEVANCES = ['primary', 'secondary', 'context']
const SEVERITIES = ['extreme', 'severe', 'moderate', 'minor', 'unknown']
const NEAR_DAYS = 2

/** The sort key of a record in the order of documents, as a string; two records may have the same key. */
function sortKeyOf({ occurred_on, severity, relevance }: EvidenceRecord, loss: string | null): string {
  const days = loss === null ? 0 : Math.abs(Date.parse(occurred_on) - Date.parse(loss)) / DAY_MS
  const miles = relevance.distance_miles
  return [
    days === 0 ? 0 : days <= NEAR_DAYS ? 1 : 2,
    miles === null ? RELEVANCES.length : RELEVANCES.indexOf(relevance.relevance),
    SEVERITIES.indexOf(severity),
    (miles ?? '0.00').padStart(7, '0'),
  ].join(' ')
}
