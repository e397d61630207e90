import { type HeldMonthsOfSource, type HeldMonthsOfState, heldMonths, type MonthsHeld } from '#domain/archive/coverage/held-months.ts'
import { needs } from '#graphql/ability.ts'
import { builder, personOnly } from '#graphql/builder.ts'

const CoveredSpan = builder.objectRef<MonthsHeld>('CoveredSpan').implement({
  description: 'Months in a row of which something is held.',
  subGraphs: personOnly,
  fields: (t) => ({
    from: t.exposeString('from', { description: 'First month, YYYY-MM.' }),
    to: t.exposeString('to', { description: 'Last month, YYYY-MM.' }),
    preliminary: t.exposeBoolean('preliminary', { description: 'True where a final record is still to come.' }),
  }),
})

const CoveredState = builder.objectRef<HeldMonthsOfState>('CoveredState').implement({
  description: 'What is held of a state.',
  subGraphs: personOnly,
  fields: (t) => ({
    state: t.exposeString('state', { description: 'Two-letter code of the state.' }),
    spans: t.expose('spans', { type: [CoveredSpan], description: 'The months, in their order.' }),
  }),
})

const CoveredSource = builder.objectRef<HeldMonthsOfSource>('CoveredSource').implement({
  description: 'What is held of a source.',
  subGraphs: personOnly,
  fields: (t) => ({
    source: t.exposeString('source', { description: 'Identifier of the source.' }),
    label: t.exposeString('label', { description: 'Its name.' }),
    by_day: t.exposeBoolean('by_day', { description: 'True where it is held by the day: a month counts where any day of it is held.' }),
    states: t.expose('states', { type: [CoveredState], description: 'By state.' }),
  }),
})

builder.queryField('archiveCoverage', (t) =>
  t.field({
    type: [CoveredSource],
    subGraphs: personOnly,
    description: 'The months of each state that the archive holds, by source.',
    extensions: needs('account:read'),
    resolve: (_root, _args, { app }) => heldMonths(app),
  }),
)
