import type { FastifyReply, FastifyRequest } from 'fastify'
import { countFailure, countOne, SESSION_PER_MINUTE } from '#domain/access/rate-limit.ts'
import type { App } from '#domain/app.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { type SignedIn, whoIsSignedIn } from '#domain/people/admit-person.ts'
import { hashSecret } from '#domain/people/secrets.ts'
import { type Client, endSession, SESSION_MAX_MS } from '#domain/people/sessions.ts'
import { type ConsoleCookie, sessionCookie } from '#graphql/session.ts'

/** A request from the console's own pages, under /app. */
export type BodyRequest = FastifyRequest<{ Body: Record<string, unknown> | undefined }>

/** What is noted of the client of a request in logs of sign-ins. */
export const clientOf = ({ ip, headers, id }: FastifyRequest): Client => ({
  address: ip,
  user_agent: headers['user-agent'],
  request_id: id,
})

/** A value of a request's body as text; empty for anything else. */
export const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/**
 * Returns the person who is signed in in the browser of the request, and counts the request with those that the session sends to GraphQL.
 * @throws Refusal unauthenticated, rate_limited
 */
export async function signedIn(app: App, request: FastifyRequest): Promise<SignedIn> {
  const secret = sessionCookie.read(request, app.config)
  const found = secret === null ? null : await whoIsSignedIn(app, secret)
  if (secret !== null && found) {
    await countOne(app, `session:${hashSecret(secret)}`, SESSION_PER_MINUTE)
    return found
  }
  if (secret !== null) await countFailure(app, request.ip)
  throw new Refusal('unauthenticated', 'You are not signed in.')
}

/** Gives the browser a new session and ends the session of the request. */
export async function startSession(app: App, request: FastifyRequest, reply: FastifyReply, secret: string): Promise<void> {
  await endOwnSession(app, request)
  setCookie(reply, app.config, sessionCookie, secret, SESSION_MAX_MS)
}

/** Ends the session of the request, so that signing in leaves no session behind. */
async function endOwnSession(app: App, request: FastifyRequest): Promise<void> {
  const secret = sessionCookie.read(request, app.config)
  if (secret !== null) await endSession(app, secret)
}

/**
 * Ends the session of the request when its person signs out. A cookie without a session is no refusal, but counts as one: the browser
 * forgets it.
 * @throws Refusal rate_limited
 */
export async function signOut(app: App, request: FastifyRequest): Promise<void> {
  const secret = sessionCookie.read(request, app.config)
  if (secret === null) return
  if (await whoIsSignedIn(app, secret)) await endSession(app, secret)
  else await countFailure(app, request.ip)
}

/** Sets a cookie of the console that scripts cannot read; only over HTTPS if the service has it. */
export function setCookie(
  reply: FastifyReply,
  config: App['config'],
  cookie: ConsoleCookie,
  secret: string,
  max_age_ms: number,
): FastifyReply {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${config.base_url.startsWith('https:') ? '; Secure' : ''}`
  return reply.header('set-cookie', `${cookie.nameIn(config)}=${secret}; Max-Age=${max_age_ms / 1000}; ${attributes}`)
}

/** Deletes a cookie in the browser. */
export const clearCookie = (reply: FastifyReply, config: App['config'], cookie: ConsoleCookie) => setCookie(reply, config, cookie, '', 0)
