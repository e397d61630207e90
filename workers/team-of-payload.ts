/** Which table's row a payload is about, by the key that names it: the row says which team the job works for. */
const tables = {
  report_id: 'reports',
  delivery_id: 'deliveries',
  property_id: 'properties',
  mail_id: 'alert_mails',
  integration_id: 'integrations',
  event_id: 'events',
} as const

/** Keys of a payload that name a row of a team. */
export const rowKeys = Object.keys(tables) as (keyof typeof tables)[]

/** The statement that finds the team of the row that this key names; its parameter is the key's value. */
export function teamStatement(key: keyof typeof tables): string {
  return `SELECT team_id FROM ${tables[key]} WHERE id = $1::uuid`
}

/** A value that is no id of a row is looked up in vain, and does not end the statement. */
const ID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/** SQL for the team of a payload, as text; null where the job works for all teams, or the row is gone. */
export function teamOfPayload(payload: string): string {
  const cases = rowKeys.map((key) => {
    const id = `${payload} ->> '${key}'`
    return `WHEN ${id} ~ '${ID}' THEN (SELECT team_id::text FROM ${tables[key]} WHERE id = (${id})::uuid)`
  })
  return `CASE ${cases.join(' ')} ELSE ${payload} ->> 'team_id' END`
}
