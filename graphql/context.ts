import type { Operator } from '#domain/access/operator.ts'
import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import type { IdempotentRequest } from '#domain/idempotency.ts'

/** What a resolver knows of the request. */
export interface Context {
  app: App
  caller: Caller | Operator
  request_id: string
  /** Of a request through REST with an Idempotency-Key; GraphQL sends its key as an argument. */
  idempotency: IdempotentRequest | null
  /** Set by a mutation that repeated an earlier outcome and did nothing. */
  replayed: boolean
}

/** The team's caller. The operator never comes here: its schema has none of the operations that ask. */
export function callerOf({ caller }: Pick<Context, 'caller'>): Caller {
  if ('operator' in caller) throw new Error('an operation of a team was reached by the operator')
  return caller
}
