import { readExpiry } from '#domain/access/expiry.ts'
import { checkOperatorRoles, ENVIRONMENT } from '#domain/access/operator.ts'
import { generateToken, hashToken, prefixOf } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { operatorRoles } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { present } from '#domain/kernel/present.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { gatherFaults, isOneOf } from '#domain/kernel/validation.ts'
import type { OperatorKey as OperatorKeyRow, Prisma } from '#generated/prisma/client.ts'

/** An operator key as listed; of the key itself only the first letters are stored. */
export interface OperatorKeyView {
  name: string
  /** Null: the key from the setting, which has no other data. */
  prefix: string | null
  roles: readonly string[]
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
  created_at: Date | null
}

/** A request for an operator key. */
export interface NewOperatorKey {
  name: string
  roles: readonly string[]
  /** ISO 8601; null: it does not expire. */
  expires_at: string | null
}

type Keyed = Pick<App, 'db' | 'clock' | 'config'>

/** Lists the key from the setting, then the others, oldest first, including revoked ones. */
export async function listOperatorKeys({ db, config }: Keyed): Promise<OperatorKeyView[]> {
  const rows = await db.operatorKey.findMany({ orderBy: [{ created_at: 'asc' }, { id: 'asc' }] })
  return [...(config.operator_key === null ? [] : [settingKey]), ...rows]
}

const settingKey: OperatorKeyView = {
  ...{ name: ENVIRONMENT, prefix: null, roles: ['all'] },
  ...{ expires_at: null, last_used_at: null, revoked_at: null, created_at: null },
}

/** Letters, digits and a few signs, because names appear in logs. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._@-]{0,63}$/

/**
 * Issues an operator key; only its SHA-256 is stored. A name is never reused, so that the actions of each key stay distinct.
 * @throws Refusal validation_failed with each invalid field
 */
export async function issueOperatorKey({ db, clock }: Keyed, input: NewOperatorKey): Promise<OperatorKeyView & { key: string }> {
  const faults = gatherFaults()
  const name = input.name.trim()
  faults.unless(NAME.test(name), 'name', 'The name must be 1 to 64 letters, digits, spaces or signs of . _ @ -')
  faults.unless(input.roles.length > 0, 'roles', `Give the key at least one role: ${operatorRoles.join(', ')}.`)
  checkOperatorRoles(input.roles, faults)
  const expires_at = readExpiry(input.expires_at, faults, clock)
  faults.refuse()
  const key = generateToken('wo')
  const data = {
    name,
    prefix: prefixOf(key),
    hash: hashToken(key),
    roles: [...new Set(input.roles.filter((role) => isOneOf(operatorRoles, role)))],
    expires_at,
  }
  const [created] = name === ENVIRONMENT ? [] : await db.$transaction((tx) => insertKey(tx, data))
  faults.unless(created !== undefined, 'name', 'This name was already given to a key: choose another.')
  faults.refuse()
  return { ...present(created), key }
}

async function insertKey(tx: Tx, data: Prisma.OperatorKeyCreateManyInput): Promise<OperatorKeyRow[]> {
  const created = await tx.operatorKey.createManyAndReturn({ data: [data], skipDuplicates: true })
  for (const after of created) auditWrite(tx, { kind: 'operator_key', id: after.name, after })
  return created
}

/**
 * Revokes an operator key at once and permanently; does nothing if it is already revoked.
 * @throws Refusal not_found, or validation_failed for the key from the setting
 */
export async function revokeOperatorKey({ db }: Keyed, name: string): Promise<OperatorKeyView> {
  if (name === ENVIRONMENT)
    throw new Refusal('validation_failed', 'This key is set by WEATHER_OPERATOR_KEY: remove that setting, and restart.')
  return db.$transaction(async (tx) => {
    const revoked = await tx.$executeRaw`UPDATE operator_keys SET revoked_at = now() WHERE name = ${name} AND revoked_at IS NULL`
    const key = await tx.operatorKey.findUnique({ where: { name } })
    if (!key) throw new Refusal('not_found', 'There is no operator key with this name.')
    auditWrite(tx, { kind: 'operator_key', id: name, before: revoked ? { ...key, revoked_at: null } : key, after: key })
    return key
  })
}
