import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#domain/app.ts'
import { type Refusal, refusalOf } from '#domain/kernel/refusal.ts'
import { refusalHeaders } from '#domain/kernel/refusal-headers.ts'
import { BODY_LIMIT, refusalOfBody } from '#graphql/body.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { maskError } from '#graphql/errors.ts'

/** Refuses a whole request, in the form of a GraphQL response. */
export function refuseRequest(app: Pick<App, 'log'>, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const cause = refusalOfBody(error, request, `${BODY_LIMIT / 1024 / 1024} MiB`) ?? error
  const refused = refusalOf(cause)
  const masked = maskError(cause, { request_id: request.id, team_id: request.logged?.team_id }, app)
  // The log also counts it.
  addToRequestLog(request, { refused: String(masked.extensions.code) })
  return reply
    .code(refused ? statusOf(refused) : 500)
    .headers(refused ? refusalHeaders(refused) : {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ errors: [masked] }))
}

/** GraphQL over HTTP requires 400 for unreadable JSON. */
const statusOf = ({ code, status }: Refusal) => (code === 'malformed_json' ? 400 : status)
