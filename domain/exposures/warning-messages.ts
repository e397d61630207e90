import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { issuesOf, spansOf } from '#domain/archive/warnings/spans.ts'
import { type StoredMessageRow, storedMessages, warningsOf } from '#domain/archive/warnings/stored-warnings.ts'
import { geometryBasis, type StoredMessage, type Threats } from '#domain/archive/warnings/warning.ts'
import type { geometryBases } from '#domain/closed-sets.ts'
import { isoSeconds } from '#domain/kernel/iso-seconds.ts'

/** One message of a warning: its content, and the time during which it was the warning in force. */
export interface WarningMessageView {
  identifier: string
  /** Its VTEC action on the warning: NEW, CON, CAN and the others. */
  action: string
  event: string
  headline: string | null
  vtec: string
  sent_at: string
  expires_at: string | null
  ends_at: string | null
  /** The time during which it was in force, until another message replaced it; null if it never was. */
  from: string | null
  until: string | null
  threats: Threats
  area: string | null
  instruction: string | null
  geometry: object | null
  geometry_basis: (typeof geometryBases)[number]
  /** Why its polygon is not shown. */
  polygon_fault: string | null
  citation_url: string
}

/** Returns the messages of the warnings behind some of a team's exposures, as they were sent, by exposure id. */
export async function listWarningMessages(
  { pool }: Pick<App, 'pool'>,
  { team }: Pick<Caller, 'team'>,
  ids: number[],
): Promise<Map<string, WarningMessageView[]>> {
  const { rows } = await pool.query<StoredMessageRow & { exposure_ids: number[] }>({
    name: 'exposure.warning_messages',
    text: OF_EXPOSURES,
    values: [team.id, ids],
  })
  const exposuresOf = new Map(rows.map(({ warning_key, exposure_ids }) => [warning_key, exposure_ids]))
  const views = warningsOf(rows.map(({ exposure_ids, ...row }) => row)).map(
    ({ source_key, messages }) => [exposuresOf.get(source_key) ?? [], viewsOf(messages)] as const,
  )
  return new Map(views.flatMap(([exposures, messages]) => exposures.map((id) => [String(id), messages])))
}

/** Reads each message once, however many places are under its warning. */
const OF_EXPOSURES = `
  SELECT stored.*, e.exposure_ids
    FROM (${storedMessages}) stored
    JOIN (SELECT warning_key, array_agg(id) AS exposure_ids FROM exposures
           WHERE team_id = $1 AND id = ANY ($2::int[]) AND warning_key IS NOT NULL GROUP BY warning_key) e USING (warning_key)
   ORDER BY stored.warning_key, stored.sent_at, stored.message_key`

const isoSecondsOrNull = (moment: Date | null) => moment && isoSeconds(moment)

function viewsOf(messages: StoredMessage[]): WarningMessageView[] {
  const spans = spansOf(messages)
  return issuesOf(messages)
    .flat()
    .map((message) => {
      const own = spans.filter((span) => span.message === message)
      return {
        identifier: message.identifier,
        action: message.action,
        event: message.event,
        headline: message.headline,
        vtec: message.vtec,
        sent_at: isoSeconds(message.sent_at),
        expires_at: isoSecondsOrNull(message.expires_at),
        ends_at: isoSecondsOrNull(message.ends_at),
        from: own.length > 0 ? isoSeconds(new Date(Math.min(...own.map(({ from }) => from.getTime())))) : null,
        until: own.length > 0 ? isoSeconds(new Date(Math.max(...own.map(({ until }) => until.getTime())))) : null,
        threats: message.threats,
        area: message.area,
        instruction: message.instruction,
        geometry: message.geometry,
        geometry_basis: geometryBasis(message),
        polygon_fault: message.polygon_fault,
        citation_url: message.citation_url,
      }
    })
}
