import { creditsView } from '#domain/account/account.ts'
import { needs } from '#graphql/ability.ts'
import { builder } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'

type CreditsView = Awaited<ReturnType<typeof creditsView>>
const CreditsLinks = builder.objectRef<CreditsView['links']>('CreditsLinks').implement({
  description: 'Related links.',
  fields: (t) => ({
    transactions: t.exposeString('transactions', { description: 'The ledger.' }),
  }),
})

const Credits = builder.objectRef<CreditsView>('Credits').implement({
  description: 'The credit balance of the team.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('credits')),
    balance: t.exposeInt('balance', { description: 'Credits that can be spent now.' }),
    monthly_allowance: t.exposeInt('monthly_allowance', { description: 'Credits granted at each renewal.' }),
    used_this_period: t.exposeInt('used_this_period', { description: 'Credits spent since the renewal, less those refunded.' }),
    renews_at: t.expose('renews_at', { type: 'DateTime', description: 'When the next period begins.' }),
    lapsed_this_period: t.exposeInt('lapsed_this_period', {
      description: 'Unused credits of the previous period, which lapsed at the renewal.',
    }),
    links: t.expose('links', { type: CreditsLinks, description: 'Related links.' }),
  }),
})

builder.queryField('credits', (t) =>
  t.field({
    type: Credits,
    description: 'The credit balance of the team.',
    extensions: needs('account:read'),
    resolve: (_root, _args, context) => creditsView(context.app, callerOf(context)),
  }),
)
