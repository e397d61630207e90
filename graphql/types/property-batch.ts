import { tierIds } from '#domain/closed-sets.ts'
import { schemaOfForm } from '#domain/kernel/form.ts'
import { whereSchema } from '#domain/places/where.ts'
import { createProperties, PROPERTY_BATCH_MAX, propertyBatchForm } from '#domain/properties/batch.ts'
import { propertyForm } from '#domain/properties/check-property.ts'
import { type PropertyBatchRowView, type PropertyBatchView, propertyRowStatuses } from '#domain/properties/view.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder } from '#graphql/builder.ts'
import { closedSet } from '#graphql/closed-set.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'
import { Property } from '#graphql/types/property.ts'

const PropertyRowStatus = enumOf('PropertyRowStatus', propertyRowStatuses, 'Outcome of a row; skipped if the plan was full.')

const PropertyBatchRow = builder.objectRef<PropertyBatchRowView>('PropertyBatchRow').implement({
  description: 'Outcome of one row of a batch.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Position of the row in the request, from 0.' }),
    address: t.exposeString('address', { nullable: true, description: 'The address as sent.' }),
    status: t.expose('status', { type: PropertyRowStatus, description: 'Outcome of the row.' }),
    message: t.exposeString('message', { nullable: true, description: 'Why nothing was created.' }),
    property: t.expose('property', {
      type: Property,
      nullable: true,
      description: 'The new property, or the existing one at the address; null if neither.',
    }),
  }),
})

const PropertyBatch = builder.objectRef<PropertyBatchView>('PropertyBatch').implement({
  description: 'Outcome of a batch of properties, row by row.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('property_batch')),
    submitted: t.exposeInt('submitted', { description: 'Rows sent.' }),
    created: t.exposeInt('created', { description: 'Rows that became a property.' }),
    duplicate: t.exposeInt('duplicate', { description: 'Rows whose address already has a property.' }),
    rejected: t.exposeInt('rejected', { description: 'Rows that were invalid.' }),
    skipped: t.exposeInt('skipped', { description: 'Rows not processed because the plan was full.' }),
    plan_limit_reached: t.exposeBoolean('plan_limit_reached', { description: 'True if the plan was full.' }),
    required_plan: t.exposeString('required_plan', {
      nullable: true,
      description: 'Tier that allows more; null if none is needed, or if there is none.',
      ...closedSet('Tier', tierIds, 'A plan, lowest first.'),
    }),
    results: t.expose('results', { type: [PropertyBatchRow], description: 'The rows in the order sent.' }),
  }),
})

/** Accepts any shape: an invalid row is rejected on its own and must not fail the whole call. */
builder.scalarType('PropertyRowInput', {
  description: `A row of a batch: {${Object.keys(propertyForm).join(', ')}}. An address or coordinates are required.`,
  serialize: () => {
    throw new Error('a row as sent is never returned')
  },
  parseValue: (value) => value,
  extensions: {
    json_schema_of_input: { $ref: '#/components/schemas/PropertyRowInput' },
    json_schemas: { PropertyRowInput: schemaOfForm(propertyForm, 'new', whereSchema) },
  },
})

builder.mutationField('createProperties', (t) =>
  t.field({
    type: PropertyBatch,
    description: `Creates up to ${PROPERTY_BATCH_MAX} properties. Rows are processed in order, each as if sent alone.`,
    extensions: { ...needs('properties:write'), ...accepts(propertyBatchForm) },
    args: {
      properties: t.arg({ type: ['PropertyRowInput'], required: { list: true, items: false }, description: 'The rows.' }),
      ...idempotencyArgument,
    },
    resolve: async (_root, { idempotency_key, ...input }, context) => {
      const idempotency = idempotencyOf(context, 'createProperties', idempotency_key, input)
      const { batch, replayed } = await createProperties(context.app, callerOf(context), input, idempotency)
      context.replayed = replayed
      return batch
    },
  }),
)
