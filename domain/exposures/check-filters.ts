import { type Faults, gatherFaults, isDate } from '#domain/check.ts'
import { type ExposureKind, exposureKinds } from '#domain/exposures/view.ts'
import { type WatchSubject, watchSubjects } from '#domain/exposures/watch.ts'

/** Filters of a listing of exposures as sent, null or absent where not. */
export interface ExposureFilters {
  /** Exclusive: only what moved after this moment. The cursor of a client that keeps up. */
  since?: string | null
  /** First and last date, both inclusive. */
  from?: string | null
  to?: string | null
  kind?: string | null
  /** True: neither acknowledged nor dismissed. False: one of the two. */
  open?: boolean | null
  subject?: string | null
  /** Inches of hail; where none was measured, the exposure drops out. */
  min_measured_in?: number | null
}

/** The same, judged: null where not sent. */
export interface Asked {
  since: string | null
  from: string | null
  to: string | null
  kind: ExposureKind | null
  open: boolean | null
  subject: WatchSubject | null
  min_measured_in: number | null
}

/** Its zone is always said; up to nanoseconds. */
const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/
/** What a moment of an exposure is kept to. */
const MICROSECOND_DIGITS = 6

/** @throws Refusal 422 with every filter that is at fault: what is mistaken must not look like an empty answer */
export function checkFilters({ since, from, to, kind, open, subject, min_measured_in }: ExposureFilters): Asked {
  const faults = gatherFaults()
  const asked = {
    since: since == null ? null : checkMoment(since, faults),
    from: from == null ? null : checkDay(from, 'from', faults),
    to: to == null ? null : checkDay(to, 'to', faults),
    kind: kind == null ? null : checkOneOf(exposureKinds, kind, 'kind', faults),
    open: open ?? null,
    subject: subject == null ? null : checkOneOf(watchSubjects, subject, 'subject', faults),
    min_measured_in: min_measured_in ?? null,
  }
  faults.unless(!(asked.from && asked.to && asked.from > asked.to), 'to', 'The to date must be on or after the from date.')
  faults.unless((min_measured_in ?? 0) >= 0, 'min_measured_in', 'The min measured in must be a number of inches, 0 or more.')
  faults.refuse()
  return asked
}

function checkDay(sent: string, field: string, faults: Faults): string | null {
  const real = isDate(sent)
  faults.unless(real, field, `The ${field} date must be a date written YYYY-MM-DD.`)
  return real ? sent : null
}

/** Cut to what moments are kept to, never rounded up: a cursor must not step over anything. */
function checkMoment(sent: string, faults: Faults): string | null {
  const [, day = '', time = '', fraction = '', zone = ''] = MOMENT.exec(sent) ?? []
  const real = isDate(day) && !Number.isNaN(Date.parse(`${day}T${time}${zone}`))
  faults.unless(real, 'since', 'The since must be a moment written as ISO 8601 with its zone, such as 2026-05-20T12:00:00.000001Z.')
  return real ? `${day}T${time}${fraction && `.${fraction.slice(0, MICROSECOND_DIGITS)}`}${zone}` : null
}

function checkOneOf<Value extends string>(allowed: readonly Value[], sent: string, field: string, faults: Faults): Value {
  faults.unless(allowed.includes(sent as Value), field, `The ${field} must be one of ${allowed.join(', ')}.`)
  return sent as Value
}
