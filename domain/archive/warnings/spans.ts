import type { MultiPolygon, Polygon } from 'geojson'
import { endsWarning } from '#domain/archive/warnings/vtec.ts'
import type { StoredMessage } from '#domain/archive/warnings/warning.ts'
import { present, tupleOf } from '#domain/kernel/present.ts'

/** The area in which a warning was in force by one message, and the time. */
export interface InForceSpan {
  message: StoredMessage
  from: Date
  /** Exclusive. */
  until: Date
  /** A polygon, or else the codes of counties and forecast zones. */
  area: { geometry: Polygon | MultiPolygon } | { codes: string[] }
}

/**
 * Returns where and when a warning was in force, message by message, whatever the order of the list. A message is in force from
 * its sending (the first one from the begin that its code states) until its stated end, or until a later message covers the same area:
 *
 * - A polygon replaces the previous polygon. A message without one continues the current polygon.
 * - If the warning never had a polygon, the newest message that names a county or zone decides for it.
 * - CAN and UPG end their area when they are sent; after EXP it continues to its end. Beside a message of the same product that
 *   continues the warning, they only show which part of the polygon is left out.
 * - A polygon that cannot be correct is not used anywhere: neither the previous polygon nor the counties replace it.
 */
export function spansOf(messages: readonly StoredMessage[]): InForceSpan[] {
  const done: Open[] = []
  let open: Open[] = []
  let drawn = false
  for (const [place, issue] of issuesOf(messages).entries()) {
    drawn ||= issue.some(statesPolygon)
    open = follow(open, issue, place === 0, drawn, done)
  }
  return [...done, ...open].flatMap(spanOf)
}

/** Returns messages in the order in which they apply; those sent together are one group. */
export function issuesOf<Message extends Pick<StoredMessage, 'sent_at' | 'correction' | 'action' | 'message_key'>>(
  messages: readonly Message[],
): Message[][] {
  const issues: Message[][] = []
  for (const message of messages.toSorted(bySending)) {
    const issue = issues.at(-1)
    if (issue?.[0] && orderOf(issue[0]) === orderOf(message)) issue.push(message)
    else issues.push([message])
  }
  return issues
}

type Sent = Pick<StoredMessage, 'sent_at' | 'correction' | 'action' | 'message_key'>

/** A correction comes after what was sent at the same time. */
function orderOf({ sent_at, correction, action }: Sent): string {
  return `${sent_at.toISOString()} ${correction ?? (action === 'COR' ? 'C' : '')}`
}

function bySending(one: Sent, other: Sent): number {
  const [first, second] = tupleOf(
    [one, other].map((message) => `${orderOf(message)} ${message.message_key}`),
    2,
  )
  return first < second ? -1 : Number(first > second)
}

/** An area in force: `codes` is null for a polygon, `geometry` is null for codes, and both are null if the polygon is not known. */
interface Open {
  message: StoredMessage
  from: number
  until: number
  geometry: Polygon | MultiPolygon | null
  codes: string[] | null
}

/** Returns what is open after an issue; adds what the issue replaced to `done`. */
function follow(open: Open[], issue: StoredMessage[], first: boolean, drawn: boolean, done: Open[]): Open[] {
  const at = present(issue[0]).sent_at.getTime()
  const goingOn = issue.filter((message) => goesOn(message, first))
  const ending = issue.filter((message) => !goesOn(message, first))
  const opened = goingOn.map((message) => openAt(message, first))
  if (drawn) {
    if (goingOn.length === 0) return ending.reduce((remaining, message) => remaining.map((one) => cut(one, overAt(message))), open)
    done.push(...open.map((one) => cut(one, at)))
    const polygons = opened.filter(({ message }) => statesPolygon(message))
    return polygons.length > 0 ? polygons : continuePolygons(open, opened, at)
  }
  const named = new Set(goingOn.flatMap(codesOf))
  const left = splitBy(open, named, at, done)
  return [...ending.reduce((remaining, message) => cutCodes(remaining, message), left), ...opened]
}

const statesPolygon = ({ geometry, polygon_fault }: StoredMessage) => geometry !== null || polygon_fault !== null

/** A message made from a warning that is over stands for the messages that are not stored. */
const goesOn = ({ action, made }: StoredMessage, first: boolean) => !endsWarning(action) || (made && first)

function openAt(message: StoredMessage, first: boolean): Open {
  const { sent_at, begins_at, ends_at, expires_at, geometry, action, made } = message
  const isFirst = first && (action === 'NEW' || made)
  const begin = (begins_at ?? sent_at).getTime()
  const until = made && (action === 'CAN' || action === 'UPG') ? sent_at : (ends_at ?? expires_at)
  return {
    message,
    from: isFirst ? begin : Math.max(begin, sent_at.getTime()),
    until: until?.getTime() ?? Number.NEGATIVE_INFINITY,
    geometry,
    codes: statesPolygon(message) ? null : codesOf(message),
  }
}

/** Returns the current polygons, with the content of a message that has no polygon. */
function continuePolygons(open: Open[], opened: Open[], at: number): Open[] {
  const [by] = opened
  if (!by) return []
  return open.filter(({ codes, until }) => codes === null && until > at).map(({ geometry }) => ({ ...by, geometry, codes: null }))
}

/** Returns when the area of a message that ends it is over, milliseconds: an expiry leaves it until its stated end. */
export function overAt({ action, ends_at, sent_at }: StoredMessage): number {
  return action === 'EXP' && ends_at ? Math.max(ends_at.getTime(), sent_at.getTime()) : sent_at.getTime()
}

const cut = (one: Open, at: number): Open => ({ ...one, until: Math.min(one.until, at) })

/** Counties by number, forecast zones by code. */
const codesOf = ({ county_fips, zones }: StoredMessage) => [...new Set([...county_fips, ...zones])]

/** Returns the open areas without the codes that are named again, and ends those codes. */
function splitBy(open: Open[], named: ReadonlySet<string>, at: number, done: Open[]): Open[] {
  return open.flatMap((one) => {
    const { ended, left } = parted(one, named)
    done.push(...ended.map((part) => cut(part, at)))
    return left
  })
}

/** Returns the open areas, with the codes that a message ends cut off. A message without codes ends all. */
function cutCodes(open: Open[], message: StoredMessage): Open[] {
  const named = new Set(codesOf(message))
  return open.flatMap((one) => {
    const { ended, left } = named.size === 0 ? { ended: [one], left: [] } : parted(one, named)
    return [...ended.map((part) => cut(part, overAt(message))), ...left]
  })
}

/**
 * Splits an area into the named part and the rest. A message made from a warning has its counties but not its zones, so it
 * is not split.
 */
function parted(one: Open, named: ReadonlySet<string>): { ended: Open[]; left: Open[] } {
  if (one.message.made && named.size > 0) return { ended: [one], left: [] }
  const part = (isNamed: boolean) => {
    const codes = one.codes?.filter((code) => named.has(code) === isNamed) ?? []
    return codes.length > 0 ? [{ ...one, codes }] : []
  }
  return { ended: part(true), left: part(false) }
}

function spanOf({ message, from, until, geometry, codes }: Open): InForceSpan[] {
  if (until <= from || (!geometry && !codes?.length)) return []
  return [{ message, from: new Date(from), until: new Date(until), area: geometry ? { geometry } : { codes: present(codes) } }]
}
