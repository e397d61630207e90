import { finished } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '#domain/kernel/refusal.ts'

/** Smaller responses are not counted: the limits on requests bound them. */
const LARGE_BYTES = 1024 * 1024
/** Bytes of large responses that one team's clients may be reading: a page of 100 of the largest shapes is 51 MiB. */
const TEAM_MAX_BYTES = 64 * 1024 * 1024
/** The same for all teams of a process, whose memory is 1 GB. */
const PROCESS_MAX_BYTES = 192 * 1024 * 1024
/** Seconds after which a refused request may be sent again. */
const RETRY_AFTER_S = 5

interface Limits {
  team_max?: number
  process_max?: number
}

/**
 * Refuses a large response while too many are still being sent: each is in memory until its client has read it, and a client may read slowly.
 * A team's first one is always sent if the process has room. Files and exports are streams, which hold little, and do not count.
 */
export function boundLargeResponses(
  fastify: FastifyInstance,
  { team_max = TEAM_MAX_BYTES, process_max = PROCESS_MAX_BYTES }: Limits = {},
): void {
  const bytesByTeam = new Map<string, number>()
  let allBytes = 0
  const add = (team_id: string, bytes: number) => {
    const total = (bytesByTeam.get(team_id) ?? 0) + bytes
    allBytes += bytes
    if (total > 0) bytesByTeam.set(team_id, total)
    else bytesByTeam.delete(team_id)
  }

  fastify.addHook('onSend', async ({ logged }, reply, payload) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    const team_id = logged?.team_id
    if (team_id === undefined || bytes < LARGE_BYTES) return payload
    const ofTeam = bytesByTeam.get(team_id) ?? 0
    if ((ofTeam > 0 && ofTeam + bytes > team_max) || (allBytes > 0 && allBytes + bytes > process_max)) {
      // They describe the response that is not sent.
      for (const name of ['etag', 'content-encoding', 'content-length', 'cache-control']) reply.removeHeader(name)
      throw tooManySending()
    }
    add(team_id, bytes)
    // The end of what is sent, or of the connection.
    finished(reply.raw, () => add(team_id, -bytes))
    return payload
  })
}

const tooManySending = () =>
  new Refusal('rate_limited', `Too many large responses are still being sent. Try again in ${RETRY_AFTER_S} s.`, {
    retry_after: RETRY_AFTER_S,
  })
