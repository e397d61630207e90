import type { FastifyInstance } from 'fastify'
import { openApi } from '#rest/host.ts'
import type { World } from './world.ts'

export interface RestAnswer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the endpoint answers; null without a body
  body: any
  text: string
}

export interface Sent {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

export interface Rest {
  fastify: FastifyInstance
  /** Sends one request without a socket; the path is beneath /api/v1. */
  call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, sent?: Sent): Promise<RestAnswer>
  close(): Promise<void>
}

/** The whole HTTP side over a world. */
export async function openRest(world: Pick<World, 'app'>): Promise<Rest> {
  const fastify = await openApi(world.app)
  return {
    fastify,
    async call(method, path, { token, body, headers } = {}) {
      const response = await fastify.inject({
        method,
        url: `/api/v1${path}`,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
      const json = String(response.headers['content-type'] ?? '').startsWith('application/json')
      return { status: response.statusCode, headers: response.headers, body: json ? response.json() : null, text: response.body }
    },
    close: () => fastify.close(),
  }
}
