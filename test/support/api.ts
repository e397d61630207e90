import type { FastifyInstance } from 'fastify'
import { createApiServer } from '#rest/host.ts'
import { callThrough, type RestCall } from './rest-call.ts'
import type { World } from './world.ts'

export interface Rest {
  fastify: FastifyInstance
  call: RestCall
  close(): Promise<void>
}

/** The whole HTTP side over a world. */
export async function openRest(world: Pick<World, 'app'>): Promise<Rest> {
  const fastify = await createApiServer(world.app)
  return {
    fastify,
    call: callThrough((request) => fastify.inject(request)),
    close: () => fastify.close(),
  }
}
