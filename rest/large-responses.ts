import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientNetwork } from '#domain/access/client-network.ts'
import { retryLater } from '#domain/kernel/refusal.ts'
import type { CheckResponseSize } from '#domain/kernel/response-size.ts'
import { countBeingSent } from '#rest/being-sent.ts'

/** Smaller responses are not counted: the limits on requests bound them. */
const LARGE_BYTES = 1024 * 1024
/** Bytes of large responses that one reader may have in progress: a page of 100 of the largest shapes is 51 MiB. */
const READER_MAX_BYTES = 64 * 1024 * 1024
/** The same for all readers of a process, whose memory is 1 GB. */
const PROCESS_MAX_BYTES = 192 * 1024 * 1024
/** Seconds after which a refused request may be sent again. */
const RETRY_AFTER_S = 5

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Needs no token, and holds bytes of its own for each response. */
    own_bytes?: boolean
  }
  interface FastifyRequest {
    /** Absent if the host does not limit large responses. */
    checkResponseSize?: CheckResponseSize
  }
}

/**
 * Returns the check of the size of a response that reads; undefined for any other. A client that names the copy it has may get a 304, which
 * is small, so the check cannot refuse it.
 */
export function sizeCheckOf({ method, headers, checkResponseSize }: FastifyRequest): CheckResponseSize | undefined {
  return method === 'GET' && headers['if-none-match'] === undefined ? checkResponseSize : undefined
}

interface Limits {
  reader_max?: number
  process_max?: number
}

/**
 * Refuses a large response while too many are still being sent: each is in memory until its client has read it, and a client may read slowly.
 * The reader is the team, or the client's IPv4 address or IPv6 network on routes with `own_bytes`. Other responses without a
 * token share their bytes. A reader's first one is always sent if the process has room. The response to a write, by REST or as a
 * mutation, is counted, never refused: the write has taken effect. Exports are streams, which hold little, and do not count.
 * A route that knows the size of a response before it is built checks it then (`checkResponseSize`), so that a slow reader does not make the
 * service build one after another.
 */
export function boundLargeResponses(
  fastify: FastifyInstance,
  { reader_max = READER_MAX_BYTES, process_max = PROCESS_MAX_BYTES }: Limits = {},
): void {
  const sent = countBeingSent()
  const readerOf = ({ logged, routeOptions, ip }: FastifyRequest) =>
    logged?.team_id ?? (routeOptions.config.own_bytes ? clientNetwork(ip) : undefined)
  const exceeds = (current: number, bytes: number, limit: number) => current > 0 && current + bytes > limit
  const isTooMuch = (reader: string, bytes: number) =>
    bytes >= LARGE_BYTES && (exceeds(sent.of(reader), bytes, reader_max) || exceeds(sent.total, bytes, process_max))

  fastify.decorateRequest('checkResponseSize')
  fastify.addHook('onRequest', async (request) => {
    request.checkResponseSize = async (leastBytes) => {
      // Large operations take turns. When one begins, the response of the one before may be a step away from being counted.
      await setImmediate()
      const reader = readerOf(request)
      if (reader !== undefined && sent.total > 0 && isTooMuch(reader, await leastBytes())) throw tooMuch()
    }
  })

  fastify.addHook('onSend', async (request, reply, payload) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    const reader = readerOf(request)
    if (bytes < LARGE_BYTES || reader === undefined) return payload
    const isRead = request.method === 'GET' || (request.routeOptions.url === '/graphql' && !request.logged?.mutates)
    if (isRead && isTooMuch(reader, bytes)) {
      // They describe the response that is not sent.
      for (const name of ['etag', 'content-encoding', 'content-length', 'content-disposition', 'cache-control']) reply.removeHeader(name)
      throw tooMuch()
    }
    sent.add(reader, bytes, reply)
    return payload
  })
}

const tooMuch = () => retryLater('rate_limited', 'Too many large responses are still being sent.', RETRY_AFTER_S)
