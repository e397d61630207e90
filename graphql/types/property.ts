import { propertyKinds, watchStatuses } from '#domain/closed-sets.ts'
import { pagingForm } from '#domain/kernel/pagination.ts'
import { checkPair, checkWhere, whereSchema } from '#domain/places/where.ts'
import { changeProperty } from '#domain/properties/change.ts'
import { propertyForm } from '#domain/properties/check-property.ts'
import { createProperty } from '#domain/properties/create.ts'
import { enrichProperty } from '#domain/properties/enrich.ts'
import { findProperty, listProperties, propertyFilters } from '#domain/properties/find.ts'
import { removeProperty } from '#domain/properties/remove.ts'
import { sendProperty } from '#domain/properties/send.ts'
import type { PropertyView, PropertyWithContactsView } from '#domain/properties/view.ts'
import { checkWindow, propertyReportForm } from '#domain/reports/check-request.ts'
import { requestPropertyReport } from '#domain/reports/for-property.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'
import { objectKey } from '#graphql/object-key.ts'
import { page, pageType, pagingArguments } from '#graphql/page.ts'
import { Contact } from '#graphql/types/contact.ts'
import { LocationFailure, PlacePrecision, whereArguments } from '#graphql/types/location.ts'
import { Report } from '#graphql/types/report.ts'

const PropertyKind = enumOf('PropertyKind', propertyKinds, 'What kind of property it is.')
const PropertyStatus = enumOf(
  'PropertyStatus',
  watchStatuses,
  'Watching: scanned for storms. Paused: held, not scanned. Archived: kept, and not counted by the plan.',
)

const PropertyAddress = builder.objectRef<PropertyView['address']>('PropertyAddress').implement({
  description: 'The address as sent and as located; all but query are null until located.',
  fields: (t) => ({
    query: t.exposeString('query', { description: 'The address as sent.' }),
    street: t.exposeString('street', { nullable: true, description: 'House number and street.' }),
    city: t.exposeString('city', { nullable: true, description: 'City.' }),
    state: t.exposeString('state', { nullable: true, description: 'Two-letter code of the state.' }),
    postal_code: t.exposeString('postal_code', { nullable: true, description: 'ZIP code.' }),
    county: t.exposeString('county', { nullable: true, description: 'Name of the county.' }),
    county_fips: t.exposeString('county_fips', { nullable: true, description: 'Five digits of the county.' }),
    latitude: t.exposeFloat('latitude', { nullable: true, description: 'Degrees north, 5 decimals.' }),
    longitude: t.exposeFloat('longitude', { nullable: true, description: 'Degrees east, 5 decimals.' }),
    located: t.exposeBoolean('located', { description: 'False until the address is located: it is watched from then on.' }),
    precision: t.expose('precision', {
      type: PlacePrecision,
      nullable: true,
      description: 'How exactly it was located: with zip or city, storms are looked for around the centre of that area.',
    }),
    failure_reason: t.expose('failure_reason', {
      type: LocationFailure,
      nullable: true,
      description: 'Why it is not located; null where it is, and until it was tried.',
    }),
    failure_message: t.exposeString('failure_message', {
      nullable: true,
      description: 'The same in a sentence that names what is at fault.',
    }),
  }),
})

const PropertyLinks = builder.objectRef<PropertyView['links']>('PropertyLinks').implement({
  description: 'Where to read on.',
  fields: (t) => ({
    self: t.exposeString('self', { description: 'The property.' }),
    exposures: t.exposeString('exposures', { description: 'Storm days and warnings near it.' }),
    reports: t.exposeString('reports', { description: 'Reports filed under it.' }),
  }),
})

type PropertyRef<View extends PropertyView> = ReturnType<typeof builder.objectRef<View>>

/** The keys that a property has wherever it is shown. */
function addKeys<View extends PropertyView>(ref: PropertyRef<View>) {
  builder.objectFields(ref, (t) => {
    // The keys are the view's own, whichever of the two it is.
    const keys = t as unknown as Parameters<Parameters<typeof builder.objectFields<PropertyRef<PropertyView>>>[1]>[0]
    return {
      id: keys.expose('id', { type: 'UUID', description: 'Id of the property.' }),
      object: keys.exposeString('object', objectKey('property')),
      name: keys.exposeString('name', { description: 'Its label, else its street, else the address as sent.' }),
      label: keys.exposeString('label', { nullable: true, description: 'Name given by the team.' }),
      reference: keys.exposeString('reference', { nullable: true, description: "The team's own reference, as sent." }),
      kind: keys.expose('kind', { type: PropertyKind, description: 'What kind of property it is.' }),
      status: keys.expose('status', { type: PropertyStatus, description: 'Whether it is watched.' }),
      address: keys.expose('address', { type: PropertyAddress, description: 'The address as sent and as located.' }),
      watch_radius_miles: keys.exposeFloat('watch_radius_miles', { description: 'How far around it storms count, in miles.' }),
      tags: keys.exposeStringList('tags', { description: 'Tags given by the team.' }),
      notes: keys.exposeString('notes', { nullable: true, description: 'Notes of the team.' }),
      last_activity_on: keys.expose('last_activity_on', {
        type: 'Date',
        nullable: true,
        description: 'Date of its newest exposure; null where it has none.',
      }),
      created_at: keys.expose('created_at', { type: 'DateTime', description: 'When it was saved.' }),
      updated_at: keys.expose('updated_at', { type: 'DateTime', description: 'When it last changed.' }),
      links: keys.expose('links', { type: PropertyLinks, description: 'Where to read on.' }),
    }
  })
}

/** As listings show it. */
export const Property = builder.objectRef<PropertyView>('Property')
builder.objectType(Property, { description: 'A property that the team keeps.' })
addKeys(Property)

/** As a single retrieval shows it. */
const PropertyWithContacts = builder.objectRef<PropertyWithContactsView>('PropertyWithContacts')
builder.objectType(PropertyWithContacts, { description: 'A property that the team keeps, with its contacts.' })
addKeys(PropertyWithContacts)
builder.objectField(PropertyWithContacts, 'contacts', (t) =>
  t.expose('contacts', { type: [Contact], description: 'The primary contact first, then the oldest.' }),
)

const PropertyPage = pageType(Property as never, 'PropertyPage')

const details = builder.args((t) => ({
  label: t.string({ description: 'Name of the property.' }),
  reference: t.string({ description: "The team's own reference." }),
  kind: t.field({ type: PropertyKind, description: 'What kind of property it is.' }),
  status: t.field({ type: PropertyStatus, description: 'Whether it is watched.' }),
  watch_radius_miles: t.float({ description: 'How far around it storms count, within the plan.' }),
  tags: t.stringList({ description: 'Tags, which replace the list as a whole.' }),
  notes: t.string({ description: 'Notes.' }),
}))

const propertyArgument = builder.args((t) => ({ property: t.field({ type: 'UUID', required: true, description: 'Id of the property.' }) }))

builder.queryFields((t) => ({
  properties: t.field({
    type: PropertyPage,
    description: 'Properties of the team, newest first.',
    extensions: { ...needs('properties:read'), ...accepts({ ...propertyFilters, ...pagingForm }) },
    args: {
      status: t.arg({ type: PropertyStatus, description: 'Only properties that stand so.' }),
      tag: t.arg.string({ description: 'Only properties with this tag, in any case.' }),
      search: t.arg.string({ description: 'Only properties whose name, address or reference contains this text.' }),
      ...pagingArguments,
    },
    resolve: (_root, args, context) => page(context.app, '/properties', args, () => listProperties(context.app, callerOf(context), args)),
  }),
  property: t.field({
    type: PropertyWithContacts,
    description: 'One property with its contacts.',
    extensions: needs('properties:read'),
    args: propertyArgument,
    resolve: (_root, { property }, context) => findProperty(context.app, callerOf(context), property),
  }),
}))

builder.mutationFields((t) => ({
  createProperty: t.field({
    type: PropertyWithContacts,
    description: 'Keeps a property at an address; a team keeps an address once. It is watched unless its status says otherwise.',
    extensions: { ...needs('properties:write'), ...accepts(propertyForm, { schema: whereSchema, across: checkWhere }) },
    args: { ...whereArguments, ...details },
    resolve: (_root, input, context) => createProperty(context.app, callerOf(context), input),
  }),
  updateProperty: t.field({
    type: PropertyWithContacts,
    description:
      'Changes what is sent of a property; null clears label, reference and notes. A new address is located anew, and leaves coordinates sent before behind; new coordinates alone keep the address.',
    extensions: { ...needs('properties:write'), ...accepts(propertyForm, { kind: 'change', across: checkPair }) },
    args: { ...propertyArgument, ...whereArguments, ...details },
    resolve: (_root, { property, ...input }, context) => changeProperty(context.app, callerOf(context), property, input),
  }),
  deleteProperty: t.boolean({
    description: 'Removes a property with its contacts and exposures; its reports stay. Answers true.',
    extensions: needs('properties:write'),
    args: propertyArgument,
    resolve: async (_root, { property }, context) => {
      await removeProperty(callerOf(context), property)
      return true
    },
  }),
  enrichProperty: t.field({
    type: PropertyWithContacts,
    description: 'Locates a property anew and asks public records about it, where the plan and the install have them.',
    extensions: needs('properties:write'),
    args: propertyArgument,
    resolve: (_root, { property }, context) => enrichProperty(context.app, callerOf(context), property),
  }),
  sendProperty: t.field({
    type: PropertyWithContacts,
    description: 'Sends a property as it stands to the destinations that hear of changed properties.',
    subGraphs: graphOnly,
    extensions: needs('properties:write'),
    args: propertyArgument,
    resolve: (_root, { property }, context) => sendProperty(context.app, callerOf(context), property),
  }),
  createPropertyReport: t.field({
    type: Report,
    description: 'Requests a report about a property. It costs one credit.',
    extensions: { ...needs('properties:write'), ...accepts(propertyReportForm, { closed: true, across: checkWindow }) },
    args: {
      ...propertyArgument,
      window_start: t.arg({ type: 'Date', description: 'First day; the first that the plan reaches where not sent.' }),
      window_end: t.arg({ type: 'Date', description: 'Last day; today where not sent.' }),
      radius_miles: t.arg.float({ description: 'Radius around it, which the plan may narrow; the watch radius where not sent.' }),
      as_of: t.arg({ type: 'DateTime', description: 'Moment whose knowledge the report is compiled from, and nothing that came later.' }),
      date_of_loss: t.arg({
        type: 'Date',
        description: 'Day of the loss, a local day of the place within the window: the report answers for it first.',
      }),
      recipient: t.arg.string({ description: 'Printed on the cover.' }),
      layout: t.arg({ type: 'LayoutInput', description: 'Layout of the document; needs a plan that composes layouts.' }),
      ...idempotencyArgument,
    },
    resolve: async (_root, { property, idempotency_key, ...input }, context) => {
      const idempotency = idempotencyOf(context, 'createPropertyReport', idempotency_key, { property, ...input })
      const sent = { ...context.unknown, ...input }
      const { report, replayed } = await requestPropertyReport(context.app, callerOf(context), property, sent, idempotency)
      context.replayed = replayed
      return report
    },
  }),
}))
