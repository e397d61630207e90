import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate, chargeRequests, countFailure } from '#domain/access/authenticate.ts'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { rateHeaders } from '#domain/kernel/refusal-headers.ts'
import { admitPerson } from '#domain/people/admit-person.ts'
import { requireApiAccess } from '#domain/plans/ceilings.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { requireConsole, sessionCookie } from '#graphql/session.ts'

/**
 * The team whose token a request carries, counted and with its rate in the answer's headers.
 * @throws Refusal unauthenticated, rate_limited, and what the plan refuses: in this order
 */
export async function admitToken(app: App, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const { caller, rate } = await authenticate(app, request.headers.authorization, request.ip)
  addToRequestLog(request, { team_id: caller.team.id })
  reply.headers(rateHeaders(rate))
  requireApiAccess(caller)
  return caller
}

/**
 * Somebody who is signed in, in a team of theirs, counted as a token is; their plan need not open the API.
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

/** A cookie that opens nothing is counted as a refused token is; without one nothing was tried. */
export async function refuseSession(app: App, request: FastifyRequest): Promise<never> {
  if (sessionCookie.read(request, app.config) !== null) await countFailure(app, request.ip)
  throw new Refusal('unauthenticated', 'You are signed out, or no longer in this team. Sign in again.')
}
