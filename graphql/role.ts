import { defaultFieldResolver, type GraphQLSchema } from 'graphql'
import { requireRole } from '#domain/access/operator.ts'
import type { OperatorRole } from '#domain/closed-sets.ts'
import type { SubGraph } from '#graphql/builder.ts'
import type { Context } from '#graphql/context.ts'

/** For a field that needs an operator key with this role. */
export const byOperator = (operator_role: OperatorRole): { subGraphs: SubGraph[]; extensions: { operator_role: OperatorRole } } => ({
  subGraphs: ['operator'],
  extensions: { operator_role },
})

/**
 * Makes every root field refuse, before its resolver runs, an operator key without the field's role.
 * @throws Error naming a field without a role
 */
export function enforceRoles(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const role = field.extensions.operator_role as OperatorRole | undefined
      if (!role) throw new Error(`the operator's ${field.name} states no role`)
      const resolve = field.resolve ?? defaultFieldResolver
      field.resolve = (parent, args, context: Context, info) => {
        if (!('operator' in context.caller)) throw new Error("an operator's operation was reached by a team")
        requireRole(context.caller, role)
        return resolve(parent, args, context, info)
      }
    }
  }
  return schema
}
