import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { exitOf, exits, failure, isFailure, isLost, lost } from './failure.ts'
import { unreadable } from './file-fault.ts'
import { awaitWithNotice } from './format.ts'
import { type Connection, fitForHeader, type RetryPolicy } from './settings.ts'
import { shellWord } from './shell-word.ts'

/** The contract's error object, which the server returns for a refusal. */
export interface ErrorBody {
  code?: string
  status: number
  message: string
  errors: Record<string, string[]> | null
  /** Seconds. */
  retry_after?: number | null
}

/** Timeout of one call in milliseconds: a call that takes a minute will not get a response. */
export const ANSWER_MS = 60_000

/** The pauses cover a restart of the service. */
export const DEFAULT_RETRY: RetryPolicy = { within_ms: ANSWER_MS, pauses_ms: [300, 1000, 3000] }

/** Runs one GraphQL operation with the operator key and returns its single root field, as `graph` does. */
export async function operate<T>(connection: Connection, query: string, variables: Record<string, unknown> = {}): Promise<T> {
  return awaitWithNotice(connection.url, executeGraphql<T>(connection.url, operatorKeyOf(connection), query, variables, DEFAULT_RETRY))
}

/** Like operate, without a timeout, for work of any length. */
export async function operateWithoutTimeout<T>(connection: Connection, query: string, variables: Record<string, unknown> = {}): Promise<T> {
  return executeGraphql(connection.url, operatorKeyOf(connection), query, variables, NO_TIMEOUT)
}

/** No timeout, for work of any length. */
export const NO_TIMEOUT: OperationPolicy = { pauses_ms: DEFAULT_RETRY.pauses_ms }

/** Like RetryPolicy; without a time there is no timeout. */
type OperationPolicy = Partial<RetryPolicy> & Pick<RetryPolicy, 'pauses_ms'>

/**
 * Runs one GraphQL operation and returns its single root field. A lost request is retried if it only reads, or if it creates with an
 * `idempotency_key`.
 * @param key a team's token or the operator key
 * @throws Failure with the exit status of the server's refusal
 */
export async function executeGraphql<T>(
  url: string,
  key: string,
  query: string,
  variables: Record<string, unknown>,
  { within_ms, pauses_ms }: OperationPolicy,
): Promise<T> {
  const idempotencyKey = variables.idempotency_key as string | undefined
  const run = () => executeGraphqlOnce<T>(url, key, JSON.stringify({ query, variables }), within_ms)
  if (query.trimStart().startsWith('mutation') && idempotencyKey === undefined) return run()
  return run()
    .catch((fault) => retry(fault, pauses_ms, run))
    .catch((fault) => {
      throw addKeyHint(fault, idempotencyKey)
    })
}

/** Retries a request that was lost, or that an earlier attempt is still processing, after each pause until it succeeds. */
async function retry<T>(fault: unknown, [pause_ms, ...more]: readonly number[], run: () => Promise<T>): Promise<T> {
  const is_in_flight = isFailure(fault) && (fault.body as ErrorBody | null)?.code === 'idempotency_in_flight'
  if (pause_ms === undefined || !(isLost(fault) || is_in_flight)) throw fault
  await pause(pause_ms)
  return run().catch((next) => retry(next, more, run))
}

/** Adds to the fault of a create with unknown outcome the idempotency key that makes a repeat safe. */
export function addKeyHint(fault: unknown, key: string | undefined): unknown {
  if (key === undefined || !isFailure(fault) || fault.exit_status !== exits.failure) return fault
  fault.message += `\nIt is unknown whether the request was completed. To repeat it safely, run the same command with: --idempotency-key ${shellWord(key)}`
  return fault
}

async function executeGraphqlOnce<T>(url: string, key: string, body: string, within_ms: number | undefined): Promise<T> {
  const { answer } = await send(url, 'POST', '/graphql', headersOf(key, { 'content-type': 'application/json' }), body, within_ms)
  const status = statusOf(answer)
  const parsed = parse(await readBody(answer), status) as {
    data?: Record<string, T> | null
    errors?: { message: string; extensions?: Partial<ErrorBody> }[]
  } | null
  const refused = Array.isArray(parsed?.errors) ? parsed.errors[0] : undefined
  if (refused)
    throw refusal({ status: 400, errors: null, ...refused.extensions, message: refused.extensions?.message ?? refused.message }, 400)
  if (!parsed?.data) throw refusal(parsed, status)
  return Object.values(parsed.data)[0] as T
}

/**
 * Streams a file to the operator's upload. The response comes in lines while the file is read.
 * @param onLine called with each line except the last
 * @returns the last line: the summary
 */
export async function upload<Line, Summary>(
  connection: Connection,
  path: string,
  file: Readable,
  onLine: (line: Line) => void,
): Promise<Summary> {
  const headers = headersOf(operatorKeyOf(connection), { 'content-type': 'application/octet-stream', accept: 'application/x-ndjson' })
  const { answer, outgoing } = await send(connection.url, 'POST', path, headers, file)
  try {
    const status = statusOf(answer)
    if (status >= 400) throw refusal(parse(await readBody(answer), status), status)
    return await lastLine<Line, Summary>(answer, onLine)
  } finally {
    // If the response comes before the whole file is sent, the rest of the file is not needed.
    outgoing.destroy()
  }
}

/**
 * Streams a file of any length, with the operator key.
 * @throws Failure with the exit status of a refusal
 */
export async function openOperatorFile(connection: Connection, path: string): Promise<http.IncomingMessage> {
  const { answer } = await send(connection.url, 'GET', path, headersOf(operatorKeyOf(connection), { accept: '*/*' }), null)
  return requireFile(answer)
}

/** Returns the response if it is the requested file. @throws Failure for a refusal, or if the response is something else */
export async function requireFile(answer: http.IncomingMessage): Promise<http.IncomingMessage> {
  const status = statusOf(answer)
  if (status !== 200) throw refusal(parse(await readBody(answer), status), status)
  try {
    requireNoPage(answer.headers['content-type'])
    return answer
  } catch (fault) {
    answer.destroy()
    throw fault
  }
}

/** No file of the service is a web page. @throws Failure if a proxy or a network sign-in page responded instead */
export function requireNoPage(content_type: string | null | undefined): void {
  if (/^text\/html\b/i.test(content_type ?? ''))
    throw failure(
      exits.failure,
      'The response is a web page instead of the file: a proxy or a network sign-in page answered for the service.',
    )
}

/**
 * Sends one short request to the operator's endpoints outside GraphQL.
 * @throws Failure with the exit status of a refusal
 */
export async function requestAsOperator<T>(connection: Connection, method: 'GET' | 'DELETE', path: string): Promise<T> {
  const sent = send(connection.url, method, path, headersOf(operatorKeyOf(connection)), null, ANSWER_MS)
  const { answer } = await awaitWithNotice(connection.url, sent)
  const status = statusOf(answer)
  const body = parse(await readBody(answer), status)
  if (status >= 400 || body === null) throw refusal(body, status)
  return body as T
}

async function lastLine<Line, Summary>(answer: http.IncomingMessage, onLine: (line: Line) => void): Promise<Summary> {
  let last: unknown = null
  for await (const line of linesOf(answer)) {
    if (last !== null) onLine(last as Line)
    last = parse(line, statusOf(answer))
  }
  if (last === null) throw failure(exits.failure, 'The response of the service ended without a summary.')
  if ((last as { object?: string }).object === 'error') throw refusal(last, (last as ErrorBody).status)
  return last as Summary
}

function operatorKeyOf({ operator_key }: Connection): string {
  if (!operator_key) throw failure(exits.auth, 'This needs the operator key: set WEATHER_OPERATOR_KEY to the key of the service.')
  return fitForHeader(operator_key, 'operator key')
}

/** The headers of a request with a token or the operator key; `more` may replace the accepted type. */
export function headersOf(key: string, more: Record<string, string> = {}): Record<string, string> {
  return { accept: 'application/json', ...more, authorization: `Bearer ${key}` }
}

/**
 * Sends one request, and resolves as soon as the response starts.
 * @param within_ms timeout of the whole request, including the response's body; none for requests whose time depends on their
 *   size, such as an import
 */
export function send(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Readable | null,
  within_ms?: number,
): Promise<{ answer: http.IncomingMessage; outgoing: http.ClientRequest }> {
  const target = new URL(url + path)
  const { request } = target.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const unreachable = (fault: NodeJS.ErrnoException) => reject(lost(`${url} cannot be reached: ${reasonOf(fault)}`))
    const outgoing = request(target, { method, headers, ...(within_ms && { signal: AbortSignal.timeout(within_ms) }) })
    outgoing
      .on('response', (answer) => {
        const redirectUrl = answer.headers.location
        if (redirectUrl === undefined || statusOf(answer) >= 400) return resolve({ answer, outgoing })
        outgoing.destroy()
        reject(failure(exits.failure, `The service redirects to ${redirectUrl}: use the final URL of the service.`))
      })
      .on('error', unreachable)
    if (body === null || typeof body === 'string') return outgoing.end(body ?? undefined)
    body
      .on('error', (fault) => {
        reject(unreadable(String((body as { path?: unknown }).path ?? 'The file'), fault))
        outgoing.destroy()
      })
      .pipe(outgoing)
  })
}

const reasonOf = ({ code, name, message }: NodeJS.ErrnoException) =>
  name === 'TimeoutError' || code === 'ABORT_ERR' ? 'no answer in time' : (code ?? message)

async function* linesOf(answer: http.IncomingMessage): AsyncGenerator<string> {
  let rest = ''
  for await (const text of textOf(answer)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() as string
    yield* lines
  }
  if (rest !== '') yield rest
}

/** A response that has arrived always has a status; Node.js types it for requests, too. */
export const statusOf = ({ statusCode }: http.IncomingMessage) => statusCode as number

/** Reads the whole body as text. @throws Failure if it is cut off */
export async function readBody(answer: http.IncomingMessage): Promise<string> {
  let all = ''
  for await (const text of textOf(answer)) all += text
  return all
}

const textOf = (answer: http.IncomingMessage) => chunksOf<string>(answer.setEncoding('utf8'))

/** The parts of a response's body. @throws Failure if it is cut off */
export async function* chunksOf<Chunk = Buffer>(answer: http.IncomingMessage): AsyncGenerator<Chunk> {
  try {
    yield* answer as AsyncIterable<Chunk>
  } catch (fault) {
    throw lost(`The response of the service was cut off: ${reasonOf(fault as NodeJS.ErrnoException)}`)
  }
}

/** Reads JSON. @throws Failure with the exit status of this HTTP status, if the body is something else */
export function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw failure(exitOf(status), `The service returned ${status} with a body that is not JSON.`)
  }
}

/**
 * Names the faulty fields. Omits a message that only repeats the first field's sentence.
 * @param body the contract's error object, or the response of a proxy in between
 * @param status of the response
 */
export function refusal(body: unknown, status: number): Error {
  if (!isErrorBody(body)) return failure(exitOf(status), `The response (${status}) is not from a weather report service.`, body)
  const faults = Object.entries(body.errors ?? {}).flatMap(([field, messages]) => messages.map((sentence) => ({ field, sentence })))
  const lines = faults.map(({ field, sentence }) => `${field}: ${sentence}`)
  const sentences = faults[0] && body.message.startsWith(faults[0].sentence) ? lines : [body.message, ...lines]
  return Object.assign(failure(exitOf(body.status), sentences.join('\n  '), body), {
    retry_after: body.retry_after ?? null,
  })
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { message, status, errors } = (body ?? {}) as Partial<Record<keyof ErrorBody, unknown>>
  return (
    typeof message === 'string' && typeof status === 'number' && Object.values(errors ?? {}).every((messages) => Array.isArray(messages))
  )
}
