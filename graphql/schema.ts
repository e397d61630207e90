import { type GraphQLSchema, getNullableType } from 'graphql'
import { enforceAbilities } from '#graphql/ability.ts'
import { describeBounds, uncheckArguments } from '#graphql/arguments.ts'
import { auditMutations } from '#graphql/audited.ts'
import { builder, type SubGraph } from '#graphql/builder.ts'
import { enforceOwners } from '#graphql/owner.ts'
import { enforceRoles } from '#graphql/role.ts'
import { dropTrivialResolvers } from '#graphql/trivial-resolvers.ts'
import '#graphql/scalars.ts'
import '#graphql/types/account.ts'
import '#graphql/types/team.ts'
import '#graphql/types/credits.ts'
import '#graphql/types/credit-transaction.ts'
import '#graphql/types/monitoring-run.ts'
import '#graphql/types/report.ts'
import '#graphql/types/storm-day.ts'
import '#graphql/types/swath.ts'
import '#graphql/types/cited-record.ts'
import '#graphql/types/verification.ts'
import '#graphql/types/report-batch.ts'
import '#graphql/types/report-diff.ts'
import '#graphql/types/report-order.ts'
import '#graphql/types/located-address.ts'
import '#graphql/types/report-preview.ts'
import '#graphql/types/download.ts'
import '#graphql/types/place.ts'
import '#graphql/types/property.ts'
import '#graphql/types/contact.ts'
import '#graphql/types/personal-data.ts'
import '#graphql/types/property-batch.ts'
import '#graphql/types/property-edges.ts'
import '#graphql/types/property-tags.ts'
import '#graphql/types/geo-json.ts'
import '#graphql/types/territory.ts'
import '#graphql/types/exposure.ts'
import '#graphql/types/exposure-edges.ts'
import '#graphql/types/exposure-moves.ts'
import '#graphql/types/integration.ts'
import '#graphql/types/delivery.ts'
import '#graphql/types/alert.ts'
import '#graphql/types/failed-digest.ts'
import '#graphql/types/playback.ts'
import '#graphql/types/map-record.ts'
import '#graphql/types/audit-entry.ts'
import '#graphql/types/person.ts'
import '#graphql/types/team-token.ts'
import '#graphql/types/allowed-origins.ts'
import '#graphql/types/archive-coverage.ts'
import '#graphql/types/letterhead.ts'
import '#graphql/types/team-change.ts'
import '#graphql/types/operator/team.ts'
import '#graphql/types/operator/token.ts'
import '#graphql/types/operator/archive.ts'
import '#graphql/types/operator/begun-log.ts'
import '#graphql/types/operator/browser.ts'
import '#graphql/types/operator/document-store.ts'
import '#graphql/types/operator/invariant.ts'
import '#graphql/types/operator/monitor.ts'
import '#graphql/types/operator/operator-key.ts'
import '#graphql/types/operator/person.ts'
import '#graphql/types/operator/radar-days.ts'
import '#graphql/types/operator/secret-keys.ts'

/** The whole schema, printed and committed. Keys are in the contract's order. */
export const schema = isolateRootFields(buildSubGraph())
/** The schema behind the REST API: plain rows, no cycles. REST itself checks the abilities of the fields; the domain validates. */
export const restSchema = auditMutations(dropTrivialResolvers(uncheckArguments(buildSubGraph('rest'))))
/** The schema for a team's token. It does not contain the operator's operations. */
export const teamSchema = enforceAbilities(auditMutations(isolateRootFields(buildSubGraph('team'))))
/** The schema for a person who is signed in, within the limits of their role. */
export const personSchema = enforceOwners(enforceAbilities(auditMutations(isolateRootFields(buildSubGraph('person')))))
/** The schema for an operator key. Each field requires its own role. */
export const operatorSchema = enforceRoles(auditMutations(isolateRootFields(buildSubGraph('operator'))))

function buildSubGraph(subGraph?: SubGraph): GraphQLSchema {
  return describeBounds(builder.toSchema({ sortSchema: false, ...(subGraph && { subGraph }) }))
}

/** Isolates root fields: a refused field is null, and the others keep their results. */
function isolateRootFields(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) field.type = getNullableType(field.type)
  }
  return schema
}
