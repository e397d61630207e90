import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor'
import { GraphQLError, type ValidationRule } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { costRule } from '#graphql/cost.ts'

/** Levels of fields. The deepest useful document has seven. */
export const DEPTH_MAX = 12
/** Fields under another name: enough for a screen, too few to multiply a request. */
export const ALIASES_MAX = 15
/** Words of a document: parsing stops there. */
export const TOKENS_MAX = 1_000
/** Directives of a document: each is looked at for every field it stands on. */
export const DIRECTIVES_MAX = 10

/** Refuses, before any resolver, a document that is too deep, too long, too wide or too costly. Introspection counts like any. */
export function guard(): Plugin[] {
  return [
    EnvelopArmorPlugin({
      maxDepth: { n: DEPTH_MAX, flattenFragments: true, ignoreIntrospection: false },
      maxAliases: { n: ALIASES_MAX },
      maxTokens: { n: TOKENS_MAX },
      maxDirectives: { n: DIRECTIVES_MAX },
      // Its cost knows nothing of pages: cost.ts counts rows.
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

/** A literal may spell the one character that no column keeps, where the body's own text does not hold it. */
const literalRule: ValidationRule = (context) => ({
  StringValue(node) {
    if (node.value.includes('\u0000')) context.reportError(new GraphQLError('A text must not hold a NUL character.', { nodes: node }))
  },
})
