import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowsOrigin, anyAllowsOrigin } from '#domain/access/allowed-origins.ts'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'

/** Seconds for which a browser may cache a preflight response. Each response states for itself what a page may read. */
const PREFLIGHT_MAX_AGE_S = 600

/** Request headers that a page may send besides those always allowed. Cookies are not: no response allows credentials. */
const ALLOWED_REQUEST_HEADERS = ['authorization', 'if-none-match']

/** Response headers that a page may read besides those always readable. */
const EXPOSED_HEADERS = 'content-disposition, etag, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, x-request-id'

const isRead = (method: unknown) => method === 'GET' || method === 'HEAD'

/**
 * Lets a page read the response to the team's token if the team allows the origin of the page. Runs after the token is
 * admitted. A request without an origin, such as one from a program, costs nothing.
 */
export async function allowOrigin(app: Pick<App, 'pool'>, caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin } = request.headers
  if (origin === undefined || !isRead(request.method)) return
  reply.header('vary', 'Origin')
  if (!(await allowsOrigin(app, caller, origin))) {
    // A 304 would let the page read the copy that its browser cached while the origin was allowed.
    delete request.headers['if-none-match']
    return
  }
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS })
}

/**
 * Responds to a preflight, which has no token: allows reading from an origin that at least one team allows. All other requests pass to
 * the next handlers, which refuse them because they have no token.
 */
export const answerPreflight = (app: Pick<App, 'pool'>) => async (request: FastifyRequest, reply: FastifyReply) => {
  const { origin, 'access-control-request-method': method, 'access-control-request-headers': names = '' } = request.headers
  if (request.method !== 'OPTIONS' || origin === undefined || !isRead(method)) return
  if (!namesIn(names).every((name) => ALLOWED_REQUEST_HEADERS.includes(name)) || !(await anyAllowsOrigin(app, origin))) return
  return reply
    .code(204)
    .headers({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': ALLOWED_REQUEST_HEADERS.join(', '),
      'access-control-max-age': PREFLIGHT_MAX_AGE_S,
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
