import type { ServerResponse } from 'node:http'
import { type Http, openHttp } from '#domain/engines/http.ts'
import { startTestServer, type TestServer } from '../domain/engines/test-server.ts'

/** The response of a feed to a path, which begins with its host: api.weather.gov/alerts/active. Null: 404. */
export type Feed = (path: string, turn: number) => FeedReply | null
export interface FeedReply {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Responds like a server in trouble: never, or with fewer bytes than it announced. */
  fault?: 'hangs' | 'cut'
}

/** A list of the Storm Prediction Center without a report; null for any other path. */
export function noReports(path: string): FeedReply | null {
  const [, list] = /_rpts_(hail|wind|torn)\.csv$/.exec(path) ?? []
  const measure = { hail: 'Size', wind: 'Speed', torn: 'F_Scale' }[list ?? '']
  return measure ? { body: `Time,${measure},Location,County,State,Lat,Lon,Comments\n` } : null
}

/** The empty responses of the alerts service and the local storm reports service. */
export const NO_FEATURES: FeedReply = { body: '{"type":"FeatureCollection","features":[]}' }

/** A server on this machine that plays the agencies' servers: requests for those go to it. */
export interface Feeds {
  http: Http
  /** The address of the server, for a process that reads the same feeds: feedsAt. */
  url: string
  requests: TestServer['requests']
  /** Replaces the responses from now on. */
  answer(feed: Feed): void
  close(): Promise<void>
}

/** Long enough for a response on this machine, short enough to test a response that never comes. */
const TIMEOUT_MS = 1_500

export async function openFeeds(): Promise<Feeds> {
  let feed: Feed = () => null
  const server = await startTestServer((request, response, turn) => {
    const reply = feed((request.url ?? '/').slice(1), turn)
    const modified = reply?.headers?.['last-modified']
    if (modified && request.headers['if-modified-since'] === modified) return void response.writeHead(304).end()
    send(response, reply ?? { status: 404 })
  })
  const http = feedsAt(server.url)
  return {
    http,
    url: server.url,
    requests: server.requests,
    answer: (next) => {
      feed = next
    },
    close: async () => {
      await http.close()
      await server.close()
    },
  }
}

/** Sends every request for the agencies to a server on this machine. */
export function feedsAt(server: string): Http {
  const http = openHttp({ contact: 'weather@example.com' }, 1)
  const here = (url: string) => url.replace('https://', `${server}/`)
  return {
    get: (url, options) => http.get(here(url), { ...options, timeout_ms: TIMEOUT_MS }),
    open: (url, options) => http.open(here(url), { ...options, timeout_ms: TIMEOUT_MS }),
    post: (url, body, options) => http.post(here(url), body, { ...options, timeout_ms: TIMEOUT_MS }),
    close: () => http.close(),
  }
}

function send(response: ServerResponse, { status = 200, headers = {}, body = '', fault }: FeedReply): void {
  if (fault === 'hangs') return
  const bytes = Buffer.from(body as string)
  if (fault !== 'cut') return void response.writeHead(status, headers).end(bytes)
  response.writeHead(status, { ...headers, 'content-length': String(bytes.length) })
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy())
}
