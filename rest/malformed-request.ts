import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { detailsOf, refusalStatus } from '#domain/kernel/refusal.ts'
import { JSON_TYPE } from '#rest/answers.ts'
import type { ErrorBody } from '#rest/refusals.ts'

/** Node.js reads no more than 16 KiB of a request line and its headers. */
const TOO_LARGE = { status: 413, code: 'payload_too_large', message: 'The path and the headers must not be larger than 16 KiB together.' }
const MALFORMED = { status: refusalStatus.malformed_request, code: 'malformed_request' }
const HOSTLESS = { ...MALFORMED, message: 'A request of HTTP/1.1 must name its Host.' }
const TWO_HOSTS = { ...MALFORMED, message: 'A request must name one Host.' }
const ENCODED = { ...MALFORMED, message: 'No transfer coding is read but chunked.' }
const EXPECTS = { status: 417, code: 'malformed_request', message: 'No expectation is met but 100-continue.' }
const NOT_HTTP = { ...MALFORMED, message: 'What was sent is not a request of HTTP/1.1.' }

/** Answers bytes that never became a request, in the shape of every other error, and ends the connection: nobody knows what follows. */
export function refuseMalformed({ code }: { code?: string }, socket: Socket, request_id: string): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const refused = code === 'HPE_HEADER_OVERFLOW' ? TOO_LARGE : NOT_HTTP
  const { headers, body } = answerTo(refused, request_id)
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}`, ...head, '', body].join('\r\n'))
}

/**
 * Answers in the same shape what Node.js would refuse without a word, or read in a way of its own: an expectation that nobody meets,
 * a request that names no host or two, a body in a transfer coding that is not undone.
 */
export function refuseUnsupported(fastify: FastifyInstance, newRequestId: () => string): void {
  fastify.server.on('checkExpectation', (_request, response) => {
    const { headers, body } = answerTo(EXPECTS, newRequestId())
    response.writeHead(EXPECTS.status, headers).end(body)
  })
  fastify.addHook('onRequest', async ({ id, raw }, reply) => {
    const fault = faultOf(raw)
    if (!fault) return
    const { headers, body } = answerTo(fault, id)
    return reply.code(fault.status).headers(headers).send(body)
  })
}

function faultOf({ headers, rawHeaders, httpVersion }: IncomingMessage): Refused | null {
  if (headers.host === undefined) return httpVersion === '1.1' ? HOSTLESS : null
  // Of two Hosts Node.js keeps the first; a proxy in front may go by the other.
  if (rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host').length > 1) return TWO_HOSTS
  // One that does not end in chunks is refused by the parser.
  return /,\s*chunked\s*$/i.test(headers['transfer-encoding'] ?? '') ? ENCODED : null
}

interface Refused {
  status: number
  code: string
  message: string
}

function answerTo(refused: Refused, request_id: string): { headers: Record<string, string | number>; body: string } {
  const error: ErrorBody = { object: 'error', ...refused, ...detailsOf({}), request_id }
  const body = JSON.stringify(error)
  const headers = {
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': request_id,
    Connection: 'close',
  }
  return { headers, body }
}
