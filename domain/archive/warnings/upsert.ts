import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Touched } from '#domain/archive/ingest/upsert.ts'
import type { Rejection } from '#domain/archive/sources/source.ts'
import { type Change, changeOf } from '#domain/archive/warnings/change.ts'
import { type FiledMessage, keyOfYear } from '#domain/archive/warnings/event-years.ts'
import { polygonFault } from '#domain/archive/warnings/polygon-fault.ts'
import { countiesNamed, countiesOfZones, readStoredWarnings } from '#domain/archive/warnings/stored-warnings.ts'
import { stateOf } from '#domain/archive/warnings/summary.ts'
import { endsWarning, findVtec, isWatched } from '#domain/archive/warnings/vtec.ts'
import type { WarningMessage } from '#domain/archive/warnings/warning.ts'
import { writeChange } from '#domain/archive/warnings/write.ts'
import { canonicalJson } from '#domain/kernel/canonical-json.ts'
import { chunksOf } from '#domain/kernel/chunks.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { groupBy } from '#domain/kernel/group-by.ts'

/** The changes that messages made. */
export interface UpsertedWarnings {
  touched: Touched
  /** Keys of the warnings that are new or changed. */
  keys: string[]
  /** Messages that repeat what was already known. */
  unchanged: number
  /** Polygons that cannot be correct; their messages are stored without them. */
  rejections: Rejection[]
}

/** Warnings written in one statement: a few MB with their polygons and texts. */
const PAGE = 500

/**
 * Stores the messages of actual warnings over land, and skips others. Every message is stored once, and the result does not
 * depend on the order of arrival. Called under the source's lock.
 */
export async function upsertWarnings(client: pg.ClientBase, messages: WarningMessage[], now: Date): Promise<UpsertedWarnings> {
  const watched = messages.filter(({ vtec, status }) => status === 'actual' && findVtec(vtec).some(isWatched))
  const result: UpsertedWarnings = {
    touched: { inserted: 0, updated: 0, withdrawn: 0, cells: [], from: null, to: null },
    keys: [],
    unchanged: messages.length - watched.length,
    rejections: [],
  }
  const groups = [...groupBy(watched, ({ source_key }) => keyOfYear(source_key, 0)).values()]
  for (const page of chunksOf(groups, PAGE)) await upsertPage(client, page.flat(), now, result)
  return result
}

/** All messages of a warning's number are in one page. */
async function upsertPage(client: pg.ClientBase, incoming: WarningMessage[], now: Date, result: UpsertedWarnings): Promise<void> {
  const stored = (await readStoredWarnings(client, nearbyKeys(incoming))).flatMap(({ source_key, messages }) =>
    messages.map((message) => ({ ...message, source_key })),
  )
  const zones = await countiesOfZones(
    client,
    [...incoming, ...stored].flatMap((message) => message.zones),
  )
  const checked = incoming.map((message) => toFiledMessage(message, zones))
  result.rejections.push(...checked.filter(({ polygon_fault }) => polygon_fault !== null).map(rejectionOf))
  const change = changeOf(stored, checked)
  const cells = await writeChange(client, change, zones, now)
  count(result, change, cells, incoming.length)
}

/** Includes the years before and after, since an update may belong to either. */
function nearbyKeys(messages: WarningMessage[]): string[] {
  const years = ({ source_key }: WarningMessage) => [-1, 0, 1].map((shift) => keyOfYear(source_key, Number(source_key.slice(-4)) + shift))
  return [...new Set(messages.flatMap(years))]
}

/**
 * Returns a message as it is stored, with its polygon if that may be correct. A message that ends the warning for one
 * county draws the rest of the warning, so its own county is not compared.
 */
function toFiledMessage(message: WarningMessage, zones: ReadonlyMap<string, string[]>): FiledMessage {
  const { status: _status, issued_at: _issued, office, phenomenon: _p, significance: _s, tracking_number: _t, ...stated } = message
  const county_fips = endsWarning(message.action) ? [] : countiesNamed(stated, zones)
  const fault = message.geometry && polygonFault(message.geometry, { office_id: office.id, county_fips })
  return {
    ...stated,
    office_name: office.name,
    digest: digestOf(message),
    made: false,
    ...(fault && { geometry: null, polygon_fault: fault }),
  }
}

/** An alert contains more than the text that it was made from: certainty and severity. Its digest is the larger one. */
function digestOf(message: WarningMessage): string {
  const { source_key: _, file_id: _file, span_start: _start, span_length: _length, ...content } = message
  const text = canonicalJson(JSON.parse(JSON.stringify(content)))
  return `${message.certainty === 'unknown' ? 0 : 1}${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}

function rejectionOf({ identifier, source_key, polygon_fault }: FiledMessage): Rejection {
  const row = identifier.endsWith(source_key) ? identifier : `${identifier}, ${source_key}`
  return { row, reason: `The polygon ${polygon_fault}: the message is stored without it, and is not shown anywhere.`, source_key }
}

function count(result: UpsertedWarnings, { warnings, fresh }: Change, cells: number[], incoming: number): void {
  const { touched } = result
  const added = warnings.filter((warning) => warning.added).length
  const days = warnings
    .flatMap(({ source_key, messages }) => stateOf(source_key, messages).issued_at.getTime())
    .flatMap((issued) => [dayOf(issued - DAY_MS), dayOf(issued + DAY_MS)])
  const span = [...days, touched.from, touched.to].filter((day) => day !== null).sort()
  touched.inserted += added
  touched.updated += Math.max(0, fresh.length - added)
  touched.cells = [...new Set([...touched.cells, ...cells])]
  touched.from = span[0] ?? null
  touched.to = span.at(-1) ?? null
  result.keys.push(...warnings.map(({ source_key }) => source_key))
  result.unchanged += Math.max(0, incoming - fresh.length)
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
