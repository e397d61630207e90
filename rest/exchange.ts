import type { FastifyRequest } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { Ability } from '#domain/access/abilities.ts'
import type { Caller } from '#domain/access/caller.ts'
import type { IdempotentRequest } from '#domain/access/idempotency.ts'
import type { App } from '#domain/app.ts'
import type { Endpoint } from '#rest/endpoints.ts'
import type { Operation } from '#rest/sofa.ts'

/** What stands once for the process: the rows made ready, and the schema they were made from. */
export interface Api {
  app: App
  schema: GraphQLSchema
  rows: readonly Row[]
}

/** A row of the table made ready at boot. */
export interface Row {
  endpoint: Endpoint
  /** Null: any valid token. */
  ability: Ability | null
  /** Null for rows answered by hand. */
  operation: Operation | null
  /** The GET row of the record that the path names first: what must exist before a filter or a body is judged. */
  owner: Row | null
}

/** One request on its way through the steps of respond.ts. */
export interface Exchange {
  api: Api
  /** The App within the caller's team. */
  app: App
  request: FastifyRequest
  caller: Caller
  row: Row
  /** Path parameters, decoded. */
  path: Record<string, string>
  /** Query parameters as sent. */
  query: Record<string, string | string[]>
  /** The JSON body; empty where there is none. */
  body: Record<string, unknown>
  /** Null without an Idempotency-Key, and on rows that do not honour one. */
  idempotency: IdempotentRequest | null
}

export interface Answer {
  status: number
  /** The code of a refusal, for the log and the figures. */
  refused?: string
  /** Null: no body. */
  body: string | Buffer | null
  content_type: string
  headers: Record<string, string>
}

/** How a row answered by hand answers. */
export type Perform = (exchange: Exchange) => Promise<Answer>
