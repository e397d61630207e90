import type { FastifyReply, FastifyRequest } from 'fastify'
import { findOutcome } from '#domain/access/idempotency.ts'
import { permit } from '#domain/access/permit.ts'
import { readFromReplica } from '#domain/access/read-replica.ts'
import { withinTeam } from '#domain/access/scope.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { addToRequestLog, type Context } from '#graphql/context.ts'
import type { TurnChecks } from '#graphql/large-operations.ts'
import { answer } from '#rest/answers.ts'
import { bindArguments } from '#rest/bind.ts'
import { readBody } from '#rest/body.ts'
import { contextOf } from '#rest/context.ts'
import { admitWithOrigin } from '#rest/cors.ts'
import { compressFor } from '#rest/encoding.ts'
import type { Answer, Api, Exchange, Operation, OperationResult } from '#rest/exchange.ts'
import type { Match } from '#rest/match.ts'
import { readPathIds } from '#rest/path-ids.ts'
import { idempotentRequest } from '#rest/replay.ts'
import { send } from '#rest/send.ts'

/**
 * Responds to a request under /api/v1. The order of the steps is the contract's order of checks:
 * 401, 429, 402 of the plan, 404 and 405 of the path, 403, 413, 415, malformed JSON, 404 of a malformed id,
 * replay or 409 of the key, 404 of the record, 422, and what the domain refuses.
 */
export const respondWith = (api: Api, match: Match) => async (request: FastifyRequest, reply: FastifyReply) => {
  const caller = await admitWithOrigin(api.app, request, reply)
  const { row, params: sentIds } = match(request.method, pathOf(request))
  addToRequestLog(request, { operation: row.endpoint.name })
  permit(caller, row.ability)
  if (row.endpoint.secret) reply.header('cache-control', 'no-store')
  const body = await readBody(request.raw, row.endpoint.body_limit)
  await caller.requireAdmitted()
  const params = readPathIds(sentIds)
  const parsedRequest = {
    api,
    app: withinTeam(api.app, caller),
    request,
    caller,
    row,
    params,
    query: request.query as Exchange['query'],
    body,
  }
  const exchange = { ...parsedRequest, idempotency: await readIdempotency(parsedRequest) }
  // A page that continues another must not be read from an older state than that one: the replica may lag behind.
  const continues = exchange.query.after !== undefined
  const run = () =>
    row.endpoint.replica && !continues ? readFromReplica(api.app, caller, (app) => perform({ ...exchange, app })) : perform(exchange)
  // One turn for both servers: a read that is given up because the replica hangs keeps none.
  const checks: TurnChecks = {
    hasLeft: () => row.endpoint.method === 'GET' && reply.raw.destroyed,
    admitted: (caller) => permit(caller, row.ability),
  }
  return send(request, reply, await (row.operation ? row.operation.inTurn(caller, run, checks) : run()))
}

function pathOf(request: FastifyRequest): string {
  return request.raw.url?.split('?', 1)[0] ?? ''
}

async function readIdempotency(exchange: Omit<Exchange, 'idempotency'>): Promise<Exchange['idempotency']> {
  const { row, app, caller } = exchange
  if (!row.endpoint.replays) return null
  const idempotency = await readKey(exchange)
  // A key in use, or used for another request, is refused before this request is validated.
  if (idempotency) await findOutcome(app, caller, idempotency)
  return idempotency
}

/** Reports an invalid key only after a 404, like every other fault in the request. */
async function readKey(exchange: Omit<Exchange, 'idempotency'>): Promise<Exchange['idempotency']> {
  const { request, body } = exchange
  try {
    return idempotentRequest(request.headers['idempotency-key'], { method: request.method, path: pathOf(request), body })
  } catch (fault) {
    await requireParent({ ...exchange, idempotency: null })
    throw fault
  }
}

async function perform(exchange: Exchange): Promise<Answer> {
  const { endpoint, operation } = exchange.row
  if ('by' in endpoint) return endpoint.by(exchange)
  if (!operation) throw new Error(`${endpoint.name} has no operation`)
  const usesQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE'
  const { args, unknown } = bindArguments(operation.field.args, {
    path: exchange.params,
    ...(usesQuery ? { query: exchange.query, body: null } : { query: null, body: exchange.body }),
  })
  const context = contextOf(exchange, unknown)
  const response = answer(endpoint, await runOperation(operation, context, args, exchange), context.replayed)
  return endpoint.packed ? compressFor(exchange.request.headers['accept-encoding'], response) : response
}

/** A missing record gives 404 even if the filters or the body are invalid too. */
async function runOperation(
  operation: Operation,
  context: Context,
  args: Record<string, unknown>,
  exchange: Exchange,
): Promise<OperationResult> {
  try {
    return await operation.perform(context, args)
  } catch (fault) {
    if (fault instanceof Refusal && fault.code === 'validation_failed') await requireParent(exchange)
    throw fault
  }
}

/** @throws Refusal 404 if the record in the path is not the team's */
async function requireParent(exchange: Exchange): Promise<void> {
  const { parent } = exchange.row
  if (!parent?.operation) return
  const { args } = bindArguments(parent.operation.field.args, { path: exchange.params, query: null, body: null })
  const { value } = await parent.operation.perform(contextOf(exchange), args)
  requireNestedRecord(value as Record<string, unknown>, exchange.params)
}

/** Requires a nested id of the path to be in the record's list of that name: `/properties/{property}/contacts/{contact}`. */
function requireNestedRecord(record: Record<string, unknown>, path: Record<string, string>): void {
  for (const [name, id] of Object.entries(path)) {
    const parts = record[`${name}s`]
    if (!Array.isArray(parts) || parts.some((part) => String(part.id) === id)) continue
    throw new Refusal('not_found', `There is no ${name} with this id.`)
  }
}
