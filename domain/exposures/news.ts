import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import { emit } from '#domain/events/emit.ts'
import { type ExposureRow, exposureColumns, exposureTables, exposureView } from '#domain/exposures/exposure-rows.ts'
import type { Escalation } from '#domain/exposures/growth.ts'

/** Why a team is told of an exposure. */
export interface News {
  name: Extract<EventName, `exposure.${string}` | 'warning.issued'>
  escalation: Escalation | null
}

/** An exposure that is news. */
export interface Found {
  id: number
  news: News
  warning_key: string | null
}

/**
 * Emits the events of exposures that are news, with the exposures as the transaction now sees them: one for each storm day,
 * and one for each warning with all the places that it is over. Answers how many.
 */
export async function tell(tx: Tx, { config }: Pick<App, 'config'>, team_id: string, found: Found[], now: Date): Promise<number> {
  if (found.length === 0) return 0
  const rows = await tx.$queryRawUnsafe<ExposureRow[]>(
    `SELECT ${exposureColumns} FROM ${exposureTables} WHERE e.team_id = $1::uuid AND e.id = ANY ($2::int[])`,
    team_id,
    found.map(({ id }) => id),
  )
  const views = new Map(rows.map((row) => [row.id, exposureView(row, config.base_url, now)]))
  const groups = groupsOf(found)
  for (const group of groups) {
    const data = group.map(({ id }) => views.get(id)).filter((view) => view !== undefined)
    const { name, escalation } = (group[0] as Found).news
    const subject = data.length > 1 ? `${data[0]?.headline} and ${data.length - 1} more` : (data[0]?.headline ?? '')
    const payload = { data, escalation } as unknown as Parameters<typeof emit>[1]['payload']
    await emit(tx, { team_id, name, subject, exposure_ids: data.map(({ id }) => id), payload })
  }
  return groups.length
}

/** Storm days one by one, in the order of their ids; exposures of one warning together. */
function groupsOf(found: Found[]): Found[][] {
  const groups = new Map<string, Found[]>()
  for (const one of [...found].sort((a, b) => a.id - b.id)) {
    const key = one.warning_key ?? String(one.id)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}
