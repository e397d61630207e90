import { propertyKinds, watchStatuses } from '#domain/closed-sets.ts'
import { pagingForm } from '#domain/kernel/pagination.ts'
import { checkPair, checkWhere, whereSchema } from '#domain/places/where.ts'
import { changeProperty } from '#domain/properties/change.ts'
import { propertyForm } from '#domain/properties/check-property.ts'
import { createProperty } from '#domain/properties/create.ts'
import { enrichProperty } from '#domain/properties/enrich.ts'
import { findProperty, listProperties, propertyListFilters } from '#domain/properties/find.ts'
import { removeProperty } from '#domain/properties/remove.ts'
import { sendProperty } from '#domain/properties/send.ts'
import type { PropertyView, PropertyWithContactsView } from '#domain/properties/view.ts'
import { checkWindow, propertyReportForm } from '#domain/reports/check-request.ts'
import { requestPropertyReport } from '#domain/reports/for-property.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'
import { page, pageType, pagingArguments } from '#graphql/page.ts'
import { Contact } from '#graphql/types/contact.ts'
import { LocationFailure, PlacePrecision, whereArguments } from '#graphql/types/location.ts'
import { Report } from '#graphql/types/report.ts'

const PropertyKind = enumOf('PropertyKind', propertyKinds, 'What kind of property it is.')
const PropertyStatus = enumOf(
  'PropertyStatus',
  watchStatuses,
  'Watching: scanned for storms. Paused: kept but not scanned, and counted by the plan. Archived: kept but not scanned or counted.',
)

const PropertyAddress = builder.objectRef<PropertyView['address']>('PropertyAddress').implement({
  description: 'The address as sent and as located. All fields except query are null until it is located.',
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
    located: t.exposeBoolean('located', { description: 'False until the address is located. The property is watched from then on.' }),
    precision: t.expose('precision', {
      type: PlacePrecision,
      nullable: true,
      description: 'How precisely it was located. With zip or city, storms are searched around the centre of that area.',
    }),
    failure_reason: t.expose('failure_reason', {
      type: LocationFailure,
      nullable: true,
      description: 'Why it is not located; null if it is, or if the service has not tried yet.',
    }),
    failure_message: t.exposeString('failure_message', {
      nullable: true,
      description: 'The reason in a sentence that names the fault.',
    }),
  }),
})

/** Notes have at most 5,000 characters. */
const NOTES_KILOBYTES = 5

const PropertyLinks = builder.objectRef<PropertyView['links']>('PropertyLinks').implement({
  description: 'Related links.',
  fields: (t) => ({
    self: t.exposeString('self', { description: 'The property.' }),
    exposures: t.exposeString('exposures', { description: 'Storm days and warnings near it.' }),
    reports: t.exposeString('reports', { description: 'Reports filed under it.' }),
  }),
})

type PropertyRef<View extends PropertyView> = ReturnType<typeof builder.objectRef<View>>

/** The fields that a property has everywhere it is shown. */
function addCommonFields<View extends PropertyView>(ref: PropertyRef<View>) {
  builder.objectFields(ref, (t) => {
    // Both views have these fields.
    const fields = t as unknown as Parameters<Parameters<typeof builder.objectFields<PropertyRef<PropertyView>>>[1]>[0]
    return {
      id: fields.expose('id', { type: 'UUID', description: 'Id of the property.' }),
      object: fields.exposeString('object', constantField('property')),
      name: fields.exposeString('name', { description: 'Its label, or else its street, or else the address as sent.' }),
      label: fields.exposeString('label', { nullable: true, description: 'Name given by the team.' }),
      reference: fields.exposeString('reference', { nullable: true, description: "The team's own reference, as sent." }),
      kind: fields.expose('kind', { type: PropertyKind, description: 'What kind of property it is.' }),
      status: fields.expose('status', { type: PropertyStatus, description: 'Whether it is watched.' }),
      address: fields.expose('address', { type: PropertyAddress, description: 'The address as sent and as located.' }),
      watch_radius_miles: fields.exposeFloat('watch_radius_miles', { description: 'Watch radius, in miles.' }),
      tags: fields.exposeStringList('tags', { description: 'Tags given by the team.' }),
      notes: fields.exposeString('notes', { nullable: true, description: "The team's notes.", extensions: { kilobytes: NOTES_KILOBYTES } }),
      last_activity_on: fields.expose('last_activity_on', {
        type: 'Date',
        nullable: true,
        description: 'Date of its newest exposure; null if it has none.',
      }),
      created_at: fields.expose('created_at', { type: 'DateTime', description: 'When it was saved.' }),
      updated_at: fields.expose('updated_at', { type: 'DateTime', description: 'When it last changed.' }),
      links: fields.expose('links', { type: PropertyLinks, description: 'Related links.' }),
    }
  })
}

/** The property as lists show it. */
export const Property = builder.objectRef<PropertyView>('Property')
builder.objectType(Property, { description: 'A saved property of the team.' })
addCommonFields(Property)

/** The property as a single request shows it. */
const PropertyWithContacts = builder.objectRef<PropertyWithContactsView>('PropertyWithContacts')
builder.objectType(PropertyWithContacts, { description: 'A saved property of the team, with its contacts.' })
addCommonFields(PropertyWithContacts)
builder.objectField(PropertyWithContacts, 'contacts', (t) =>
  t.expose('contacts', { type: [Contact], description: 'Its contacts: the primary contact first, then the oldest.' }),
)

const PropertyPage = pageType(Property as never, 'PropertyPage')

const details = builder.args((t) => ({
  label: t.string({ description: 'Name of the property.' }),
  reference: t.string({ description: "The team's own reference." }),
  kind: t.field({ type: PropertyKind, description: 'What kind of property it is.' }),
  status: t.field({ type: PropertyStatus, description: 'Whether it is watched.' }),
  watch_radius_miles: t.float({ description: 'Watch radius, within the limit of the plan.' }),
  tags: t.stringList({ description: 'Tags. They replace the whole list.' }),
  notes: t.string({ description: 'Notes.' }),
}))

const propertyArgument = builder.args((t) => ({ property: t.field({ type: 'UUID', required: true, description: 'Id of the property.' }) }))

builder.queryFields((t) => ({
  properties: t.field({
    type: PropertyPage,
    description: 'Properties of the team, newest first.',
    extensions: { ...needs('properties:read'), ...accepts({ ...propertyListFilters, ...pagingForm }) },
    args: {
      status: t.arg({ type: PropertyStatus, description: 'Only properties with this status.' }),
      tag: t.arg.string({ description: 'Only properties with this tag. Case does not matter.' }),
      search: t.arg.string({ description: 'Only properties whose name, address or reference contains this text.' }),
      located: t.arg.boolean({
        description:
          'True: only located properties. False: only those that are not located, or not yet. The links are those of REST, which lacks it.',
        subGraphs: graphOnly,
      }),
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
    description:
      'Creates a property at an address. A team can save an address only once. The property is watched unless another status is sent.',
    extensions: { ...needs('properties:write'), ...accepts(propertyForm, { schema: whereSchema, crossCheck: checkWhere }) },
    args: { ...whereArguments, ...details },
    resolve: (_root, input, context) => createProperty(context.app, callerOf(context), input),
  }),
  updateProperty: t.field({
    type: PropertyWithContacts,
    description:
      'Updates the given fields of a property. Null clears label, reference and notes. A new address is located again and drops coordinates sent earlier; new coordinates without an address keep the address.',
    extensions: { ...needs('properties:write'), ...accepts(propertyForm, { kind: 'change', crossCheck: checkPair }) },
    args: { ...propertyArgument, ...whereArguments, ...details },
    resolve: (_root, { property, ...input }, context) => changeProperty(context.app, callerOf(context), property, input),
  }),
  deleteProperty: t.boolean({
    description: 'Deletes a property with its contacts and exposures. Its reports stay. Returns true.',
    extensions: needs('properties:write'),
    args: propertyArgument,
    resolve: async (_root, { property }, context) => {
      await removeProperty(callerOf(context), property)
      return true
    },
  }),
  enrichProperty: t.field({
    type: PropertyWithContacts,
    description: 'Locates a property again and queries public records about it, if the plan and the installation include them.',
    extensions: needs('properties:write'),
    args: propertyArgument,
    resolve: (_root, { property }, context) => enrichProperty(context.app, callerOf(context), property),
  }),
  sendProperty: t.field({
    type: PropertyWithContacts,
    description: 'Sends the current property to the destinations that subscribe to property changes.',
    subGraphs: graphOnly,
    extensions: needs('properties:write'),
    args: propertyArgument,
    resolve: (_root, { property }, context) => sendProperty(context.app, callerOf(context), property),
  }),
  createPropertyReport: t.field({
    type: Report,
    description: 'Requests a report about a property. It costs one credit.',
    extensions: { ...needs('properties:write'), ...accepts(propertyReportForm, { closed: true, crossCheck: checkWindow }) },
    args: {
      ...propertyArgument,
      window_start: t.arg({ type: 'Date', description: 'First day; by default the first day that the plan reaches.' }),
      window_end: t.arg({ type: 'Date', description: 'Last day; today by default.' }),
      radius_miles: t.arg.float({ description: 'Radius around it, which the plan may reduce; the watch radius by default.' }),
      as_of: t.arg({ type: 'DateTime', description: 'Point in time for the report: it uses only what the archive knew then.' }),
      date_of_loss: t.arg({
        type: 'Date',
        description: 'Date of loss, a local day of the place within the window. The report covers it first.',
      }),
      recipient: t.arg.string({ description: 'Text printed on the cover.' }),
      layout: t.arg({ type: 'LayoutInput', description: 'Layout of the document. Needs a plan with custom layouts.' }),
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
