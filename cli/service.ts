import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { components } from 'weather-report-client'
import { ANSWER_MS, type ErrorBody, graph, headersOf, parse, refusal, send, whole } from './api.ts'
import { exits, failure, isFailure, isLost } from './failure.ts'
import type { Connection, RetryPolicy } from './settings.ts'

/** What the service answers of each kind, as its description states it. */
export type Schemas = components['schemas']

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Beneath /api/v1. */
  path: string
  query?: Query
  body?: unknown
  /** Sent as Idempotency-Key: a call that is lost on its way is then made once more, and charged once. */
  key?: string
}

export type Query = Record<string, string | number | boolean | undefined>

export interface Answer<Body = unknown> {
  status: number
  /** Seconds that the service asks to wait before asking again. */
  retry_after: number | null
  /** Null for an answer without a body. */
  body: Body
}

/** The paginated envelope. */
export interface Page<Row = Record<string, unknown>> {
  data: Row[]
  links: { next: string | null }
  meta: { current_page: number; last_page: number; total: number }
}

/** A service restarts within the pauses. */
const USUAL: RetryPolicy = { within_ms: ANSWER_MS, pauses_ms: [300, 1000, 3000] }

/**
 * Makes one call of the API with the team's token.
 * @param Body what its description says that it answers
 * @param also statuses at or above 400 that are answered, not thrown
 * @throws Failure with the exit status that a refusal stands for
 */
export async function call<Body = unknown>(connection: Connection, asked: Call, also: readonly number[] = []): Promise<Answer<Body>> {
  for (const wait of retryPolicyOf(connection).pauses_ms) {
    try {
      return await once<Body>(connection, asked, also)
    } catch (fault) {
      if (!mayRepeat(asked, fault)) throw fault
      await pause(wait)
    }
  }
  return once<Body>(connection, asked, also)
}

/** The object that an answer has under `data`. */
export async function objectOf<Answered>(connection: Connection, asked: Call): Promise<Answered> {
  return (await call<{ data: Answered }>(connection, asked)).body.data
}

/** One page of a listing. */
export async function page<Row>(connection: Connection, path: string, query: Query): Promise<Page<Row>> {
  return (await call<Page<Row>>(connection, { method: 'GET', path, query })).body
}

/** Runs a GraphQL operation with the team's token: for the few that the REST side does not have. */
export async function query<T>(connection: Connection, text: string, variables: Record<string, unknown>): Promise<T> {
  return graph(connection.url, tokenOf(connection), text, variables, retryPolicyOf(connection).within_ms)
}

/** The bytes of an answer that is not JSON, or what was answered in their place. */
export async function bytesOf(connection: Connection, path: string): Promise<Answer & { bytes: Buffer | null }> {
  const headers = headersOf(tokenOf(connection), { accept: '*/*' })
  const { answer } = await send(connection.url, 'GET', `/api/v1${path}`, headers, null, retryPolicyOf(connection).within_ms)
  const status = answer.statusCode as number
  const retry_after = secondsOf(answer.headers['retry-after'])
  if (status !== 200) {
    const body = parse(await whole(answer), status)
    if (status >= 400) throw refusal(body as ErrorBody)
    return { status, retry_after, body, bytes: null }
  }
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  return { status, retry_after, body: null, bytes: Buffer.concat(parts) }
}

/**
 * A file that may be long, as it comes.
 * @throws Failure with the exit status that a refusal stands for
 */
export async function openFile(connection: Connection, path: string, query: Query): Promise<{ answer: IncomingMessage }> {
  const headers = headersOf(tokenOf(connection), { accept: '*/*' })
  const { answer } = await send(connection.url, 'GET', `${path}${searchOf(query)}`, headers, null)
  const status = answer.statusCode as number
  if (status !== 200) throw refusal(parse(await whole(answer), status) as ErrorBody)
  return { answer }
}

export function searchOf(asked: Query = {}): string {
  const given = Object.entries(asked).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

async function once<Body>(connection: Connection, asked: Call, also: readonly number[]): Promise<Answer<Body>> {
  const headers = headersOf(tokenOf(connection), {
    ...(asked.body !== undefined && { 'content-type': 'application/json' }),
    ...(asked.key && { 'idempotency-key': asked.key }),
  })
  const body = asked.body === undefined ? null : JSON.stringify(asked.body)
  const { within_ms } = retryPolicyOf(connection)
  const { answer } = await send(connection.url, asked.method, `/api/v1${asked.path}${searchOf(asked.query)}`, headers, body, within_ms)
  const status = answer.statusCode as number
  const retry_after = secondsOf(answer.headers['retry-after'])
  const text = await whole(answer)
  const read = text === '' ? null : parse(text, status)
  if (status >= 400 && !also.includes(status)) throw Object.assign(refusal(read as ErrorBody), { retry_after })
  return { status, retry_after, body: read as Body }
}

const retryPolicyOf = ({ patience = USUAL }: Connection): RetryPolicy => patience

export function tokenOf({ token }: Connection): string {
  if (!token) throw failure(exits.auth, 'No token is known: run weather login, or set WEATHER_TOKEN.')
  return token
}

/** A reading, or a create under a key, that never arrived or whose first try is still being worked on. */
function mayRepeat({ method, key }: Call, fault: unknown): boolean {
  if (!isFailure(fault) || (method !== 'GET' && !key)) return false
  if (isLost(fault)) return true
  return (fault.body as ErrorBody | null)?.code === 'idempotency_in_flight'
}

function secondsOf(header: string | undefined): number | null {
  const seconds = Number(header)
  return header === undefined || !Number.isFinite(seconds) ? null : seconds
}
