import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import type { ExposureOutcome, ExposureState } from '#domain/closed-sets.ts'
import { acknowledgeForm } from '#domain/exposures/acknowledge.ts'
import { findExposures } from '#domain/exposures/find.ts'
import { moveExposures } from '#domain/exposures/move.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { list, wholeNumber } from '#domain/kernel/fields.ts'
import { readNew, required, type Sent } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'

/** Exposures that one call moves at most. */
export const MANY_MAX = 500

/** The body that puts exposures back in the inbox. */
export const reopenManyForm = {
  ids: required(list('Exposures', wholeNumber('Exposure', { min: 1 }), { min: 1, max: MANY_MAX, count: 'exposures' })),
}

/** The body that takes exposures off the inbox. */
export const acknowledgeManyForm = { ...reopenManyForm, ...acknowledgeForm }

/** What became of one exposure of many. */
export interface MovedExposure {
  id: number
  outcome: ExposureOutcome
  /** How it stood; null where it is not found. */
  before: ExposureState | null
  /** As it stands now; null where it is not found. */
  exposure: ExposureView | null
}

/**
 * Takes up to 500 exposures off the inbox in one transaction: seen, or set aside. One that the team does not have stops no other.
 * @returns one row an id, in the order sent; an id sent twice has one
 * @throws Refusal 422
 */
export async function acknowledgeExposures(app: App, caller: Caller, input: Sent<typeof acknowledgeManyForm>): Promise<MovedExposure[]> {
  const faults = gatherFaults()
  const { ids, dismiss } = readNew(acknowledgeManyForm, input, faults)
  faults.refuse()
  return moveMany(app, caller, ids, dismiss ? 'dismissed' : 'acknowledged')
}

/**
 * Puts up to 500 exposures back in the inbox, likewise.
 * @throws Refusal 422
 */
export async function reopenExposures(app: App, caller: Caller, input: Sent<typeof reopenManyForm>): Promise<MovedExposure[]> {
  const faults = gatherFaults()
  const { ids } = readNew(reopenManyForm, input, faults)
  faults.refuse()
  return moveMany(app, caller, ids, 'open')
}

async function moveMany(app: App, caller: Caller, sent: readonly number[], state: ExposureState): Promise<MovedExposure[]> {
  const ids = [...new Set(sent)]
  const before = await caller.db.$transaction(async (tx) => {
    const held = await moveExposures(tx, caller.team.id, ids, state, app.clock.now())
    auditWrite(tx, { kind: 'exposure_batch', id: null, after: { state, ...countsOf(held, ids, state) } })
    return held
  })
  const found = new Map((await findExposures(app, caller, ids)).map((exposure) => [exposure.id, exposure]))
  return ids.map((id) => ({
    id,
    outcome: outcomeOf(before.get(id), state),
    before: before.get(id) ?? null,
    exposure: found.get(id) ?? null,
  }))
}

function outcomeOf(before: ExposureState | undefined, state: ExposureState): ExposureOutcome {
  if (!before) return 'not_found'
  return before === state ? 'unchanged' : 'moved'
}

/** One operation, however many exposures it names: those that moved, and how many did not. */
function countsOf(before: ReadonlyMap<number, ExposureState>, ids: readonly number[], state: ExposureState) {
  const of = (outcome: ExposureOutcome) => ids.filter((id) => outcomeOf(before.get(id), state) === outcome)
  return { unchanged: of('unchanged').length, not_found: of('not_found').length, exposure_ids: of('moved') }
}
