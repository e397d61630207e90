import type { FastifyRequest } from 'fastify'
import type { Config } from '#domain/kernel/config.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

type OwnUrls = Pick<Config, 'base_url' | 'console_url'>

/** Required on every request with a session: no form, picture or link of another site can send it. */
const CONSOLE_HEADER = 'x-weather-console'
/** Id of the team that a session acts in. */
const TEAM_HEADER = 'x-weather-team'
/** Sent when a session acts as the operator, across all teams. */
const OPERATOR_HEADER = 'x-weather-operator'

/** A cookie of the console. */
export interface ConsoleCookie {
  /** Over https the browser limits it to this host (`__Host-`), so another host of the domain cannot set it. */
  nameIn(config: Pick<Config, 'base_url'>): string
  /** Returns its value; null if there is none. If two cookies have this name, neither is trusted. */
  read(request: Pick<FastifyRequest, 'headers'>, config: Pick<Config, 'base_url'>): string | null
}

const cookieNamed = (baseName: string): ConsoleCookie => ({
  nameIn: ({ base_url }) => (base_url.startsWith('https:') ? `__Host-${baseName}` : baseName),
  read({ headers }, config) {
    const name = `${this.nameIn(config)}=`
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
    const values = pairs.filter((pair) => pair.startsWith(name)).map((pair) => pair.slice(name.length))
    return values.length === 1 && values[0] !== '' ? (values[0] ?? null) : null
  },
})

/** Identifies the person who is signed in. */
export const sessionCookie = cookieNamed('weather_session')
/** Identifies the browser that received a passkey challenge. */
export const challengeCookie = cookieNamed('weather_challenge')
/** Identifies the browser that went to the company's identity provider to sign in. */
export const companyCookie = cookieNamed('weather_company')

/**
 * Requires a request with a cookie to come from the console's own pages, because a browser sends the cookie for any site.
 * @throws Refusal unauthenticated
 */
export function requireConsole({ headers, method }: Pick<FastifyRequest, 'headers' | 'method'>, { base_url, console_url }: OwnUrls): void {
  const ownOrigins = [base_url, console_url].map((url) => new URL(url).origin)
  const site = headers['sec-fetch-site']
  // A browser sends Origin with every request except a plain same-origin GET.
  const isSameOrigin = headers.origin === undefined ? method === 'GET' : ownOrigins.includes(headers.origin)
  if (headers[CONSOLE_HEADER] === '1' && isSameOrigin && (site === undefined || site === 'same-origin')) return
  throw new Refusal(
    'unauthenticated',
    `A session is for the console's own pages: send ${CONSOLE_HEADER}: 1 from there, or a token instead.`,
  )
}

/** Whether the request comes from a page of the console, with or without a session. */
export function isFromConsole({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers[CONSOLE_HEADER] === '1'
}

/** Whether a session acts as the operator, in no team. */
export function actsAsOperator({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers[OPERATOR_HEADER] === '1'
}

/** The id of the team that a page of the console is about; null without the header. */
export function readTeamHeader({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const sent = headers[TEAM_HEADER]
  return typeof sent === 'string' ? sent : null
}
