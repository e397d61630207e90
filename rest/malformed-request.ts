import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { detailsOf, refusalStatus } from '#domain/kernel/refusal.ts'
import { JSON_TYPE } from '#rest/answers.ts'
import type { ErrorBody } from '#rest/refusals.ts'

/** Node.js reads at most 16 KiB of request line and headers. */
const TOO_LARGE = { status: 413, code: 'payload_too_large', message: 'The path and the headers must not be larger than 16 KiB together.' }
const MALFORMED = { status: refusalStatus.malformed_request, code: 'malformed_request' }
const NO_HOST = { ...MALFORMED, message: 'An HTTP/1.1 request must have a Host header.' }
const TWO_HOSTS = { ...MALFORMED, message: 'A request must have exactly one Host header.' }
const UNSUPPORTED_CODING = { ...MALFORMED, message: 'The only supported transfer coding is chunked.' }
const UNSUPPORTED_EXPECTATION = { status: 417, code: 'malformed_request', message: 'The only supported expectation is 100-continue.' }
const NOT_HTTP = { ...MALFORMED, message: 'The data sent is not a valid HTTP/1.1 request.' }

/** Responds to bytes that are not a request with the usual error body, and closes the connection, because the next bytes are unknown. */
export function refuseMalformed({ code }: { code?: string }, socket: Socket, request_id: string): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const refused = code === 'HPE_HEADER_OVERFLOW' ? TOO_LARGE : NOT_HTTP
  const { headers, body } = errorResponse(refused, request_id)
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}`, ...head, '', body].join('\r\n'))
}

/**
 * Refuses with the same error body requests that Node.js would refuse without one, or would interpret in its own way: an unsupported
 * expectation, no Host or two, or a body with an unsupported transfer coding.
 */
export function refuseUnsupported(fastify: FastifyInstance, newRequestId: () => string): void {
  fastify.server.on('checkExpectation', (_request, response) => {
    const { headers, body } = errorResponse(UNSUPPORTED_EXPECTATION, newRequestId())
    response.writeHead(UNSUPPORTED_EXPECTATION.status, headers).end(body)
  })
  fastify.addHook('onRequest', async ({ id, raw }, reply) => {
    const fault = faultOf(raw)
    if (!fault) return
    const { headers, body } = errorResponse(fault, id)
    return reply.code(fault.status).headers(headers).send(body)
  })
}

function faultOf({ headers, rawHeaders, httpVersion }: IncomingMessage): ErrorFacts | null {
  if (headers.host === undefined) return httpVersion === '1.1' ? NO_HOST : null
  // Of two Host headers Node.js uses the first; a proxy in front may use the other.
  if (rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1) return TWO_HOSTS
  // The parser refuses a transfer coding that does not end in chunked.
  return /,\s*chunked\s*$/i.test(headers['transfer-encoding'] ?? '') ? UNSUPPORTED_CODING : null
}

interface ErrorFacts {
  status: number
  code: string
  message: string
}

function errorResponse(refused: ErrorFacts, request_id: string): { headers: Record<string, string | number>; body: string } {
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
