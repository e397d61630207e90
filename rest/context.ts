import type { Context } from '#graphql/context.ts'
import type { Exchange } from '#rest/exchange.ts'
import { sizeCheckOf } from '#rest/large-responses.ts'

/** The resolver context of a REST request. */
export function contextOf({ app, request, caller, idempotency }: Exchange, unknown: Context['unknown'] = {}): Context {
  const checkResponseSize = sizeCheckOf(request)
  return { app, caller, request_id: request.id, address: request.ip, idempotency, unknown, checkResponseSize, replayed: false }
}
