import { randomUUID } from 'node:crypto'
import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import { gatherFaults, isUuid } from '#domain/check.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import { checkAddress, hintOf } from '#domain/integrations/address.ts'
import { checkDestination, type DestinationInput } from '#domain/integrations/check-destination.ts'
import { findDestination } from '#domain/integrations/find.ts'
import { noSuchIntegration } from '#domain/integrations/rows.ts'
import { seal } from '#domain/integrations/sealed.ts'
import { newSigningSecret } from '#domain/integrations/signature.ts'
import type { Channel, IntegrationView } from '#domain/integrations/view.ts'
import { requireStanding } from '#domain/plans/ceilings.ts'
import { Refusal } from '#domain/refusal.ts'

/** Destinations of a team, inactive ones included; no tier lifts it. */
const DESTINATION_CAP = 10

export interface Registered {
  integration: IntegrationView
  /** Shown here once and readable later; null for channels that are known by their address. */
  secret: string | null
}

/**
 * Registers a destination.
 * @throws Refusal 422, 409 `destination_cap_reached`
 */
export async function registerDestination(app: App, caller: Caller, input: DestinationInput): Promise<Registered> {
  requireStanding(caller)
  const faults = gatherFaults()
  for (const field of ['name', 'channel', 'url', 'events'] as const)
    faults.unless(input[field] !== undefined, field, `The ${field} is required.`)
  checkDestination(input, faults)
  if (input.url != null) await checkAddress(app, input.url, faults)
  faults.refuse()
  const { name, channel, url, events } = input as { name: string; channel: Channel; url: string; events: EventName[] }
  const id = randomUUID()
  const secret = channel === 'webhook' ? newSigningSecret() : null
  const now = app.clock.now()
  await caller.db.$transaction(async (tx) => {
    // The team's row is locked, so that two registrations at once cannot both take the last place.
    await tx.$queryRaw`SELECT id FROM teams WHERE id = ${caller.team.id}::uuid FOR NO KEY UPDATE`
    if ((await tx.integration.count()) >= DESTINATION_CAP) {
      throw new Refusal(
        'destination_cap_reached',
        `A team has at most ${DESTINATION_CAP} destinations; no plan has more. Remove one first.`,
      )
    }
    await tx.integration.create({
      data: {
        id,
        team_id: caller.team.id,
        name: name.trim(),
        channel,
        events: [...new Set(events)],
        active: input.active ?? true,
        address_hint: hintOf(url),
        url_encrypted: seal(app, url, `url ${id}`),
        secret_encrypted: secret ? seal(app, secret, `secret ${id}`) : null,
        created_at: now,
        updated_at: now,
      },
    })
  })
  return { integration: await findDestination(app, caller, id), secret }
}

/**
 * Changes what was sent of a destination; an absent url keeps the saved one.
 * @throws Refusal 404, 422, 409 `url_required` where the channel changes without a new url
 */
export async function changeDestination(app: App, caller: Caller, id: string, input: DestinationInput): Promise<IntegrationView> {
  const held = await findDestination(app, caller, id)
  const faults = gatherFaults()
  checkDestination(input, faults)
  if (input.url != null) await checkAddress(app, input.url, faults)
  faults.refuse()
  const { name, channel, url, events, active } = input as {
    name?: string
    channel?: Channel
    url?: string
    events?: EventName[]
    active?: boolean
  }
  const moved = channel !== undefined && channel !== held.channel
  if (moved && url === undefined)
    throw new Refusal('url_required', 'Another channel needs a new url: an address of one is none of the other.')
  const changed = await caller.db.integration.updateMany({
    where: { id },
    data: {
      ...(name !== undefined && { name: name.trim() }),
      ...(events !== undefined && { events: [...new Set(events)] }),
      ...(active !== undefined && { active }),
      // One that is switched on again begins with a clean slate.
      ...(active === true && !held.active && { failure_streak: 0 }),
      ...(url !== undefined && { address_hint: hintOf(url), url_encrypted: seal(app, url, `url ${id}`) }),
      ...(moved && { channel, secret_encrypted: channel === 'webhook' ? seal(app, newSigningSecret(), `secret ${id}`) : null }),
      updated_at: app.clock.now(),
    },
  })
  if (changed.count === 0) throw noSuchIntegration()
  return findDestination(app, caller, id)
}

/**
 * Removes a destination; the ledger keeps what was sent to it, and what still waits is skipped.
 * @throws Refusal 404
 */
export async function removeDestination(caller: Caller, id: string): Promise<void> {
  const gone = isUuid(id) ? await caller.db.integration.deleteMany({ where: { id } }) : { count: 0 }
  if (gone.count === 0) throw noSuchIntegration()
}
