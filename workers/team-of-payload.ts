/** The table that each payload key refers to. Its row states the team of the job. */
const tables = {
  report_id: 'reports',
  delivery_id: 'deliveries',
  property_id: 'properties',
  mail_id: 'alert_mails',
  integration_id: 'integrations',
  event_id: 'events',
} as const

/** Payload keys that refer to a row of a team. */
export const rowKeys = Object.keys(tables) as (keyof typeof tables)[]

/** The statement that finds the team of a row. Its parameter is the value of the key. */
export function teamStatement(key: keyof typeof tables): string {
  return `SELECT team_id FROM ${tables[key]} WHERE id = $1::uuid`
}

/** Guards the cast: a value that is not an id finds no row instead of failing the statement. */
const ID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/** SQL for the team of a payload, as text; null if the job works for all teams, or the row has been deleted. */
export function teamOfPayload(payload: string): string {
  const cases = rowKeys.map((key) => {
    const id = `${payload} ->> '${key}'`
    return `WHEN ${id} ~ '${ID}' THEN (SELECT team_id::text FROM ${tables[key]} WHERE id = (${id})::uuid)`
  })
  return `CASE ${cases.join(' ')} ELSE ${payload} ->> 'team_id' END`
}
