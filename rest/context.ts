import type { Context } from '#graphql/context.ts'
import type { Exchange } from '#rest/exchange.ts'
import { PREFIX } from '#rest/match.ts'

/** What a resolver is told of a request that came through REST. */
export function contextOf({ api, request, caller, row, path, query, idempotency }: Exchange): Context {
  return {
    app: api.app,
    caller,
    request_id: request.id,
    idempotency,
    replayed: false,
    client_address: request.ip,
    rest_path: `${PREFIX}${row.endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '')}`,
    filters: query,
  } as unknown as Context
}
