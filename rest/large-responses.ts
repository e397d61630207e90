import type { FastifyInstance } from 'fastify'
import { retryLater } from '#domain/kernel/refusal.ts'
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
}

interface Limits {
  reader_max?: number
  process_max?: number
}

/**
 * Refuses a large response while too many are still being sent: each is in memory until its client has read it, and a client may read slowly.
 * The reader is the team, or the client's address on routes with `own_bytes`. Other responses without a
 * token share their bytes. A reader's first one is always sent if the process has room. The response to a write, by REST or as a
 * mutation, is counted, never refused: the write has taken effect. Exports are streams, which hold little, and do not count.
 */
export function boundLargeResponses(
  fastify: FastifyInstance,
  { reader_max = READER_MAX_BYTES, process_max = PROCESS_MAX_BYTES }: Limits = {},
): void {
  const sent = countBeingSent()
  fastify.addHook('onSend', async ({ method, routeOptions, logged, ip }, reply, payload) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    if (bytes < LARGE_BYTES) return payload
    const reader = logged?.team_id ?? (routeOptions.config.own_bytes ? ip : undefined)
    if (reader === undefined) return payload
    const exceeds = (current: number, limit: number) => current > 0 && current + bytes > limit
    const isTooMuch = exceeds(sent.of(reader), reader_max) || exceeds(sent.total, process_max)
    const isRead = method === 'GET' || (routeOptions.url === '/graphql' && !logged?.mutates)
    if (isTooMuch && isRead) {
      // They describe the response that is not sent.
      for (const name of ['etag', 'content-encoding', 'content-length', 'content-disposition', 'cache-control']) reply.removeHeader(name)
      throw retryLater('rate_limited', 'Too many large responses are still being sent.', RETRY_AFTER_S)
    }
    sent.add(reader, bytes, reply)
    return payload
  })
}
