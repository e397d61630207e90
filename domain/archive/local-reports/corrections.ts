import { folded } from '#domain/archive/local-reports/record.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import { typeOfLocalReport } from '#domain/weather/source-names.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** The fields of a local storm report that corrections use. */
export interface CorrectableReport {
  source_key: string
  type: RecordType
  begins_at: Date
  /** Null if its product is not known. */
  issued_at: Date | null
  description: string
}

/**
 * "Corrects location of previous tornado report from 5 N Levelland." The longest event name has about 30 letters, and a
 * place is part of one line.
 */
const CORRECTS = /\bcorrect(?:s|ed|ing|ion)\b[^.]{0,60}?\bprevious (?:([a-z][a-z -]{0,60}?) )?report from (.{1,100}?)(?:\.|$)/i
/** "TIME CORRECTED FROM ORIGINAL STORM REPORT. LARGE TREE DOWN." It names no place, so the place is unchanged. */
const RETIMED =
  /\btime corrected from (?:the )?(?:original|previous) (?:storm )?report\b|\bcorrect(?:s|ed|ing) (?:the )?time (?:of|from) (?:the )?(?:original|previous) (?:storm )?report\b(?! from )/i
/** A corrected time may be off by half a day, if morning was taken for evening. */
export const HOURS_APART_MAX = 12

/** Whether the text of a report says that it corrects another, or moves it to another time. */
export const isCorrection = (description: string): boolean => CORRECTS.test(description) || RETIMED.test(description)

/**
 * Returns which reports were corrected. A correction names the event and the place of the report that it corrects, whose
 * time and point it may change. If several match, the nearest in time is meant. A correction of a time in words without a
 * place means the only report of its event at its own place; if there are several, none. A report that an earlier correction
 * replaced stands for that correction: a second correction replaces the first. All known reports are considered, so the order
 * in which products arrive does not matter.
 * A product headed CORRECTED does not say which of its reports are corrections, nor which product it corrects. The reports
 * of both stay.
 * @returns keys of the reports that a later one replaced
 */
export function findCorrected(reports: CorrectableReport[]): Set<string> {
  const replacements: Replacements = new Map()
  for (const correction of reports.filter(({ description }) => isCorrection(description)).toSorted(byIssue)) {
    const original = findNamed(correction, reports, replacements) ?? findRetimed(correction, reports, replacements)
    if (original) replacements.set(original.source_key, correction)
  }
  return new Set(replacements.keys())
}

/** The newest correction of each corrected report, by the report's key. */
type Replacements = Map<string, CorrectableReport>

const byIssue = (one: CorrectableReport, other: CorrectableReport) =>
  (one.issued_at?.getTime() ?? 0) - (other.issued_at?.getTime() ?? 0) || (one.source_key < other.source_key ? -1 : 1)

/** Returns what a report had become when a correction was issued: the last earlier correction of it, else the report itself. */
function stateBefore(correction: CorrectableReport, report: CorrectableReport, replacements: Replacements): CorrectableReport {
  const next = replacements.get(report.source_key)
  const isKnownEarlier = next?.issued_at && correction.issued_at && next.issued_at < correction.issued_at
  return next && isKnownEarlier ? stateBefore(correction, next, replacements) : report
}

function findNamed(correction: CorrectableReport, reports: CorrectableReport[], replacements: Replacements): CorrectableReport | undefined {
  const [, event, place] = CORRECTS.exec(correction.description) ?? []
  if (!place) return undefined
  const type = event && typeOfLocalReport(event).known ? typeOfLocalReport(event).type : correction.type
  const [nearest] = reports
    .filter((report) => report.type === type && isCorrectable(report, correction) && placeOf(report) === folded(place))
    .sort((a, b) => msApart(a, correction) - msApart(b, correction) || (b.issued_at?.getTime() ?? 0) - (a.issued_at?.getTime() ?? 0))
  return nearest && stateBefore(correction, nearest, replacements)
}

function findRetimed(
  correction: CorrectableReport,
  reports: CorrectableReport[],
  replacements: Replacements,
): CorrectableReport | undefined {
  if (!RETIMED.test(correction.description)) return undefined
  const key = eventAndPlaceOf(correction)
  const matches = reports.filter((report) => isCorrectable(report, correction) && eventAndPlaceOf(report) === key)
  const [match, another] = new Set(matches.map((report) => stateBefore(correction, report, replacements)))
  return another ? undefined : match
}

function isCorrectable(report: CorrectableReport, correction: CorrectableReport): boolean {
  return (
    report.source_key !== correction.source_key &&
    officeOf(report) === officeOf(correction) &&
    isEarlier(report, correction) &&
    msApart(report, correction) <= HOURS_APART_MAX * HOUR_MS
  )
}

/** If the order of issue is not known, a correction replaces only a report that is not itself a correction. */
function isEarlier(report: CorrectableReport, correction: CorrectableReport): boolean {
  return report.issued_at && correction.issued_at ? report.issued_at < correction.issued_at : !isCorrection(report.description)
}

function msApart(one: CorrectableReport, other: CorrectableReport): number {
  return Math.abs(one.begins_at.getTime() - other.begins_at.getTime())
}

/** The office that issued a report: the second part of its key. */
export function officeOf({ source_key }: Pick<CorrectableReport, 'source_key'>): string {
  return present(source_key.split('/')[1])
}

function placeOf(report: CorrectableReport): string {
  return present(eventAndPlaceOf(report).split('/').at(-1))
}

/** Returns the rest of a key after its office and time: TSTM WND DMG/IA-HARDIN/ELDORA. */
function eventAndPlaceOf({ source_key }: CorrectableReport): string {
  return source_key.split('/').slice(3).join('/').replace(/~\d+$/, '')
}
