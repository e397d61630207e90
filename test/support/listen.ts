import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Makes a service listen on a free port of this machine, and returns the port. */
export async function listen(fastify: FastifyInstance): Promise<number> {
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  return (fastify.server.address() as AddressInfo).port
}
