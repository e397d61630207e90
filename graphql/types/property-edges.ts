import { findContacts, findProperties } from '#domain/properties/find.ts'
import type { ContactView, PropertyView } from '#domain/properties/view.ts'
import { listReports } from '#domain/reports/find.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { firstInWords } from '#graphql/page.ts'
import { together } from '#graphql/together.ts'
import { CitedRecordPage, citedRecordArguments, readCitedRecords } from '#graphql/types/cited-record.ts'
import { Contact } from '#graphql/types/contact.ts'
import { Property } from '#graphql/types/property.ts'
import { Report } from '#graphql/types/report.ts'

/** Edges of the graph that REST does not have: it names the id, or the address of the listing. */
const propertyOf = together<PropertyView>(async (context, ids) => {
  const found = await findProperties(context.app, callerOf(context), ids)
  return new Map(found.map((property) => [property.id, property]))
})

const contactsOf = together<ContactView[]>((context, ids) => findContacts(context.app, callerOf(context), ids))

/** An owner, a tenant and somebody at the site; seldom more. */
const CONTACT_ROWS = 5

builder.objectField(Property, 'contacts', (t) =>
  t.field({
    type: [Contact],
    extensions: { rows: CONTACT_ROWS },
    description: 'The primary contact first, then the oldest.',
    subGraphs: graphOnly,
    resolve: async ({ id }, _args, context) => (await contactsOf(context, id)) ?? [],
  }),
)

builder.objectField(Property, 'reports', (t) =>
  t.field({
    type: [Report],
    description: 'Reports filed under it, newest first.',
    subGraphs: graphOnly,
    extensions: needs('reports:read'),
    args: { first: t.arg.int({ description: firstInWords }) },
    resolve: async ({ id }, { first }, context) =>
      (await listReports(context.app, callerOf(context), { property: id, per_page: first })).data,
  }),
)

builder.objectField(Report, 'property', (t) =>
  t.field({
    type: Property,
    nullable: true,
    description: 'The saved property it is filed under.',
    subGraphs: graphOnly,
    extensions: needs('properties:read'),
    resolve: async ({ property_id }, _args, context) => (property_id === null ? null : ((await propertyOf(context, property_id)) ?? null)),
  }),
)

builder.objectField(Report, 'records', (t) =>
  t.field({
    type: CitedRecordPage,
    description: 'The records that it cites, newest first; none until it is complete.',
    subGraphs: graphOnly,
    extensions: needs('reports:read'),
    args: citedRecordArguments,
    resolve: ({ id }, args, context) => readCitedRecords(context, id, args),
  }),
)
