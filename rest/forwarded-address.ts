import type { FastifyInstance } from 'fastify'

/**
 * Strips the ports that some proxies add to the addresses of X-Forwarded-For (`192.0.2.1:50123`, `[2001:db8::1]:50123`): each connection of
 * a client would otherwise be an address of its own, and no limit per address would hold. Other entries stay as sent.
 */
export function stripForwardedPorts(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async ({ raw: { headers } }) => {
    const sent = headers['x-forwarded-for']
    if (typeof sent === 'string') headers['x-forwarded-for'] = sent.split(',').map(withoutPort).join(', ')
  })
}

const WITH_PORT = /^(?:\[([\da-f:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/i

function withoutPort(sent: string): string {
  const [, version6, version4] = WITH_PORT.exec(sent.trim()) ?? []
  return version6 ?? version4 ?? sent.trim()
}
