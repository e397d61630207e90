import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import { emit } from '#domain/events/emit.ts'
import type { Escalation } from '#domain/exposures/escalation.ts'
import { type ExposureRow, exposureColumns, exposureTables, exposureView } from '#domain/exposures/exposure-rows.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { present } from '#domain/kernel/present.ts'

/** The exposures of one storm day or one warning (the first 50), and how a storm day grew. */
export interface ExposureEventPayload {
  data: ExposureView[]
  escalation: Escalation | null
}

declare module '#domain/events/payloads.ts' {
  interface EventPayload {
    'exposure.detected': ExposureEventPayload
    'exposure.escalated': ExposureEventPayload
    'warning.issued': ExposureEventPayload
  }
}

/** The event that an exposure causes, and how its storm day grew. */
export interface ExposureEvent {
  name: Extract<EventName, `exposure.${string}` | 'warning.issued'>
  escalation: Escalation | null
}

/** An exposure to emit an event for. */
export interface ExposureWithEvent {
  id: number
  event: ExposureEvent
  warning_key: string | null
}

/**
 * The most exposures that one event carries in full; `exposure_ids` lists all of them, and the headline states how many. The
 * number is that of a digest in the contract. With a warning's polygon and instruction that is about 150 KB, which can be
 * posted within 15 s.
 */
const DATA_MAX = 50

/**
 * Emits the events of these exposures, as the transaction now sees them: one event per storm day, and one per warning with all
 * of its places. An event lists its exposures by ascending id, and its data contains the first of them in that order, so the
 * amount read does not grow with the number of places under a warning.
 * @returns the number of events
 */
export async function emitExposureEvents(
  tx: Tx,
  { config }: Pick<App, 'config'>,
  team_id: string,
  found: ExposureWithEvent[],
  now: Date,
): Promise<number> {
  if (found.length === 0) return 0
  const groups = groupsOf(found)
  const rows = await tx.$queryRawUnsafe<ExposureRow[]>(
    `SELECT ${exposureColumns} FROM ${exposureTables} WHERE e.team_id = $1::uuid AND e.id = ANY ($2::int[])`,
    team_id,
    groups.flatMap((group) => group.slice(0, DATA_MAX).map(({ id }) => id)),
  )
  const views = new Map(rows.map((row) => [row.id, exposureView(row, config.base_url, now)]))
  for (const group of groups) {
    const exposure_ids = group.map(({ id }) => id)
    const data = exposure_ids.slice(0, DATA_MAX).flatMap((id) => views.get(id) ?? [])
    const { name, escalation } = present(group[0]).event
    const headline = data[0]?.headline ?? ''
    const subject = group.length > 1 ? `${headline} and ${group.length - 1} more` : headline
    await emit(tx, name, { team_id, subject, exposure_ids }, { data, escalation })
  }
  return groups.length
}

/** Groups the exposures of one warning together; each storm day is a group of its own. Groups are in the order of their lowest ids. */
function groupsOf(found: ExposureWithEvent[]): ExposureWithEvent[][] {
  const sorted = found.toSorted((one, other) => one.id - other.id)
  return [...groupBy(sorted, ({ id, warning_key }) => warning_key ?? String(id)).values()]
}
