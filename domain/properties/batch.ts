import type { Caller } from '#domain/access/caller.ts'
import { findOutcome, type IdempotentRequest, once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { retryOnConcurrentChange } from '#domain/kernel/concurrent-change.ts'
import { checkedLater, list } from '#domain/kernel/fields.ts'
import { readNew, required, type Sent, schemaOfForm } from '#domain/kernel/form.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { allOf, gatherFaults } from '#domain/kernel/validation.ts'
import { whereSchema } from '#domain/places/where.ts'
import { requireActivePlan, requireBelowCeiling, requireReach } from '#domain/plans/ceilings.ts'
import { type AddressColumns, findExistingAt, isTaken, locateAddressInTime, unlocatedColumns } from '#domain/properties/address.ts'
import { lockTeamAndCount } from '#domain/properties/ceiling.ts'
import { checkNewProperty, type PropertyChanges, type PropertyInput, propertyForm } from '#domain/properties/check-property.ts'
import { LOCATE_MS, saveProperty } from '#domain/properties/create.ts'
import { findProperties } from '#domain/properties/find.ts'
import type { PropertyBatchRowView, PropertyBatchView, PropertyRowStatus } from '#domain/properties/view.ts'

/** Rows of one batch, as the contract defines. The API index states it too. */
export const PROPERTY_BATCH_MAX = 100

const rows = checkedLater('A property', schemaOfForm(propertyForm, 'new', whereSchema))

/** The request body of a batch. Rows may be of any type: an invalid row is rejected and the others continue. */
export const propertyBatchForm = {
  properties: required(
    list('The properties', rows, { min: 1, max: PROPERTY_BATCH_MAX, count: `Send 1 to ${PROPERTY_BATCH_MAX} properties.` }),
  ),
}
/** Milliseconds in which all rows of a batch are located; jobs locate the rest, and the rows under way at the end. */
const BATCH_LOCATE_MS = 10_000
/** Rows located concurrently: a network geocoder responds in about half a second and should not be overloaded. */
const LOCATE_AT_ONCE = 8

/** A checked row: its fields and address, or the reason to reject it. */
type CheckedRow = { fields: PropertyChanges; address: AddressColumns } | { message: string }

/** The stored outcome of a batch for a replay. It has no response body: a replay reads the properties as they are then. */
interface BatchOutcome {
  required_plan: string | null
  rows: { status: PropertyRowStatus; message: string | null; property_id: string | null }[]
}

/**
 * Saves the rows in order, each as if it were sent alone, until the plan is full. Rows are located before the transaction.
 * @throws Refusal 422 if the list itself is invalid, 402 `lapsed`, 409 for the idempotency key
 */
export async function createProperties(
  app: App,
  caller: Caller,
  input: Sent<typeof propertyBatchForm>,
  idempotency: IdempotentRequest | null,
): Promise<{ batch: PropertyBatchView; replayed: boolean }> {
  const stored = idempotency && (await findOutcome<BatchOutcome>(app, caller, idempotency))
  const rows = rowsOf(input)
  if (stored) return { batch: await batchView(app, caller, rows, stored.outcome), replayed: true }
  requireActivePlan(caller)
  const checkedRows = await validateRows(app, caller, rows)
  // If an address was taken meanwhile, the next try finds it, and the other rows continue.
  const { outcome, replayed } = await retryOnConcurrentChange(
    () => once(caller, idempotency, (tx) => saveRows(tx, app, caller, checkedRows)),
    isTaken,
  )
  return { batch: await batchView(app, caller, rows, outcome), replayed }
}

function rowsOf(input: Sent<typeof propertyBatchForm>): unknown[] {
  const faults = gatherFaults()
  const { properties } = readNew(propertyBatchForm, input, faults)
  faults.refuse()
  return properties
}

/** Checks and locates every row, a few concurrently, until the time for all of them is up. */
async function validateRows(app: App, caller: Caller, rows: unknown[]): Promise<CheckedRow[]> {
  const deadline = Date.now() + BATCH_LOCATE_MS
  const checkedRows: CheckedRow[] = []
  const queue = rows.entries()
  const work = async () => {
    for (const [index, row] of queue) checkedRows[index] = await validateRow(app, caller, row, deadline)
  }
  await Promise.all(Array.from({ length: LOCATE_AT_ONCE }, work))
  return checkedRows
}

async function validateRow(app: App, caller: Caller, row: unknown, deadline: number): Promise<CheckedRow> {
  if (!isObject(row)) return { message: 'A property must be an object.' }
  const faults = gatherFaults()
  const fields = checkNewProperty(row, faults)
  if (Object.keys(faults.found).length > 0) return { message: allOf(faults.found) }
  const refused = refusalOf(() => requireReach(caller.plan, fields.watch_radius_miles))
  if (refused) return { message: refused.message }
  const sent = { query: fields.address, point: fields.point }
  const left = Math.min(LOCATE_MS, deadline - Date.now())
  return { fields, address: left > 0 ? await locateAddressInTime(app, sent, left) : unlocatedColumns(sent, null) }
}

/** Saves the rows. The team's row is locked first, so that the room counted here stays available for every row. */
async function saveRows(tx: ScopedTx, app: App, caller: Caller, checkedRows: CheckedRow[]): Promise<BatchOutcome> {
  let used = await lockTeamAndCount(tx, caller.team.id)
  const outcome: BatchOutcome = { required_plan: null, rows: [] }
  for (const row of checkedRows) {
    if ('message' in row) {
      outcome.rows.push({ status: 'rejected', message: row.message, property_id: null })
      continue
    }
    const existing_id = await findExistingAt(tx, caller.team.id, row.address)
    if (existing_id) {
      outcome.rows.push({
        status: 'duplicate',
        message: `This address is already kept as property ${existing_id}.`,
        property_id: existing_id,
      })
      continue
    }
    const takesRoom = row.fields.status !== 'archived'
    const full = takesRoom ? refusalOf(() => requireBelowCeiling(caller.plan, 'properties', used)) : null
    if (full) {
      outcome.required_plan ??= full.details.required_plan ?? null
      outcome.rows.push({ status: 'skipped', message: full.message, property_id: null })
      continue
    }
    const { id: property_id } = await saveProperty(tx, app, caller, row.fields, row.address)
    if (takesRoom) used++
    outcome.rows.push({ status: 'created', message: null, property_id })
  }
  auditWrite(tx, { kind: 'property_batch', id: null, after: countsOf(outcome) })
  return outcome
}

/** The audit entry of the whole batch: counts by outcome, and the ids of the created properties. */
function countsOf({ rows }: BatchOutcome) {
  const count = (status: PropertyRowStatus) => rows.filter((row) => row.status === status).length
  const createdIds = rows.flatMap(({ status, property_id }) => (status === 'created' && property_id !== null ? [property_id] : []))
  const counts = { created: count('created'), duplicate: count('duplicate'), rejected: count('rejected'), skipped: count('skipped') }
  return { ...counts, property_ids: createdIds }
}

function refusalOf(check: () => void): Refusal | null {
  try {
    check()
    return null
  } catch (fault) {
    if (fault instanceof Refusal) return fault
    throw fault
  }
}

async function batchView(app: App, caller: Caller, sent: unknown[], { rows, required_plan }: BatchOutcome): Promise<PropertyBatchView> {
  const found = await findProperties(
    app,
    caller,
    rows.flatMap(({ property_id }) => property_id ?? []),
  )
  const properties = new Map(found.map((property) => [property.id, property]))
  const results = rows.map(({ status, message, property_id }, index): PropertyBatchRowView => {
    const row = sent[index]
    const address = isObject(row) && typeof row.address === 'string' ? row.address : null
    return { index, address, status, message, property: properties.get(property_id ?? '') ?? null }
  })
  const count = (status: PropertyRowStatus) => results.filter((result) => result.status === status).length
  return {
    object: 'property_batch',
    submitted: results.length,
    created: count('created'),
    duplicate: count('duplicate'),
    rejected: count('rejected'),
    skipped: count('skipped'),
    plan_limit_reached: count('skipped') > 0,
    required_plan,
    results,
  }
}

function isObject(value: unknown): value is PropertyInput {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
