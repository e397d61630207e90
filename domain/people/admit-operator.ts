import type { Operator } from '#domain/access/operator.ts'
import { countOne, SESSION_PER_MINUTE } from '#domain/access/rate-limit.ts'
import type { App } from '#domain/app.ts'
import type { OperatorRole } from '#domain/closed-sets.ts'
import { sharedReadsOf } from '#domain/engines/shared-reads.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { hashSecret } from '#domain/people/secrets.ts'
import { updateSeenAt, validSessionSql } from '#domain/people/sessions.ts'

type Gate = Pick<App, 'pool' | 'clock' | 'limiter'>

interface Row {
  session_id: string
  seen_at: Date
  person_id: string
  email: string
  operator_roles: OperatorRole[]
}

/**
 * Returns the operator of a session cookie. It is read at every request, so that a former operator loses access at the next one.
 * Concurrent requests share one statement. Roles in teams do not count here.
 * @returns null if the session has ended
 * @throws Refusal missing_role if the person is not an operator, rate_limited
 */
export async function admitOperator({ pool, clock, limiter }: Gate, secret: string): Promise<Operator | null> {
  const now = clock.now()
  const hash = hashSecret(secret)
  const { row } = await readSession({ pool, clock }, hash)
  if (!row) return null
  await updateSeenAt({ pool }, { id: row.session_id, seen_at: row.seen_at }, now)
  await countOne({ limiter, clock }, `session:${hash}`, SESSION_PER_MINUTE)
  if (row.operator_roles.length === 0) throw new Refusal('missing_role', 'You are not an operator of this service.')
  return { operator: { name: row.email, roles: row.operator_roles, person_id: row.person_id } }
}

type Reading = Pick<App, 'pool' | 'clock'>
const readSession = sharedReadsOf(({ pool }: Reading) => pool, querySessions)

async function querySessions({ pool, clock }: Reading, wanted: ReadonlyMap<string, number>): Promise<Map<string, Row>> {
  const values = [[...wanted.keys()], clock.now()]
  const { rows } = await pool.query<Row & { hash: string }>({ name: 'admit_operators', text: ADMIT, values })
  return new Map(rows.map(({ hash, ...row }) => [hash, row]))
}

const ADMIT = `
  SELECT s.hash, s.id AS session_id, s.seen_at, p.id AS person_id, p.email, p.operator_roles
    FROM sessions s JOIN people p ON p.id = s.person_id WHERE s.hash = ANY ($1::text[]) AND ${validSessionSql('s', '$2')}`
