import { builder } from '#graphql/builder.ts'

/** Creates a GraphQL enum from the domain's list of values. */
export function enumOf<const Values extends readonly string[]>(name: string, values: Values, description: string) {
  return builder.enumType(name, { values, description })
}
