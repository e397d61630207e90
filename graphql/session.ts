import type { FastifyRequest } from 'fastify'
import type { Config } from '#domain/kernel/config.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

type Addresses = Pick<Config, 'base_url' | 'console_url'>

/** Asked for on every request of a session: no form, picture or link of another site can send it. */
const CONSOLE_HEADER = 'x-weather-console'
/** Id of the team in which a session asks. */
const TEAM_HEADER = 'x-weather-team'
/** Sent where a session asks as the operator, of every team. */
const OPERATOR_HEADER = 'x-weather-operator'

/** A cookie of the console's. */
export interface ConsoleCookie {
  /** Over https the browser keeps it for this host alone, whatever another of its domain sets. */
  nameIn(config: Pick<Config, 'base_url'>): string
  /** What it holds; null where there is none. Of two of one name neither is believed. */
  read(request: Pick<FastifyRequest, 'headers'>, config: Pick<Config, 'base_url'>): string | null
}

const cookieNamed = (bare: string): ConsoleCookie => ({
  nameIn: ({ base_url }) => (base_url.startsWith('https:') ? `__Host-${bare}` : bare),
  read({ headers }, config) {
    const name = `${this.nameIn(config)}=`
    const held = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
    const values = held.filter((pair) => pair.startsWith(name)).map((pair) => pair.slice(name.length))
    return values.length === 1 && values[0] !== '' ? (values[0] ?? null) : null
  },
})

/** Who is signed in. */
export const sessionCookie = cookieNamed('weather_session')
/** Which browser was given a passkey's challenge. */
export const challengeCookie = cookieNamed('weather_challenge')
/** Which browser went to sign in at the company's provider. */
export const companyCookie = cookieNamed('weather_company')

/**
 * A request with a cookie must come from the console's own pages: a browser sends the cookie whoever asks.
 * @throws Refusal unauthenticated
 */
export function requireConsole(
  { headers, method }: Pick<FastifyRequest, 'headers' | 'method'>,
  { base_url, console_url }: Addresses,
): void {
  const ours = [base_url, console_url].map((url) => new URL(url).origin)
  const site = headers['sec-fetch-site']
  // A browser names the origin of everything but a plain GET of its own.
  const from = headers.origin === undefined ? method === 'GET' : ours.includes(headers.origin)
  if (headers[CONSOLE_HEADER] === '1' && from && (site === undefined || site === 'same-origin')) return
  throw new Refusal(
    'unauthenticated',
    `A session is for the console's own pages: send ${CONSOLE_HEADER}: 1 from there, or a token instead.`,
  )
}

/** Whether a page of the console asks, with a session or without. */
export function asksFromConsole({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers[CONSOLE_HEADER] === '1'
}

/** Whether a session asks as the operator: in no team. */
export function asksAsOperator({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers[OPERATOR_HEADER] === '1'
}

export function teamHeader({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const sent = headers[TEAM_HEADER]
  return typeof sent === 'string' ? sent : null
}
