import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TestServer {
  url: string
  /** The requests, in order: paths with their queries, and headers. */
  requests: { path: string; headers: IncomingMessage['headers'] }[]
  close(): Promise<void>
}

/** Starts a server on a free local port. `turn` counts requests from 0. */
export async function startTestServer(
  answer: (request: IncomingMessage, response: ServerResponse, turn: number) => void,
): Promise<TestServer> {
  const requests: TestServer['requests'] = []
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers })
    answer(request, response, requests.length - 1)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
