import type { Caller } from '#domain/access/caller.ts'
import { findOutcome, type IdempotentRequest, once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { untilUnchanged } from '#domain/kernel/changed-meanwhile.ts'
import { checkedLater, list } from '#domain/kernel/fields.ts'
import { readNew, required, type Sent, schemaOfForm } from '#domain/kernel/form.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { allOf, gatherFaults } from '#domain/kernel/validation.ts'
import { whereSchema } from '#domain/places/where.ts'
import { requireActivePlan, requireBelowCeiling, requireReach } from '#domain/plans/ceilings.ts'
import { type AddressColumns, findExistingAt, isTaken, locateAddress, unlocatedColumns } from '#domain/properties/address.ts'
import { lockTeamAndCount } from '#domain/properties/ceiling.ts'
import { checkNewProperty, type PropertyChanges, type PropertyInput, propertyForm } from '#domain/properties/check-property.ts'
import { LOCATE_MS, saveProperty } from '#domain/properties/create.ts'
import { findProperties } from '#domain/properties/find.ts'
import type { PropertyBatchRowView, PropertyBatchView, PropertyRowStatus } from '#domain/properties/view.ts'

/** Rows of one batch, by the contract. The index states it too. */
export const PROPERTY_BATCH_MAX = 100

const rows = checkedLater('A property', schemaOfForm(propertyForm, 'new', whereSchema))

/** The body of a batch. Rows are of any type: one that is wrong is rejected, the others go on. */
export const propertyBatchForm = {
  properties: required(
    list('The properties', rows, { min: 1, max: PROPERTY_BATCH_MAX, count: `Send 1 to ${PROPERTY_BATCH_MAX} properties.` }),
  ),
}
/** All rows of a batch are located within so many milliseconds; those that are not by then are located by jobs. */
const BATCH_LOCATE_MS = 10_000
/** Rows located at once: a geocoder on the network answers in about half a second, and asks not to be pressed. */
const LOCATE_AT_ONCE = 8

/** A row judged by itself, and located where it is right. */
type Judged = { asked: PropertyChanges; address: AddressColumns } | { message: string }

/** What is kept of a batch for its replay: no body, for the properties are read as they stand. */
interface BatchOutcome {
  required_plan: string | null
  rows: { status: PropertyRowStatus; message: string | null; property_id: string | null }[]
}

/**
 * Saves the rows in order, each as if it were sent alone, until the plan is full. Rows are located before the transaction.
 * @throws Refusal 422 where the list itself is at fault, 402 `lapsed`, 409 for the key
 */
export async function createProperties(
  app: App,
  caller: Caller,
  input: Sent<typeof propertyBatchForm>,
  idempotency: IdempotentRequest | null,
): Promise<{ batch: PropertyBatchView; replayed: boolean }> {
  const kept = idempotency && (await findOutcome<BatchOutcome>(app, caller, idempotency))
  const rows = rowsOf(input)
  if (kept) return { batch: await batchView(app, caller, rows, kept.outcome), replayed: true }
  requireActivePlan(caller)
  const judged = await judgeRows(app, caller, rows)
  // An address that was taken meanwhile is found the next time, and the other rows go on.
  const { outcome, replayed } = await untilUnchanged(() => once(caller, idempotency, (tx) => saveRows(tx, app, caller, judged)), isTaken)
  return { batch: await batchView(app, caller, rows, outcome), replayed }
}

function rowsOf(input: Sent<typeof propertyBatchForm>): unknown[] {
  const faults = gatherFaults()
  const { properties } = readNew(propertyBatchForm, input, faults)
  faults.refuse()
  return properties
}

/** Judges and locates every row, a few at once, until the time for all of them is up. */
async function judgeRows(app: App, caller: Caller, rows: unknown[]): Promise<Judged[]> {
  const ends = Date.now() + BATCH_LOCATE_MS
  const judged: Judged[] = []
  const waiting = rows.entries()
  const work = async () => {
    for (const [index, row] of waiting) judged[index] = await judgeRow(app, caller, row, ends)
  }
  await Promise.all(Array.from({ length: LOCATE_AT_ONCE }, work))
  return judged
}

async function judgeRow(app: App, caller: Caller, row: unknown, ends: number): Promise<Judged> {
  if (!isObject(row)) return { message: 'A property must be an object.' }
  const faults = gatherFaults()
  const asked = checkNewProperty(row, faults)
  if (Object.keys(faults.found).length > 0) return { message: allOf(faults.found) }
  const refused = refusalOf(() => requireReach(caller.plan, asked.watch_radius_miles))
  if (refused) return { message: refused.message }
  const sent = { query: asked.address, point: asked.point }
  const left = Math.min(LOCATE_MS, ends - Date.now())
  return { asked, address: left > 0 ? await locateAddress(app, sent, left) : unlocatedColumns(sent, null) }
}

/** The team's row is locked first, so that the room counted here is there for every row. */
async function saveRows(tx: ScopedTx, app: App, caller: Caller, judged: Judged[]): Promise<BatchOutcome> {
  let held = await lockTeamAndCount(tx, caller.team.id)
  const outcome: BatchOutcome = { required_plan: null, rows: [] }
  for (const row of judged) {
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
    const takesRoom = row.asked.status !== 'archived'
    const full = takesRoom ? refusalOf(() => requireBelowCeiling(caller.plan, 'properties', held)) : null
    if (full) {
      outcome.required_plan ??= full.details.required_plan ?? null
      outcome.rows.push({ status: 'skipped', message: full.message, property_id: null })
      continue
    }
    const { id: property_id } = await saveProperty(tx, app, caller, row.asked, row.address)
    if (takesRoom) held++
    outcome.rows.push({ status: 'created', message: null, property_id })
  }
  auditWrite(tx, { kind: 'property_batch', id: null, after: countsOf(outcome) })
  return outcome
}

/** One operation, however many rows it has: how many ended how, and what was made. */
function countsOf({ rows }: BatchOutcome) {
  const count = (status: PropertyRowStatus) => rows.filter((row) => row.status === status).length
  const made = rows.flatMap(({ status, property_id }) => (status === 'created' && property_id !== null ? [property_id] : []))
  const counts = { created: count('created'), duplicate: count('duplicate'), rejected: count('rejected'), skipped: count('skipped') }
  return { ...counts, property_ids: made }
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
