import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import type { App } from '#domain/app.ts'
import { mountGraphql } from '#graphql/yoga.ts'

export interface GraphAnswer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the document asked for
  data: any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  errors: { message: string; path?: string[]; extensions: any }[] | undefined
}

export interface Graph {
  fastify: FastifyInstance
  /** Posts a document with a token or the operator's key; null sends neither. */
  ask(token: string | null, query: string, variables?: Record<string, unknown>, operationName?: string): Promise<GraphAnswer>
  close(): Promise<void>
}

/** GraphQL alone, without a socket. */
export async function openGraph(app: App): Promise<Graph> {
  const fastify = Fastify({ genReqId: () => randomUUID() })
  mountGraphql(fastify, app)
  await fastify.ready()
  return {
    fastify,
    async ask(token, query, variables, operationName) {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      const response = await fastify.inject({ method: 'POST', url: '/graphql', headers, payload: { query, variables, operationName } })
      return { status: response.statusCode, headers: response.headers, ...response.json() }
    },
    close: () => fastify.close(),
  }
}
