import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import type { ExposureOutcome, ExposureState } from '#domain/closed-sets.ts'
import { acknowledgeForm } from '#domain/exposures/acknowledge.ts'
import { findExposures } from '#domain/exposures/find.ts'
import { type Move, type MoveTarget, moveExposures } from '#domain/exposures/move.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { flag, list, moment, wholeNumber } from '#domain/kernel/fields.ts'
import { optional, preset, readNew, required, type Sent } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'

/** The most exposures that one call moves. */
export const MANY_MAX = 500

/** The request body that moves exposures back to the inbox. */
export const reopenManyForm = {
  ids: required(
    list('The exposures', wholeNumber('The id of an exposure', { min: 1 }), {
      min: 1,
      max: MANY_MAX,
      count: `Choose 1 to ${MANY_MAX} exposures.`,
    }),
  ),
  /** Moves only exposures that were acknowledged or dismissed at this time, and not again since: an undo leaves what others decided. */
  decided_at: optional(moment('The time of the decision')),
}

/** The request body that takes exposures out of the inbox. */
export const acknowledgeManyForm = {
  ...reopenManyForm,
  ...acknowledgeForm,
  /** Moves only exposures that are open: whoever chose them from a list of open ones leaves what others decided meanwhile. */
  only_if_open: preset(flag('Only if open'), false),
}

/** The outcome for one exposure of a batch. */
export interface MovedExposure {
  id: number
  outcome: ExposureOutcome
  /** Its state before the call; null if it is not found. */
  before: ExposureState | null
  /** When this call acknowledged or dismissed it; null if it did not. */
  decided_at: Date | null
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
  const { ids, dismiss, ...conditions } = readNew(acknowledgeManyForm, input, faults)
  faults.refuse()
  return moveMany(app, caller, ids, { state: dismiss ? 'dismissed' : 'acknowledged', ...conditions })
}

/**
 * Moves up to 500 exposures back to the inbox, in the same way.
 * @throws Refusal 422
 */
export async function reopenExposures(app: App, caller: Caller, input: Sent<typeof reopenManyForm>): Promise<MovedExposure[]> {
  const faults = gatherFaults()
  const { ids, decided_at } = readNew(reopenManyForm, input, faults)
  faults.refuse()
  return moveMany(app, caller, ids, { state: 'open', decided_at })
}

async function moveMany(app: App, caller: Caller, sent: readonly number[], target: MoveTarget): Promise<MovedExposure[]> {
  const ids = [...new Set(sent)]
  const now = app.clock.now()
  const moves = await caller.db.$transaction(async (tx) => {
    const done = await moveExposures(tx, caller.team.id, ids, target, now)
    auditWrite(tx, { kind: 'exposure_batch', id: null, after: { state: target.state, ...countsOf(done, ids) } })
    return done
  })
  const found = new Map((await findExposures(app, caller, ids)).map((exposure) => [exposure.id, exposure]))
  return ids.map((id) => {
    const { before = null, outcome = 'not_found' } = moves.get(id) ?? {}
    const decided_at = outcome === 'moved' && target.state !== 'open' ? now : null
    return { id, outcome, before, decided_at, exposure: found.get(id) ?? null }
  })
}

/** The audit entry of the whole batch: the ids of the exposures that moved, and counts of those that did not. */
function countsOf(moves: ReadonlyMap<number, Move>, ids: readonly number[]) {
  const exposure_ids = ids.filter((id) => moves.get(id)?.outcome === 'moved')
  return { unchanged: moves.size - exposure_ids.length, not_found: ids.length - moves.size, exposure_ids }
}
