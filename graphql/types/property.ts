import { findReports } from '#domain/reports/find.ts'
import type { ReportView } from '#domain/reports/view.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { kind } from '#graphql/kind.ts'
import { CitedRecordPage, citedRecordArguments, readCitedRecords } from '#graphql/types/cited-record.ts'
import { Report } from '#graphql/types/report.ts'

const REPORTS = 25
const REPORTS_MAX = 100

/** A property as an edge of the graph shows it: read with what leads to it, in one query. */
const PropertyNode = builder.prismaObject('Property', {
  name: 'PropertyNode',
  description: 'A property of the team, reached from what is filed under it.',
  subGraphs: graphOnly,
  fields: (t) => ({
    id: t.expose('id', { type: 'UUID', description: 'Id of the property.' }),
    object: t.string({ ...kind('property'), resolve: () => 'property' }),
    name: t.string({
      description: 'Its label, else its street, else the address as sent.',
      select: { label: true, street: true, query: true },
      resolve: ({ label, street, query }) => label ?? street ?? query,
    }),
    label: t.exposeString('label', { nullable: true, description: 'Name given by the team.' }),
    reference: t.exposeString('reference', { nullable: true, description: "The team's own reference." }),
    kind: t.exposeString('kind', { description: 'What kind of property it is.' }),
    status: t.exposeString('status', { description: 'Watching, paused or archived.' }),
    watch_radius_miles: t.exposeFloat('watch_radius_miles', { description: 'How far around it storms count, in miles.' }),
    tags: t.exposeStringList('tags', { description: 'Tags given by the team.' }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was saved.' }),
    updated_at: t.expose('updated_at', { type: 'DateTime', description: 'When it last changed.' }),
    reports: t.field({
      type: [Report],
      description: 'Reports filed under it, newest first.',
      extensions: needs('reports:read'),
      args: { first: t.arg.int({ description: `How many, 1 to ${REPORTS_MAX}; ${REPORTS} where not sent.` }) },
      select: ({ first }) => ({
        reports: {
          select: { id: true },
          orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
          take: Math.min(Math.max(first ?? REPORTS, 1), REPORTS_MAX),
        },
      }),
      resolve: async ({ reports }, _args, { app, ...context }) => {
        const ids = reports.map(({ id }) => id)
        return inOrder(ids, await findReports(app, callerOf(context), ids))
      },
    }),
  }),
})

function inOrder(ids: string[], found: ReportView[]): ReportView[] {
  const byId = new Map(found.map((report) => [report.id, report]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Edges of the graph that REST does not have: it names the id, or the address of the listing. */
builder.objectField(Report, 'property', (t) =>
  t.prismaField({
    type: PropertyNode,
    nullable: true,
    description: 'The saved property it is filed under.',
    subGraphs: graphOnly,
    extensions: needs('properties:read'),
    resolve: (query, { property_id }, _args, context) =>
      property_id === null ? null : callerOf(context).db.property.findUnique({ ...query, where: { id: property_id } }),
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
