import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#domain/kernel/refusal.ts'
import { admitToken } from '#graphql/admit.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { JSON_TYPE } from '#rest/answers.ts'
import { readJson } from '#rest/body.ts'
import type { Answer, Api } from '#rest/exchange.ts'
import { callsOf } from '#rest/mcp/calls.ts'
import { mcpServer } from '#rest/mcp/server.ts'
import { toolsOf } from '#rest/mcp/tools.ts'
import { type ErrorBody, refuseFault } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'

/** Largest message, in bytes: a question with its arguments. */
const BODY_LIMIT = 1024 * 1024
const PATH = '/mcp'

/**
 * Mounts the tools for assistants: one JSON-RPC message per POST, or a batch as protocol 2025-03-26 has it, without a session. A POST counts as a request of its token, and so does
 * each API call that its tool makes.
 */
export function mountMcp(fastify: FastifyInstance, { app, rows, schema }: Api): void {
  const tools = toolsOf({ rows, schema })
  const ownOrigins = [app.config.base_url, app.config.console_url].map((url) => new URL(url).origin)

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await admitToken(app, request, reply)
    addToRequestLog(request, { operation: 'mcp' })
    // Keeps out pages of other sites that guess this URL, whatever token they have. A 401 would make a client sign in again.
    if (request.headers.origin !== undefined && !ownOrigins.includes(request.headers.origin))
      return send(
        request,
        reply,
        rpcError(403, NOT_ALLOWED, 'Pages of other sites cannot use the tools: send no Origin.', 'foreign_origin'),
      )
    if (request.method !== 'POST') throw new Refusal('method_not_allowed', 'Send messages with POST.', { allow: ['POST'] })
    const parsedBody = await readJson(request.raw, BODY_LIMIT)
    if (hasRepeatedId(parsedBody))
      return send(request, reply, rpcError(400, INVALID_REQUEST, 'Each request of a batch must have an id of its own.', 'repeated_id'))
    const bodyOf = (fault: unknown) => JSON.parse(String(refuseFault(fault, request).body)) as ErrorBody
    let fault: Error | undefined
    const handler = createMcpHandler(() => mcpServer(tools, callsOf(fastify, request), bodyOf), {
      maxSubscriptions: 0,
      onerror: (error) => (fault = error),
    })
    const answered = await handler.fetch(toWebRequest(request), { parsedBody: withoutCancellations(parsedBody) })
    // The package reports the client's mistakes as well, which are not logged.
    if (answered.status >= 500) request.log.error({ err: fault, request_id: request.id }, 'the tools failed')
    const body = await answered.text()
    const type = answered.headers.get('content-type')
    reply.code(answered.status).header('cache-control', 'no-store')
    return type === null ? reply.send(body || undefined) : reply.type(type).send(body)
  }

  const respond = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      return await answer(request, reply)
    } catch (error) {
      const isMalformed = error instanceof Refusal && error.code === 'malformed_json'
      return send(request, reply, isMalformed ? rpcError(400, PARSE_ERROR, error.message, error.code) : refuseFault(error, request))
    }
  }
  // Runs before the host checks type or body, and after callers without access are refused.
  fastify.route({ method: ['GET', 'POST', 'DELETE'], url: PATH, onRequest: respond, handler: respond })
}

/** Codes of JSON-RPC 2.0: its own, and the first of those for the server. */
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const NOT_ALLOWED = -32_000

/** An error that belongs to no message, in the format of the protocol. @param refused the code in the request log */
function rpcError(status: number, code: number, message: string, refused: string): Answer {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })
  return { status, refused, body, content_type: JSON_TYPE, headers: { 'cache-control': 'no-store' } }
}

/**
 * Returns a batch without its cancellations. The package sends no response to a request that the same batch cancels, and ends the response
 * to a batch only after one to each of its requests: it would wait for ever. Other messages cancel nothing, because there is no session.
 */
function withoutCancellations(sent: unknown): unknown {
  if (!Array.isArray(sent)) return sent
  const others = sent.filter((message) => message?.method !== 'notifications/cancelled')
  return others.length > 0 ? others : sent
}

/**
 * Whether two requests of a batch have one id. The package performs both and responds to one of them only: a report would be charged for
 * without the client ever seeing it.
 */
function hasRepeatedId(sent: unknown): boolean {
  if (!Array.isArray(sent)) return false
  const ids = sent.flatMap((message) => (message?.method !== undefined && message.id !== undefined ? [message.id] : []))
  return new Set(ids).size < ids.length
}

/** Converts the request for the package: its headers, without the body, which has been read already. */
function toWebRequest({ method, headers, id }: FastifyRequest): Request {
  const named = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : []))
  return new Request(`http://mcp.invalid${PATH}?${id}`, { method, headers: named.filter(([name]) => !WITHHELD_HEADERS.has(name)) })
}

/** Headers of the connection and the body, and the credentials, which the package does not need. */
const WITHHELD_HEADERS = new Set(['connection', 'content-length', 'transfer-encoding', 'host', 'keep-alive', 'authorization', 'cookie'])
