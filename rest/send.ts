import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addToRequestLog } from '#graphql/context.ts'
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
    if (matchesTag(request.headers['if-none-match'], tag))
      return reply.code(304).removeHeader('content-type').removeHeader('content-encoding').send()
  }
  return reply.send(body)
}

/** A strong validator: equal bytes have equal tags. */
function entityTag(body: string | Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** Whether If-None-Match contains the tag. A weak form matches too, as RFC 9110 specifies for reads. */
function matchesTag(header: string | undefined, tag: string): boolean {
  if (!header) return false
  return header.trim() === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === tag)
}
