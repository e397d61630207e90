import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { OidcSettings } from '#domain/kernel/config.ts'

/** The provider's claims about a user. */
export type Account = Record<string, unknown>

export interface TestProvider {
  settings: OidcSettings
  /** The user who is signed in at the provider, in every browser. */
  current: string
  accounts: Record<string, Account>
  /**
   * Follows the console's redirect through the provider in a browser.
   * @returns the address that the browser is sent back to
   */
  walk(url: string): Promise<string>
  close(): Promise<void>
}

const HOPS_MAX = 8
/** The address of a test's console that browsers return to. */
const REDIRECT_URI = 'http://localhost:4000/app/sign-in/company'

/**
 * A real OpenID Connect provider on this machine. Everybody is already signed in there.
 * @param origins where consoles are served beneath /app
 */
export async function openProvider(domains: string[], origins = ['http://localhost:4000']): Promise<TestProvider> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const accounts: Record<string, Account> = {}
  const client = { client_id: 'desk', client_secret: 'a-secret-of-the-desk-and-its-provider' }
  const provider: Provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: origins.map((origin) => `${origin}/app/sign-in/company`) }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'teams'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...accounts[id] }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: client.client_id, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: opened.current } })
  })
  const opened: TestProvider = {
    settings: { issuer, ...client, domains, team_claim: 'teams', role: 'viewer' },
    current: '',
    accounts,
    walk,
    close: () => new Promise((closed) => server.close(() => closed())),
  }
  return opened
}

async function walk(start: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  for (let hop = 0; hop < HOPS_MAX; hop++) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const to = response.headers.get('location')
    if (!to) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    url = new URL(to, url).href
    if (url.startsWith(REDIRECT_URI)) return url
  }
  throw new Error('the provider led nowhere')
}

/** Changes to an otherwise genuine response. */
export interface Forgery {
  header?: object
  claims?: object
  unsigned?: boolean
  anotherKey?: boolean
  bySecret?: boolean
  missing?: boolean
  /** The token endpoint does not respond. */
  away?: boolean
  /** What the userinfo endpoint returns. */
  user_info?: object
}

export interface ForgingProvider {
  settings: OidcSettings
  /** @returns the address that the browser is sent back to; the token that is then requested has these changes */
  forge(authorizationUrl: URL, forgery: Forgery, claims: object): string
  close(): Promise<void>
}

/** A server that speaks like a provider and signs whatever a test wants. */
export async function openForgingProvider(domains: string[]): Promise<ForgingProvider> {
  const [key, another] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
  if (!key || !another) throw new Error('two keys were made')
  const client = { client_id: 'desk', client_secret: 'a-secret-of-the-desk-and-its-provider' }
  let token: string | undefined
  let away = false
  let userInfo: object = {}
  const server = createServer((request, response) => {
    const json = (body: object) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/.well-known/openid-configuration') return json(described)
    if (request.url === '/jwks')
      return json({ keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
    if (request.url === '/userinfo') return json(userInfo)
    if (away) return response.destroy()
    return json({ access_token: 'x', token_type: 'Bearer', expires_in: 60, ...(token && { id_token: token }) })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const described = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
  return {
    settings: { issuer, ...client, domains, team_claim: 'teams', role: 'viewer' },
    forge(authorizationUrl, forgery, claims) {
      const now = Math.floor(Date.now() / 1000)
      const nonce = authorizationUrl.searchParams.get('nonce')
      const payload = { iss: issuer, aud: client.client_id, iat: now, exp: now + 60, nonce, ...claims, ...forgery.claims }
      const signed = [{ alg: 'RS256', kid: 'one', ...forgery.header }, payload].map((part) => base64url(JSON.stringify(part))).join('.')
      const signature = forgery.unsigned
        ? ''
        : forgery.bySecret
          ? createHmac('sha256', client.client_secret).update(signed).digest('base64url')
          : sign('sha256', Buffer.from(signed), (forgery.anotherKey ? another : key).privateKey).toString('base64url')
      token = forgery.missing ? undefined : `${signed}.${signature}`
      away = forgery.away === true
      userInfo = forgery.user_info ?? {}
      return `${REDIRECT_URI}?${new URLSearchParams({ code: 'x', state: authorizationUrl.searchParams.get('state') ?? '' })}`
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

const base64url = (text: string) => Buffer.from(text).toString('base64url')
