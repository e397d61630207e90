import type { Point } from '#domain/geo/measure.ts'
import type { PageOf } from '#domain/kernel/pagination.ts'
import { findContacts, findProperties, findSentPoints } from '#domain/properties/find.ts'
import type { ContactView, PropertyView } from '#domain/properties/view.ts'
import { listReportsOfProperties } from '#domain/reports/find.ts'
import { listEventsOfReports } from '#domain/reports/find-events.ts'
import { noSuchReport } from '#domain/reports/report-rows.ts'
import type { CitedRecordView, ReportView } from '#domain/reports/view.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { loader } from '#graphql/loader.ts'
import { firstDescription, page } from '#graphql/page.ts'
import { CitedRecordPage, type CitedRecordsArguments, citedRecordArguments } from '#graphql/types/cited-record.ts'
import { Contact } from '#graphql/types/contact.ts'
import { Property } from '#graphql/types/property.ts'
import { Report } from '#graphql/types/report.ts'

/** Edges that only the graph has: REST returns the id, or the link to the list. */
const propertyOf = loader<PropertyView>(async (context, ids) => {
  const found = await findProperties(context.app, callerOf(context), ids)
  return new Map(found.map((property) => [property.id, property]))
})

const contactsOf = loader<ContactView[]>((context, ids) => findContacts(context.app, callerOf(context), ids))

const sentPointOf = loader<Point>((context, ids) => findSentPoints(context.app, callerOf(context), ids))

const reportsOf = loader<ReportView[], { first?: number | null | undefined }>((context, ids, { first }) =>
  listReportsOfProperties(context.app, callerOf(context), ids, { per_page: first }),
)

const recordsOf = loader<PageOf<CitedRecordView>, CitedRecordsArguments>((context, ids, args) =>
  listEventsOfReports(context.app, callerOf(context), ids, args),
)

/** An owner, a tenant and a person at the site; seldom more. */
const CONTACT_ROWS = 5

builder.objectField(Property, 'contacts', (t) =>
  t.field({
    type: [Contact],
    description: 'Its contacts: the primary contact first, then the oldest.',
    subGraphs: graphOnly,
    extensions: { ...needs('properties:read'), rows: CONTACT_ROWS },
    resolve: async ({ id }, _args, context) => (await contactsOf(context, id, {})) ?? [],
  }),
)

const SentCoordinates = builder.objectRef<Point>('SentCoordinates').implement({
  description: 'Coordinates that the team sent with an address.',
  fields: (t) => ({
    latitude: t.exposeFloat('latitude', { description: 'Degrees north, 5 decimals.' }),
    longitude: t.exposeFloat('longitude', { description: 'Degrees east, 5 decimals.' }),
  }),
})

builder.objectField(Property, 'sent_coordinates', (t) =>
  t.field({
    type: SentCoordinates,
    nullable: true,
    description: 'The coordinates sent with its address; null if the service located it by the address alone.',
    subGraphs: graphOnly,
    resolve: async ({ id }, _args, context) => (await sentPointOf(context, id, {})) ?? null,
  }),
)

builder.objectField(Property, 'reports', (t) =>
  t.field({
    type: [Report],
    description: 'Reports filed under it, newest first.',
    subGraphs: graphOnly,
    extensions: needs('reports:read'),
    args: { first: t.arg.int({ description: firstDescription }) },
    resolve: async ({ id }, args, context) => (await reportsOf(context, id, args)) ?? [],
  }),
)

builder.objectField(Report, 'property', (t) =>
  t.field({
    type: Property,
    nullable: true,
    description: 'The saved property that it is filed under.',
    subGraphs: graphOnly,
    extensions: needs('properties:read'),
    resolve: async ({ property_id }, _args, context) =>
      property_id === null ? null : ((await propertyOf(context, property_id, {})) ?? null),
  }),
)

builder.objectField(Report, 'records', (t) =>
  t.field({
    type: CitedRecordPage,
    description: 'The records that it cites, newest first; empty until it is complete.',
    subGraphs: graphOnly,
    extensions: needs('reports:read'),
    args: citedRecordArguments,
    resolve: ({ id }, args, context) =>
      page(context.app, `/reports/${id}/events`, args, async () => (await recordsOf(context, id, args)) ?? refuseReport()),
  }),
)

function refuseReport(): never {
  throw noSuchReport()
}
