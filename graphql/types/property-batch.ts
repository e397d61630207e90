import { createProperties } from '#domain/properties/batch.ts'
import {
  type PropertyBatchRowView,
  type PropertyBatchView,
  propertyKinds,
  propertyRowStatuses,
  propertyStatuses,
} from '#domain/properties/view.ts'
import { needs } from '#graphql/ability.ts'
import { builder } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'
import { kind } from '#graphql/kind.ts'
import { Property } from '#graphql/types/property.ts'

const PropertyRowStatus = enumOf('PropertyRowStatus', propertyRowStatuses, 'How a row ended: skipped where the plan was full.')

const PropertyBatchRow = builder.objectRef<PropertyBatchRowView>('PropertyBatchRow').implement({
  description: 'How one row of a batch ended.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Place of the row as submitted, from 0.' }),
    address: t.exposeString('address', { nullable: true, description: 'The address as sent.' }),
    status: t.expose('status', { type: PropertyRowStatus, description: 'How the row ended.' }),
    message: t.exposeString('message', { nullable: true, description: 'Why nothing was created.' }),
    property: t.expose('property', {
      type: Property,
      nullable: true,
      description: 'The new property, or the one that stands at the address; null where neither.',
    }),
  }),
})

const PropertyBatch = builder.objectRef<PropertyBatchView>('PropertyBatch').implement({
  description: 'How a batch of properties ended, row by row.',
  fields: (t) => ({
    object: t.exposeString('object', kind('property_batch')),
    submitted: t.exposeInt('submitted', { description: 'Rows sent.' }),
    created: t.exposeInt('created', { description: 'Rows that became a property.' }),
    duplicate: t.exposeInt('duplicate', { description: 'Rows whose address is kept already.' }),
    rejected: t.exposeInt('rejected', { description: 'Rows that were wrong.' }),
    skipped: t.exposeInt('skipped', { description: 'Rows left when the plan was full.' }),
    plan_limit_reached: t.exposeBoolean('plan_limit_reached', { description: 'True where the plan was full.' }),
    required_plan: t.exposeString('required_plan', {
      nullable: true,
      description: 'Tier that holds more; null where none is needed, or none does.',
    }),
    results: t.expose('results', { type: [PropertyBatchRow], description: 'The rows in the order sent.' }),
  }),
})

/** Of any shape: a row that is wrong is rejected on its own, so the call as a whole must not fail on it. */
builder.scalarType('PropertyRowInput', {
  description:
    'A row of a batch: {address, label, reference, kind, status, watch_radius_miles, tags, notes}, of which the address is required.',
  serialize: () => {
    throw new Error('a row as sent is never answered')
  },
  parseValue: (value) => value,
  extensions: {
    json_schema: {
      type: 'object',
      required: ['address'],
      properties: {
        address: { type: 'string', minLength: 3, maxLength: 255, description: 'Address in the United States.' },
        label: { type: 'string', minLength: 1, maxLength: 120, description: 'Name of the property.' },
        reference: { type: 'string', maxLength: 100, description: "The team's own reference." },
        kind: { type: 'string', enum: [...propertyKinds], description: 'What kind of property it is.' },
        status: { type: 'string', enum: [...propertyStatuses], description: 'Whether it is watched.' },
        watch_radius_miles: { type: 'number', minimum: 0.5, maximum: 10, description: 'How far around it storms count.' },
        tags: { type: 'array', maxItems: 10, items: { type: 'string', minLength: 1, maxLength: 40 }, description: 'Tags.' },
        notes: { type: 'string', maxLength: 5000, description: 'Notes.' },
      },
    },
  },
})

builder.mutationField('createProperties', (t) =>
  t.field({
    type: PropertyBatch,
    description: 'Keeps up to 100 properties; rows run in order, each as if sent alone.',
    extensions: needs('properties:write'),
    args: {
      properties: t.arg({ type: ['PropertyRowInput'], required: { list: true, items: false }, description: 'The rows, 1 to 100.' }),
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
