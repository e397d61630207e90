import { type InForceSpan, issuesOf, overAt, spansOf } from '#domain/archive/warnings/spans.ts'
import { countiesOfCodes } from '#domain/archive/warnings/stored-warnings.ts'
import { endsWarning } from '#domain/archive/warnings/vtec.ts'
import type { StoredMessage } from '#domain/archive/warnings/warning.ts'
import { countyShape } from '#domain/geo/counties.ts'
import type { Position } from '#domain/geo/measure.ts'
import { containsPoint, intersectsArea, type PreparedShape, prepareShape } from '#domain/geo/prepared-shape.ts'
import { polygonsOf } from '#domain/geo/shape.ts'
import { present } from '#domain/kernel/present.ts'

/** A span with its outlines prepared for comparison with places. */
export interface WarningReach extends InForceSpan {
  outlines: Outline[]
}

interface Outline {
  ring: Position[]
  prepared: PreparedShape
}

/** A time during which a place was under a warning. */
export interface Period {
  from: Date
  /** Exclusive. */
  until: Date
}

/** Returns where a warning was in force, message by message. Counties of forecast zones are those in the table of zones. */
export function reachesOf(messages: readonly StoredMessage[], zones: ReadonlyMap<string, string[]>): WarningReach[] {
  return spansOf(messages).map((span) => ({ ...span, outlines: ringsOf(span.area, zones).map(outline) }))
}

/** Whether a warning's area contains a point. */
export function reachContains({ outlines }: WarningReach, longitude: number, latitude: number): boolean {
  return outlines.some(({ prepared }) => containsPoint(prepared, longitude, latitude))
}

/** Whether a warning's area touches a shape. */
export function reachIntersects({ outlines }: WarningReach, shape: PreparedShape): boolean {
  return outlines.some(({ ring }) => intersectsArea(shape, ring))
}

function ringsOf(area: InForceSpan['area'], zones: ReadonlyMap<string, string[]>): Position[][] {
  if ('codes' in area) return countiesOfCodes(area.codes, zones).flatMap((fips) => countyShape(fips) ?? [])
  return polygonsOf(area.geometry).map(([outer]) => present(outer))
}

const outline = (ring: Position[]): Outline => ({ ring, prepared: prepareShape({ type: 'Polygon', coordinates: [ring] }) })

/** Returns the times of some spans in order, joining those that meet or overlap. */
export function periodsOf(spans: readonly Period[]): Period[] {
  const periods: Period[] = []
  for (const { from, until } of spans.toSorted((one, other) => one.from.getTime() - other.from.getTime())) {
    const last = periods.at(-1)
    if (last && from <= last.until) last.until = new Date(Math.max(last.until.getTime(), until.getTime()))
    else periods.push({ from, until })
  }
  return periods
}

/**
 * Returns the messages that concern a place: all issues before the newest one that was over it, the messages of that issue
 * that were over it, and the following messages that end the warning there. Later messages about a part that continues
 * elsewhere are not included, nor those that end another part while the warning lasts at the place.
 */
export function messagesOver(messages: readonly StoredMessage[], over: readonly InForceSpan[]): StoredMessage[] {
  const keys = new Set(over.map(({ message }) => message.message_key))
  const issues = issuesOf(messages)
  const newest = issues.findLastIndex((issue) => issue.some(({ message_key }) => keys.has(message_key)))
  const after = issues.slice(newest + 1)
  const nextInForce = after.findIndex((issue) => issue.some(({ action }) => !endsWarning(action)))
  const last = Math.max(...over.map(({ until }) => until.getTime()))
  return [
    ...issues.slice(0, newest).flat(),
    ...(issues[newest] ?? []).filter(({ message_key }) => keys.has(message_key)),
    ...(nextInForce === -1 ? after : after.slice(0, nextInForce)).flat().filter((message) => overAt(message) >= last),
  ]
}
