import SchemaBuilder from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import SubGraphPlugin from '@pothos/plugin-sub-graph'
import type PrismaTypes from '#generated/pothos-types.ts'
import { getDatamodel } from '#generated/pothos-types.ts'
import type { Context } from '#graphql/context.ts'

/**
 * rest: what the REST API is made of, without a cycle. team: the same and the edges of the graph, for a team's
 * token. operator: what only the operator's key reaches.
 */
export type SubGraph = 'rest' | 'team' | 'operator'

/** For fields that only the graph has: REST's documents would grow with every cycle they close. */
export const graphOnly: SubGraph[] = ['team']
/** For the operations of a team: the operator belongs to none. */
export const teamOnly: SubGraph[] = ['rest', 'team']

export type Scalars = {
  ID: { Input: string; Output: string }
  /** Date YYYY-MM-DD */
  Date: { Input: string; Output: string }
  DateTime: { Input: string; Output: string | Date }
  UUID: { Input: string; Output: string }
  LayoutInput: { Input: unknown; Output: never }
  /** A shape; one that goes out as text is JSON already. */
  GeoJson: { Input: object; Output: string | object }
  TerritoryDefinition: { Input: never; Output: object }
  ReportRowInput: { Input: unknown; Output: never }
  PropertyRowInput: { Input: unknown; Output: never }
  LimitOverrides: { Input: never; Output: unknown }
  AuditValues: { Input: never; Output: object }
}

export const builder = new SchemaBuilder<{
  Context: Context
  PrismaTypes: PrismaTypes
  SubGraphs: SubGraph
  Scalars: Scalars
  DefaultFieldNullability: false
}>({
  plugins: [PrismaPlugin, SubGraphPlugin],
  defaultFieldNullability: false,
  prisma: {
    // Within the team, where a team asks: a nested read cannot leave it.
    client: ({ app }) => app.db,
    dmmf: getDatamodel(),
  },
  subGraphs: { defaultForTypes: ['rest', 'team', 'operator'], defaultForFields: ['rest', 'team', 'operator'] },
})

builder.queryType({ description: 'What can be read.', defaultSubGraphsForFields: teamOnly })
builder.mutationType({ description: 'What can be changed.', defaultSubGraphsForFields: teamOnly })
