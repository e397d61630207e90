import { builder } from '#graphql/builder.ts'

/** A GraphQL enum of the domain's own list of values. */
export function enumOf<const Values extends readonly string[]>(name: string, values: Values, description: string) {
  return builder.enumType(name, { values, description })
}
