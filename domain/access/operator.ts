import { createHash, timingSafeEqual } from 'node:crypto'
import { bearerOf } from '#domain/access/authenticate.ts'
import { countFailure } from '#domain/access/rate-limit.ts'
import { hashToken, tokenLooksRight } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import { type OperatorRole, operatorRoles } from '#domain/closed-sets.ts'
import { momentForStore } from '#domain/engines/clock.ts'
import { sharedReadsOf } from '#domain/engines/shared-reads.ts'
import { printableExcerpt, UNKNOWN_MAX } from '#domain/kernel/form.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { type Faults, isOneOf } from '#domain/kernel/validation.ts'

/** An operator of the install, by key or signed in: sees every team, belongs to none. */
export interface Operator {
  operator: {
    /** Name of the key, or e-mail address of the person. */
    name: string
    roles: readonly OperatorRole[]
    /** The signed-in person; null for a request with a key. */
    person_id: string | null
  }
}

/** Adds a fault for each role that a person or a key cannot have. */
export function checkOperatorRoles(sent: readonly string[], faults: Faults): void {
  const unknown = [...new Set(sent)].filter((role) => !isOneOf(operatorRoles, role))
  for (const role of unknown.slice(0, UNKNOWN_MAX))
    faults.add('roles', `There is no role called ${printableExcerpt(role)}: ${operatorRoles.join(', ')}.`)
}

/** Name of the key from the setting WEATHER_OPERATOR_KEY. */
export const ENVIRONMENT = 'environment'
const BY_SETTING: Operator = { operator: { name: ENVIRONMENT, roles: ['all'], person_id: null } }

type Gate = Pick<App, 'config' | 'pool' | 'clock'>

/**
 * Returns the operator if the header has the key from the setting or a valid key from the table; null for anything else. The table is
 * read each time, so that a revoked or expired key stops working at once; concurrent requests share one statement.
 */
export async function operatorOf(gate: Gate, authorization: string | undefined): Promise<Operator | null> {
  const sent = bearerOf(authorization) ?? ''
  if (isKeyOfSetting(gate.config.operator_key, sent)) return BY_SETTING
  if (!tokenLooksRight(sent, 'wo')) return null
  const { row } = await readKey(gate, hashToken(sent))
  return row ? { operator: { ...row, person_id: null } } : null
}

type Key = Pick<Operator['operator'], 'name' | 'roles'>
const readKey = sharedReadsOf(({ pool }: Gate) => pool, queryKeys)

async function queryKeys({ pool, clock }: Gate, wanted: ReadonlyMap<string, number>): Promise<Map<string, Key>> {
  const values = [[...wanted.keys()], momentForStore(clock)]
  const { rows } = await pool.query<Key & { hash: string }>({ name: 'operator_keys', text: IN_FORCE, values })
  return new Map(rows.map(({ hash, ...key }) => [hash, key]))
}

/** Updates `last_used_at` at most once a minute, and skips the update if another request is doing it. */
const IN_FORCE = `
  WITH found AS (
    SELECT id, hash, name, roles, last_used_at, coalesce($2::timestamptz, now()) AS moment FROM operator_keys
     WHERE hash = ANY ($1::text[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > coalesce($2::timestamptz, now()))),
  used AS (
    UPDATE operator_keys SET last_used_at = now.moment
      FROM (SELECT k.id, f.moment FROM operator_keys k JOIN found f ON f.id = k.id
             WHERE f.last_used_at IS NULL OR f.last_used_at <= f.moment - interval '1 minute' FOR UPDATE OF k SKIP LOCKED) now
     WHERE operator_keys.id = now.id)
  SELECT hash, name, roles FROM found`

/**
 * Returns the operator if the key has the role. An install without any valid key has no operator API.
 * @param address the client's IP address, by which refused keys are counted
 * @throws Refusal `not_found` if the install has no valid key, `unauthenticated`, `missing_role`, `rate_limited`
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
  throw new Refusal('unauthenticated', 'Send a valid operator key in the header Authorization: Bearer wo_...')
}

/** @throws Refusal `missing_role` with the role */
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

/** Compares in constant time. */
function isKeyOfSetting(key: string | null, sent: string): boolean {
  return timingSafeEqual(digest(sent), digest(key ?? '')) && key !== null && key !== ''
}

/** Digests have the same length, so that a comparison reveals nothing about the key. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
