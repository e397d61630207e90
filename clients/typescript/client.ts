import createClient, { type Middleware } from 'openapi-fetch'
import type { paths } from './contract.d.ts'
import { type Call, type CallOptions, type ListingPath, type Method, type RowOf, takesIdempotencyKey } from './operations.ts'
import { type EndedReport, type WaitOptions, waitForReport } from './report.ts'
import { type RetryPolicy, type SendOptions, send } from './send.ts'

export interface WeatherClientOptions {
  /** Where the service is, such as https://weather.example.com. */
  baseUrl: string
  /** wt_..., as it was shown when it was issued. */
  token: string
  /** In the place of the platform's own. */
  fetch?: typeof globalThis.fetch
  /** Milliseconds that one try waits for its answer; 60,000 unless said. */
  timeoutMs?: number
  retry?: Partial<RetryPolicy>
}

export interface WeatherClient {
  get: Call<'get'>
  /** With an Idempotency-Key of its own where the operation takes one and `headers` has none. */
  post: Call<'post'>
  patch: Call<'patch'>
  delete: Call<'delete'>
  /** Every row of a listing, page after page as they are read. Rows that are added meanwhile may come twice, or not at all. */
  each<P extends ListingPath>(path: P, options?: Exclude<CallOptions<P, 'get'>, undefined>): AsyncGenerator<RowOf<P>>
  /**
   * Asks until a report is complete or has failed.
   * @throws WeatherTimeoutError where it is still pending when the time is over
   */
  waitForReport(id: string, options?: WaitOptions): Promise<EndedReport>
  /**
   * What is not in the description, such as /exports/reports.csv: with the token, and repeated and refused as everything else.
   * @param path with its query, as on the service
   */
  fetch(path: string, init?: RequestInit, options?: SendOptions): Promise<Response>
}

/** A service restarts within the pauses, and 429 clears within a minute. */
const RETRY: RetryPolicy = { pausesMs: [300, 1000, 3000], statuses: [429, 503], withinMs: 60_000 }
const TIMEOUT_MS = 60_000
/** As many as the service puts on a page. */
const ROWS_A_PAGE = 100

/** A client of one team's token. It throws WeatherApiError where it is refused, and WeatherConnectionError where no answer came. */
export function createWeatherClient({
  baseUrl,
  token,
  fetch = globalThis.fetch,
  timeoutMs = TIMEOUT_MS,
  retry,
}: WeatherClientOptions): WeatherClient {
  const base = baseUrl.replace(/\/+$/, '')
  const transport = { fetch, timeoutMs, retry: { ...RETRY, ...retry } }
  const authorized = { accept: 'application/json', authorization: `Bearer ${token}` }
  const api = createClient<paths>({ baseUrl: base, headers: authorized, fetch: (request) => send(transport, request) })
  api.use(idempotencyKeys)

  // openapi-fetch answers `{ data, error }`; what it calls an error was thrown by then, so that data is what is left. The paths' types
  // are those of the interface: each call is that of its own path.
  const request: unknown = api.request
  const perform = request as (method: string, path: string, options?: object) => Promise<{ data: never }>
  const call = (method: Method) => async (path: string, options?: object) => (await perform(method, path, options)).data
  const get: Call<'get'> = call('get')

  return {
    get,
    post: call('post'),
    patch: call('patch'),
    delete: call('delete'),
    each: (path, options) => rowsOf(get, path, options),
    waitForReport: (id, options) => waitForReport(get, id, options),
    fetch: (path, init = {}, options = {}) => {
      const headers = new Headers(init.headers)
      for (const [name, value] of Object.entries(authorized)) if (name === 'authorization' || !headers.has(name)) headers.set(name, value)
      return send(transport, new Request(base + path, { ...init, headers }), options)
    },
  }
}

/** One for each call, and the same for each of its tries: a request whose answer was lost is charged once. */
const idempotencyKeys: Middleware = {
  onRequest({ request, schemaPath }) {
    if (request.method === 'POST' && schemaPath in takesIdempotencyKey && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID())
  },
}

async function* rowsOf<P extends ListingPath>(get: Call<'get'>, path: P, options?: CallOptions<P, 'get'>): AsyncGenerator<RowOf<P>> {
  // Which listing it is decides the types outside; in here all are pages alike.
  const read = get as unknown as (path: P, options: object) => Promise<{ data: RowOf<P>[]; links: { next: string | null } }>
  const { params, ...others }: { params?: { query?: { page?: number } } } = options ?? {}
  for (let page = params?.query?.page ?? 1; ; page++) {
    const { data, links } = await read(path, { ...others, params: { ...params, query: { per_page: ROWS_A_PAGE, ...params?.query, page } } })
    yield* data
    if (links.next === null) return
  }
}
