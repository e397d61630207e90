import { checkKey, type IdempotentRequest, KEY_HOURS, KEY_LENGTH_MAX } from '#domain/access/idempotency.ts'
import { builder, graphOnly, type SubGraph } from '#graphql/builder.ts'
import type { Context } from '#graphql/context.ts'

const keySubGraphs: SubGraph[] = [...graphOnly, 'operator']

/**
 * Returns the idempotency key as an argument, only for GraphQL: REST sends the key in a header.
 * @param repeatEffect what a repeat does
 */
export const keyArgument = (repeatEffect: string) =>
  builder.args((t) => ({
    idempotency_key: t.string({
      description: `1 to ${KEY_LENGTH_MAX} visible ASCII characters: a repeat with the same key within ${KEY_HOURS} hours ${repeatEffect}.`,
      subGraphs: keySubGraphs,
    }),
  }))

/** For operations that create something. */
export const idempotencyArgument = keyArgument('does nothing, costs nothing and returns the same result')

/** For tokens, which are shown only once: a caller who repeats the request has lost the token. */
export const tokenKeyArgument = keyArgument(
  'revokes the token of the lost response and issues a new one; refused if the first token has been used',
)

/** Returns the idempotent request of a mutation, from REST's header or the argument; null without a key. */
export function idempotencyOf(context: Context, mutation: string, key: string | null | undefined, body: unknown): IdempotentRequest | null {
  if (key === null || key === undefined) return context.idempotency
  return { key: checkKey(key), method: 'MUTATION', path: mutation, body }
}
