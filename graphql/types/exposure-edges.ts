import { listExposuresAt } from '#domain/exposures/at-place.ts'
import { findProperties } from '#domain/properties/find.ts'
import type { PropertyView } from '#domain/properties/view.ts'
import { findTerritories } from '#domain/territories/find.ts'
import type { TerritoryView } from '#domain/territories/view.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { together } from '#graphql/together.ts'
import { Exposure } from '#graphql/types/exposure.ts'
import { Property } from '#graphql/types/property.ts'
import { Territory } from '#graphql/types/territory.ts'

/** Edges of the graph that REST does not have: it names the id, or the address of the listing. */
const EXPOSURES = 25
const EXPOSURES_MAX = 100

const propertyOf = together<PropertyView>(async (context, ids) => byId(await findProperties(context.app, callerOf(context), ids)))
const territoryOf = together<TerritoryView>(async (context, ids) => byId(await findTerritories(context.app, callerOf(context), ids)))

function byId<View extends { id: string }>(found: View[]): Map<string, View> {
  return new Map(found.map((view) => [view.id, view]))
}

const newest = (first: number | null | undefined) => ({ page: 1, per_page: Math.min(Math.max(first ?? EXPOSURES, 1), EXPOSURES_MAX) })
const size = builder.args((t) => ({ first: t.int({ description: `How many, 1 to ${EXPOSURES_MAX}; ${EXPOSURES} where not sent.` }) }))

builder.objectField(Property, 'exposures', (t) =>
  t.field({
    type: [Exposure],
    description: 'Storm days and warnings near it, newest first.',
    subGraphs: graphOnly,
    args: size,
    resolve: async ({ id }, { first }, context) =>
      (await listExposuresAt(context.app, callerOf(context), 'property', id, {}, newest(first))).data,
  }),
)

builder.objectField(Territory, 'exposures', (t) =>
  t.field({
    type: [Exposure],
    description: 'Storm days and warnings inside it, newest first.',
    subGraphs: graphOnly,
    args: size,
    resolve: async ({ id }, { first }, context) =>
      (await listExposuresAt(context.app, callerOf(context), 'territory', id, {}, newest(first))).data,
  }),
)

builder.objectField(Exposure, 'property', (t) =>
  t.field({
    type: Property,
    nullable: true,
    description: 'The property that it is about; null where it is a territory.',
    subGraphs: graphOnly,
    extensions: needs('properties:read'),
    resolve: async ({ subject }, _args, context) => (subject.object === 'property' && (await propertyOf(context, subject.id))) || null,
  }),
)

builder.objectField(Exposure, 'territory', (t) =>
  t.field({
    type: Territory,
    nullable: true,
    description: 'The territory that it is about; null where it is a property.',
    subGraphs: graphOnly,
    extensions: needs('territories:read'),
    resolve: async ({ subject }, _args, context) => (subject.object === 'territory' && (await territoryOf(context, subject.id))) || null,
  }),
)
