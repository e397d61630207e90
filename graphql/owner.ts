import { defaultFieldResolver, type GraphQLSchema, isObjectType } from 'graphql'
import { Refusal } from '#domain/kernel/refusal.ts'
import { personOnly } from '#graphql/builder.ts'
import { type Context, callerOf } from '#graphql/context.ts'

/** Marks a field that, among the people of a team, only owners may use. */
export const ownerOnly = { owner: true }

/** Marks arguments of a field that everybody with its ability may use: of the people of a team, only owners may send these. */
export const ownerOnlyArguments = (...names: string[]) => ({ owner_arguments: names })

/** For an operation that only people, and of these only owners, may use. */
export const byOwner = { subGraphs: personOnly, extensions: ownerOnly }

/** Makes every owner-only field, and every field with an owner-only argument, refuse other people before its resolver runs. */
export function enforceOwners(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const { owner, owner_arguments } = field.extensions
      if (owner !== true && owner_arguments === undefined) continue
      const names = (owner_arguments as string[] | undefined) ?? []
      const resolve = field.resolve ?? defaultFieldResolver
      field.resolve = (parent, args, context: Context, info) => {
        const sent = names.filter((name) => name in args)
        if (owner === true) requireOwner(context, 'Only an owner of the team may do this.')
        else if (sent.length > 0) requireOwner(context, `Only an owner of the team may change: ${sent.join(', ')}.`)
        return resolve(parent, args, context, info)
      }
    }
  }
  return schema
}

function requireOwner(context: Context, message: string): void {
  if (callerOf(context).person?.role !== 'owner') throw new Refusal('missing_role', message)
}
