import type { Configuration, CustomFetchOptions } from 'openid-client'
import type { Http } from '#domain/engines/http.ts'
import type { OidcSettings } from '#domain/kernel/config.ts'

/** A company's OpenID Connect provider for sign-in. */
export interface IdentityProvider {
  issuer: string
  /** @throws Error if the provider does not respond */
  begin(): Promise<PendingSignIn>
  /**
   * Verifies the provider's callback (state, nonce, issuer, audience, time and signature) and returns who signed in.
   * @param url the callback URL as received
   * @throws IdentityRefused if a check fails; Error if the provider does not respond
   */
  finish(url: URL, pending: Omit<PendingSignIn, 'url'>): Promise<Claims>
}

export interface PendingSignIn {
  /** The provider's sign-in page. */
  url: string
  state: string
  nonce: string
  code_verifier: string
}

/** The provider's signed claims about a person. */
export interface Claims {
  subject: string
  /** Null unless the provider verified it. */
  email: string | null
  name: string | null
  /** Every claim by name, as sent. */
  all: Record<string, unknown>
}

/** The provider's response failed verification. */
export class IdentityRefused extends Error {
  constructor(options?: ErrorOptions) {
    super('the answer of the identity provider was not accepted', options)
    this.name = 'IdentityRefused'
  }
}

const TIMEOUT_MS = 10_000

/** @param redirect_uri the callback URL, as registered with the provider */
export function openIdentityProvider(settings: OidcSettings, redirect_uri: string, http: Http): IdentityProvider {
  let cached: Promise<Configuration> | null = null
  /** Discovery runs once, and again after a failure. */
  const discovered = () => {
    cached ??= discover(settings, http).catch((fault) => {
      cached = null
      throw fault
    })
    return cached
  }
  return {
    issuer: settings.issuer,
    async begin() {
      const client = await import('openid-client')
      const code_verifier = client.randomPKCECodeVerifier()
      const [state, nonce] = [client.randomState(), client.randomNonce()]
      const url = client.buildAuthorizationUrl(await discovered(), {
        redirect_uri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, state, nonce, code_verifier }
    },
    async finish(url, { state, nonce, code_verifier }) {
      const client = await import('openid-client')
      const configuration = await discovered()
      const expected = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: code_verifier, idTokenExpected: true }
      const answer = await orRefused(client.authorizationCodeGrant(configuration, url, expected))
      const signed = answer.claims()
      if (!signed) throw new IdentityRefused()
      // Some providers return personal claims only from the userinfo endpoint.
      const needsUserInfo = signed.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      const userInfo = needsUserInfo ? await orRefused(client.fetchUserInfo(configuration, answer.access_token, signed.sub)) : {}
      const claims: Record<string, unknown> = { ...userInfo, ...signed }
      // Whether an address is verified is said by the source that gives it: the token's word about another address proves nothing.
      const { email, email_verified }: Record<string, unknown> = needsUserInfo ? userInfo : signed
      const { name } = claims
      return {
        subject: signed.sub,
        email: email_verified === true && typeof email === 'string' ? email : null,
        name: typeof name === 'string' ? name : null,
        all: claims,
      }
    },
  }
}

async function orRefused<Answer>(promise: Promise<Answer>): Promise<Answer> {
  try {
    return await promise
  } catch (cause) {
    throw new IdentityRefused({ cause })
  }
}

async function discover({ issuer, client_id, client_secret }: OidcSettings, http: Http): Promise<Configuration> {
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await import('openid-client')
  return discovery(new URL(issuer), client_id, client_secret, undefined, {
    timeout: TIMEOUT_MS / 1000,
    [customFetch]: async (url: string, { method, headers, body }: CustomFetchOptions) => {
      const options = { headers, timeout_ms: TIMEOUT_MS }
      const answer = method === 'POST' ? await http.post(url, Buffer.from(String(body ?? '')), options) : await http.get(url, options)
      return new Response(new Uint8Array(answer.body), { status: answer.status, headers: answer.headers })
    },
    // The setting allows plain http only on this machine.
    execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
  })
}
