import http, { type IncomingHttpHeaders } from 'node:http'

/** One request, sent byte for byte; a length is added if there is a body. */
export interface Request {
  method: string
  /** Includes the query. */
  path: string
  /** A name may occur twice. */
  headers: readonly (readonly [name: string, value: string])[]
  body: Buffer | null
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** From the first byte sent to the last one read. */
  ms: number
}

export interface Client {
  /** @throws Error if no response came, or none in time */
  ask(request: Request): Promise<Answer>
  close(): void
}

/** Twice the time allowed to a service under attack: a late response is distinguished from one that never comes. */
const NO_ANSWER_MS = 10_000

/** A client that neither normalises paths nor checks headers, over keep-alive connections. */
export function openClient(base_url: string, connections: number): Client {
  const { hostname, port } = new URL(base_url)
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  return {
    ask: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now()
        const flat = [['host', `${hostname}:${port}`], ...headers, ...(body ? [['content-length', String(body.length)]] : [])].flat()
        const request = http.request({ agent, hostname, port, method, path, headers: flat as never }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const { statusCode = 0, headers: answered } = response
            resolve({ status: statusCode, headers: answered, body: Buffer.concat(chunks), ms: performance.now() - startedAt })
          })
        })
        request.setTimeout(NO_ANSWER_MS, () => request.destroy(new Error(`no answer within ${NO_ANSWER_MS} ms`)))
        request.on('error', reject)
        request.end(body ?? undefined)
      }),
    close: () => agent.destroy(),
  }
}
