import { keysOf } from '#domain/kernel/keys-of.ts'
import type { Prisma } from '#generated/prisma/client.ts'

type ColumnsOf<Model extends Prisma.ModelName> = readonly Extract<keyof Prisma.TypeMap['model'][Model]['payload']['scalars'], string>[]

const columns = <Model extends Prisma.ModelName>(_of: Model, names: ColumnsOf<Model>): readonly string[] => names

/**
 * THE TABLE of what a row of the audit log says of a target, by its kind: these keys and no other. None holds what people write, an
 * address, a url or a secret, so that nothing in the log has ever to be erased. What changed beside them is named without its value.
 */
const auditedKeys = {
  report: columns('Report', ['status', 'window_start', 'window_end', 'radius_miles', 'narrowed_by_plan', 'property_id', 'plan_tier']),
  report_batch: ['accepted', 'rejected', 'skipped', 'report_ids'],
  report_link: ['expires_at'],
  property: columns('Property', ['status', 'kind', 'watch_radius_miles', 'located']),
  property_batch: ['created', 'duplicate', 'rejected', 'skipped', 'unchanged', 'full', 'not_found', 'property_ids'],
  contact: columns('Contact', ['property_id']),
  person: ['contacts', 'mentions', 'documents', 'kept'],
  territory: columns('Territory', ['status', 'kind', 'area_sq_miles']),
  exposure: ['state'],
  exposure_batch: ['state', 'unchanged', 'not_found', 'exposure_ids'],
  integration: columns('Integration', ['channel', 'events', 'active', 'switched_off_at', 'acknowledged_at']),
  alert_rule: columns('AlertRule', [
    ...(['kinds', 'least_hail_in', 'least_gust_mph', 'greatest_miles', 'evidence', 'property_id', 'territory_id'] as const),
    ...(['quiet_from', 'quiet_until', 'pace', 'active'] as const),
  ]),
  alert_address: columns('AlertAddress', ['confirmed_at', 'expires_at']),
  delivery: columns('Delivery', ['status', 'kind', 'event', 'integration_id', 'attempts', 'response_code']),
  team: columns('Team', ['plan', 'timezone', 'trial_ends_at', 'lapsed_at', 'limit_overrides', 'balance', 'paper']),
  token: columns('Token', ['abilities', 'expires_at', 'revoked_at']),
  member: columns('Membership', ['role']),
  invitation: columns('Invitation', ['role', 'expires_at']),
  passkey: columns('Passkey', ['backed_up']),
  operator: columns('Person', ['operator_roles']),
  operator_key: columns('OperatorKey', ['roles', 'expires_at', 'revoked_at']),
  source: ['rows', 'inserted', 'updated', 'withdrawn', 'rejected', 'removed', 'imports', 'year'],
  stored: ['checked', 'faults'],
  sealed_values: [],
  signing_key: [],
  lane: ['status', 'candidates'],
} satisfies Record<string, readonly string[]>

/** What is written. */
export type TargetKind = keyof typeof auditedKeys

export const targetKinds = keysOf(auditedKeys)

/** Of a record what a row may say of it; null where there is no record. */
export function auditedValues(kind: TargetKind, record: object | null | undefined): Record<string, unknown> | null {
  if (!record) return null
  const keys: readonly string[] = auditedKeys[kind]
  const values = new Map<string, unknown>(Object.entries(record))
  return Object.fromEntries(keys.flatMap((key) => (values.get(key) === undefined ? [] : [[key, plain(values.get(key))]])))
}

/** Moments as ISO 8601: what is hashed is JSON. */
const plain = (value: unknown) => (value instanceof Date ? value.toISOString() : value)
