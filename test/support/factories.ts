import { type Ability, abilities } from '#domain/access/abilities.ts'
import { authenticate } from '#domain/access/authenticate.ts'
import type { Caller } from '#domain/access/caller.ts'
import { scopedDb } from '#domain/access/scope.ts'
import { issueToken } from '#domain/access/tokens.ts'
import type { TierId } from '#domain/closed-sets.ts'
import type { EventName } from '#domain/events/catalogue.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { chargeForReport } from '#domain/plans/credits.ts'
import { planOf, planStatus } from '#domain/plans/plans.ts'
import type { Prisma, Team } from '#generated/prisma/client.ts'
import type { World } from './world.ts'

export const allAbilities: Ability[] = abilities.map((ability) => ability.name)

let made = 0

/** Makes a team with a ledger of one row: this period's allowance of `credits` (100 by default). */
export async function aTeam(
  world: World,
  {
    plan = 'enterprise',
    credits = 100,
    ...columns
  }: { plan?: TierId; credits?: number } & Partial<Omit<Team, 'plan' | 'limit_overrides'>> & {
      limit_overrides?: Record<string, number>
    } = {},
): Promise<Team> {
  const now = world.clock.now()
  const started = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
  const renews = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, Math.min(now.getUTCDate(), 28)))
  return world.app.db.$transaction(async (tx) => {
    const team = await tx.team.create({
      data: {
        name: `Team ${++made}`,
        plan,
        balance: credits,
        allowance_left: credits,
        ledger_sequence: 1,
        period_started_at: started,
        renews_at: renews,
        renewal_day: started.getUTCDate(),
        created_at: now,
        ...columns,
      },
    })
    await tx.creditTransaction.create({
      data: {
        team_id: team.id,
        sequence: 1,
        kind: 'allowance',
        amount: credits,
        balance_after: credits,
        description: 'Allowance of the period',
        created_at: now,
      },
    })
    return team
  })
}

/** Makes a pending report of the team, charged, with no job staged; returns its id. */
export async function aPendingReport(
  db: Prisma.TransactionClient,
  team: Pick<Team, 'id'>,
  now: Date,
  query = '1 Main St',
): Promise<string> {
  const { id } = await db.report.create({
    data: {
      team_id: team.id,
      query,
      window_start: now,
      window_end: now,
      radius_miles: 5,
      plan_tier: 'enterprise',
      layout: {},
      sources_searched: [],
      issued_at: now,
      created_at: now,
    },
  })
  await chargeForReport(db, team.id, id, 'Report', now)
  return id
}

/** Makes a token of the team with all abilities, or with those given. */
export async function aToken(
  world: World,
  team: Pick<Team, 'id'>,
  granted: Ability[] = allAbilities,
  expires_at: Date | null = null,
): Promise<{ token: string; prefix: string }> {
  return issueToken(world.app.db, { team_id: team.id, name: 'Test', abilities: granted, expires_at })
}

/** Returns the caller of a token of the team with these abilities. */
export async function aCaller(world: World, team: Pick<Team, 'id'>, granted: Ability[] = allAbilities): Promise<Caller> {
  const now = world.clock.now()
  const { id, name, timezone, created_at, ...rest } = await world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })
  const { prefix, token: secret } = await aToken(world, team, granted)
  const token = await world.app.db.token.findUniqueOrThrow({ where: { prefix } })
  return {
    team: { id, name, timezone, created_at, ...planStatus(rest, now) },
    plan: planOf(rest, now),
    abilities: new Set(granted),
    token: { id: token.id, hash: token.hash, name: token.name, prefix, expires_at: token.expires_at, last_used_at: now },
    person: null,
    db: scopedDb(world.app.db, id),
    admitAgain: async () => (await authenticate(world.app, `Bearer ${secret}`)).caller,
    requireAdmitted: async () => {},
  }
}

/** Makes a webhook of the team for these events, in a world whose allowed networks contain the url; returns its id. */
export async function aDestination(world: World, team: Pick<Team, 'id'>, url: string, events: EventName[]): Promise<string> {
  return (await registerDestination(world.app, await aCaller(world, team), { name: 'Receiver', channel: 'webhook', url, events }))
    .integration.id
}
