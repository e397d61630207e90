import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { announcesBody } from '#rest/body.ts'

/** Time limit for a body: enough for 4 MiB on a slow line, too short to hold a socket open. */
const BODY_TIMEOUT_MS = 30_000
/** A client that reads nothing of its response for this long is gone, or wants to hold the connection. */
const STALL_TIMEOUT_MS = 60_000
/** Least mean bytes per second at which a response in memory must be read, besides those 60 s: 1 Mbit/s. */
const LEAST_BYTES_S = 128 * 1024
/** Bodies that may still arrive after their requests got a response, so that slow clients can read it. Others are cut off. */
const REFUSED_BODIES_MAX = 100
/** File descriptors reserved for the database, Redis, files and the browser. */
const DESCRIPTORS_RESERVED = 256
/** Largest number of open connections, if the system allows more. */
const CONNECTIONS_MAX = 10_000

/** Requests of admitted operators, whose uploads may take long. */
const longUploads = new WeakSet<IncomingMessage>()

/** Lets the body of an admitted operator take as long as it needs, until its request has a response. */
export const allowLongUpload = ({ raw }: Pick<FastifyRequest, 'raw'>): unknown => longUploads.add(raw)

/** Cuts off every body after 30 s, except a long upload, whether or not its request has a response by then. */
export function boundBodies(fastify: FastifyInstance, { timeout_ms = BODY_TIMEOUT_MS, refused_max = REFUSED_BODIES_MAX } = {}): void {
  const refused = new Set<IncomingMessage>()
  fastify.addHook('onRequest', async ({ raw }, reply) => {
    const { socket } = raw
    // An injected request has no connection.
    if (!announcesBody(raw) || !(socket instanceof Socket)) return
    const cutOff = () => raw.complete || longUploads.has(raw) || socket.destroy()
    let timer = setTimeout(cutOff, timeout_ms)
    const stopWatching = () => {
      clearTimeout(timer)
      refused.delete(raw)
      // The connection may have many requests, and would hold each of them.
      socket.off('close', stopWatching)
    }
    raw.once('end', stopWatching)
    socket.once('close', stopWatching)
    reply.raw.once('finish', () => {
      if (raw.complete) return stopWatching()
      if (longUploads.delete(raw)) {
        clearTimeout(timer)
        timer = setTimeout(cutOff, timeout_ms)
      }
      refused.add(raw)
      if (refused.size > refused_max) socket.destroySoon()
    })
  })
}

/**
 * Closes the connection of a client that has read nothing of its response for 60 s. A response that is still being made is not cut off,
 * however long it takes. One that is complete in memory must also be read within 60 s and the time that its bytes take at 128 KiB/s, or a
 * client that reads a little now and then could hold it for hours. A stream may take longer: it holds little.
 */
export function closeStalledReaders(fastify: FastifyInstance, { timeout_ms = STALL_TIMEOUT_MS, least_bytes_s = LEAST_BYTES_S } = {}): void {
  fastify.addHook('onSend', async ({ raw: { socket } }, { raw }, payload) => {
    // An injected request has no connection.
    if (!(socket instanceof Socket)) return
    raw.setTimeout(timeout_ms, () => {
      if (socket.writableLength > 0) socket.destroy()
      else raw.setTimeout(timeout_ms)
    })
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    if (bytes === 0) return
    const timer = setTimeout(() => socket.destroy(), timeout_ms + (bytes / least_bytes_s) * 1000)
    raw.once('close', () => clearTimeout(timer))
  })
}

/**
 * Keeps room for new clients: above `max` connections, each new connection closes the one that has been idle longest.
 * A connection with a request in progress is never closed; a client may send several on one connection before their responses.
 */
export function shedIdleConnections(server: Server, max = connectionsMax()): void {
  /** Oldest first. */
  const idle = new Set<Socket>()
  const inProgress = new WeakMap<Socket, number>()
  let open = 0
  server.on('connection', (socket: Socket) => {
    open += 1
    idle.add(socket)
    socket.once('close', () => {
      open -= 1
      idle.delete(socket)
    })
    if (open <= max) return
    const [longestIdle] = idle
    longestIdle?.destroy()
  })
  server.prependListener('request', ({ socket }, response) => {
    idle.delete(socket)
    inProgress.set(socket, (inProgress.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const others = (inProgress.get(socket) ?? 1) - 1
      inProgress.set(socket, others)
      if (others === 0 && !socket.destroyed) idle.add(socket)
    })
  })
}

/** Returns the number of connections that the file descriptors allow. */
function connectionsMax(): number {
  const [, files] = /^Max open files +(\d+)/m.exec(limitsOfProcess()) ?? []
  return files ? Math.max(Math.min(Number(files) - DESCRIPTORS_RESERVED, CONNECTIONS_MAX), DESCRIPTORS_RESERVED) : CONNECTIONS_MAX
}

/** Empty if the system has no such file. */
function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
