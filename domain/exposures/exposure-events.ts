import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import { emit } from '#domain/events/emit.ts'
import type { Escalation } from '#domain/exposures/escalation.ts'
import { type ExposureRow, exposureColumns, exposureTables, exposureView } from '#domain/exposures/exposure-rows.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { present } from '#domain/kernel/present.ts'

/** The exposures of one storm day or of one warning, the first 50 of them, and how a storm day grew. */
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

/** Which event an exposure causes, and how its storm day grew. */
export interface ExposureEvent {
  name: Extract<EventName, `exposure.${string}` | 'warning.issued'>
  escalation: Escalation | null
}

/** An exposure of which an event is to be emitted. */
export interface ExposureWithEvent {
  id: number
  event: ExposureEvent
  warning_key: string | null
}

/**
 * Exposures that one event carries whole; its `exposure_ids` name all, and its headline says how many. As many as the
 * contract gives a digest: with the polygon and the instruction of a warning some 150 KB, which 15 s suffice to post.
 */
const DATA_MAX = 50

/**
 * Emits the events of these exposures, with the exposures as the transaction now sees them: one for each storm day,
 * and one for each warning with the places that it is over. An event names its exposures by rising id, and its data holds the
 * first of them in that order: what is read does not grow with the places under a warning. Answers how many events.
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

/** Storm days one by one, in the order of their ids; exposures of one warning together. */
function groupsOf(found: ExposureWithEvent[]): ExposureWithEvent[][] {
  const groups = new Map<string, ExposureWithEvent[]>()
  for (const one of found.toSorted((a, b) => a.id - b.id)) {
    const key = one.warning_key ?? String(one.id)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return [...groups.values()]
}
