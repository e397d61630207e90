import SchemaBuilder from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import SubGraphPlugin from '@pothos/plugin-sub-graph'
import type PrismaTypes from '#generated/pothos-types.ts'
import { getDatamodel } from '#generated/pothos-types.ts'
import type { Context } from '#graphql/context.ts'

/**
 * rest: what the REST API is made of, without a cycle. team: the same and the edges of the graph, for a team's
 * token. person: the same and the team's people and tokens, for somebody who is signed in. operator: what only the operator's
 * key reaches.
 */
export type SubGraph = 'rest' | 'team' | 'person' | 'operator'

/** For fields that only the graph has: REST's documents would grow with every cycle they close. */
export const graphOnly: SubGraph[] = ['team', 'person']
/** For the operations of a team: the operator belongs to none. */
const teamOnly: SubGraph[] = ['rest', 'team', 'person']
/** For the operations of somebody who is signed in: no token reaches them, so that none can make another. */
export const personOnly: SubGraph[] = ['person']

const EVERYWHERE: SubGraph[] = ['rest', 'team', 'person', 'operator']

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
  subGraphs: { defaultForTypes: EVERYWHERE, defaultForFields: EVERYWHERE },
})

builder.queryType({ description: 'What can be read.', defaultSubGraphsForFields: teamOnly })
builder.mutationType({ description: 'What can be changed.', defaultSubGraphsForFields: teamOnly })
