import type { FastifyInstance } from 'fastify'
import { openApi } from '#rest/host.ts'
import { callThrough } from './rest-call.ts'
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
    call: callThrough((asked) => fastify.inject(asked)),
    close: () => fastify.close(),
  }
}
