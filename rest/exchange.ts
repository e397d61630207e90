import type { FastifyRequest } from 'fastify'
import type { GraphQLField, GraphQLSchema } from 'graphql'
import type { Ability } from '#domain/access/abilities.ts'
import type { Caller } from '#domain/access/caller.ts'
import type { IdempotentRequest } from '#domain/access/idempotency.ts'
import type { App } from '#domain/app.ts'
import type { JsonSchema } from '#domain/kernel/fields.ts'
import type { RefusalCode } from '#domain/kernel/refusal.ts'
import type { TurnChecks } from '#graphql/large-operations.ts'

/** Shared by the whole process: the prepared rows, and the schema that they were prepared from. */
export interface Api {
  app: App
  schema: GraphQLSchema
  rows: readonly Row[]
}

/** A row of the endpoint table, prepared at boot. */
export interface Row {
  endpoint: Endpoint
  /** Null: any valid token. */
  ability: Ability | null
  /** Null for rows with their own handler. */
  operation: Operation | null
  /** The GET row of the first record in the path, which must exist before filters or the body are validated. */
  parent: Row | null
}

/** A request on its way through the steps of respond.ts. */
export interface Exchange {
  api: Api
  /** The App, scoped to the caller's team. */
  app: App
  request: FastifyRequest
  caller: Caller
  row: Row
  /** Path parameters, decoded. */
  params: Record<string, string>
  /** Query parameters as sent. */
  query: Record<string, string | string[]>
  /** The JSON body; empty if there is none. */
  body: Record<string, unknown>
  /** Null without an Idempotency-Key, and for rows that ignore it. */
  idempotency: IdempotentRequest | null
}

export interface Answer {
  status: number
  /** The code of a refusal, for the log and the metrics. */
  refused?: string
  /** Null: no body. */
  body: string | Buffer | null
  content_type: string
  headers: Record<string, string>
}

/** The handler of a row without a GraphQL operation. */
export type Handler = (exchange: Exchange) => Promise<Answer>

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * How a response is wrapped.
 * data: `{data: object}`. bare: the object itself. page: the paginated envelope. list: `{object: "list", data}`.
 * empty: no body. bytes: not JSON.
 */
export type Envelope = 'data' | 'bare' | 'page' | 'list' | 'empty' | 'bytes'

/** The status of a batch: `all` if every row succeeded, else 207. */
export interface BatchStatus {
  all: number
}

/** The status of a test post: 200 if it arrived, else this one. */
export interface TestPostStatus {
  undelivered: number
}

export interface Route {
  method: Method
  /** Relative to /api/v1; parameters in braces. */
  path: string
  name: string
  /** One line for the index and the OpenAPI document. */
  summary: string
  as: Envelope
  status: number | BatchStatus | TestPostStatus
  /** Error codes besides those of every row and of every Idempotency-Key. */
  refuses: readonly RefusalCode[]
  /** Other success statuses besides `status`, such as 202 for a document being prepared. */
  also: readonly number[]
  /** Whether an Idempotency-Key is honoured. */
  replays: boolean
  /** Whether it may be read from a read replica that has all of the team's writes. */
  replica: boolean
  /** Largest JSON body, in bytes. */
  body_limit: number
  /** Whether its JSON is long enough to compress for clients that accept it. */
  packed: boolean
  /** Whether its body opens something by itself, such as a signing secret or a link to a document: no cache may keep it. */
  secret: boolean
}

/** A row backed by one GraphQL operation. The field states its ability. */
export interface FieldEndpoint extends Route {
  /** `Query.name` or `Mutation.name`. */
  field: string
  /** jit where the root field returns plain rows; graphql where it returns Prisma objects. */
  engine: 'jit' | 'graphql'
}

/** A row with its own handler: bytes, or data built from this table. */
export interface OwnEndpoint extends Route {
  by: Handler
  /** Null: any valid token. */
  ability: Ability | null
  /** The schema of its JSON, within the envelope. */
  json_schema: JsonSchema
  /** The media type of its bytes; null for JSON. */
  media_type: string | null
}

export type Endpoint = FieldEndpoint | OwnEndpoint

/** The result of a GraphQL operation: its value, and the value as JSON text. */
export interface OperationResult {
  value: unknown
  text: string
}

/** A root field of the schema, prepared for REST. */
export interface Operation {
  field: GraphQLField<unknown, unknown>
  /**
   * Runs the operation with arguments already bound.
   * @throws the error that the resolver threw
   */
  perform(context: object, args: Record<string, unknown>): Promise<OperationResult>
  /** Runs `run`, which performs the operation, as `runInTurn` does: one that may read many long values waits for its turn. */
  inTurn<Result>(caller: Caller, run: () => Promise<Result>, checks: TurnChecks): Promise<Result>
}
