import { DAY_MS } from '../durations.ts'
import type { EvidenceRecord } from './evidence-shape.ts'
import { oneLine } from './sections.ts'

/** Records that a document writes out at least, before it leaves others to its table. */
const PRINTED_MIN = 60

/** Which records a document says that it writes out, in words before the first of them; null where it says nothing of it. */
export interface Selection {
  printed: number
  of: number
  /** The date whose records come first; null for none. */
  loss: string | null
}

const STATED =
  /^The (\d+) nearest and strongest of (\d+) records are printed: .*? All (\d+) are in the attached records\.csv, by the same numbers, and in evidence\.json\. /

/** What the section on the records says of itself, and the section without it. @param loss the section on the date of loss */
export function selectionIn(section: string, loss: string): { selection: Selection | null; rest: string } {
  const opening = /^[\s\S]*?evidence\.json\.\s+/.exec(section)?.[0]
  const [, printed, of, all] = STATED.exec(`${oneLine(opening ?? '')} `) ?? []
  if (opening === undefined || printed === undefined || of !== all) return { selection: null, rest: section }
  const date = /\bOn (\d{4}-\d\d-\d\d), the date of loss, /.exec(oneLine(loss))?.[1] ?? null
  return { selection: { printed: Number(printed), of: Number(of), loss: date }, rest: section.slice(opening.length) }
}

/** Holds what a document leaves to its table to the order that it states: nothing nearer or more severe may be missing. */
export function selectionFaults(
  { printed, of, loss }: Selection,
  listed: readonly EvidenceRecord[],
  all: readonly EvidenceRecord[],
): string[] {
  if (of !== all.length) return [`the pages count ${of} records, and the evidence holds ${all.length}`]
  if (printed < PRINTED_MIN || printed >= of) return [`the pages leave out records after ${printed}`]
  const first = all
    .map((record) => placeOf(record, loss))
    .sort()
    .slice(0, printed)
  const found = listed.map((record) => placeOf(record, loss)).sort()
  return first.every((place, at) => place === found[at])
    ? []
    : [`the pages leave out a record that belongs to the ${printed} nearest and strongest`]
}

const RINGS = ['primary', 'secondary', 'context']
const SEVERITIES = ['extreme', 'severe', 'moderate', 'minor', 'unknown']
const NEAR_DAYS = 2

/** The place of a record in the order of documents, as a text that sorts: two records may have the same. */
function placeOf({ occurred_on, severity, relevance }: EvidenceRecord, loss: string | null): string {
  const days = loss === null ? 0 : Math.abs(Date.parse(occurred_on) - Date.parse(loss)) / DAY_MS
  const miles = relevance.distance_miles
  return [
    days === 0 ? 0 : days <= NEAR_DAYS ? 1 : 2,
    miles === null ? RINGS.length : RINGS.indexOf(relevance.relevance),
    SEVERITIES.indexOf(severity),
    (miles ?? '0.00').padStart(7, '0'),
  ].join(' ')
}
