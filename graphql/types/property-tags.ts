import { taggingOutcomes } from '#domain/closed-sets.ts'
import { TAGGED_MAX, type TaggedProperty as TaggedPropertyView, tagManyForm, tagProperties } from '#domain/properties/tag-many.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'

const TaggingOutcome = enumOf(
  'TaggingOutcome',
  taggingOutcomes,
  'Outcome for one property of many. Unchanged: it had these tags already. Full: it would have too many tags.',
)

const TaggedProperty = builder.objectRef<TaggedPropertyView>('TaggedProperty').implement({
  subGraphs: graphOnly,
  description: 'Outcome of a tag change for one property of many.',
  fields: (t) => ({
    id: t.expose('id', { type: 'UUID', description: 'Id of the property, as sent.' }),
    outcome: t.expose('outcome', { type: TaggingOutcome, description: 'Whether its tags changed.' }),
    tags: t.exposeStringList('tags', { nullable: true, description: 'Its tags now; null if it was not found.' }),
  }),
})

builder.mutationField('tagProperties', (t) =>
  t.field({
    subGraphs: graphOnly,
    type: [TaggedProperty],
    description: 'Removes tags from many properties and adds tags to them at once. Each has its own outcome.',
    extensions: { ...needs('properties:write'), ...accepts(tagManyForm), rows: TAGGED_MAX },
    args: {
      ids: t.arg({ type: ['UUID'], required: true, description: 'Ids of properties.' }),
      add: t.arg.stringList({ description: 'Tags to add.' }),
      remove: t.arg.stringList({ description: 'Tags to remove. Case does not matter.' }),
    },
    resolve: (_root, input, context) => tagProperties(context.app, callerOf(context), input),
  }),
)
