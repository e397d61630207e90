import { findContacts, findProperties } from '#domain/properties/find.ts'
import type { ContactView, PropertyView } from '#domain/properties/view.ts'
import { listReports } from '#domain/reports/find.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { together } from '#graphql/together.ts'
import { CitedRecordPage, citedRecordArguments, readCitedRecords } from '#graphql/types/cited-record.ts'
import { Contact } from '#graphql/types/contact.ts'
import { Property } from '#graphql/types/property.ts'
import { Report } from '#graphql/types/report.ts'

/** Edges of the graph that REST does not have: it names the id, or the address of the listing. */
const REPORTS = 25
const REPORTS_MAX = 100

const propertyOf = together<PropertyView>(async (context, ids) => {
  const found = await findProperties(context.app, callerOf(context), ids)
  return new Map(found.map((property) => [property.id, property]))
})

const contactsOf = together<ContactView[]>((context, ids) => findContacts(context.app, callerOf(context), ids))

builder.objectField(Property, 'contacts', (t) =>
  t.field({
    type: [Contact],
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
    args: { first: t.arg.int({ description: `How many, 1 to ${REPORTS_MAX}; ${REPORTS} where not sent.` }) },
    resolve: async ({ id }, { first }, context) => {
      const paging = { page: 1, per_page: Math.min(Math.max(first ?? REPORTS, 1), REPORTS_MAX) }
      return (await listReports(context.app, callerOf(context), { property: id }, paging)).data
    },
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
