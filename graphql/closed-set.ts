/**
 * Options of a String field with a closed set of values that is not a GraphQL enum: the names have dots or colons, or the
 * field is a String for compatibility. The OpenAPI document names the set.
 */
export const closedSet = (name: string, values: readonly string[], description: string) => ({
  extensions: { closed_set: { name, values, description } },
})

/** Options of a String field with a pattern, or with a few values that need no named set. */
export const withJsonSchema = (json_schema: object) => ({ extensions: { json_schema } })
