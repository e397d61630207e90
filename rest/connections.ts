import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { announcesBody } from '#rest/body.ts'

/** Time limit for a body: enough for 4 MiB on a slow line, too short to hold a socket open. */
const BODY_TIMEOUT_MS = 30_000
/** Bodies that may still arrive after their requests were refused, so that slow clients can read the reason. Others are cut off. */
const REFUSED_BODIES_MAX = 100
/** File descriptors reserved for the database, Redis, files and the browser. */
const DESCRIPTORS_KEPT = 256
/** Largest number of open connections, if the system allows more. */
const CONNECTIONS_MAX = 10_000

/** Cuts off every body after 30 s, except an operator's upload, whether or not its request has a response by then. */
export function boundBodies(fastify: FastifyInstance, { within = BODY_TIMEOUT_MS, refused_max = REFUSED_BODIES_MAX } = {}): void {
  const refused = new Set<IncomingMessage>()
  fastify.addHook('onRequest', async ({ raw }, reply) => {
    const { socket } = raw
    // An injected request has no connection.
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
 * Keeps room for new clients: above `max` connections, each new connection closes the one that has been idle longest.
 * A connection with a request in progress is never closed.
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

/** Returns the number of connections that the file descriptors allow. */
function connectionsMax(): number {
  const [, files] = /^Max open files +(\d+)/m.exec(limitsOfProcess()) ?? []
  return files ? Math.max(Math.min(Number(files) - DESCRIPTORS_KEPT, CONNECTIONS_MAX), DESCRIPTORS_KEPT) : CONNECTIONS_MAX
}

/** Empty if the system has no such file. */
function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
