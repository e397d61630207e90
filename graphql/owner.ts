import { defaultFieldResolver, type GraphQLSchema, isObjectType } from 'graphql'
import { Refusal } from '#domain/kernel/refusal.ts'
import { personOnly } from '#graphql/builder.ts'
import { type Context, callerOf } from '#graphql/context.ts'

/** Marks a field that, among the people of a team, only owners may use. */
export const ownerOnly = { owner: true }

/** For an operation that only people, and of these only owners, may use. */
export const byOwner = { subGraphs: personOnly, extensions: ownerOnly }

/** Makes every owner-only field refuse other people before its resolver runs. */
export function enforceOwners(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (field.extensions.owner !== true) continue
      const resolve = field.resolve ?? defaultFieldResolver
      field.resolve = (parent, args, context: Context, info) => {
        requireOwner(context)
        return resolve(parent, args, context, info)
      }
    }
  }
  return schema
}

function requireOwner(context: Context): void {
  if (callerOf(context).person?.role !== 'owner') throw new Refusal('missing_role', 'Only an owner of the team may do this.')
}
