import type { Context } from '#graphql/context.ts'
import type { Exchange } from '#rest/exchange.ts'

/** The resolver context of a REST request. */
export function contextOf({ app, request, caller, idempotency }: Exchange, unknown: Context['unknown'] = {}): Context {
  return { app, caller, request_id: request.id, address: request.ip, idempotency, unknown, replayed: false }
}
