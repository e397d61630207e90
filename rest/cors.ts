import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowsOrigin, anyAllowsOrigin } from '#domain/access/allowed-origins.ts'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { admitToken } from '#graphql/admit.ts'

/** Seconds for which a browser may cache a preflight response. Each response states for itself what a page may read. */
const PREFLIGHT_MAX_AGE_S = 600

/** Request headers that a page may send besides those always allowed. Cookies are not: no response allows credentials. */
const ALLOWED_REQUEST_HEADERS = ['authorization', 'if-none-match']

/** Response headers that a page may read besides those always readable. */
const EXPOSED_HEADERS = 'content-disposition, etag, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, x-request-id'

const isRead = (method: unknown) => method === 'GET' || method === 'HEAD'

/**
 * Admits the team whose token a request carries, and lets a page read the response if the team allows the origin of the page. The
 * refusal of a token has no record of a team, so a page may read it if any team allows its origin, as for a preflight: otherwise it
 * takes the refusal for a lost connection, and tries again too early.
 * A request without an origin, such as one from a program, costs nothing.
 * @throws Refusal as `admitToken` does
 */
export async function admitWithOrigin(app: App, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const { origin } = request.headers
  const isOfPage = origin !== undefined && isRead(request.method)
  if (isOfPage) reply.header('vary', 'Origin')
  try {
    const caller = await admitToken(app, request, reply)
    if (!isOfPage) return caller
    if (await allowsOrigin(app, caller, origin)) allowReading(reply, origin)
    // A 304 would let the page read the copy that its browser cached while the origin was allowed.
    else delete request.headers['if-none-match']
    return caller
  } catch (fault) {
    if (isOfPage && fault instanceof Refusal && (await anyAllowsOrigin(app, origin))) allowReading(reply, origin)
    throw fault
  }
}

function allowReading(reply: FastifyReply, origin: string): void {
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
