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

const ExposureOutcome = enumOf('ExposureOutcome', exposureOutcomes, 'What became of one exposure of many. Unchanged: it was so already.')

const ExposureState = enumOf('ExposureState', exposureStates, 'How an exposure stands. Open: in the inbox.')

const MovedExposure = builder.objectRef<MovedExposureView>('MovedExposure').implement({
  subGraphs: graphOnly,
  description: 'What became of one exposure of many.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Id of the exposure, as it was sent.' }),
    outcome: t.expose('outcome', { type: ExposureOutcome, description: 'Whether it moved.' }),
    before: t.expose('before', { type: ExposureState, nullable: true, description: 'How it stood before; null where it is not found.' }),
    exposure: t.expose('exposure', {
      type: Exposure,
      nullable: true,
      description: 'The exposure as it stands now; null where it is not found.',
    }),
  }),
})

const exposuresArgument = builder.args((t) => ({ ids: t.intList({ required: true, description: `Ids of 1 to ${MANY_MAX} exposures.` }) }))

builder.mutationFields((t) => ({
  acknowledgeExposures: t.field({
    subGraphs: graphOnly,
    type: [MovedExposure],
    description: 'Takes many exposures off the inbox at once: seen, or set aside with dismiss. Each has its own outcome.',
    extensions: { ...needs('exposures:write'), ...accepts(acknowledgeManyForm), rows: MANY_MAX },
    args: { ...exposuresArgument, dismiss: t.arg.boolean({ description: 'True sets them aside, false acknowledges them.' }) },
    resolve: (_root, input, context) => acknowledgeExposures(context.app, callerOf(context), input),
  }),
  reopenExposures: t.field({
    subGraphs: graphOnly,
    type: [MovedExposure],
    description: 'Puts many exposures back in the inbox at once. Each has its own outcome.',
    extensions: { ...needs('exposures:write'), ...accepts(reopenManyForm), rows: MANY_MAX },
    args: exposuresArgument,
    resolve: (_root, input, context) => reopenExposures(context.app, callerOf(context), input),
  }),
}))
