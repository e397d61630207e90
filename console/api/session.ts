import { inFormWords } from './form-words.ts'

/** An error response of the service, with its own message; a validation message in the words of the form. */
export class ApiError extends Error {
  /** Field -> validation messages. */
  readonly fields: Record<string, string[]>

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    fields: Record<string, string[]>,
    readonly request_id: string | null,
    /** Id of the existing record, if the request was refused as a duplicate. */
    readonly existing_id: string | null = null,
    /** Seconds after which the request can be sent again; null if the response does not say. */
    readonly retry_after: number | null = null,
  ) {
    super(Object.keys(fields).length > 0 ? inFormWords(message) : message)
    this.name = 'ApiError'
    this.fields = Object.fromEntries(Object.entries(fields).map(([field, messages]) => [field, messages.map(inFormWords)]))
  }
}

/** Whether the request was refused because there is no session. */
export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401

/** Whether the service is unavailable: it did not respond, or failed. */
export const isUnavailable = (error: unknown) => error instanceof ApiError && (error.status < 400 || error.status >= 500)

/** The sign-in page, which returns to the current address afterwards. */
export function signInAddress(): string {
  const { pathname, search } = window.location
  return `/app/sign-in?return_to=${encodeURIComponent(pathname + search)}`
}

export interface Team {
  id: string
  name: string
  role: 'owner' | 'analyst' | 'viewer'
  /** Whether its plan has lapsed. A process of the version before does not say. */
  lapsed?: boolean
}

export interface BrowserSession {
  id: string
  created_at: string
  seen_at: string
  network: string | null
  browser: string | null
  current: boolean
}

/** An open invitation to the signed-in person. */
export interface OwnInvitation {
  id: string
  team: { id: string; name: string }
  role: Team['role']
  expires_at: string
}

/** The signed-in person, with their teams and sessions. */
export interface SignedIn {
  person: { id: string; email: string; name: string | null; operator_roles: string[] }
  teams: Team[]
  /** A process of the version before sends none. */
  invitations?: OwnInvitation[] | undefined
  sessions: BrowserSession[]
  /** Map style that the install has configured as the basemap. */
  basemap_style_url: string | null
}

/** The service refuses a request with the session cookie but without this header, which no other site can make a browser send. */
export const CONSOLE_HEADERS = { 'x-weather-console': '1' }

export const readSession = () => call<SignedIn>('/session')
export const requestLink = (email: string, return_to: string | null) => call<{ mailed: boolean }>('/sign-in', { email, return_to })
/** The methods to sign in besides a passkey; `company` is the host of the company's sign-in. */
export const readSignInMethods = () => call<{ mail: boolean; company: string | null }>('/sign-in/ways')
export const beginCompanySignIn = (return_to: string | null) => call<{ url: string }>('/sign-in/company', { return_to })
export const redeemLink = (token: string) => call<{ return_to: string | null; team_id: string | null }>('/sign-in/link', { token })
export const acceptInvitation = (id: string) => call<{ team_id: string }>('/invitations/accept', { id })
export const declineInvitation = (id: string) => call<null>('/invitations/decline', { id })
export const signOut = () => call<null>('/sign-out', {})
export const endSessions = (id: string | null) => call<{ ended: number }>('/sessions/end', { id })
export const rename = (name: string) => call<{ name: string | null }>('/person', { name })

/** Sends a GET, or a POST with a body, to a path under /app. */
export async function call<Answer>(path: string, body?: object): Promise<Answer> {
  const { ok, status, read } = await fetchParsed<Answer & ErrorBody>(`/app${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...CONSOLE_HEADERS, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    writes: body !== undefined,
    parse: parseResponse,
  })
  if (ok) return read
  throw new ApiError(status, read.code, messageOf(status, read.message, body !== undefined), read.errors ?? {}, read.request_id)
}

/** The service's message. If a write failed with a 5xx, it adds that the change may have been saved. */
export const messageOf = (status: number, message: string, writes: boolean) =>
  writes && status >= 500 ? `${message} ${MAYBE_SAVED}` : message

/** Parses a response: some successful ones are empty, and an error has a code. */
function parseResponse(text: string, ok: boolean): unknown {
  if (ok) return text === '' ? null : JSON.parse(text)
  const read: unknown = JSON.parse(text)
  if (typeof read === 'object' && read !== null && 'code' in read) return read
  throw new SyntaxError('not an error response of the service')
}

interface ErrorBody {
  code: string
  message: string
  errors?: Record<string, string[]>
  request_id: string
}

/** Requests time out by default. `signal` null disables the timeout, for requests that take minutes. */
interface FetchOptions extends RequestInit {
  /** Whether the request is a write, which may have succeeded even without a response. */
  writes: boolean
  /** @throws SyntaxError if the text is not a response of the service */
  parse: (text: string, ok: boolean) => unknown
}

/**
 * Sends a request and parses the response.
 * @throws ApiError `offline` if nothing responded, `unavailable` if something other than the service did
 */
export async function fetchParsed<Answer>(url: string, { writes, parse, ...init }: FetchOptions) {
  const { status, ok, headers, text } = await fetchText(url, init).catch(() => {
    throw new ApiError(0, 'offline', writes ? `The service did not respond. ${MAYBE_SAVED}` : UNREACHABLE, {}, null)
  })
  try {
    return { ok, status, read: parse(text, ok) as Answer }
  } catch {
    const retry_after = Number(headers.get('retry-after')) || null
    const message = [unavailableMessage(status, retry_after), ...(writes ? [MAYBE_SAVED] : [])].join(' ')
    // Whatever its status is, it is not about the request.
    throw new ApiError(Math.max(status, 500), 'unavailable', message, {}, null, null, retry_after)
  }
}

/** Timeout in milliseconds: writes end within 30 seconds, and proxies wait for 60. */
const TIMEOUT_MS = 120_000

/** Reads the whole response here, because it may break off before its end. */
async function fetchText(url: string, init: RequestInit) {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), ...init, credentials: 'same-origin' })
  return { status: response.status, ok: response.ok, headers: response.headers, text: await response.text() }
}

const UNREACHABLE = 'The service cannot be reached. Check your connection. What you see may be out of date.'
const MAYBE_SAVED = 'Your change may have been saved: check before you send it again.'

function unavailableMessage(status: number, retry_after: number | null): string {
  const retryHint = retry_after ? ` Try again in ${retry_after} s.` : ''
  return `The service is unavailable: a proxy in front of it responded with status ${status}.${retryHint}`
}
