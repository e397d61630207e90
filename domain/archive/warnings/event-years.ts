import { issuesOf } from '#domain/archive/warnings/spans.ts'
import { yearOf } from '#domain/archive/warnings/vtec.ts'
import type { StoredMessage } from '#domain/archive/warnings/warning.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'

/** A message with the key of its warning: KFWD.SV.W.0142.2025. */
export type FiledMessage = StoredMessage & { source_key: string }

/** An office announces the end of a warning within a day, and numbering restarts each year. */
const LATE_MS = 2 * DAY_MS

/**
 * Assigns messages of one office, phenomenon and tracking number to the years of their warnings. The result follows from
 * all messages together, not from their order of arrival. The first message of a warning gives its year. A later message
 * belongs to the warning of its own year if that was issued before it, else to the previous year's warning if that is not
 * over.
 */
export function fileByYear(messages: readonly FiledMessage[]): FiledMessage[] {
  const issued = firstIssues(messages)
  const untils = new Map<number, number>()
  const note = (year: number, { ends_at, expires_at }: StoredMessage) => {
    const until = (ends_at ?? expires_at)?.getTime() ?? Number.POSITIVE_INFINITY
    untils.set(year, Math.max(until, untils.get(year) ?? until))
  }
  for (const message of messages) if (message.made) note(yearIn(message.source_key), message)
  return issuesOf(messages)
    .flat()
    .map((message) => {
      const year = statedYear(message) ?? yearOfUpdate(message, issued, untils)
      note(year, message)
      return { ...message, source_key: keyOfYear(message.source_key, year) }
    })
}

/** Returns the time of the first message of each year's warning, if that message is among them. */
function firstIssues(messages: readonly FiledMessage[]): Map<number, number> {
  const first = new Map<number, number>()
  for (const message of messages) {
    if (message.action !== 'NEW' || message.made) continue
    const year = yearOf(message, message.sent_at)
    first.set(year, Math.min(message.sent_at.getTime(), first.get(year) ?? Number.POSITIVE_INFINITY))
  }
  return first
}

function statedYear(message: FiledMessage): number | null {
  if (message.made) return yearIn(message.source_key)
  return message.action === 'NEW' ? yearOf(message, message.sent_at) : null
}

function yearOfUpdate({ sent_at }: FiledMessage, issued: ReadonlyMap<number, number>, untils: ReadonlyMap<number, number>): number {
  const year = sent_at.getUTCFullYear()
  const sent = sent_at.getTime()
  const isLater = (issued.get(year) ?? Number.NEGATIVE_INFINITY) > sent
  if (isLater) return year - 1
  if (untils.has(year)) return year
  return (untils.get(year - 1) ?? Number.NEGATIVE_INFINITY) > sent - LATE_MS ? year - 1 : year
}

const yearIn = (source_key: string) => Number(source_key.slice(-4))

/** Returns the key of the same number's warning of another year. */
export function keyOfYear(source_key: string, year: number): string {
  return `${source_key.slice(0, -4)}${year}`
}
