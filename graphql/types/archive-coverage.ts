import {
  listStoredMonths,
  type StoredMonthSpan,
  type StoredMonthsOfSource,
  type StoredMonthsOfState,
} from '#domain/archive/coverage/stored-months.ts'
import { needs } from '#graphql/ability.ts'
import { builder, personOnly } from '#graphql/builder.ts'

const CoveredSpan = builder.objectRef<StoredMonthSpan>('CoveredSpan').implement({
  description: 'Consecutive months that the archive has data for.',
  subGraphs: personOnly,
  fields: (t) => ({
    from: t.exposeString('from', { description: 'First month, YYYY-MM.' }),
    to: t.exposeString('to', { description: 'Last month, YYYY-MM.' }),
    preliminary: t.exposeBoolean('preliminary', { description: 'True if the final record is still to come.' }),
    early: t.exposeBoolean('early', {
      description:
        'True if the file of these months was compiled within 120 days of them: records of offices that had not reported may be missing.',
    }),
  }),
})

const CoveredState = builder.objectRef<StoredMonthsOfState>('CoveredState').implement({
  description: 'Coverage of a state.',
  subGraphs: personOnly,
  fields: (t) => ({
    state: t.exposeString('state', { description: 'Two-letter code of the state.' }),
    spans: t.expose('spans', { type: [CoveredSpan], description: 'The months, in order.' }),
  }),
})

const CoveredSource = builder.objectRef<StoredMonthsOfSource>('CoveredSource').implement({
  description: 'Coverage of a source.',
  subGraphs: personOnly,
  fields: (t) => ({
    source: t.exposeString('source', { description: 'Identifier of the source.' }),
    label: t.exposeString('label', { description: 'Its name.' }),
    by_day: t.exposeBoolean('by_day', {
      description: 'True if the source is stored by day. A month then counts if any of its days is stored.',
    }),
    states: t.expose('states', { type: [CoveredState], description: 'By state.' }),
  }),
})

builder.queryField('archiveCoverage', (t) =>
  t.field({
    type: [CoveredSource],
    subGraphs: personOnly,
    description: 'The months that the archive has for each state, by source.',
    extensions: needs('account:read'),
    resolve: (_root, _args, { app }) => listStoredMonths(app),
  }),
)
