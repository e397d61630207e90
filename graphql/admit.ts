import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from '#domain/access/authenticate.ts'
import type { Caller } from '#domain/access/caller.ts'
import { chargeRequests, countFailure } from '#domain/access/rate-limit.ts'
import type { App } from '#domain/app.ts'
import { rateHeaders } from '#domain/kernel/refusal-headers.ts'
import { admitPerson, signedOut } from '#domain/people/admit-person.ts'
import { requireApiAccess } from '#domain/plans/ceilings.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { requireConsole, sessionCookie } from '#graphql/session.ts'

/**
 * Admits the team whose token a request carries, counts the request, and sets the rate limit headers of the response.
 * @throws Refusal in this order: unauthenticated, rate_limited, and what the plan refuses
 */
export async function admitToken(app: App, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const { caller, rate } = await authenticate(app, request.headers.authorization, request.ip)
  addToRequestLog(request, { team_id: caller.team.id })
  reply.headers(rateHeaders(rate))
  requireApiAccess(caller)
  return caller
}

/**
 * Admits a person who is signed in, in one of their teams. Requests count as those of a token do; the plan need not
 * include API access.
 * @param team_id null for the first team that they joined
 * @throws Refusal unauthenticated, rate_limited
 */
export async function admitSession(app: App, request: FastifyRequest, reply: FastifyReply, team_id: string | null): Promise<Caller> {
  requireConsole(request, app.config)
  const secret = sessionCookie.read(request, app.config)
  const caller = (secret && (await admitPerson(app, secret, team_id))) || (await refuseSession(app, request))
  addToRequestLog(request, { team_id: caller.team.id })
  reply.headers(rateHeaders(await chargeRequests(app, caller, 1)))
  return caller
}

/** Refuses a request without a valid session. An invalid cookie counts as a failed token does; a missing one does not count. */
export async function refuseSession(app: App, request: FastifyRequest): Promise<never> {
  if (sessionCookie.read(request, app.config) !== null) await countFailure(app, request.ip)
  throw signedOut()
}
