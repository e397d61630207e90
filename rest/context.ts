import type { Context } from '#graphql/context.ts'
import type { Exchange } from '#rest/exchange.ts'

/** What a resolver is told of a request that came through REST. */
export function contextOf({ api, request, caller, idempotency }: Exchange): Context {
  return { app: api.app, caller, request_id: request.id, idempotency, replayed: false }
}
