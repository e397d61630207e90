import { type FiledMessage, fileByYear, keyOfYear } from '#domain/archive/warnings/event-years.ts'
import type { StoredMessage } from '#domain/archive/warnings/warning.ts'
import { canonicalJson } from '#domain/kernel/canonical-json.ts'
import { present } from '#domain/kernel/present.ts'

/** The changes that arrived messages make to the stored warnings. */
export interface Change {
  /** Warnings with a new, changed or removed message, with all of their messages. */
  warnings: { source_key: string; messages: FiledMessage[]; added: boolean }[]
  /** Messages that are new, have changed, or belong to another warning than before. */
  fresh: FiledMessage[]
  /** Messages that are no longer stored, or now belong to another warning. */
  removed: FiledMessage[]
  /** Warnings whose messages all turned out to belong to another warning. */
  emptied: { source_key: string; now: string }[]
}

/** Pure: the result depends only on the messages, not on the order in which they arrived. */
export function changeOf(stored: FiledMessage[], incoming: FiledMessage[]): Change {
  const before = new Map(stored.map((message) => [message.message_key, message]))
  const after = byNumber(dropReplaced(mergeMessages(before, incoming))).flatMap(fileByYear)
  const filed = new Map(after.map((message) => [message.message_key, message]))
  const fresh = after.filter((message) => !isSame(message, before.get(message.message_key)))
  const removed = stored.filter(({ message_key, source_key }) => filed.get(message_key)?.source_key !== source_key)
  const known = new Set(stored.map(({ source_key }) => source_key))
  const keys = [...new Set([...fresh, ...removed].map(({ source_key }) => source_key))]
  const messagesOf = (key: string) => after.filter(({ source_key }) => source_key === key)
  const warnings = keys.map((source_key) => ({ source_key, messages: messagesOf(source_key), added: !known.has(source_key) }))
  return {
    warnings: warnings.filter(({ messages }) => messages.length > 0),
    fresh,
    removed,
    emptied: warnings.flatMap(({ source_key, messages }) => {
      const moved = removed.find((message) => message.source_key === source_key && filed.has(message.message_key))
      return messages.length === 0 && moved ? [{ source_key, now: present(filed.get(moved.message_key)).source_key }] : []
    }),
  }
}

/** Combines stored and arrived messages. Of two texts with one key, the one with the larger digest wins, in either order of arrival. */
function mergeMessages(before: ReadonlyMap<string, FiledMessage>, incoming: FiledMessage[]): FiledMessage[] {
  const messages = new Map(before)
  for (const message of incoming) {
    const known = messages.get(message.message_key)
    const source_key = known?.source_key ?? message.source_key
    if (!known || message.digest >= known.digest) messages.set(message.message_key, { ...message, source_key })
  }
  return [...messages.values()]
}

function isSame(one: FiledMessage, other: FiledMessage | undefined): boolean {
  return (
    one.source_key === other?.source_key &&
    one.digest === other.digest &&
    one.polygon_fault === other.polygon_fault &&
    canonicalJson(one.geometry) === canonicalJson(other.geometry)
  )
}

/** Drops a message made from a warning once the message it was made from is stored. */
function dropReplaced(messages: FiledMessage[]): FiledMessage[] {
  const keyOf = ({ vtec, sent_at }: StoredMessage) => `${vtec} ${sent_at.getTime()}`
  const statedKeys = new Set(messages.filter(({ made }) => !made).map(keyOf))
  return messages.filter((message) => !(message.made && statedKeys.has(keyOf(message))))
}

function byNumber(messages: FiledMessage[]): FiledMessage[][] {
  const numbers = new Map<string, FiledMessage[]>()
  for (const message of messages) {
    const number = keyOfYear(message.source_key, 0)
    const list = numbers.get(number)
    if (list) list.push(message)
    else numbers.set(number, [message])
  }
  return [...numbers.values()]
}
