import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { permit } from '#domain/access/permit.ts'
import { withinTeam } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { sourceRow } from '#domain/reports/source-row.ts'
import { admitToken } from '#graphql/admit.ts'
import { send } from '#rest/send.ts'

/** Sent as plain text, so that a browser never interprets what the agency wrote. */
const ROW_TYPE = 'text/plain; charset=utf-8'
/** A cached copy would bypass the token check. */
const CACHE = 'private, no-store'

type RowRequest = FastifyRequest<{ Params: { sha256: string }; Querystring: { row?: unknown } }>

/**
 * Mounts the stored files of the agencies, outside the contract: GET /sources/{sha256}?row={record} returns the original
 * bytes of a record's row to a token that may read a report that cites it.
 */
export function mountSources(fastify: FastifyInstance, app: App): void {
  fastify.get('/sources/:sha256', (request: RowRequest, reply) => answerRow(app, request, reply))
}

async function answerRow(app: App, request: RowRequest, reply: FastifyReply): Promise<FastifyReply> {
  const caller = await admitToken(app, request, reply)
  permit(caller, 'reports:read')
  const body = await sourceRow(withinTeam(app, caller), caller, request.params.sha256, request.query.row)
  return send(request, reply, { status: 200, body, content_type: ROW_TYPE, headers: { 'cache-control': CACHE } })
}
