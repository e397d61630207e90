import { lookup as systemLookup } from 'node:dns'
import { Agent, type Dispatcher } from 'undici'
import { type Guard, literalAddress } from '#domain/engines/guard.ts'
import { guardedConnector, type Lookup, schemeOf } from '#domain/engines/guarded-connector.ts'
import { hasFacts, messageOf } from '#domain/kernel/fault.ts'

/** Sends bodies to addresses that others chose, from behind the guard. */
export interface Poster {
  /**
   * One attempt. Redirects are not followed; the whole of it, name look-up and answer included, ends within the deadline.
   * @throws PostFailure with a sentence that names no address.
   */
  post(url: string, headers: Record<string, string>, body: string): Promise<PostAnswer>
  /** Why the url may not be posted to, or null; a name that does not resolve is judged at each send instead. */
  objection(url: URL): Promise<string | null>
  close(): Promise<void>
}

export interface PostAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** At most the first kilobyte, control characters stripped. */
  text: string
}

/** An attempt without an answer. `timed_out` attempts wait longer before the next. */
export class PostFailure extends Error {
  constructor(
    message: string,
    readonly timed_out = false,
  ) {
    super(message)
    this.name = 'PostFailure'
  }
}

/** Name look-up, TLS and body included. */
export const DEADLINE_MS = 15_000
/** What is read of an answer, and what is kept of it. */
const READ_MAX_BYTES = 64 * 1024
const KEPT_MAX_CHARACTERS = 1024
/** Sockets to one receiver: the delivery limit of each destination is 4, several may share a host. */
const SOCKETS_PER_ORIGIN = 16
const IDLE_SOCKET_MS = 10_000

/** @param lookup replaced in tests, to answer as a rebinding name server does. */
export function openPoster(guard: Guard, lookup: Lookup = systemLookup, deadline_ms = DEADLINE_MS): Poster {
  const agent = new Agent({
    connect: guardedConnector({ objection: guard.objection, refuse: forbidden, lookup, timeout_ms: DEADLINE_MS }),
    connections: SOCKETS_PER_ORIGIN,
    keepAliveTimeout: IDLE_SOCKET_MS,
    // One timer ends the whole exchange; timers for its parts would cost more than the post does.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  })
  return {
    post: (url, headers, body) => exchange(agent, url, { headers, body }, deadline_ms),
    async objection(url) {
      const scheme = schemeOf(url.protocol)
      const literal = literalAddress(url.hostname)
      const addresses = literal ? [literal] : await resolve(lookup, url.hostname)
      for (const address of addresses) {
        const found = guard.objection(address, scheme)
        if (found) return found
      }
      if (addresses.length === 0 && scheme === 'http') return 'plain http needs a name that resolves into networks that the operator opened'
      return null
    },
    close: () => agent.destroy(),
  }
}

/** What a receiver said, fit to be kept and shown: one kilobyte, no control characters. */
function plainText(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, KEPT_MAX_CHARACTERS)
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
 * One request and what is read of its answer, taken from the connection as it comes: a stream and a signal for each post
 * cost several times what is sent. What came up to the limit is the answer; the connection is dropped after it.
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
        // It waited for a connection until it was too late.
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

/** A sentence for the ledger. The fault's own text can name the url or the address, so it is never passed on. */
function asPostFailure(fault: unknown): PostFailure {
  if (fault instanceof PostFailure) return fault
  const { code, cause } = hasFacts(fault) ? fault : {}
  if (cause instanceof PostFailure) return cause
  // The connection alone may take the whole of the time.
  if (String(code).includes('TIMEOUT')) return new PostFailure(`No connection within ${DEADLINE_MS / 1000} s.`, true)
  return new PostFailure(sentences[String(code)] ?? 'The connection failed before an answer came.')
}

const sentences: Record<string, string> = {
  ENOTFOUND: 'The name of the destination did not resolve.',
  EAI_AGAIN: 'The name of the destination did not resolve for now.',
  ECONNREFUSED: 'The destination refused the connection.',
  ECONNRESET: 'The destination closed the connection.',
  UND_ERR_SOCKET: 'The destination closed the connection.',
  EHOSTUNREACH: 'The destination could not be reached.',
  ENETUNREACH: 'The destination could not be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer were too long.',
}
