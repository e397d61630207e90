import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import type { ExposureState } from '#domain/closed-sets.ts'
import { noSuchExposure } from '#domain/exposures/exposure-rows.ts'
import { findExposure, isExposureId } from '#domain/exposures/find.ts'
import { moveExposures } from '#domain/exposures/move.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { flag } from '#domain/kernel/fields.ts'
import { preset, readNew, type Sent } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'

/** The request body that takes an exposure out of the inbox. */
export const acknowledgeForm = { dismiss: preset(flag('Dismiss'), false) }

/**
 * Acknowledges or dismisses an exposure, which takes it out of the inbox. An exposure already in that state stays as it is;
 * otherwise the new state replaces the old one.
 * @throws Refusal 404, 422
 */
export async function acknowledgeExposure(
  app: App,
  caller: Caller,
  id: number,
  input: Sent<typeof acknowledgeForm>,
): Promise<ExposureView> {
  const faults = gatherFaults()
  const { dismiss } = readNew(acknowledgeForm, input, faults)
  faults.refuse()
  return moveExposure(app, caller, id, dismiss ? 'dismissed' : 'acknowledged')
}

/**
 * Moves an exposure back to the inbox.
 * @throws Refusal 404
 */
export function reopenExposure(app: App, caller: Caller, id: number): Promise<ExposureView> {
  return moveExposure(app, caller, id, 'open')
}

async function moveExposure(app: App, caller: Caller, id: number, state: ExposureState): Promise<ExposureView> {
  if (!isExposureId(id)) throw noSuchExposure()
  await caller.db.$transaction(async (tx) => {
    const move = (await moveExposures(tx, caller.team.id, [id], { state }, app.clock.now())).get(id)
    if (!move) throw noSuchExposure()
    auditWrite(tx, { kind: 'exposure', id, before: { state: move.before }, after: { state } })
  })
  return findExposure(app, caller, id)
}
