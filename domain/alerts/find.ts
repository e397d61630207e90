import type { Caller } from '#domain/access/caller.ts'
import type { AlertConditions } from '#domain/alerts/match.ts'
import type { App } from '#domain/app.ts'
import type { AlertPace, AlertRecipientState } from '#domain/closed-sets.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid } from '#domain/kernel/validation.ts'

/** A rule as the API shows it. */
export interface AlertRuleView extends AlertConditions {
  id: string
  name: string
  quiet_from: string | null
  quiet_until: string | null
  pace: AlertPace
  active: boolean
  recipients: { email: string; state: AlertRecipientState }[]
  created_at: Date
  updated_at: Date
}

type Reading = Pick<App, 'pool'>
type Requester = Pick<Caller, 'team'>

/** Returns the team's rules, oldest first. */
export async function listAlertRules({ pool }: Reading, { team }: Requester): Promise<AlertRuleView[]> {
  const { rows } = await pool.query<AlertRuleView>({ name: 'alert.rules', text: `${RULES} ORDER BY r.created_at, r.id`, values: [team.id] })
  return rows
}

/** @throws Refusal 404 */
export async function findAlertRule({ pool }: Reading, { team }: Requester, id: string): Promise<AlertRuleView> {
  if (!isUuid(id)) throw noSuchRule()
  const { rows } = await pool.query<AlertRuleView>({ name: 'alert.rule', text: `${RULES} AND r.id = $2`, values: [team.id, id] })
  if (!rows[0]) throw noSuchRule()
  return rows[0]
}

export function noSuchRule(): Refusal {
  return new Refusal('not_found', 'There is no alert rule with this id.')
}

/** `left` comes first: a recipient who left receives nothing, whatever else applies. */
const STATE = `
  CASE WHEN a.stopped_at IS NOT NULL THEN 'left'
       WHEN EXISTS (SELECT FROM memberships m JOIN people p ON p.id = m.person_id WHERE m.team_id = a.team_id AND p.email = a.email) THEN 'member'
       WHEN EXISTS (SELECT FROM alert_addresses c WHERE c.team_id = a.team_id AND c.email = a.email AND c.confirmed_at IS NOT NULL) THEN 'confirmed'
       ELSE 'unconfirmed' END`

const RULES = `
  SELECT r.id, r.name, r.kinds, r.least_hail_in, r.least_gust_mph, r.greatest_miles, r.evidence, r.tag, r.property_id, r.territory_id,
         r.quiet_from, r.quiet_until, r.pace, r.active, r.created_at, r.updated_at,
         coalesce((SELECT json_agg(json_build_object('email', a.email, 'state', ${STATE}) ORDER BY a.email)
                     FROM alert_recipients a WHERE a.rule_id = r.id AND a.team_id = r.team_id), '[]') AS recipients
    FROM alert_rules r WHERE r.team_id = $1`
