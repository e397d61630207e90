import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowsOrigin, anyAllowsOrigin } from '#domain/access/allowed-origins.ts'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'

/** Seconds for which a browser need not ask again whether it may send a token. What a page may read, each answer says anew. */
const PREFLIGHT_MAX_AGE = 600

/** What a page may send beside what every page may. Never a cookie: no answer allows credentials. */
const SENT = ['authorization', 'if-none-match']

/** What a page may read of an answer beside what every page may. */
const SHOWN = 'content-disposition, etag, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, x-request-id'

const reads = (method: unknown) => method === 'GET' || method === 'HEAD'

/**
 * Lets the page of an origin read what the team's token is answered, where the team allows that origin. Asked once the token is
 * admitted; a request without an origin, as of any program that is no page, costs nothing.
 */
export async function allowOrigin(app: Pick<App, 'pool'>, caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin } = request.headers
  if (origin === undefined || !reads(request.method)) return
  reply.header('vary', 'Origin')
  if (!(await allowsOrigin(app, caller, origin))) {
    // A 304 would let the page read the copy that its browser has from when the origin was allowed.
    delete request.headers['if-none-match']
    return
  }
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': SHOWN })
}

/**
 * Answers a browser that asks, without a token, whether a page may send one: to read, from an origin that some team allows. Everything
 * else is left to those who come after, and is refused by them for want of a token.
 */
export const answerPreflight = (app: Pick<App, 'pool'>) => async (request: FastifyRequest, reply: FastifyReply) => {
  const { origin, 'access-control-request-method': method, 'access-control-request-headers': names = '' } = request.headers
  if (request.method !== 'OPTIONS' || origin === undefined || !reads(method)) return
  if (!namesIn(names).every((name) => SENT.includes(name)) || !(await anyAllowsOrigin(app, origin))) return
  return reply
    .code(204)
    .headers({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': SENT.join(', '),
      'access-control-max-age': PREFLIGHT_MAX_AGE,
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    })
    .send()
}

const namesIn = (header: string) =>
  header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
