import { createHash, timingSafeEqual } from 'node:crypto'
import { countFailure } from '#domain/access/authenticate.ts'
import { hashToken, tokenLooksRight } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import type { OperatorRole } from '#domain/closed-sets.ts'
import { momentForStore } from '#domain/engines/clock.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** Whoever runs the install, by a key or signed in: sees every team, belongs to none. */
export interface Operator {
  operator: {
    /** What the key is called; the address of a person. */
    name: string
    roles: readonly OperatorRole[]
    /** Who is signed in; null where a key asks for itself. */
    person_id: string | null
  }
}

/** What the key of the setting WEATHER_OPERATOR_KEY is called. */
export const ENVIRONMENT = 'environment'
const BY_SETTING: Operator = { operator: { name: ENVIRONMENT, roles: ['all'], person_id: null } }

type Gate = Pick<App, 'config' | 'pool' | 'clock'>

/**
 * The operator, where the header carries the key of the setting or one of the table that is in force; null for anything else. The table is
 * read each time, so that a key that is revoked or has expired opens nothing from then on.
 */
export async function operatorOf(gate: Gate, authorization: string | undefined): Promise<Operator | null> {
  const sent = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? ''
  if (isKeyOfSetting(gate.config.operator_key, sent)) return BY_SETTING
  if (!tokenLooksRight(sent, 'wo')) return null
  const { rows } = await gate.pool.query<Pick<Operator['operator'], 'name' | 'roles'>>({
    name: 'operator_key',
    text: IN_FORCE,
    values: [hashToken(sent), momentForStore(gate.clock)],
  })
  return rows[0] ? { operator: { ...rows[0], person_id: null } } : null
}

/** A key that is used says so at most once a minute, and nobody waits for another who says it. */
const IN_FORCE = `
  WITH found AS (
    SELECT id, name, roles, last_used_at, coalesce($2::timestamptz, now()) AS moment FROM operator_keys
     WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > coalesce($2::timestamptz, now()))),
  used AS (
    UPDATE operator_keys SET last_used_at = now.moment
      FROM (SELECT k.id, f.moment FROM operator_keys k JOIN found f ON f.id = k.id
             WHERE f.last_used_at IS NULL OR f.last_used_at <= f.moment - interval '1 minute' FOR UPDATE OF k SKIP LOCKED) now
     WHERE operator_keys.id = now.id)
  SELECT name, roles FROM found`

/**
 * Lets the operator pass whose key has the role. An install without any key has no operator API at all.
 * @param address the client's: refused keys are counted by it
 * @throws Refusal `not_found` where no key is in force, `unauthenticated`, `missing_role`, `rate_limited`
 */
export async function requireOperator(
  app: Gate & Pick<App, 'limiter' | 'db'>,
  { authorization, address }: { authorization: string | undefined; address: string },
  role: OperatorRole,
): Promise<Operator> {
  const operator = await operatorOf(app, authorization)
  if (operator) {
    requireRole(operator, role)
    return operator
  }
  await countFailure(app, address)
  if (await isClosed(app)) throw new Refusal('not_found', 'There is nothing at this path.')
  throw new Refusal('unauthenticated', 'Send an operator key that is in force in the header Authorization: Bearer wo_...')
}

/** @throws Refusal `missing_role` naming it */
export function requireRole({ operator }: Operator, role: OperatorRole): void {
  if (operator.roles.includes('all') || operator.roles.includes(role)) return
  const who = operator.person_id === null ? 'This operator key lacks' : 'As an operator you lack'
  throw new Refusal('missing_role', `${who} the role ${role}.`)
}

async function isClosed({ config, pool, clock }: Gate): Promise<boolean> {
  if (config.operator_key !== null) return false
  const { rowCount } = await pool.query(
    'SELECT FROM operator_keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > coalesce($1::timestamptz, now())) LIMIT 1',
    [momentForStore(clock)],
  )
  return rowCount === 0
}

/** Takes the same time whatever was sent. */
function isKeyOfSetting(key: string | null, sent: string): boolean {
  return timingSafeEqual(digest(sent), digest(key ?? '')) && key !== null && key !== ''
}

/** Digests are of one length, so that comparing them reveals nothing of the key. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
