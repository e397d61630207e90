import { z } from 'zod'
import type { Http } from '#domain/engines/http.ts'
import type { Config } from '#domain/kernel/config.ts'

/** The provider of public records about properties that the operator configured. */
export interface Enrichment {
  /** False if no provider is configured; `find` is then never called. */
  configured: boolean
  /**
   * Returns the public record of a located address; null if there is none.
   * @throws if the provider cannot be reached, or its response cannot be read.
   */
  find(address: EnrichedAddress): Promise<PublicRecord | null>
}

export interface EnrichedAddress {
  street: string | null
  city: string | null
  state: string | null
  postal_code: string | null
  latitude: number
  longitude: number
}

/** Texts as the provider wrote them; the properties feature interprets them. */
export interface PublicRecord {
  kind: string | null
  contacts: { name: string; role: string | null; company: string | null; phone: string | null; email: string | null }[]
}

/** County rolls are slow; nobody waits for them. */
const TIMEOUT_MS = 20_000
/** An owner and a handful of others: a larger response is not about one property. */
const MAX_BYTES = 256 * 1024
const CONTACTS_MAX = 10

const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)
const answer = z.object({
  kind: text,
  contacts: z
    .array(z.object({ name: z.string().trim().min(1), role: text, company: text, phone: text, email: text }))
    .max(CONTACTS_MAX)
    .nullish()
    .transform((contacts) => contacts ?? []),
})

/**
 * Opens the provider. It responds to `GET {ENRICHMENT_URL}?street=&city=&state=&postal_code=&latitude=&longitude=` with
 * `{kind, contacts: [{name, role, company, phone, email}]}`, each key optional, or with 404; the token is sent as a bearer token.
 */
export function openEnrichment(
  { enrichment_url, enrichment_token }: Pick<Config, 'enrichment_url' | 'enrichment_token'>,
  http: Http,
): Enrichment {
  if (!enrichment_url) return { configured: false, find: async () => null }
  return {
    configured: true,
    async find(address) {
      const url = new URL(enrichment_url)
      for (const [name, value] of Object.entries(address)) if (value !== null) url.searchParams.set(name, String(value))
      const headers: Record<string, string> = {
        accept: 'application/json',
        ...(enrichment_token && { authorization: `Bearer ${enrichment_token}` }),
      }
      const { status, body } = await http.get(url.href, { headers, timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES })
      if (status === 404) return null
      if (status !== 200) throw new Error(`the provider of public records responded with status ${status}`)
      return read(body.toString('utf8'))
    },
  }
}

/** The parser's own messages quote personal data, so only this one is thrown. */
function read(body: string): PublicRecord {
  try {
    return answer.parse(JSON.parse(body))
  } catch {
    throw new Error('the response of the provider of public records cannot be read')
  }
}
