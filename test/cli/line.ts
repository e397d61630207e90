import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A connection to the service that a test controls. */
export interface Line {
  url: string
  /** The requests over it, each as `GET /api/v1/...`. */
  requests: string[]
  /** When the first response had passed, by performance.now(). */
  firstAnswer(): number | null
  /** Loses the next response on its way, after the service has done the work. */
  lose(): void
  /** Lets nothing pass until it is called with false. */
  hold(blocked: boolean): void
  /** Replaces the responses until it is called with null; `pass` lets a request through. */
  instead(answer: Instead | null): void
  close(): Promise<void>
}

type Instead = (line: string, response: http.ServerResponse, pass: () => void) => void

/** @param to the service's address */
export async function openLine(to: string): Promise<Line> {
  const requests: string[] = []
  let first: number | null = null
  let open = Promise.resolve()
  let losing = false
  let release = () => {}
  let instead: Instead | null = null
  const server = http.createServer((request, response) => {
    const line = `${request.method} ${request.url}`
    requests.push(line)
    const pass = () => {
      if (response.destroyed) return
      const { host: _, ...headers } = request.headers
      const onward = http.request(to + request.url, { method: request.method, headers }, (answer) => {
        if (losing) {
          losing = false
          response.destroy()
          return
        }
        response.writeHead(answer.statusCode as number, answer.headers)
        answer.pipe(response).on('finish', () => {
          first ??= performance.now()
        })
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      request.pipe(onward)
    }
    open.then(() => (instead ? instead(line, response, pass) : pass()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    firstAnswer: () => first,
    lose() {
      losing = true
    },
    hold(blocked) {
      release()
      open = blocked
        ? new Promise((resolve) => {
            release = resolve
          })
        : Promise.resolve()
    },
    instead(answer) {
      instead = answer
    },
    async close() {
      release()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
