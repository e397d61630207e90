import type { FastifyRequest } from 'fastify'
import type { GraphQLField, GraphQLSchema } from 'graphql'
import type { Ability } from '#domain/access/abilities.ts'
import type { Caller } from '#domain/access/caller.ts'
import type { IdempotentRequest } from '#domain/access/idempotency.ts'
import type { App } from '#domain/app.ts'
import type { JsonSchema } from '#domain/kernel/fields.ts'
import type { RefusalCode } from '#domain/kernel/refusal.ts'

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
  parent: Row | null
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

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * How an answer is wrapped.
 * data: `{data: object}`. bare: the object itself. page: the paginated envelope. list: `{object: "list", data}`.
 * empty: no body. bytes: not JSON.
 */
export type Envelope = 'data' | 'bare' | 'page' | 'list' | 'empty' | 'bytes'

/** The status of a batch: `all` where every row went well, else 207. */
export interface Mixed {
  all: number
}

/** The status of a test post: 200 where it arrived, else this one. */
export interface Undelivered {
  undelivered: number
}

export interface Route {
  method: Method
  /** Beneath /api/v1; parameters in braces. */
  path: string
  name: string
  /** One line for readers of the index and the description. */
  summary: string
  as: Envelope
  status: number | Mixed | Undelivered
  /** Codes of refusals beyond those that every row and every Idempotency-Key share. */
  refuses: readonly RefusalCode[]
  /** Statuses of success beside `status`: 202 of a document being prepared. */
  also: readonly number[]
  /** Whether an Idempotency-Key is honoured. */
  replays: boolean
  /** Whether it may be read from a replica that has all that the team has written. */
  replica: boolean
  /** Bytes of a JSON body. */
  body_limit: number
  /** Whether its JSON is long enough to be compressed for those who take it so. */
  packed: boolean
}

/** A row answered by one GraphQL operation; its ability stands on the field. */
export interface FieldEndpoint extends Route {
  /** `Query.name` or `Mutation.name`. */
  field: string
  /** jit where the root field returns plain rows; graphql where it returns Prisma objects. */
  engine: 'jit' | 'graphql'
}

/** A row answered by hand: bytes, or what is built from this table. */
export interface OwnEndpoint extends Route {
  by: Perform
  /** Null: any valid token. */
  ability: Ability | null
  /** The schema of its JSON, within the envelope. */
  answers: JsonSchema
  /** The media type of its bytes; null for JSON. */
  media: string | null
}

export type Endpoint = FieldEndpoint | OwnEndpoint

/** What a GraphQL operation answered: its value, and the same as JSON text. */
export interface Performed {
  value: unknown
  text: string
}

/** A root field of the schema made ready for REST. */
export interface Operation {
  field: GraphQLField<unknown, unknown>
  /**
   * Runs the operation with arguments already bound.
   * @throws what the resolver threw
   */
  perform(context: object, args: Record<string, unknown>): Promise<Performed>
}
