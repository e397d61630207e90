/** What the service says of a refusal, in its own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Field -> sentences about it. */
    readonly fields: Record<string, string[]>,
    readonly request_id: string | null,
    /** Of what is there already, where it is refused for that. */
    readonly existing_id: string | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
  }
}

/** Whether it was refused for want of a session. */
export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401

/** Whether the service is away for a while: it did not answer, or could not. */
export const isAway = (error: unknown) => error instanceof ApiError && (error.status < 400 || error.status >= 500)

/** Where one signs in, and is led back to this very address afterwards. */
export function signInAddress(): string {
  const { pathname, search } = window.location
  return `/app/sign-in?return_to=${encodeURIComponent(pathname + search)}`
}

export interface Team {
  id: string
  name: string
  role: 'owner' | 'analyst' | 'viewer'
}

export interface BrowserSession {
  id: string
  created_at: string
  seen_at: string
  network: string | null
  browser: string | null
  current: boolean
}

/** Who is signed in, and where. */
export interface SignedIn {
  person: { id: string; email: string; name: string | null; operator_roles: string[] }
  teams: Team[]
  sessions: BrowserSession[]
  /** A map style that the install chose to lie under the maps. */
  basemap_style_url: string | null
}

/** Without it a request with the session's cookie is refused: no other site can make a browser send it. */
export const CONSOLE_HEADERS = { 'x-weather-console': '1' }

export const readSession = () => call<SignedIn>('/session')
export const requestLink = (email: string, return_to: string | null) => call<{ mailed: boolean }>('/sign-in', { email, return_to })
/** How one may sign in besides by a passkey; `company` is the host of the company's own sign-in. */
export const readWaysIn = () => call<{ mail: boolean; company: string | null }>('/sign-in/ways')
export const beginCompanySignIn = (return_to: string | null) => call<{ url: string }>('/sign-in/company', { return_to })
export const spendLink = (token: string) => call<{ return_to: string | null; team_id: string | null }>('/sign-in/link', { token })
export const signOut = () => call<null>('/sign-out', {})
export const endSessions = (id: string | null) => call<{ ended: number }>('/sessions/end', { id })
export const rename = (name: string) => call<{ name: string | null }>('/person', { name })

/** A GET, or a POST of what is given, beneath /app. */
export async function call<Answer>(path: string, body?: object): Promise<Answer> {
  const { ok, status, read } = await reach<Answer & Refused>(`/app${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...CONSOLE_HEADERS, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    writes: body !== undefined,
    parse: parseAnswer,
  })
  if (ok) return read
  throw new ApiError(status, read.code, saidOf(status, read.message, body !== undefined), read.errors ?? {}, read.request_id)
}

/** What the service says; where it failed at something that changes what it keeps, that may be done all the same. */
export const saidOf = (status: number, message: string, writes: boolean) =>
  writes && status >= 500 ? `${message} ${PERHAPS_DONE}` : message

/** Nothing is the answer to some of what is asked; a refusal has a code. */
function parseAnswer(text: string, ok: boolean): unknown {
  if (ok) return text === '' ? null : JSON.parse(text)
  const read: unknown = JSON.parse(text)
  if (typeof read === 'object' && read !== null && 'code' in read) return read
  throw new SyntaxError('no refusal of the service')
}

interface Refused {
  code: string
  message: string
  errors?: Record<string, string[]>
  request_id: string
}

/** By itself it is waited for no longer than an answer may take: `signal` null waits for what takes minutes. */
interface Asked extends RequestInit {
  /** Whether it changes something: where no answer comes, that may have been done. */
  writes: boolean
  /** @throws SyntaxError where the text is not the service's */
  parse: (text: string, ok: boolean) => unknown
}

/**
 * What the service answers.
 * @throws ApiError `offline` where nothing answered, `unavailable` where something else did
 */
export async function reach<Answer>(url: string, { writes, parse, ...asked }: Asked) {
  const { status, ok, headers, text } = await textOf(url, asked).catch(() => {
    throw new ApiError(0, 'offline', writes ? `The service did not respond. ${PERHAPS_DONE}` : UNREACHED, {}, null)
  })
  try {
    return { ok, status, read: parse(text, ok) as Answer }
  } catch {
    const said = [unavailable(status, headers), ...(writes ? [PERHAPS_DONE] : [])].join(' ')
    // Whatever its status says, it says nothing of what was asked.
    throw new ApiError(Math.max(status, 500), 'unavailable', said, {}, null)
  }
}

/** Milliseconds after which no answer comes any more: what changes something ends within 30 seconds, and proxies wait for 60. */
const ANSWER_WITHIN_MS = 120_000

/** An answer may break off before its end, or never come. */
async function textOf(url: string, asked: RequestInit) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), ...asked, credentials: 'same-origin' })
  return { status: answer.status, ok: answer.ok, headers: answer.headers, text: await answer.text() }
}

const UNREACHED = 'The service cannot be reached. Check your connection. What you see may be out of date.'
const PERHAPS_DONE = 'Your change may have been saved: check before you send it again.'

function unavailable(status: number, headers: Headers): string {
  const seconds = Number(headers.get('retry-after'))
  const again = seconds > 0 ? ` Try again in ${seconds} seconds.` : ''
  return `The service is unavailable: a proxy in front of it responded with status ${status}.${again}`
}
