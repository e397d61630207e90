import { exposureOutcomes, exposureStates } from '#domain/closed-sets.ts'
import {
  acknowledgeExposures,
  acknowledgeManyForm,
  MANY_MAX,
  type MovedExposure as MovedExposureView,
  reopenExposures,
  reopenManyForm,
} from '#domain/exposures/acknowledge-many.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { Exposure } from '#graphql/types/exposure.ts'

const ExposureOutcome = enumOf(
  'ExposureOutcome',
  exposureOutcomes,
  'Outcome for one exposure of many. Unchanged: it was in that state already. Decided since: somebody else decided on it: after decided_at, or with only_if_open.',
)

const ExposureState = enumOf('ExposureState', exposureStates, 'State of an exposure. Open: in the inbox.')

const MovedExposure = builder.objectRef<MovedExposureView>('MovedExposure').implement({
  subGraphs: graphOnly,
  description: 'Outcome for one exposure of many.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Id of the exposure, as sent.' }),
    outcome: t.expose('outcome', { type: ExposureOutcome, description: 'Outcome for this exposure.' }),
    before: t.expose('before', { type: ExposureState, nullable: true, description: 'Its state before; null if it was not found.' }),
    decided_at: t.expose('decided_at', {
      type: 'DateTime',
      nullable: true,
      description: 'When this call acknowledged or dismissed it; null if it did not. An undo sends it.',
    }),
    exposure: t.expose('exposure', {
      type: Exposure,
      nullable: true,
      description: 'The exposure as it is now; null if it was not found.',
    }),
  }),
})

const exposuresArguments = builder.args((t) => ({
  ids: t.intList({ required: true, description: 'Ids of exposures.' }),
  decided_at: t.field({
    type: 'DateTime',
    description: 'Moves only exposures that were acknowledged or dismissed at this time, and not again since.',
  }),
}))

builder.mutationFields((t) => ({
  acknowledgeExposures: t.field({
    subGraphs: graphOnly,
    type: [MovedExposure],
    description:
      'Removes many exposures from the inbox at once: acknowledges them, or dismisses them with dismiss. Each has its own outcome.',
    extensions: { ...needs('exposures:write'), ...accepts(acknowledgeManyForm), rows: MANY_MAX },
    args: {
      ...exposuresArguments,
      dismiss: t.arg.boolean({ description: 'True dismisses them, false acknowledges them.' }),
      only_if_open: t.arg.boolean({ description: 'True moves only exposures that are neither acknowledged nor dismissed.' }),
    },
    resolve: (_root, input, context) => acknowledgeExposures(context.app, callerOf(context), input),
  }),
  reopenExposures: t.field({
    subGraphs: graphOnly,
    type: [MovedExposure],
    description: 'Returns many exposures to the inbox at once. Each has its own outcome.',
    extensions: { ...needs('exposures:write'), ...accepts(reopenManyForm), rows: MANY_MAX },
    args: exposuresArguments,
    resolve: (_root, input, context) => reopenExposures(context.app, callerOf(context), input),
  }),
}))
