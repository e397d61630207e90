import { lookup as systemLookup } from 'node:dns'
import { Agent, type Dispatcher } from 'undici'
import { type Guard, literalAddress } from '#domain/engines/guard.ts'
import { guardedConnector, type Lookup, type LookupDone, schemeOf } from '#domain/engines/guarded-connector.ts'
import { fairConcurrencyLimit } from '#domain/kernel/concurrency-limit.ts'
import { hasFacts, messageOf } from '#domain/kernel/fault.ts'

/** Posts to URLs that customers chose, through the address guard. */
export interface Poster {
  /**
   * Makes one attempt. Redirects are not followed; all of it, name look-up and response included, ends within the deadline.
   * @throws PostFailure with a sentence that does not contain the address.
   */
  post(url: string, headers: Record<string, string>, body: string): Promise<PostAnswer>
  /**
   * Returns why a post to the URL is not allowed, or null; a name that does not resolve in time is checked at each send instead.
   * @param team_id the team that asks
   * @throws Refusal `rate_limited` if too many names of the team are waiting to be looked up
   */
  objection(url: URL, team_id: string): Promise<string | null>
  close(): Promise<void>
}

export interface PostAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** At most the first kilobyte, control characters stripped. */
  text: string
}

/** An attempt without a response. After a timeout, the next attempt waits longer. */
export class PostFailure extends Error {
  constructor(
    message: string,
    readonly timed_out = false,
  ) {
    super(message)
    this.name = 'PostFailure'
  }
}

/** Includes name look-up, TLS and body. */
export const DEADLINE_MS = 15_000
/** How much of a response is read, and how much is stored. */
const READ_MAX_BYTES = 64 * 1024
const KEPT_MAX_CHARACTERS = 1024
/** Sockets to one host: each destination has at most 4 deliveries at once, and several may share a host. */
const SOCKETS_PER_ORIGIN = 16
const IDLE_SOCKET_MS = 10_000
/** How long a registration waits for a name. A name server of a customer may take its time. */
const LOOKUP_MS = 5_000
/**
 * Names looked up at once for registrations. A process does two look-ups at once, which cannot be cancelled and may take 20 s each: one
 * is left for its own engines and for posts.
 */
const LOOKUPS_MAX = 1
/** Names of one team that may wait: twice the destinations that it may have. */
const LOOKUPS_WAITING_MAX = 20

/** @param lookup replaced in tests, to act as a rebinding name server. */
export function openPoster(guard: Guard, lookup: Lookup = systemLookup, deadline_ms = DEADLINE_MS): Poster {
  const sharedLookup = shareLookups(lookup)
  const lookups = fairConcurrencyLimit({ max: LOOKUPS_MAX, waiting_max: LOOKUPS_WAITING_MAX })
  const agent = new Agent({
    connect: guardedConnector({ objection: guard.objection, refuse: forbidden, lookup: sharedLookup, timeout_ms: DEADLINE_MS }),
    connections: SOCKETS_PER_ORIGIN,
    keepAliveTimeout: IDLE_SOCKET_MS,
    // One timer covers the whole exchange; a timer for each part would cost more than the post itself.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  })
  return {
    post: (url, headers, body) => exchange(agent, url, { headers, body }, deadline_ms),
    async objection(url, team_id) {
      const scheme = schemeOf(url.protocol)
      const literal = literalAddress(url.hostname)
      const addresses = literal ? [literal] : await resolveInTime(url.hostname, team_id)
      for (const address of addresses) {
        const found = guard.objection(address, scheme)
        if (found) return found
      }
      if (addresses.length === 0 && scheme === 'http') return 'plain http needs a name that resolves into networks that the operator opened'
      return null
    },
    close: () => agent.destroy(),
  }

  /** Returns no address if the name does not resolve, or its turn does not come, within the time. */
  async function resolveInTime(hostname: string, team_id: string): Promise<string[]> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), Math.min(LOOKUP_MS, deadline_ms))
    const late = new Promise<string[]>((done) => deadline.signal.addEventListener('abort', () => done([])))
    const found = lookups(team_id, async () => (deadline.signal.aborted ? [] : resolve(sharedLookup, hostname)))
    return Promise.race([found, late]).finally(() => clearTimeout(timer))
  }
}

/** Returns a response in a form that is safe to store and show: one kilobyte, no characters that control a line or its direction. */
function plainText(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, KEPT_MAX_CHARACTERS)
}

/** Looks up a name once for all who ask for it while it is being looked up: many posts to a slow name take one of the process's look-ups. */
function shareLookups(lookup: Lookup): Lookup {
  const waiting = new Map<string, LookupDone[]>()
  return (hostname, options, done) => {
    const key = JSON.stringify([hostname, options.family, options.hints])
    const others = waiting.get(key)
    if (others) return void others.push(done)
    const all = [done]
    waiting.set(key, all)
    lookup(hostname, options, (fault, addresses) => {
      waiting.delete(key)
      for (const each of all) each(fault, addresses)
    })
  }
}

function resolve(lookup: Lookup, hostname: string): Promise<string[]> {
  return new Promise((done) => {
    lookup(hostname, { all: true }, (fault, addresses) => done(fault ? [] : addresses.map(({ address }) => address)))
  })
}

function forbidden(objection: string): PostFailure {
  return new PostFailure(`The destination's address may not be posted to: ${objection}.`)
}

/**
 * Sends one request and reads the response straight from the connection: a stream and a signal for each post would
 * cost several times the post itself. The response is cut at the read limit, and the connection is then dropped.
 */
function exchange(
  agent: Agent,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  deadline_ms: number,
): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const { origin, pathname, search } = new URL(url)
    const parts: Buffer[] = []
    let bytes = 0
    let started: Dispatcher.DispatchController | undefined
    let ended: Error | undefined
    let answer: Omit<PostAnswer, 'text'> = { status: 0, headers: {} }

    const deadline = setTimeout(() => fail(new PostFailure(`No complete answer within ${deadline_ms / 1000} s.`, true)), deadline_ms)
    const end = (reason: Error) => {
      clearTimeout(deadline)
      ended = reason
      started?.abort(reason)
    }
    const fail = (fault: Error) => {
      end(fault)
      reject(asPostFailure(fault))
    }
    const succeed = () => {
      clearTimeout(deadline)
      resolve({ ...answer, text: plainText(Buffer.concat(parts).subarray(0, READ_MAX_BYTES)) })
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // The deadline passed while it waited for a connection.
        if (ended) return controller.abort(ended)
        started = controller
      },
      onResponseStart(_controller, status, received) {
        answer = { status, headers: received }
      },
      onResponseData(_controller, part) {
        parts.push(part)
        bytes += part.length
        if (bytes < READ_MAX_BYTES) return
        succeed()
        end(new Error('enough was read'))
      },
      onResponseEnd: succeed,
      onResponseError(_controller, fault) {
        if (!ended) fail(fault)
      },
    }
    try {
      agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler)
    } catch (fault) {
      fail(fault instanceof Error ? fault : new Error(messageOf(fault)))
    }
  })
}

/** Returns a sentence for the ledger. The error's own text may contain the URL or the address, so it is never passed on. */
function asPostFailure(fault: unknown): PostFailure {
  if (fault instanceof PostFailure) return fault
  const { code, cause } = hasFacts(fault) ? fault : {}
  if (cause instanceof PostFailure) return cause
  // Connecting alone may take all of the time.
  if (String(code).includes('TIMEOUT')) return new PostFailure(`No connection within ${DEADLINE_MS / 1000} s.`, true)
  // Newer versions of Node.js have a code for each fault of TLS.
  const known = String(code).replace(/^ERR_SSL_.*/, 'EPROTO')
  return new PostFailure(sentences[known] ?? 'The connection failed before an answer came.')
}

const UNTRUSTED = 'The certificate of the destination is not signed by a trusted authority, or an intermediate certificate is missing.'

const sentences: Record<string, string> = {
  ENOTFOUND: 'The name of the destination did not resolve.',
  EAI_AGAIN: 'The name of the destination did not resolve for now.',
  ECONNREFUSED: 'The destination refused the connection.',
  ECONNRESET: 'The destination closed the connection.',
  UND_ERR_SOCKET: 'The destination closed the connection.',
  EHOSTUNREACH: 'The destination could not be reached.',
  ENETUNREACH: 'The destination could not be reached.',
  CERT_HAS_EXPIRED: 'The certificate of the destination has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the destination is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the destination is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  EPROTO: 'The destination does not respond with TLS as https needs it.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer were too long.',
}
