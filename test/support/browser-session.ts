import type { FastifyInstance } from 'fastify'
import type { TeamRole } from '#domain/closed-sets.ts'
import { createOperatorLink } from '#domain/people/operator-link.ts'
import type { World } from './world.ts'

/** Sends requests as the console's pages do. */
export interface BrowserSession {
  /** The Cookie header; empty until signed in. */
  cookie: string
  /** Posts JSON beneath /app; sends a GET if there is no body. */
  call(
    path: string,
    body?: unknown,
    headers?: Record<string, string | undefined>,
    // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever was asked for
  ): Promise<{ status: number; body: any; cookie: string | undefined }>
  /** Sends a GraphQL document in the session. */
  ask(
    query: string,
    variables?: object,
    headers?: Record<string, string | undefined>,
    // biome-ignore lint/suspicious/noExplicitAny: as above
  ): Promise<{ status: number; data: any; errors: any[] | undefined }>
}

/** A browser without a session, on the console's pages. */
export function openBrowser(world: World, fastify: FastifyInstance): BrowserSession {
  const own = {
    'x-weather-console': '1',
    origin: new URL(world.app.config.console_url).origin,
    'sec-fetch-site': 'same-origin',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  }
  const session: BrowserSession = {
    cookie: '',
    async call(path, body, headers = {}) {
      const sent = kept({
        ...own,
        ...(session.cookie && { cookie: session.cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      })
      const answer = await fastify.inject({
        method: body === undefined ? 'GET' : 'POST',
        url: `/app${path}`,
        headers: sent,
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const set = answer.headers['set-cookie']
      const cookie = typeof set === 'string' ? set : undefined
      if (cookie) session.cookie = cookie.includes('Max-Age=0') ? '' : (cookie.split(';')[0] ?? '')
      return { status: answer.statusCode, body: answer.body ? JSON.parse(answer.body) : null, cookie }
    },
    async ask(query, variables, headers = {}) {
      const sent = kept({ ...own, cookie: session.cookie, 'content-type': 'application/json', ...headers })
      const answer = await fastify.inject({ method: 'POST', url: '/graphql', headers: sent, payload: JSON.stringify({ query, variables }) })
      return { status: answer.statusCode, ...JSON.parse(answer.body) }
    },
  }
  return session
}

/** A user who is signed in to the team with a role, through a link from the operator. */
export async function signIn(
  world: World,
  fastify: FastifyInstance,
  team_id: string,
  email: string,
  role: TeamRole,
): Promise<BrowserSession> {
  const { url } = await createOperatorLink(world.app, { team_id, email, role })
  const browser = openBrowser(world, fastify)
  const { status, body } = await browser.call('/sign-in/link', { token: tokenOf(url) })
  if (status !== 200) throw new Error(`not signed in: ${JSON.stringify(body)}`)
  return browser
}

/** The token in a link's fragment. */
export const tokenOf = (url: string) => new URL(url).hash.slice(1)

const kept = (headers: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined))
