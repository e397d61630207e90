import { checkKey, type IdempotentRequest, KEY_HOURS, KEY_LENGTH_MAX } from '#domain/access/idempotency.ts'
import { builder, graphOnly, type SubGraph } from '#graphql/builder.ts'
import type { Context } from '#graphql/context.ts'

const keyed: SubGraph[] = [...graphOnly, 'operator']

/**
 * The key as an argument, for GraphQL alone: REST carries it in a header.
 * @param then what a repeat does
 */
export const keyArgument = (then: string) =>
  builder.args((t) => ({
    idempotency_key: t.string({
      description: `1 to ${KEY_LENGTH_MAX} visible ASCII characters: a repeat with the same key within ${KEY_HOURS} hours ${then}.`,
      subGraphs: keyed,
    }),
  }))

/** That of what creates. */
export const idempotencyArgument = keyArgument('does and costs nothing, and answers the same')

/** That of a token, which is shown once: whoever repeats it has lost the token. */
export const tokenKeyArgument = keyArgument(
  'revokes the token whose answer was lost, and issues another in its place; refused where that one was used',
)

/** The idempotent request that a mutation is, from REST's header or the argument; null without a key. */
export function idempotencyOf(context: Context, mutation: string, key: string | null | undefined, body: unknown): IdempotentRequest | null {
  if (key === null || key === undefined) return context.idempotency
  return { key: checkKey(key), method: 'MUTATION', path: mutation, body }
}
