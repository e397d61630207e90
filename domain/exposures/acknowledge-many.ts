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

/** The most exposures that one call moves. */
export const MANY_MAX = 500

/** The request body that moves exposures back to the inbox. */
export const reopenManyForm = {
  ids: required(list('Exposures', wholeNumber('Exposure', { min: 1 }), { min: 1, max: MANY_MAX, count: 'exposures' })),
}

/** The request body that takes exposures out of the inbox. */
export const acknowledgeManyForm = { ...reopenManyForm, ...acknowledgeForm }

/** The outcome for one exposure of a batch. */
export interface MovedExposure {
  id: number
  outcome: ExposureOutcome
  /** Its state before the call; null if it is not found. */
  before: ExposureState | null
  /** The exposure as it is now; null if it is not found. */
  exposure: ExposureView | null
}

/**
 * Acknowledges or dismisses up to 500 exposures in one transaction. An id that the team does not have does not stop the others.
 * @returns one row per distinct id, in the order sent
 * @throws Refusal 422
 */
export async function acknowledgeExposures(app: App, caller: Caller, input: Sent<typeof acknowledgeManyForm>): Promise<MovedExposure[]> {
  const faults = gatherFaults()
  const { ids, dismiss } = readNew(acknowledgeManyForm, input, faults)
  faults.refuse()
  return moveMany(app, caller, ids, dismiss ? 'dismissed' : 'acknowledged')
}

/**
 * Moves up to 500 exposures back to the inbox, in the same way.
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
    const previousStates = await moveExposures(tx, caller.team.id, ids, state, app.clock.now())
    auditWrite(tx, { kind: 'exposure_batch', id: null, after: { state, ...countsOf(previousStates, ids, state) } })
    return previousStates
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

/** The audit entry of the whole batch: the ids of the exposures that moved, and counts of those that did not. */
function countsOf(before: ReadonlyMap<number, ExposureState>, ids: readonly number[], state: ExposureState) {
  const idsWith = (outcome: ExposureOutcome) => ids.filter((id) => outcomeOf(before.get(id), state) === outcome)
  return { unchanged: idsWith('unchanged').length, not_found: idsWith('not_found').length, exposure_ids: idsWith('moved') }
}
