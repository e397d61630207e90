import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#domain/app.ts'
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts'
import { refusalHeaders } from '#domain/kernel/refusal-headers.ts'
import { BODY_LIMIT } from '#graphql/body.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { maskError } from '#graphql/errors.ts'

/** Refuses a whole request, in the form of a GraphQL response. */
export function refuseRequest(app: Pick<App, 'log'>, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const cause = refusalOfHost(error) ?? error
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

/** Faults that the HTTP host itself finds in a body. */
function refusalOfHost(error: unknown): Refusal | null {
  const { code } = error as { code?: string }
  if (!code?.startsWith('FST_ERR_CTP_')) return null
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal('payload_too_large', `The body must not be larger than ${BODY_LIMIT / 1024 / 1024} MiB.`)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal('unsupported_media_type', 'The body must be sent as application/json.')
  return new Refusal('malformed_json', 'The body cannot be read.')
}
