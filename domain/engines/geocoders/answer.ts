import { z } from 'zod'
import type { Http } from '#domain/engines/http.ts'

/** A geocoder's response is a few kilobytes; that of the Census with every layer is 30. */
const MAX_BYTES = 1024 * 1024

/**
 * Reads one JSON response of the expected shape.
 * @throws if the status is not 200 or the shape differs.
 */
export async function readAnswer<T>(http: Http, url: URL, timeout_ms: number, shape: z.ZodType<T>): Promise<T> {
  const { status, body } = await http.get(url.href, { timeout_ms, max_bytes: MAX_BYTES, headers: { accept: 'application/json' } })
  if (status !== 200) throw new Error(`${url.host} answered ${status}`)
  try {
    return shape.parse(JSON.parse(body.toString('utf8')))
  } catch {
    // The parsers' own messages quote their input, which may contain the address; this message is safe to log.
    throw new Error(`${url.host} answered what cannot be read`)
  }
}

/** Text, or null if missing or empty. */
export const textOrNull = z
  .string()
  .nullish()
  .transform((text) => text?.trim() || null)

export const latitude = z.coerce.number().min(-90).max(90)
export const longitude = z.coerce.number().min(-180).max(180)

/** A provider's match, with its degrees unchanged. */
export interface AddressMatch {
  street: string | null
  city: string | null
  /** Two-letter code. */
  state: string | null
  postal_code: string | null
  county_fips: string | null
  latitude: number
  longitude: number
  precision: 'point' | 'range' | 'zip' | 'city'
  /** False outside the United States and its territories. */
  in_us: boolean
}

/** Queries one provider; the base URL has no trailing slash. */
export type Ask = (http: Http, base: string, query: string, timeout_ms: number) => Promise<AddressMatch[]>
