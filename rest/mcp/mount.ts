import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#domain/kernel/refusal.ts'
import { admitToken } from '#graphql/admit.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { readBody } from '#rest/body.ts'
import type { Api } from '#rest/exchange.ts'
import { callsOf } from '#rest/mcp/calls.ts'
import { mcpServer } from '#rest/mcp/server.ts'
import { toolsOf } from '#rest/mcp/tools.ts'
import { refuseFault } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'

/** Largest message, in bytes: a question with its arguments. */
const BODY_LIMIT = 1024 * 1024
const PATH = '/mcp'

/**
 * Mounts the tools for assistants: one JSON-RPC message per POST, without a session. A message counts as a request of its token, and so does
 * each API call that its tool makes.
 */
export function mountMcp(fastify: FastifyInstance, { app, rows, schema }: Api): void {
  const tools = toolsOf({ rows, schema })
  const ownOrigins = [app.config.base_url, app.config.console_url].map((url) => new URL(url).origin)

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await admitToken(app, request, reply)
    addToRequestLog(request, { operation: 'mcp' })
    // Keeps out pages of other sites that guess this URL, whatever token they have.
    if (request.headers.origin !== undefined && !ownOrigins.includes(request.headers.origin))
      throw new Refusal('unauthenticated', 'Pages of other sites cannot use the tools: send no Origin.')
    if (request.method !== 'POST') throw new Refusal('method_not_allowed', 'Send messages with POST.', { allow: ['POST'] })
    const parsedBody = await readBody(request.raw, BODY_LIMIT)
    const handler = createMcpHandler(() => mcpServer(tools, callsOf(fastify, request)), { maxSubscriptions: 0 })
    const answered = await handler.fetch(toWebRequest(request), { parsedBody })
    const body = await answered.text()
    const type = answered.headers.get('content-type')
    reply.code(answered.status).header('cache-control', 'no-store')
    return type === null ? reply.send(body || undefined) : reply.type(type).send(body)
  }

  const respond = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      return await answer(request, reply)
    } catch (error) {
      return send(request, reply, refuseFault(error, request))
    }
  }
  // Runs before the host checks type or body, and after callers without access are refused.
  fastify.route({ method: ['GET', 'POST', 'DELETE'], url: PATH, onRequest: respond, handler: respond })
}

/** Converts the request for the package: its headers, without the body, which has been read already. */
function toWebRequest({ method, headers, id }: FastifyRequest): Request {
  const named = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : []))
  return new Request(`http://mcp.invalid${PATH}?${id}`, { method, headers: named.filter(([name]) => !WITHHELD_HEADERS.has(name)) })
}

/** Headers of the connection and the body, and the credentials, which the package does not need. */
const WITHHELD_HEADERS = new Set(['connection', 'content-length', 'transfer-encoding', 'host', 'keep-alive', 'authorization', 'cookie'])
