import { type GraphQLSchema, isObjectType } from 'graphql'

/**
 * Removes the resolver of every field that only returns its parent's key of the same name. The compiled
 * operations of REST then read the key directly, without a call for each.
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
