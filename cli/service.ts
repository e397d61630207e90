import type { IncomingMessage } from 'node:http'
import { createWeatherClient, type Schemas, WeatherApiError, type WeatherClient, WeatherConnectionError } from 'weather-report-client'
import {
  addKeyHint,
  DEFAULT_RETRY,
  executeGraphql,
  headersOf,
  NO_TIMEOUT,
  parse,
  refusal,
  requireFile,
  requireNoPage,
  send,
} from './api.ts'
import { exitOf, exits, failure, lost } from './failure.ts'
import { awaitWithNotice, liveLine } from './format.ts'
import { type Connection, fitForHeader, type RetryPolicy } from './settings.ts'

/** Response types of the service, from its OpenAPI document. */
export type { Schemas }

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to /api/v1. */
  path: string
  query?: Query
  body?: unknown
  /** Sent as Idempotency-Key, so that a lost call is retried but charged only once. */
  key?: string
}

export type Query = Record<string, string | number | boolean | undefined>

export interface Answer<Body = unknown> {
  status: number
  /** Seconds of the service's Retry-After. */
  retry_after: number | null
  /** Null for a response without a body. */
  body: Body
}

/** The paginated envelope. */
export interface Page<Row = Record<string, unknown>> {
  data: Row[]
  links: { next: string | null }
  meta: { current_page: number; last_page: number; total: number }
}

/**
 * Makes one call of the API with the team's token. The client retries what may be repeated.
 * @param Body type of the response, from the OpenAPI document
 * @param acceptedStatuses statuses from 400 that are returned, not thrown
 * @throws Failure with the exit status of a refusal
 */
export async function call<Body = unknown>(
  connection: Connection,
  request: Call,
  acceptedStatuses: readonly number[] = [],
): Promise<Answer<Body>> {
  const headers = { ...(request.body !== undefined && JSON_BODY), ...(request.key && { 'idempotency-key': request.key }) }
  const body = request.body === undefined ? null : JSON.stringify(request.body)
  const path = `/api/v1${request.path}${searchOf(request.query)}`
  const answer = await fetchAnswer(connection, path, { method: request.method, headers, body, redirect: 'manual' }, acceptedStatuses).catch(
    (fault) => {
      throw addKeyHint(fault, request.key)
    },
  )
  const { status } = answer
  const text = await answer.text()
  const parsed = text === '' ? null : parse(text, status)
  if (parsed === null && status !== NO_CONTENT) throw addKeyHint(refusal(null, status), request.key)
  return { status, retry_after: retryAfterOf(answer), body: parsed as Body }
}

const NO_CONTENT = 204
const JSON_BODY = { 'content-type': 'application/json' }

/** The object under `data` of a response. */
export async function objectOf<Answered>(connection: Connection, request: Call): Promise<Answered> {
  return (await call<{ data: Answered }>(connection, request)).body.data
}

/** One page of a list. */
export async function page<Row>(connection: Connection, path: string, query: Query): Promise<Page<Row>> {
  const { status, body } = await call<Page<Row>>(connection, { method: 'GET', path, query })
  if (!Array.isArray(body.data) || typeof body.meta?.total !== 'number') throw refusal(null, status)
  return body
}

/** The service's time in whole seconds, ISO 8601, as a list's response states it; this machine's if a proxy removes it. */
export async function serviceTime(connection: Connection, path: string): Promise<string> {
  const { headers } = await fetchAnswer(connection, `/api/v1${path}?per_page=1`, { redirect: 'manual' })
  const stated = Date.parse(headers.get('date') ?? '')
  return new Date(Number.isNaN(stated) ? Date.now() : stated).toISOString()
}

/** Runs a GraphQL operation with the team's token, for the few operations that REST lacks. */
export async function query<T>(connection: Connection, text: string, variables: Record<string, unknown>): Promise<T> {
  return awaitAnswer(connection, executeGraphql<T>(connection.url, tokenOf(connection), text, variables, retryPolicyOf(connection)))
}

/** Like query, for work of any length; shows meanwhile what it does. */
export async function queryWithoutTimeout<T>(
  connection: Connection,
  text: string,
  variables: Record<string, unknown>,
  progress: string,
): Promise<T> {
  const live = liveLine()
  live.show(progress)
  try {
    return await executeGraphql<T>(connection.url, tokenOf(connection), text, variables, NO_TIMEOUT)
  } finally {
    live.clear()
  }
}

/** Like every call, a redirect is reported: its target would not get the token. */
const BYTES: RequestInit = { headers: { accept: '*/*' }, redirect: 'manual' }

/** The bytes of a response that is not JSON, or the JSON returned instead. */
export async function bytesOf(connection: Connection, path: string): Promise<Answer & { bytes: Buffer | null }> {
  const answer = await fetchAnswer(connection, `/api/v1${path}`, BYTES)
  const { status } = answer
  const retry_after = retryAfterOf(answer)
  requireNoPage(answer.headers.get('content-type'))
  if (status !== 200) return { status, retry_after, body: parse(await answer.text(), status), bytes: null }
  return { status, retry_after, body: null, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** The bytes of a response outside the API, such as a tile; empty if the service has nothing there. */
export async function bytesOutsideApi(connection: Connection, path: string): Promise<Buffer> {
  const answer = await fetchAnswer(connection, path, BYTES)
  requireNoPage(answer.headers.get('content-type'))
  return Buffer.from(await answer.arrayBuffer())
}

/**
 * Streams a file of any length.
 * @throws Failure with the exit status of a refusal
 */
export async function openFile(connection: Connection, path: string, query: Query): Promise<{ answer: IncomingMessage }> {
  const headers = headersOf(tokenOf(connection), { accept: '*/*' })
  const { answer } = await send(connection.url, 'GET', `${path}${searchOf(query)}`, headers, null)
  return { answer: await requireFile(answer) }
}

/** The query string of parameters, with its question mark; empty without any. */
export function searchOf(params: Query = {}): string {
  const entries = Object.entries(params).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}

async function fetchAnswer(
  connection: Connection,
  path: string,
  init: RequestInit,
  acceptedStatuses: readonly number[] = [],
): Promise<Response> {
  try {
    return await awaitAnswer(connection, clientOf(connection).fetch(path, init, { accept: acceptedStatuses }))
  } catch (fault) {
    throw failureOf(connection, fault)
  }
}

/** Shows a waiting message for commands. Screens show themselves what they wait for. */
const awaitAnswer = <T>({ url, retry }: Connection, response: Promise<T>) => (retry ? response : awaitWithNotice(url, response))

/** Lost requests are retried, but a busy service is reported immediately. */
function clientOf(connection: Connection): WeatherClient {
  const { within_ms, pauses_ms } = retryPolicyOf(connection)
  const retry = { pausesMs: pauses_ms, statuses: [], withinMs: Number.POSITIVE_INFINITY }
  return createWeatherClient({ baseUrl: connection.url, token: tokenOf(connection), timeoutMs: within_ms, retry })
}

function failureOf({ url }: Connection, fault: unknown): unknown {
  if (fault instanceof WeatherConnectionError)
    return lost(
      fault.answer_began ? `The response of the service was cut off: ${fault.reason}` : `${url} cannot be reached: ${fault.reason}`,
    )
  if (!(fault instanceof WeatherApiError)) return fault
  const { status, code, message, body, retry_after } = fault
  return Object.assign(code === null ? failure(exitOf(status), message) : refusal(body, status), { retry_after })
}

const retryPolicyOf = ({ retry = DEFAULT_RETRY }: Connection): RetryPolicy => retry

/** The token of a connection. @throws Failure if there is none */
export function tokenOf({ token }: Connection): string {
  if (!token) throw failure(exits.auth, 'There is no token: run weather login, set WEATHER_TOKEN, or name a profile with --profile.')
  return fitForHeader(token, 'token')
}

function retryAfterOf({ headers }: Response): number | null {
  const header = headers.get('retry-after')
  const seconds = Number(header)
  return header === null || !Number.isFinite(seconds) ? null : seconds
}
