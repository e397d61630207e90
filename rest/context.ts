import type { Context } from '#graphql/context.ts'
import type { Exchange } from '#rest/exchange.ts'

/** What a resolver is told of a request that came through REST. */
export function contextOf({ app, request, caller, idempotency }: Exchange, unknown: Context['unknown'] = {}): Context {
  return { app, caller, request_id: request.id, address: request.ip, idempotency, unknown, replayed: false }
}
