import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#domain/access/caller.ts'
import { findOutcome, type IdempotentRequest, once } from '#domain/access/idempotency.ts'
import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { openSealed, seal } from '#domain/engines/sealed.ts'
import { hintOf } from '#domain/integrations/address.ts'
import { checkDestinationChanges, checkNewDestination, type DestinationInput } from '#domain/integrations/check-destination.ts'
import { findDestination } from '#domain/integrations/find.ts'
import { noSuchIntegration } from '#domain/integrations/integration-rows.ts'
import { openSecret } from '#domain/integrations/open-secret.ts'
import { NOT_HELD } from '#domain/integrations/record-outcome.ts'
import { newSigningSecret } from '#domain/integrations/signature.ts'
import type { IntegrationView } from '#domain/integrations/view.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { gatherFaults, isUuid } from '#domain/kernel/validation.ts'
import { requireActivePlan } from '#domain/plans/ceilings.ts'
import type { Integration } from '#generated/prisma/client.ts'

/** The most destinations of a team, inactive ones included; no plan raises it. */
export const DESTINATIONS_MAX = 10

export interface RegisteredDestination {
  integration: IntegrationView
  /** Returned here and readable later; null for channels that are not signed. */
  secret: string | null
}

/**
 * Registers a destination. A replay reads the sealed secret of the destination: the idempotency key's row does not contain it.
 * @throws Refusal 422; 409 `destination_cap_reached`, or for the idempotency key; for a replay 404 if its destination has been
 * removed, and 409 `no_signing_secret` if no key of this install opens the secret any more
 */
export async function registerDestination(
  app: App,
  caller: Caller,
  input: DestinationInput,
  idempotency: IdempotentRequest | null = null,
): Promise<RegisteredDestination> {
  const stored = idempotency && (await findOutcome<Outcome>(app, caller, idempotency))
  if (stored) return readRegistered(app, caller, stored.outcome)
  const faults = gatherFaults()
  const before = async () => {
    faults.refuse()
    requireActivePlan(caller)
    await requireBelowCap(caller.db)
  }
  const { name, channel, url, events, active } = await checkNewDestination(app, { team_id: caller.team.id, before }, input, faults)
  faults.refuse()
  requireActivePlan(caller)
  const now = app.clock.now()
  const { outcome } = await once(caller, idempotency, async (tx): Promise<Outcome> => {
    // Lock the team's row, so that two concurrent registrations cannot both take the last place.
    await lockTeamRow(tx, caller.team.id)
    await requireBelowCap(tx)
    const id = randomUUID()
    await tx.integration.create({
      data: {
        id,
        team_id: caller.team.id,
        name,
        channel,
        events,
        active,
        address_hint: hintOf(url),
        url_encrypted: seal(app, url, `url ${id}`),
        secret_encrypted: channel === 'webhook' ? seal(app, newSigningSecret(), `secret ${id}`) : null,
        created_at: now,
        updated_at: now,
      },
    })
    auditWrite(tx, { kind: 'integration', id, after: { channel, events, active } })
    return { integration_id: id }
  })
  return readRegistered(app, caller, outcome)
}

async function requireBelowCap(db: Pick<ScopedTx, 'integration'>): Promise<void> {
  if ((await db.integration.count()) < DESTINATIONS_MAX) return
  throw new Refusal('destination_cap_reached', `A team has at most ${DESTINATIONS_MAX} destinations; no plan has more. Remove one first.`)
}

/** The stored outcome by which a replay finds the destination. */
interface Outcome {
  integration_id: string
}

async function readRegistered(app: App, caller: Caller, { integration_id: id }: Outcome): Promise<RegisteredDestination> {
  const integration = await findDestination(app, caller, id)
  const sealed = await caller.db.integration.findFirst({ where: { id }, select: { secret_encrypted: true } })
  return { integration, secret: sealed?.secret_encrypted ? openSecret(app, sealed.secret_encrypted, id) : null }
}

/**
 * Changes the fields that were sent. An absent url keeps the saved one, and unchanged fields are not written.
 * @throws Refusal 404, 422, 409 `url_required` if the channel changes without a new url, or if someone else changed the channel
 * while a url without a channel was checked
 */
export async function changeDestination(app: App, caller: Caller, id: string, input: DestinationInput): Promise<IntegrationView> {
  const found = await findDestination(app, caller, id)
  const faults = gatherFaults()
  const { name, channel, url, events, active } = await checkDestinationChanges(app, { team_id: caller.team.id }, input, faults)
  faults.refuse()
  await caller.requireAdmitted()
  await caller.db.$transaction(async (tx) => {
    const current = await lockDestination(tx, caller.team.id, id)
    const channelChanged = channel !== undefined && channel !== current.channel
    if (channelChanged && url === undefined)
      throw new Refusal('url_required', 'Send a new url with another channel: an address works with one channel only.')
    if (url !== undefined && channel === undefined && current.channel !== found.channel)
      throw new Refusal('url_required', 'Someone changed the channel at the same time. Send the url together with its channel.')
    const changes = { name, channel, url, events, active }
    // An address that no longer opens differs from every address that is sent: a new one replaces it.
    const currentValues = { ...current, url: openSealed(app, current.url_encrypted, `url ${id}`)?.text ?? null }
    const changed = keysOf(changes).filter(
      (field) => changes[field] !== undefined && !isDeepStrictEqual(changes[field], currentValues[field]),
    )
    if (changed.length === 0) return auditWrite(tx, { kind: 'integration', id, before: current, after: current, changed })
    const now = app.clock.now()
    const data = {
      ...(name !== undefined && { name }),
      ...(events !== undefined && { events }),
      ...(active !== undefined && { active }),
      // A destination that is switched on again starts with a clean record.
      ...(active === true &&
        !current.active && {
          ...{ failure_streak: 0, switched_off_at: null, switched_off_for: null, acknowledged_at: null },
          ...{ activated_at: now, ...NOT_HELD },
        }),
      // The receiver at another address has asked for no pause.
      ...(url !== undefined &&
        changed.includes('url') && { address_hint: hintOf(url), url_encrypted: seal(app, url, `url ${id}`), ...NOT_HELD }),
      ...(channelChanged && { channel, secret_encrypted: channel === 'webhook' ? seal(app, newSigningSecret(), `secret ${id}`) : null }),
      updated_at: now,
    }
    await tx.integration.updateMany({ where: { id }, data })
    auditWrite(tx, { kind: 'integration', id, before: current, after: { ...current, ...data }, changed })
  })
  return findDestination(app, caller, id)
}

/** Locks and returns the current destination: it may have been switched off, or changed by someone else, while a change was checked. */
export async function lockDestination(tx: ScopedTx, team_id: string, id: string): Promise<Integration> {
  await tx.$queryRaw`SELECT id FROM integrations WHERE id = ${id}::uuid AND team_id = ${team_id}::uuid FOR NO KEY UPDATE`
  const destination = await tx.integration.findFirst({ where: { id } })
  if (!destination) throw noSuchIntegration()
  return destination
}

/**
 * Removes a destination. The ledger keeps its deliveries, and those still waiting are skipped.
 * @throws Refusal 404
 */
export async function removeDestination(caller: Caller, id: string): Promise<void> {
  if (!isUuid(id)) throw noSuchIntegration()
  await caller.db.$transaction(async (tx) => {
    const before = await tx.integration.findFirst({ where: { id } })
    const { count } = await tx.integration.deleteMany({ where: { id } })
    if (count === 0) throw noSuchIntegration()
    auditWrite(tx, { kind: 'integration', id, before })
  })
}
