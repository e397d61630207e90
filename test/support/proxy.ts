import { Agent, request as httpRequest } from 'node:http'

/** The outcome of a request: its status, `refused` if the process accepts no connection, or that it was cut off. */
export type Outcome = string

interface ProxyRequest {
  method?: 'GET' | 'POST'
  /** Relative to the proxy's root. */
  path?: string
  body?: unknown
}

/**
 * Milliseconds after which a connection attempt times out, as docs/production.md configures the proxy: a container
 * that is gone may be silent for seconds.
 */
const CONNECTED_WITHIN_MS = 1000

/** Sends requests as the proxy in front of the API does, over keep-alive connections. */
export interface FrontProxy {
  /** Sends to one process alone. */
  askOne(base_url: string, request?: ProxyRequest): Promise<Outcome>
  /** Sends to the processes in turn; if one accepts no connection, to the other. */
  ask(turn: number, request?: ProxyRequest): Promise<Outcome>
}

/**
 * A proxy whose client reads its account by default.
 * @param root what every path is relative to
 */
export function openProxy(base_urls: readonly [string, string], token: string, root = '/api/v1'): FrontProxy {
  const agent = new Agent({ keepAlive: true })
  const proxy: FrontProxy = {
    askOne: (base_url, { method = 'GET', path = '/account', body } = {}) =>
      new Promise((done) => {
        const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
        const request = httpRequest(`${base_url}${root}${path}`, { agent, method, headers }, (answer) => {
          answer.resume()
          answer.once('end', () => done(String(answer.statusCode)))
          answer.once('error', () => done('cut off'))
        })
        request.once('socket', (socket) => {
          if (!socket.connecting) return
          const timer = setTimeout(() => {
            done('refused')
            request.destroy()
          }, CONNECTED_WITHIN_MS)
          socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
        })
        request.once('error', (fault: NodeJS.ErrnoException) => done(fault.syscall === 'connect' ? 'refused' : `cut off (${fault.code})`))
        request.end(body === undefined ? undefined : JSON.stringify(body))
      }),
    async ask(turn, request) {
      const [first, second] = turn % 2 === 0 ? base_urls : ([...base_urls].reverse() as [string, string])
      const outcome = await proxy.askOne(first, request)
      return outcome === 'refused' ? proxy.askOne(second, request) : outcome
    },
  }
  return proxy
}

/** Counts each outcome. */
export function countBy(outcomes: readonly Outcome[]): Record<Outcome, number> {
  const counts: Record<Outcome, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
