/**
 * SQL condition: a recipient may be mailed, because the address is a team member's or was confirmed.
 * @param recipient alias of a row with `team_id` and `email`
 */
export function mayReceive(recipient: string): string {
  return `(
    EXISTS (SELECT FROM memberships m JOIN people p ON p.id = m.person_id WHERE m.team_id = ${recipient}.team_id AND p.email = ${recipient}.email)
    OR EXISTS (SELECT FROM alert_addresses c WHERE c.team_id = ${recipient}.team_id AND c.email = ${recipient}.email AND c.confirmed_at IS NOT NULL))`
}
