import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { detailsOf } from '#domain/refusal.ts'
import { JSON_TYPE } from '#rest/answers.ts'
import type { ErrorBody } from '#rest/refusals.ts'

/** Node.js reads no more than 16 KiB of a request line and its headers. */
const TOO_LARGE = { status: 413, code: 'payload_too_large', message: 'The path and the headers must not be larger than 16 KiB together.' }
const HOSTLESS = { status: 400, code: 'malformed_request', message: 'A request of HTTP/1.1 must name its Host.' }
const EXPECTS = { status: 417, code: 'malformed_request', message: 'No expectation is met but 100-continue.' }
const NOT_HTTP = { status: 400, code: 'malformed_request', message: 'What was sent is not a request of HTTP/1.1.' }

/** Answers bytes that never became a request, in the shape of every other error, and ends the connection: nobody knows what follows. */
export function refuseBroken({ code }: { code?: string }, socket: Socket, request_id: string): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const refused = code === 'HPE_HEADER_OVERFLOW' ? TOO_LARGE : NOT_HTTP
  const { headers, body } = answerTo(refused, request_id)
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}`, ...head, '', body].join('\r\n'))
}

/** Answers in the same shape what Node.js would refuse without a word: an expectation that nobody meets, a request that names no host. */
export function refuseUnheard(fastify: FastifyInstance, newRequestId: () => string): void {
  fastify.server.on('checkExpectation', (_request, response) => {
    const { headers, body } = answerTo(EXPECTS, newRequestId())
    response.writeHead(EXPECTS.status, headers).end(body)
  })
  fastify.addHook('onRequest', async ({ id, raw }, reply) => {
    if (raw.headers.host !== undefined || raw.httpVersion !== '1.1') return
    const { headers, body } = answerTo(HOSTLESS, id)
    return reply.code(HOSTLESS.status).headers(headers).send(body)
  })
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
