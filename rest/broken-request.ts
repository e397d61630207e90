import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { detailsOf } from '#domain/refusal.ts'
import { JSON_TYPE } from '#rest/answers.ts'
import type { ErrorBody } from '#rest/refusals.ts'

/** Node.js reads no more than 16 KiB of a request line and its headers. */
const TOO_LARGE = { status: 413, code: 'payload_too_large', message: 'The path and the headers must not be larger than 16 KiB together.' }
const NOT_HTTP = { status: 400, code: 'malformed_request', message: 'What was sent is not a request of HTTP/1.1.' }

/** Answers bytes that never became a request, in the shape of every other error, and ends the connection: nobody knows what follows. */
export function refuseBroken({ code }: { code?: string }, socket: Socket, request_id: string): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const refused = code === 'HPE_HEADER_OVERFLOW' ? TOO_LARGE : NOT_HTTP
  const error: ErrorBody = { object: 'error', ...refused, ...detailsOf({}), request_id }
  const body = JSON.stringify(error)
  const head = [
    `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${request_id}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
