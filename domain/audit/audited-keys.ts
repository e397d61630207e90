import { keysOf } from '#domain/kernel/keys-of.ts'
import type { Prisma } from '#generated/prisma/client.ts'

type ColumnsOf<Model extends Prisma.ModelName> = readonly Extract<keyof Prisma.TypeMap['model'][Model]['payload']['scalars'], string>[]

const columns = <Model extends Prisma.ModelName>(_of: Model, names: ColumnsOf<Model>): readonly string[] => names

/**
 * The keys that a row of the audit log records, by kind of target; it records no others. None contains free text, an address, a URL
 * or a secret, so that nothing in the log ever has to be erased. Other changed fields are named without their values.
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

/** The kind of thing that a write changes. */
export type TargetKind = keyof typeof auditedKeys

export const targetKinds = keysOf(auditedKeys)

/** Returns the values of a record that a row may contain; null if there is no record. */
export function auditedValues(kind: TargetKind, record: object | null | undefined): Record<string, unknown> | null {
  if (!record) return null
  const keys: readonly string[] = auditedKeys[kind]
  const values = new Map<string, unknown>(Object.entries(record))
  return Object.fromEntries(keys.flatMap((key) => (values.get(key) === undefined ? [] : [[key, plain(values.get(key))]])))
}

/** Dates as ISO 8601, because the hash is computed over JSON. */
const plain = (value: unknown) => (value instanceof Date ? value.toISOString() : value)
