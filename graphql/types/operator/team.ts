import { type IdempotentRequest, installHolder, once } from '#domain/access/idempotency.ts'
import { papers, type TierId, tierIds } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { adjust, topUp } from '#domain/plans/credits.ts'
import { type Letterhead, setLetterhead, teamsWithLogo } from '#domain/plans/letterhead.ts'
import { ceilings, planOf, planStatus } from '#domain/plans/plans.ts'
import { addTeam, lapseTeam, listTeams, setLimits, setPlan } from '#domain/plans/teams.ts'
import { builder } from '#graphql/builder.ts'
import type { Context } from '#graphql/context.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'
import { requireId } from '#graphql/ids.ts'
import { loader } from '#graphql/loader.ts'
import { byOperator } from '#graphql/role.ts'
import { Tier } from '#graphql/types/tier.ts'

builder.scalarType('LimitOverrides', {
  description: "Ceilings that differ from the plan's: name and number.",
  serialize: (overrides) => overrides,
})

/** The columns that decide a team's plan and its status. */
const planColumns = { plan: true, limit_overrides: true, trial_ends_at: true, lapsed_at: true } as const

const hasLogo = loader(async ({ app }, ids) => new Map([...(await teamsWithLogo(app, ids))].map((id) => [id, true])))

/** Selects only the requested columns: the logo on a team's documents can be 200 kB. */
const AdminTeam = builder.prismaObject('Team', {
  name: 'AdminTeam',
  description: 'A team as the operator sees it.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the team.' }),
    name: t.exposeString('name', { description: 'Name of the team.' }),
    plan: t.field({
      type: Tier,
      description: 'Current tier.',
      select: planColumns,
      resolve: (team, _args, { app }) => planOf(team, app.clock.now()).tier,
    }),
    timezone: t.exposeString('timezone', { description: 'IANA time zone of the team.' }),
    email: t.exposeString('email', { nullable: true, description: 'Address that its digest is sent to.' }),
    on_trial: t.boolean({
      description: 'True during the trial.',
      select: planColumns,
      resolve: (team, _args, { app }) => planStatus(team, app.clock.now()).on_trial,
    }),
    lapsed: t.boolean({
      description: 'True if the plan has lapsed.',
      select: planColumns,
      resolve: (team, _args, { app }) => planStatus(team, app.clock.now()).lapsed,
    }),
    balance: t.exposeInt('balance', { description: 'Credits that can be spent now.' }),
    limit_overrides: t.expose('limit_overrides', { type: 'LimitOverrides', description: "Ceilings that differ from the plan's." }),
    paper: t.exposeString('paper', { description: 'Paper size of its documents: letter or a4.' }),
    brand_name: t.exposeString('brand_name', { nullable: true, description: 'Name printed on its documents.' }),
    has_brand_logo: t.boolean({
      description: 'True if its documents have a logo.',
      resolve: async ({ id }, _args, context) => (await hasLogo(context, id, {})) === true,
    }),
    renews_at: t.expose('renews_at', { type: 'DateTime', description: 'When the next period begins.' }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was created.' }),
  }),
})

const AdminCredits = builder.objectRef<{ team: string; balance: number }>('AdminCredits').implement({
  description: "A team's balance after a change.",
  fields: (t) => ({
    team: t.exposeID('team', { description: 'Id of the team.' }),
    balance: t.exposeInt('balance', { description: 'Credits that can be spent now.' }),
  }),
})

builder.queryField('adminTeams', (t) =>
  t.prismaField({
    type: [AdminTeam],
    description: 'Every team, oldest first.',
    ...byOperator('read'),
    resolve: (query, _root, _args, { app }) => listTeams(app.db, query),
  }),
)

const ceilingArguments = builder.args((t) =>
  Object.fromEntries(ceilings.map((name) => [name, t.float({ description: `The team's own ${name}; null restores the plan's.` })])),
)

builder.mutationFields((t) => ({
  adminCreateTeam: t.prismaField({
    type: AdminTeam,
    description: 'Creates a team with the allowance of its first period.',
    ...byOperator('all'),
    args: {
      name: t.arg.string({ required: true, description: 'Name, 1 to 120 characters.' }),
      plan: t.arg.string({ description: `Tier: ${tierIds.join(', ')}. Omit it with trial.` }),
      timezone: t.arg.string({ description: 'IANA time zone; America/Chicago by default.' }),
      email: t.arg.string({ description: 'Address that its digest is sent to.' }),
      trial: t.arg.boolean({ description: 'True starts a trial.' }),
      ...idempotencyArgument,
    },
    resolve: async (_query, _root, { idempotency_key, ...input }, context) => {
      const { db, clock } = context.app
      const { name, plan, timezone, email, trial } = input
      const { outcome } = await once(installHolder(db), idempotencyOf(context, 'adminCreateTeam', idempotency_key, input), async (tx) => {
        const { id } = await addTeam(tx, clock, {
          name,
          ...(plan != null && { plan: tierNamed(plan) }),
          ...(timezone != null && { timezone }),
          email: email ?? null,
          trial: trial ?? false,
        })
        return { team_id: id }
      })
      return db.team.findUniqueOrThrow({ where: { id: outcome.team_id } })
    },
  }),
  adminSetPlan: t.prismaField({
    type: AdminTeam,
    description: 'Puts a team on a plan from today. This ends a trial and a lapse.',
    ...byOperator('billing'),
    args: {
      team: t.arg.id({ required: true, description: 'Id of the team.' }),
      plan: t.arg.string({ required: true, description: `Tier: ${tierIds.join(', ')}.` }),
    },
    resolve: (_query, _root, { team, plan }, { app }) => setPlan(app.db, app.clock, requireId('team', team), tierNamed(plan)),
  }),
  adminLapseTeam: t.prismaField({
    type: AdminTeam,
    description: 'Lapses the plan of a team. The team can still read, but writes that cost credits or watch places are refused.',
    ...byOperator('billing'),
    args: {
      team: t.arg.id({ required: true, description: 'Id of the team.' }),
      undo: t.arg.boolean({ description: 'True ends the lapse.' }),
    },
    resolve: (_query, _root, { team, undo }, { app }) => lapseTeam(app.db, app.clock, requireId('team', team), undo ?? false),
  }),
  adminSetLimits: t.prismaField({
    type: AdminTeam,
    description: "Sets ceilings of a team that differ from its plan's. Omitted ceilings stay.",
    ...byOperator('billing'),
    args: { team: t.arg.id({ required: true, description: 'Id of the team.' }), ...ceilingArguments },
    resolve: (_query, _root, { team, ...limits }, { app }) => setLimits(app.db, requireId('team', team), limits),
  }),
  adminSetLetterhead: t.prismaField({
    type: AdminTeam,
    description: "Sets the letterhead of a team's documents, from the next one printed. Omitted fields stay; null clears a field.",
    ...byOperator('all'),
    args: {
      team: t.arg.id({ required: true, description: 'Id of the team.' }),
      paper: t.arg.string({ description: `Paper size: ${papers.join(' or ')}.` }),
      brand_name: t.arg.string({ description: 'Name, 1 to 80 characters. It is printed if the plan includes report branding.' }),
      brand_logo: t.arg.string({
        description: 'Logo: PNG, JPEG or WebP in base64, at most 200 kB. It is printed if the plan includes report branding.',
      }),
    },
    resolve: (_query, _root, { team, paper, brand_name, brand_logo }, { app }) => {
      const letterhead: Letterhead = { brand_name, brand_logo: brand_logo == null ? brand_logo : Buffer.from(brand_logo, 'base64') }
      return setLetterhead(app, requireId('team', team), { ...letterhead, ...(paper != null && { paper }) })
    },
  }),
}))

builder.mutationFields((t) => ({
  adminTopUp: t.field({
    type: AdminCredits,
    description: 'Adds credits that never lapse.',
    ...byOperator('billing'),
    args: {
      team: t.arg.id({ required: true, description: 'Id of the team.' }),
      amount: t.arg.int({ required: true, description: 'Number of credits, at least 1.' }),
      ...idempotencyArgument,
    },
    resolve: (_root, { idempotency_key, ...input }, context) =>
      changeBalance(context, input.team, idempotencyOf(context, 'adminTopUp', idempotency_key, input), (tx, team_id) =>
        topUp(tx, team_id, input.amount, context.app.clock.now()),
      ),
  }),
  adminAdjustCredits: t.field({
    type: AdminCredits,
    description: 'Corrects a balance manually.',
    ...byOperator('billing'),
    args: {
      team: t.arg.id({ required: true, description: 'Id of the team.' }),
      amount: t.arg.int({ required: true, description: 'Number of credits; negative to take them away.' }),
      note: t.arg.string({ required: true, description: 'Reason, 1 to 500 characters, shown in the ledger.' }),
      ...idempotencyArgument,
    },
    resolve: (_root, { idempotency_key, ...input }, context) =>
      changeBalance(context, input.team, idempotencyOf(context, 'adminAdjustCredits', idempotency_key, input), (tx, team_id) =>
        adjust(tx, team_id, input.amount, input.note, context.app.clock.now()),
      ),
  }),
}))

/** Changes a balance once per idempotency key. A repeat returns the balance of the first time. */
async function changeBalance(
  { app }: Context,
  team: string,
  idempotency: IdempotentRequest | null,
  change: (tx: Tx, team_id: string) => Promise<{ balance: number }>,
): Promise<{ team: string; balance: number }> {
  const team_id = requireId('team', team)
  const { outcome } = await once(installHolder(app.db), idempotency, (tx) => change(tx, team_id))
  return { team, ...outcome }
}

function tierNamed(name: string): TierId {
  return tierIds.find((id) => id === name) ?? refuseField('plan', `The plan must be one of ${tierIds.join(', ')}.`)
}
