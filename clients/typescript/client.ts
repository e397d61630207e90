import createClient, { type Middleware } from 'openapi-fetch'
import type { paths } from './contract.d.ts'
import { WeatherApiError } from './errors.ts'
import { type Call, type CallOptions, clientOptions, type ListingPath, type Method, type RowOf, takesIdempotencyKey } from './operations.ts'
import { type EndedReport, reportPdf, type WaitOptions, waitForReport } from './report.ts'
import { type RetryPolicy, type SendOptions, send } from './send.ts'

export interface WeatherClientOptions {
  /** URL of the service, such as https://weather.example.com. */
  baseUrl: string
  /** The team's token, wt_..., as shown when it was issued. */
  token: string
  /** Replaces the platform's own fetch. */
  fetch?: typeof globalThis.fetch
  /** Timeout of one attempt in milliseconds; default 60,000. Infinity for none. */
  timeoutMs?: number
  retry?: Partial<RetryPolicy>
}

export interface WeatherClient {
  get: Call<'get'>
  /** Adds an Idempotency-Key if the operation accepts one and `headers` has none. */
  post: Call<'post'>
  patch: Call<'patch'>
  delete: Call<'delete'>
  /** Yields every row of a list, page by page. Exposures that are listed with `since` are complete whatever changes during the iteration. Of other lists, rows may repeat or be missing if others are added, or leave the list, during the iteration: collect them first if your loop changes them. */
  each<P extends ListingPath>(path: P, options?: Exclude<CallOptions<P, 'get'>, undefined>): AsyncGenerator<RowOf<P>>
  /**
   * Polls until a report is complete or has failed.
   * @throws WeatherTimeoutError if it is still pending when the time is over
   */
  waitForReport(id: string, options?: WaitOptions): Promise<EndedReport>
  /**
   * Returns the PDF of a complete report, and waits until it is rendered.
   * @throws WeatherTimeoutError if it is still being rendered when the time is over
   */
  reportPdf(id: string, options?: WaitOptions): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Fetches a path outside the OpenAPI document, such as /exports/reports.csv, with the token and the usual retries and errors.
   * @param path with its query, as on the service; or a URL that the service returned
   * @throws TypeError for a URL of another origin, which must not get the token
   */
  fetch(path: string, init?: RequestInit, options?: SendOptions): Promise<Response>
}

/** The pauses cover a restart of the service. A 429 clears within a minute, which begins when the first attempt has ended. */
const RETRY: RetryPolicy = { pausesMs: [300, 1000, 3000], statuses: [429, 503], withinMs: 60_500 }
const TIMEOUT_MS = 60_000
/** The largest page size of the service. */
const ROWS_A_PAGE = 100

/** Creates a client for the token of a team. Calls throw WeatherApiError for a refusal and WeatherConnectionError without a response. */
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
  const sendToService = async (request: Request, options?: SendOptions) => {
    requireOrigin(base, request)
    return send(transport, request, options)
  }
  const api = createClient<paths>({ baseUrl: base, headers: authorized, fetch: (request) => sendToService(request) })
  api.use(idempotencyKeys, emptyBodies, jsonOnly)

  // openapi-fetch returns `{ data, error }`. Errors have been thrown by then, so only data is left. The paths' types
  // are those of the interface: each call has the types of its own path.
  const request: unknown = api.request
  const perform = request as (method: string, path: string, options?: object) => Promise<{ data: never }>
  const call = (method: Method) => async (path: string, options?: object) =>
    (await perform(method, path, { ...options, ...clientOptions })).data
  const get: Call<'get'> = call('get')
  const fetchPath: WeatherClient['fetch'] = async (path, init = {}, options = {}) => {
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(authorized)) if (name === 'authorization' || !headers.has(name)) headers.set(name, value)
    return sendToService(new Request(urlOf(base, path), { ...init, headers }), { ...options, ...(init.signal && { signal: init.signal }) })
  }

  return {
    get,
    post: call('post'),
    patch: call('patch'),
    delete: call('delete'),
    each: (path, options) => rowsOf(get, path, options),
    waitForReport: (id, options) => waitForReport(get, id, options),
    reportPdf: (id, options) => reportPdf(fetchPath, id, options),
    fetch: fetchPath,
  }
}

/** The service returns whole URLs in its links. A path may lack the slash that separates it from the host. */
const urlOf = (base: string, path: string) => (URL.canParse(path) ? path : `${base}/${path.replace(/^\//, '')}`)

/** The token goes to the service alone. A base may be relative to a page. */
function requireOrigin(base: string, { url }: Request): void {
  const { origin } = new URL(new Request(`${base}/`).url)
  if (new URL(url).origin !== origin) throw new TypeError(`${url} is not of ${origin}: the token is sent to no other origin.`)
}

/**
 * One key per call, reused for each attempt, so that a request whose response was lost is charged once. Other operations do not read the
 * header: with it, they would be repeated and done twice.
 */
const idempotencyKeys: Middleware = {
  onRequest({ request, schemaPath }) {
    if (request.method !== 'POST' || !(schemaPath in takesIdempotencyKey)) request.headers.delete('idempotency-key')
    else if (!request.headers.has('idempotency-key')) request.headers.set('idempotency-key', newKey())
  },
}

/** Pages that were not loaded over HTTPS have no randomUUID. */
function newKey(): string {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return crypto.randomUUID?.() ?? bytes
}

/**
 * openapi-fetch returns undefined for a response of length 0, although its type is that of the bytes: a tile without records is an
 * empty buffer. Responses without a body by their status, such as 204, stay undefined.
 */
const emptyBodies: Middleware = {
  onResponse({ response, options }) {
    if (response.status !== 200 || response.headers.get('content-length') !== '0' || options.parseAs === 'json') return undefined
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    return new Response(response.body, { status: 200, statusText: response.statusText, headers })
  },
}

/** A page that answers instead of the service, such as that of a proxy, is an error with a status and not one of syntax. */
const jsonOnly: Middleware = {
  async onResponse({ response, options }) {
    const type = response.headers.get('content-type')
    if (options.parseAs === 'json' && type !== null && !/\bjson\b/.test(type)) throw new WeatherApiError(response, await response.text())
  },
}

async function* rowsOf<P extends ListingPath>(get: Call<'get'>, path: P, options?: CallOptions<P, 'get'>): AsyncGenerator<RowOf<P>> {
  // The interface has the types of each list; in here every page is handled alike.
  const read = get as unknown as (path: P, options: object) => Promise<{ data: RowOf<P>[]; links: { next: string | null } }>
  const { params, ...others }: { params?: { query?: { page?: number; after?: string } } } = options ?? {}
  let after = params?.query?.after
  for (let page = params?.query?.page ?? 1; ; page++) {
    const query = { per_page: ROWS_A_PAGE, ...params?.query, page, ...(after !== undefined && { after }) }
    const { data, links } = await read(path, { ...others, params: { ...params, query } })
    yield* data
    if (links.next === null) return
    after = new URL(links.next).searchParams.get('after') ?? undefined
  }
}
