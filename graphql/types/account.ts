import { abilityNames } from '#domain/access/abilities.ts'
import { accountView } from '#domain/account/account.ts'
import { builder } from '#graphql/builder.ts'
import { closedSet } from '#graphql/closed-set.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { CreditSummary } from '#graphql/types/credit-summary.ts'
import { Tier } from '#graphql/types/tier.ts'

type AccountView = Awaited<ReturnType<typeof accountView>>

const AccountTeam = builder.objectRef<AccountView['team']>('AccountTeam').implement({
  description: 'Summary of the team.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the team.' }),
    plan: t.expose('plan', { type: Tier, description: 'Current tier.' }),
    plan_label: t.exposeString('plan_label', { description: 'Name of the tier.' }),
    on_trial: t.exposeBoolean('on_trial', { description: 'True during the trial.' }),
    lapsed: t.exposeBoolean('lapsed', {
      description: 'True if the plan has lapsed: the team can still read, but requests that cost credits or watch places are refused.',
    }),
  }),
})

const AccountLimits = builder.objectRef<AccountView['limits']>('AccountLimits').implement({
  description: 'Limits on report requests.',
  fields: (t) => ({
    lookback_years: t.exposeInt('lookback_years', { description: 'How far back a window may reach, in years.' }),
    max_radius_miles: t.exposeFloat('max_radius_miles', { description: 'Largest radius of a report, in miles.' }),
    monthly_reports: t.exposeInt('monthly_reports', { description: 'Reports that the plan allows in a period.' }),
    reports_used: t.exposeInt('reports_used', { description: 'Reports paid for in this period. Failed reports do not count.' }),
    reports_remaining: t.exposeInt('reports_remaining', {
      description: 'monthly_reports less reports_used, at least 0. Only the credit balance refuses a report.',
    }),
    pdf_export: t.exposeBoolean('pdf_export', { description: 'True if the plan includes PDF export.' }),
  }),
})

const AccountToken = builder.objectRef<AccountView['token']>('AccountToken').implement({
  description: 'The token of this request.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name given at issue.' }),
    prefix: t.exposeString('prefix', { description: 'First nine characters of the token.' }),
    abilities: t.exposeStringList('abilities', {
      description: 'What the token may do.',
      ...closedSet('Ability', abilityNames, 'What a token may do.'),
    }),
    expires_at: t.expose('expires_at', { type: 'DateTime', nullable: true, description: 'When it expires; null if never.' }),
    last_used_at: t.expose('last_used_at', { type: 'DateTime', description: 'When it was last used, to the minute.' }),
  }),
})

const Account = builder.objectRef<AccountView>('Account').implement({
  description: 'The account behind a token.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('account')),
    team: t.expose('team', { type: AccountTeam, description: 'Summary of the team.' }),
    limits: t.expose('limits', { type: AccountLimits, description: 'Limits on report requests.' }),
    credits: t.expose('credits', { type: CreditSummary, description: 'Credits of the period.' }),
    token: t.expose('token', { type: AccountToken, description: 'The token of this request.' }),
  }),
})

builder.queryField('account', (t) =>
  t.field({
    type: Account,
    description: 'The account behind the token. Needs no ability, so it suits a health check.',
    resolve: (_root, _args, context) => accountView(context.app, callerOf(context)),
  }),
)
