import { listTransactions, type TransactionView, transactionFilters } from '#domain/account/account.ts'
import { creditKinds } from '#domain/closed-sets.ts'
import { pagingForm } from '#domain/kernel/pagination.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { page, pageType, pagingArguments } from '#graphql/page.ts'

const CreditKind = enumOf('CreditKind', creditKinds, 'Why the balance changed.')

const CreditTransaction = builder.objectRef<TransactionView>('CreditTransaction').implement({
  description: 'One entry of the credit ledger.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Id of the entry.' }),
    object: t.exposeString('object', constantField('credit_transaction')),
    kind: t.expose('kind', { type: CreditKind, description: 'Why the balance changed.' }),
    amount: t.exposeInt('amount', { description: 'Credits; negative for credits taken.' }),
    balance_after: t.exposeInt('balance_after', { description: 'The balance after this entry.' }),
    description: t.exposeString('description', { description: 'What it was for.' }),
    note: t.exposeString('note', { nullable: true, description: "The operator's note on a correction." }),
    report_id: t.expose('report_id', {
      type: 'UUID',
      nullable: true,
      description: 'The report that was paid for or refunded, even if deleted.',
    }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When the balance changed.' }),
  }),
})

const CreditTransactionPage = pageType(CreditTransaction, 'CreditTransactionPage')

builder.queryField('creditTransactions', (t) =>
  t.field({
    type: CreditTransactionPage,
    description: 'The credit ledger, newest first.',
    extensions: { ...needs('account:read'), ...accepts({ ...transactionFilters, ...pagingForm }) },
    args: {
      kind: t.arg({ type: CreditKind, description: 'Only entries of this kind.' }),
      ...pagingArguments,
    },
    resolve: (_root, args, context) =>
      page(context.app, '/credits/transactions', args, () => listTransactions(context.app, callerOf(context), args)),
  }),
)
