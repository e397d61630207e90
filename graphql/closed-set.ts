/**
 * Options of a text whose values are a closed set that GraphQL has no enum for: their names have dots or colons, or the field
 * was a text before. The machine-readable description names the set.
 */
export const closedSet = (name: string, values: readonly string[], description: string) => ({
  extensions: { closed_set: { name, values, description } },
})

/** Options of a text of a form: a pattern, or a few values that need no name. */
export const stated = (json_schema: object) => ({ extensions: { json_schema } })
