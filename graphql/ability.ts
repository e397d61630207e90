import { defaultFieldResolver, type GraphQLSchema, isObjectType } from 'graphql'
import type { Ability } from '#domain/access/abilities.ts'
import { permit } from '#domain/access/permit.ts'
import { type Context, callerOf } from '#graphql/context.ts'

/** Sets the ability that a field requires. REST reads it from the field too: the ability is stated nowhere else. */
export const needs = (ability: Ability) => ({ ability })

/** The ability that a field requires; null if any valid token will do. */
export function abilityOf(field: { extensions: Readonly<Record<string, unknown>> }): Ability | null {
  return (field.extensions.ability as Ability | undefined) ?? null
}

/** Makes every field with an ability refuse, before its resolver runs, a caller whose token lacks it. */
export function enforceAbilities(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const ability = abilityOf(field)
      if (!ability) continue
      const resolve = field.resolve ?? defaultFieldResolver
      field.resolve = (parent, args, context: Context, info) => {
        permit(callerOf(context), ability)
        return resolve(parent, args, context, info)
      }
    }
  }
  return schema
}
