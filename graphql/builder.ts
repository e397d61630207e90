import SchemaBuilder from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import SubGraphPlugin from '@pothos/plugin-sub-graph'
import type PrismaTypes from '#generated/pothos-types.ts'
import { getDatamodel } from '#generated/pothos-types.ts'
import type { Context } from '#graphql/context.ts'

/**
 * rest: the operations and types of the REST API, without cycles. team: the same with the edges of the graph, for a team's
 * token. person: the same with the team's people and tokens, for a person who is signed in. operator: only for the operator's
 * key.
 */
export type SubGraph = 'rest' | 'team' | 'person' | 'operator'

/** For fields that only the graph has: each cycle that they close would make the documents of REST larger. */
export const graphOnly: SubGraph[] = ['team', 'person']
/** For the operations of a team: the operator has no team. */
const teamOnly: SubGraph[] = ['rest', 'team', 'person']
/** For operations that need a person who is signed in. No token reaches them, so a token cannot create another token. */
export const personOnly: SubGraph[] = ['person']

const ALL_SUB_GRAPHS: SubGraph[] = ['rest', 'team', 'person', 'operator']

export type Scalars = {
  ID: { Input: string; Output: string }
  /** Date YYYY-MM-DD */
  Date: { Input: string; Output: string }
  DateTime: { Input: string; Output: string | Date }
  UUID: { Input: string; Output: string }
  LayoutInput: { Input: unknown; Output: never }
  /** A shape. A shape returned as text is JSON already. */
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
    // For a team's caller the client is scoped to the team, so a nested read cannot leave it.
    client: ({ app }) => app.db,
    dmmf: getDatamodel(),
  },
  subGraphs: { defaultForTypes: ALL_SUB_GRAPHS, defaultForFields: ALL_SUB_GRAPHS },
})

builder.queryType({ description: 'Read operations.', defaultSubGraphsForFields: teamOnly })
builder.mutationType({ description: 'Write operations.', defaultSubGraphsForFields: teamOnly })
