import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** A strong validator: equal bytes have equal tags. */
export const entityTag = (body: string | Buffer) => `"${hash('sha1', body, 'base64url')}"`

/** A weak validator, for a body that is also sent compressed: both forms have the tag of one. */
export const weakEntityTag = (body: string | Buffer) => `W/${entityTag(body)}`

/**
 * Whether If-None-Match contains the tag: then the client has the body. A weak form and a strong one are the same here, as RFC 9110
 * specifies for reads: a proxy that compresses a response weakens its tag.
 */
export function clientHas({ headers }: Pick<FastifyRequest, 'headers'>, tag: string): boolean {
  const condition = headers['if-none-match']
  if (!condition) return false
  return condition.trim() === '*' || condition.split(',').some((part) => strong(part.trim()) === strong(tag))
}

const strong = (tag: string) => tag.replace(/^W\//, '')
