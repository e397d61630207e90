import type { accountView } from '#domain/account/account.ts'
import { builder } from '#graphql/builder.ts'

type Summary = Awaited<ReturnType<typeof accountView>>['credits']

export const CreditSummary = builder.objectRef<Summary>('CreditSummary').implement({
  description: 'Credits of the period. A report costs one.',
  fields: (t) => ({
    balance: t.exposeInt('balance', { description: 'Credits that can be spent now.' }),
    monthly_allowance: t.exposeInt('monthly_allowance', { description: 'Credits granted at each renewal.' }),
    used_this_period: t.exposeInt('used_this_period', { description: 'Credits spent since the renewal, less those refunded.' }),
    renews_at: t.expose('renews_at', { type: 'DateTime', description: 'When the next period begins.' }),
  }),
})
