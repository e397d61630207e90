import type { FastifyRequest } from 'fastify'
import type { Caller } from '#domain/access/caller.ts'
import type { IdempotentRequest } from '#domain/access/idempotency.ts'
import type { Operator } from '#domain/access/operator.ts'
import type { App } from '#domain/app.ts'
import type { Operation } from '#domain/audit/audit-log.ts'
import type { TeamChanges } from '#domain/people/team-changes.ts'

/** What a resolver knows of the request. */
export interface Context {
  /** Of a team's caller, within the team. */
  app: App
  caller: Caller | Operator
  request_id: string
  /** The client's, as the host sees it. */
  address: string
  /** What a mutation does, by whom: of mutations alone. */
  doing?: Operation
  /** Of a request through REST with an Idempotency-Key; GraphQL sends its key as an argument. */
  idempotency: IdempotentRequest | null
  /** Keys of a REST body that no argument takes; GraphQL refuses them itself. */
  unknown: Record<string, unknown>
  /** Of a request to GraphQL: where a subscription hears of changes. */
  changes?: TeamChanges
  /** Set by a mutation that repeated an earlier outcome and did nothing. */
  replayed: boolean
}

/** The team's caller. The operator never comes here: its schema has none of the operations that ask. */
export function callerOf({ caller }: Pick<Context, 'caller'>): Caller {
  if ('operator' in caller) throw new Error('an operation of a team was reached by the operator')
  return caller
}

/** What a request's log line and figures say of it beside its status and time: known step by step. */
interface RequestFacts {
  /** The name of its row in REST's table; absent until one is matched, and for what is no row. */
  operation?: string
  /** The team of its token, once admitted. */
  team_id?: string
  /** The code with which it was refused as a whole. */
  refused?: string | undefined
  /** The root fields of its GraphQL document, each once. */
  fields?: string[]
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent where the host logs nothing, and where a request was refused before it came that far. */
    logged?: RequestFacts
  }
}

/** Notes what is now known of a request. */
export function addToRequestLog(request: FastifyRequest, known: RequestFacts): void {
  if (request.logged) Object.assign(request.logged, known)
}
