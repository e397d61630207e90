/** What the service says of a refusal, in its own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Field -> sentences about it. */
    readonly fields: Record<string, string[]>,
    readonly request_id: string | null,
  ) {
    super(message)
    this.name = 'ApiError'
  }
}

/** Whether it was refused for want of a session. */
export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401

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
  const response = await reach(`/app${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...CONSOLE_HEADERS, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const read = text === '' ? null : JSON.parse(text)
  if (response.ok) return read
  throw new ApiError(response.status, read.code, read.message, read.errors ?? {}, read.request_id)
}

/** @throws ApiError `offline` where nothing answered */
export async function reach(url: string, asked: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...asked, credentials: 'same-origin' })
  } catch {
    throw new ApiError(0, 'offline', 'The service cannot be reached. Check your connection; what you see may be old.', {}, null)
  }
}
