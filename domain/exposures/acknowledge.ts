import type { Caller } from '#domain/access/caller.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { recordWrite } from '#domain/audit/record.ts'
import { noSuchExposure } from '#domain/exposures/exposure-rows.ts'
import { findExposure, isExposureId } from '#domain/exposures/find.ts'
import { nextMoment } from '#domain/exposures/next-moment.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { flag } from '#domain/kernel/fields.ts'
import { preset, readNew, type Sent } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'

type State = 'open' | 'acknowledged' | 'dismissed'

/** The body that takes an exposure off the inbox. */
export const acknowledgeForm = { dismiss: preset(flag('Dismiss'), false) }

/**
 * Takes an exposure off the inbox: seen, or set aside. What is so already stays as it is; otherwise the one state takes
 * the place of the other.
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
 * Puts an exposure back in the inbox.
 * @throws Refusal 404
 */
export function reopenExposure(app: App, caller: Caller, id: number): Promise<ExposureView> {
  return moveExposure(app, caller, id, 'open')
}

async function moveExposure(app: App, caller: Caller, id: number, state: State): Promise<ExposureView> {
  if (!isExposureId(id)) throw noSuchExposure()
  await caller.db.$transaction((tx) => move(tx, caller.team.id, id, state, app.clock.now()))
  return findExposure(app, caller, id)
}

async function move(tx: ScopedTx, team_id: string, id: number, state: State, now: Date): Promise<void> {
  const before = await readState(tx, team_id, id)
  if (before === state) return recordWrite(tx, { kind: 'exposure', id, before: { state }, after: { state } })
  // The team's row first, as everywhere that an exposure is written: two writers then never wait for each other.
  const moment = await nextMoment(tx, team_id, now)
  const held = await readState(tx, team_id, id)
  recordWrite(tx, { kind: 'exposure', id, before: { state: held }, after: { state } })
  if (held === state) return
  await tx.$executeRaw`
    UPDATE exposures SET
      acknowledged_at = CASE WHEN ${state} = 'acknowledged' THEN ${now}::timestamptz END,
      dismissed_at = CASE WHEN ${state} = 'dismissed' THEN ${now}::timestamptz END,
      last_seen_at = ${moment}::timestamptz
     WHERE team_id = ${team_id}::uuid AND id = ${id}`
}

async function readState(tx: ScopedTx, team_id: string, id: number): Promise<State> {
  const [row] = await tx.$queryRaw<{ state: State }[]>`
    SELECT CASE WHEN dismissed_at IS NOT NULL THEN 'dismissed' WHEN acknowledged_at IS NOT NULL THEN 'acknowledged' ELSE 'open' END AS state
      FROM exposures WHERE team_id = ${team_id}::uuid AND id = ${id}`
  if (!row) throw noSuchExposure()
  return row.state
}
