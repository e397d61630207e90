import type { FastifyReply, FastifyRequest } from 'fastify'
import { addToRequestLog } from '#graphql/context.ts'
import { clientHas, entityTag } from '#rest/entity-tag.ts'
import type { Answer } from '#rest/exchange.ts'

/** Sends a response. A GET whose body the client already has gives 304. */
export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const { status, body, content_type, headers, refused } = answer
  if (refused) addToRequestLog(request, { refused })
  const varies = [headers.vary, reply.getHeader('vary')].filter(Boolean).join(', ')
  reply.code(status).headers(varies ? { ...headers, vary: varies } : headers)
  if (body === null) return reply.send()
  reply.type(content_type)
  if (status === 200 && (request.method === 'GET' || request.method === 'HEAD')) {
    const tag = headers.etag ?? entityTag(body)
    reply.header('etag', tag)
    if (clientHas(request, tag)) return reply.code(304).removeHeader('content-type').removeHeader('content-encoding').send()
  }
  return reply.send(body)
}
