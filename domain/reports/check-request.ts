import type { Caller } from '#domain/caller.ts'
import { type Faults, isDate } from '#domain/check.ts'
import { narrowRadius, narrowWindow } from '#domain/plans/ceilings.ts'

/** A report's body as sent: every field is judged here, so values of any type may arrive. */
export interface ReportInput {
  address?: unknown
  window_start?: unknown
  window_end?: unknown
  radius_miles?: unknown
  reference?: unknown
  recipient?: unknown
  property_id?: unknown
  layout?: unknown
}

/** What is asked for, judged by itself: nothing of the plan or of other rows yet. */
export interface ReportRequest {
  address: string
  window_start: string
  window_end: string
  radius_miles: number
  reference: string | null
  recipient: string | null
  property_id: string | null
}

/** What the plan leaves of it: the columns of the new report. */
export interface NarrowedRequest {
  window_start: string
  window_end: string
  radius_miles: number
  narrowed_by_plan: boolean
}

const ADDRESS_LENGTH = { min: 3, max: 255 }
const REFERENCE_MAX = 100
const RECIPIENT_MAX = 160
/** Miles. */
const RADIUS = { min: 1, max: 100, preset: 5 }
/** Guam and its neighbours are the first of the United States to see a date. */
const FIRST_US_OFFSET_HOURS = 10
const HOUR_MS = 3_600_000
/** Control characters, NUL among them, and halves of surrogate pairs: no text that is printed holds them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

/**
 * Judges every field of a body, so that all its faults are told at once.
 * @param properties ids of the team's that the body may name
 * @returns what is asked for, to be used where no fault was noted
 */
export function checkReport(input: ReportInput, properties: ReadonlySet<string>, now: Date, faults: Faults): ReportRequest {
  const { window_start, window_end } = checkWindow(input, now, faults, true)
  return {
    address: checkAddress(input.address, faults),
    window_start: window_start ?? '',
    window_end: window_end ?? '',
    radius_miles: checkRadius(input.radius_miles, faults),
    reference: checkText(input.reference, 'reference', REFERENCE_MAX, faults),
    recipient: checkText(input.recipient, 'recipient', RECIPIENT_MAX, faults),
    property_id: checkProperty(input.property_id, properties, faults),
  }
}

/** Judges the window's two dates, each by itself and one against the other. Absent ones are faults only where required. */
export function checkWindow(input: Pick<ReportInput, 'window_start' | 'window_end'>, now: Date, faults: Faults, required: boolean) {
  const window_start = checkDate(input.window_start, 'window_start', 'window start', faults, required)
  const window_end = checkDate(input.window_end, 'window_end', 'window end', faults, required)
  if (window_start) faults.unless(window_start < dateIn(now, 0), 'window_start', 'The window start must be in the past.')
  if (window_end) faults.unless(window_end <= dateIn(now, FIRST_US_OFFSET_HOURS), 'window_end', 'The window end must not be in the future.')
  if (window_start && window_end)
    faults.unless(window_end >= window_start, 'window_end', 'The window end must be on or after the window start.')
  return { window_start, window_end }
}

/** Miles, two decimals; the preset where none is sent. */
export function checkRadius(sent: unknown, faults: Faults): number {
  if (sent === undefined || sent === null) return RADIUS.preset
  if (typeof sent !== 'number' || !(sent >= RADIUS.min && sent <= RADIUS.max)) {
    faults.add('radius_miles', `The radius must be a number of miles from ${RADIUS.min} to ${RADIUS.max}.`)
    return RADIUS.preset
  }
  return Number(sent.toFixed(2))
}

/**
 * Brings the window and the radius within the plan.
 * @throws Refusal 402 `lookback` where the plan reaches no day of the window
 */
export function narrow({ plan }: Pick<Caller, 'plan'>, request: ReportRequest, now: Date): NarrowedRequest {
  const window = narrowWindow(plan, { start: request.window_start, end: request.window_end }, dateIn(now, 0))
  const radius = narrowRadius(plan, request.radius_miles)
  return {
    window_start: window.start,
    window_end: window.end,
    radius_miles: radius.radius_miles,
    narrowed_by_plan: window.narrowed || radius.narrowed,
  }
}

/** The calendar date at so many hours from UTC. */
function dateIn(now: Date, offset_hours: number): string {
  return new Date(now.getTime() + offset_hours * HOUR_MS).toISOString().slice(0, 10)
}

function checkDate(sent: unknown, field: string, name: string, faults: Faults, required: boolean): string | null {
  if (sent === undefined || sent === null || sent === '') {
    if (required) faults.add(field, `The ${name} is required.`)
    return null
  }
  if (typeof sent === 'string' && isDate(sent)) return sent
  faults.add(field, `The ${name} must be a date, YYYY-MM-DD.`)
  return null
}

function checkAddress(sent: unknown, faults: Faults): string {
  if (sent === undefined || sent === null || (typeof sent === 'string' && sent.trim() === '')) {
    faults.add('address', 'The address is required.')
    return ''
  }
  const text = checkText(sent, 'address', ADDRESS_LENGTH.max, faults) ?? ''
  faults.unless(
    text === '' || lettersOf(text.trim()) >= ADDRESS_LENGTH.min,
    'address',
    `The address must have at least ${ADDRESS_LENGTH.min} characters.`,
  )
  return text
}

function checkText(sent: unknown, field: string, max: number, faults: Faults): string | null {
  if (sent === undefined || sent === null) return null
  if (typeof sent !== 'string') {
    faults.add(field, `The ${field} must be a text.`)
    return null
  }
  if (!faults.unless(!UNPRINTABLE.test(sent), field, `The ${field} must not hold control characters.`)) return null
  return faults.unless(lettersOf(sent) <= max, field, `The ${field} must have at most ${max} characters.`) ? sent : null
}

function lettersOf(text: string): number {
  return [...text].length
}

function checkProperty(sent: unknown, properties: ReadonlySet<string>, faults: Faults): string | null {
  if (sent === undefined || sent === null) return null
  const id = typeof sent === 'string' ? sent.toLowerCase() : ''
  return faults.unless(properties.has(id), 'property_id', 'There is no property with this id.') ? id : null
}
