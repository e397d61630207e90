import { type GraphQLSchema, isObjectType } from 'graphql'

/**
 * Takes the resolver off every field that only hands out its parent's key of the same name: the compiled
 * operations of REST then read the key themselves, without a call for each.
 */
export function dropTrivialResolvers(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (field.extensions.pothosExposedField === field.name) delete field.resolve
    }
  }
  return schema
}
