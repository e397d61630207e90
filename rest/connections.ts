import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { announcesBody } from '#rest/body.ts'

/** A body arrives within this: time for 4 MiB on a slow line, not for holding a socket. */
const BODY_TIMEOUT_MS = 30_000
/** Bodies that may still arrive after their requests were refused, so that slow clients can read why; further ones are cut off. */
const REFUSED_BODIES_MAX = 100
/** Descriptors left to the database, Redis, files and the browser. */
const DESCRIPTORS_KEPT = 256
/** Connections that stand at once, where the system would allow more. */
const CONNECTIONS_MAX = 10_000

/** Ends every body but an operator's upload after 30 s, whether or not its request was answered by then. */
export function boundBodies(fastify: FastifyInstance, { within = BODY_TIMEOUT_MS, refused_max = REFUSED_BODIES_MAX } = {}): void {
  const refused = new Set<IncomingMessage>()
  fastify.addHook('onRequest', async ({ raw }, reply) => {
    const { socket } = raw
    // One that is injected comes over no connection.
    if (!announcesBody(raw) || raw.url?.startsWith('/operator/') || !(socket instanceof Socket)) return
    const late = setTimeout(() => raw.complete || socket.destroy(), within)
    const over = () => {
      clearTimeout(late)
      refused.delete(raw)
    }
    raw.once('end', over)
    socket.once('close', over)
    reply.raw.once('finish', () => {
      socket.off('close', over)
      if (raw.complete) return over()
      socket.once('close', over)
      refused.add(raw)
      if (refused.size > refused_max) socket.destroySoon()
    })
  })
}

/**
 * Keeps room for who comes next: above `max` connections, the one that has been idle longest is closed for each that is opened.
 * One on which a request is under way is never closed.
 */
export function shedIdleConnections(server: Server, max = connectionsMax()): void {
  /** Oldest first. */
  const idle = new Set<Socket>()
  let open = 0
  server.on('connection', (socket: Socket) => {
    open += 1
    idle.add(socket)
    socket.once('close', () => {
      open -= 1
      idle.delete(socket)
    })
    if (open <= max) return
    const [longest] = idle
    longest?.destroy()
  })
  server.prependListener('request', ({ socket }, response) => {
    idle.delete(socket)
    response.once('close', () => socket.destroyed || idle.add(socket))
  })
}

/** As many as there are descriptors for. */
function connectionsMax(): number {
  const [, files] = /^Max open files +(\d+)/m.exec(limitsOfProcess()) ?? []
  return files ? Math.max(Math.min(Number(files) - DESCRIPTORS_KEPT, CONNECTIONS_MAX), DESCRIPTORS_KEPT) : CONNECTIONS_MAX
}

/** Empty where the system has no such file. */
function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
