import type { Caller } from '#domain/access/caller.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { checkedLater, date, idOf, mapped, moment, number, text } from '#domain/kernel/fields.ts'
import { clearable, optional, preset, readNew, refuseUnknown, required, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import type { Faults } from '#domain/kernel/validation.ts'
import { checkWhere, type SentWhere, type Where, whereForm, whereOf } from '#domain/places/where.ts'
import { clampRadius, clampWindow } from '#domain/plans/ceilings.ts'
import { layoutSchema } from '#domain/reports/layout.ts'

/** Miles. */
export const REPORT_RADIUS = { min: 1, max: 100 }
const radius = number('The radius', { ...REPORT_RADIUS, unit: 'miles', decimals: 2 })
const windowStart = date('The window start')
const windowEnd = date('The window end')
/** Read in milliseconds: the archive knows no finer moments. */
const asOf = clearable(mapped(moment('The moment to report as of'), (sent) => new Date(sent)))
const dateOfLoss = clearable(date('The date of loss'))
const where = whereForm({ verbatim: true })
/** Checked later: the default for its missing parts depends on the plan. */
const layout = clearable(checkedLater('The layout', layoutSchema))

/** The body of a report. */
export const reportForm = {
  ...where,
  window_start: required(windowStart),
  window_end: required(windowEnd),
  radius_miles: preset(radius, 5),
  as_of: asOf,
  date_of_loss: dateOfLoss,
  reference: clearable(text('The reference', { max: 100, verbatim: true })),
  recipient: clearable(text('The recipient', { max: 160, verbatim: true })),
  property_id: clearable(idOf('property')),
  layout,
}

/** A row of a batch. It may leave the window and the radius to the batch. */
export const reportRowForm = {
  ...where,
  window_start: optional(windowStart),
  window_end: optional(windowEnd),
  radius_miles: optional(radius),
  as_of: asOf,
  date_of_loss: dateOfLoss,
  reference: reportForm.reference,
  property_id: reportForm.property_id,
}

/** The values of a batch that apply to all of its rows. */
export const reportDefaultsForm = {
  window_start: optional(windowStart),
  window_end: optional(windowEnd),
  radius_miles: reportForm.radius_miles,
  as_of: asOf,
  date_of_loss: dateOfLoss,
  layout,
}

/** The body of a report about a saved property; the rest follows from the property and the plan. */
export const propertyReportForm = {
  window_start: optional(windowStart),
  window_end: optional(windowEnd),
  radius_miles: optional(radius),
  as_of: asOf,
  date_of_loss: dateOfLoss,
  recipient: reportForm.recipient,
  layout,
}

export type ReportInput = Sent<typeof reportForm>

/** What is requested, checked on its own: not yet against the plan or other rows. */
export type ReportRequest = Omit<ValuesOf<typeof reportForm>, 'layout' | keyof SentWhere> & Where

/** What the plan allows of the request: columns of the new report. */
export interface LimitedRequest {
  window_start: string
  window_end: string
  radius_miles: number
  narrowed_by_plan: boolean
}

/** Guam and its neighbours are the first places of the United States to begin a date. */
const FIRST_US_OFFSET_HOURS = 10
/** American Samoa is the last. Once the window's first day has started there, no place's window ends before it starts. */
const LAST_US_OFFSET_HOURS = -11

/**
 * Checks the body of a report. A report costs a credit, so an unknown key is a fault as well.
 * @param properties ids of the team's properties that the body may name
 * @returns the request; use it only if no fault was noted
 */
export function checkReport(input: ReportInput, properties: ReadonlySet<string>, now: Date, faults: Faults): ReportRequest {
  const { layout: _, address, latitude, longitude, ...request } = readNew(reportForm, input, faults)
  const sent = { address, latitude, longitude }
  checkPlaceAndWindow({ ...request, ...sent }, faults, now)
  if (request.property_id) faults.unless(properties.has(request.property_id), 'property_id', 'There is no property with this id.')
  refuseUnknown(reportForm, input, faults)
  return { ...request, ...whereOf(sent) }
}

/** Checks the fields that state the place, and the dates against each other. */
export function checkPlaceAndWindow(values: SentWhere & Parameters<typeof checkWindow>[0], faults: Faults, now: Date): void {
  checkWhere(values, faults)
  checkWindow(values, faults, now)
}

/** Checks the window's two dates, the date of loss and `as_of`, each on its own and against the others, as far as they are known. */
export function checkWindow(
  {
    window_start,
    window_end,
    as_of,
    date_of_loss,
  }: {
    window_start?: string | null | undefined
    window_end?: string | null | undefined
    as_of?: Date | null | undefined
    date_of_loss?: string | null | undefined
  },
  faults: Faults,
  now: Date,
): void {
  if (window_start) faults.unless(window_start < dateIn(now, 0), 'window_start', 'The window start must be in the past.')
  if (window_end) faults.unless(window_end <= latestWindowEnd(now), 'window_end', 'The window end must not be in the future.')
  if (window_start && window_end)
    faults.unless(window_end >= window_start, 'window_end', 'The window end must be on or after the window start.')
  if (as_of) faults.unless(as_of <= now, 'as_of', 'The moment to report as of must not be in the future.')
  if (as_of && window_start)
    faults.unless(
      window_start <= dateIn(as_of, LAST_US_OFFSET_HOURS),
      'as_of',
      'The moment to report as of must not be before the window starts.',
    )
  if (as_of && date_of_loss)
    faults.unless(
      date_of_loss <= dateIn(as_of, FIRST_US_OFFSET_HOURS),
      'date_of_loss',
      'The date of loss must not be after the moment to report as of.',
    )
  if (date_of_loss && window_start && window_end)
    faults.unless(
      date_of_loss >= window_start && date_of_loss <= window_end,
      'date_of_loss',
      'The date of loss must lie within the window.',
    )
}

/**
 * Limits the window and the radius to what the plan allows. The window of a report as of a moment ends with that moment, so the plan
 * must cover a day before it.
 * @throws Refusal 402 `lookback` if the plan covers no day of the window, or not the date of loss
 */
export function limitToPlan({ plan }: Pick<Caller, 'plan'>, request: ReportRequest, now: Date): LimitedRequest {
  const { window_start, window_end, as_of, date_of_loss } = request
  const known_end = as_of ? dateIn(as_of, LAST_US_OFFSET_HOURS) : window_end
  const window = clampWindow(plan, { start: window_start, end: known_end < window_end ? known_end : window_end }, dateIn(now, 0))
  if (date_of_loss) clampWindow(plan, { start: date_of_loss, end: date_of_loss }, dateIn(now, 0))
  const radius = clampRadius(plan, request.radius_miles)
  return {
    window_start: window.start,
    window_end,
    radius_miles: radius.radius_miles,
    narrowed_by_plan: window.clamped || radius.clamped,
  }
}

/** Returns the latest date with which a window may end: today where the date begins first. */
export const latestWindowEnd = (now: Date): string => dateIn(now, FIRST_US_OFFSET_HOURS)

/** Returns the calendar date at an offset of hours from UTC. */
function dateIn(now: Date, offset_hours: number): string {
  return new Date(now.getTime() + offset_hours * HOUR_MS).toISOString().slice(0, 10)
}
