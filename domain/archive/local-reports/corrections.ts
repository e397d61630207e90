import { folded } from '#domain/archive/local-reports/record.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import { typeOfLocalReport } from '#domain/weather/source-names.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** A local storm report, as far as corrections go. */
export interface CorrectableReport {
  source_key: string
  type: RecordType
  begins_at: Date
  /** Null where its product is not known. */
  issued_at: Date | null
  description: string
}

/** "Corrects location of previous tornado report from 5 N Levelland." The longest name of an event has some 30 letters, and a place is a part of a line. */
const CORRECTS = /\bcorrect(?:s|ed|ing|ion)\b[^.]{0,60}?\bprevious (?:([a-z][a-z -]{0,60}?) )?report from (.{1,100}?)(?:\.|$)/i
/** A corrected time may be off by half a day, where morning was taken for evening. */
const HOURS_APART_MAX = 12

export const isCorrection = (description: string): boolean => CORRECTS.test(description)

/**
 * Which reports were taken back: a correction names the event and the place of the one that it corrects, whose time and
 * point it may change. Of several, the nearest in time is meant. Decided from all that is known, it does not depend on the
 * order in which products came.
 * @returns keys of the reports that a later one took the place of
 */
export function corrected(reports: CorrectableReport[]): Set<string> {
  const gone = new Set<string>()
  for (const correction of reports) {
    const [, event, place] = CORRECTS.exec(correction.description) ?? []
    if (!place) continue
    const type = event && typeOfLocalReport(event).known ? typeOfLocalReport(event).type : correction.type
    const meant = reports
      .filter((report) => report.type === type && isCorrectable(report, correction) && placeOf(report) === folded(place))
      .sort((a, b) => apart(a, correction) - apart(b, correction) || (b.issued_at?.getTime() ?? 0) - (a.issued_at?.getTime() ?? 0))[0]
    if (meant) gone.add(meant.source_key)
  }
  return gone
}

function isCorrectable(report: CorrectableReport, correction: CorrectableReport): boolean {
  return (
    report.source_key !== correction.source_key &&
    officeOf(report) === officeOf(correction) &&
    isEarlier(report, correction) &&
    apart(report, correction) <= HOURS_APART_MAX * HOUR_MS
  )
}

/** Where it is not known which was issued first, a correction takes the place of what is none itself. */
function isEarlier(report: CorrectableReport, correction: CorrectableReport): boolean {
  return report.issued_at && correction.issued_at ? report.issued_at < correction.issued_at : !isCorrection(report.description)
}

function apart(one: CorrectableReport, other: CorrectableReport): number {
  return Math.abs(one.begins_at.getTime() - other.begins_at.getTime())
}

export function officeOf({ source_key }: Pick<CorrectableReport, 'source_key'>): string {
  return present(source_key.split('/')[1])
}

function placeOf({ source_key }: CorrectableReport): string {
  return present(source_key.split('/').at(-1)).replace(/~\d+$/, '')
}
