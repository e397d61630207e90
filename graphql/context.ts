import type { FastifyRequest } from 'fastify'
import type { Caller } from '#domain/access/caller.ts'
import type { IdempotentRequest } from '#domain/access/idempotency.ts'
import type { Operator } from '#domain/access/operator.ts'
import type { App } from '#domain/app.ts'
import type { Operation } from '#domain/audit/audit-log.ts'
import type { CheckResponseSize } from '#domain/kernel/response-size.ts'
import type { TeamChanges } from '#domain/people/team-changes.ts'

/** The request as resolvers see it. */
export interface Context {
  /** Scoped to the team for a team's caller. */
  app: App
  caller: Caller | Operator
  request_id: string
  /** The client's IP address, as the host sees it. */
  address: string
  /** The operation and its caller for the audit log; only for mutations. */
  auditOperation?: Operation
  /** Set for a REST request with an Idempotency-Key. GraphQL sends its key as an argument. */
  idempotency: IdempotentRequest | null
  /** Keys of a REST body that match no argument. GraphQL refuses such keys itself. */
  unknown: Record<string, unknown>
  /** Source of changes for subscriptions; only for requests to GraphQL. */
  changes?: TeamChanges
  /**
   * Only for REST requests that read: a document of GraphQL may select rows without their long values, so their size does not show that of
   * its result.
   */
  checkResponseSize?: CheckResponseSize | undefined
  /** Set by a mutation that returned an earlier outcome and did nothing. */
  replayed: boolean
}

/** Returns the team's caller. The operator never gets here: its schema lacks the operations that call this. */
export function callerOf({ caller }: Pick<Context, 'caller'>): Caller {
  if ('operator' in caller) throw new Error('an operation of a team was reached by the operator')
  return caller
}

/** Fields of a request's log line and metrics beside status and time. They become known step by step. */
interface RequestFacts {
  /** The name of its row in REST's endpoint table, or a name such as `graphql.changes` or `mcp` outside it; absent until it is known. */
  operation?: string
  /** The team of its token, once admitted. */
  team_id?: string
  /** The error code, if the whole request was refused. */
  refused?: string | undefined
  /** The root fields of its GraphQL document, each once. */
  fields?: string[]
  /** Whether its GraphQL operation is a mutation, which may have taken effect. */
  mutates?: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent if the host logs nothing, and if the request was refused earlier. */
    logged?: RequestFacts
  }
}

/** Adds fields to a request's log line and metrics. */
export function addToRequestLog(request: FastifyRequest, facts: RequestFacts): void {
  if (request.logged) Object.assign(request.logged, facts)
}
