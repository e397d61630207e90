import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor'
import { GraphQLError, type ValidationRule } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { costRule } from '#graphql/cost.ts'

/** Levels of nested fields. The deepest useful document has seven. */
export const DEPTH_MAX = 12
/** Aliases of a document: enough for a screen, too few to multiply a request. */
export const ALIASES_MAX = 15
/** Tokens of a document. Parsing stops at this limit. */
export const TOKENS_MAX = 1_000
/** Directives of a document. Each is evaluated for every field that it is on. */
export const DIRECTIVES_MAX = 10

/** Refuses a document that is too deep, long, wide or costly, before any resolver runs. Introspection counts like any other. */
export function guard(): Plugin[] {
  return [
    EnvelopArmorPlugin({
      maxDepth: { n: DEPTH_MAX, flattenFragments: true, ignoreIntrospection: false },
      maxAliases: { n: ALIASES_MAX },
      maxTokens: { n: TOKENS_MAX },
      maxDirectives: { n: DIRECTIVES_MAX },
      // This limit ignores page sizes; cost.ts counts rows.
      costLimit: { enabled: false },
      blockFieldSuggestion: { enabled: false },
    }) as Plugin,
    {
      onValidate({ addValidationRule }) {
        addValidationRule(costRule)
        addValidationRule(literalRule)
      },
    },
  ]
}

/** An escape in a literal can produce NUL, which no column can store, even if the text of the body does not contain it. */
const literalRule: ValidationRule = (context) => ({
  StringValue(node) {
    if (node.value.includes('\u0000')) context.reportError(new GraphQLError('A text must not hold a NUL character.', { nodes: node }))
  },
})
