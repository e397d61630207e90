import { z } from 'zod'
import type { Ask } from '#domain/engines/geocoders/answer.ts'
import { latitude, longitude, readAnswer, textOrNull } from '#domain/engines/geocoders/answer.ts'

/** Only the fields that are read: layers that failed appear beside them as rows with a "status". */
const answer = z.object({
  result: z.object({
    addressMatches: z.array(
      z.object({
        matchedAddress: z.string(),
        coordinates: z.object({ x: longitude, y: latitude }),
        addressComponents: z.object({ city: textOrNull, state: textOrNull, zip: textOrNull }),
        geographies: z.object({ Counties: z.array(z.object({ GEOID: z.string().optional() })).optional() }).optional(),
      }),
    ),
  }),
})

/**
 * The US Census Geocoder's one-line search: it interpolates along a street's range of numbers and finds no rooftops.
 * A base URL without a path is the service's root.
 */
export const askCensus: Ask = async (http, base, query, timeout_ms) => {
  const url = new URL(`${new URL(base).pathname === '/' ? `${base}/geocoder` : base}/geographies/onelineaddress`)
  url.search = String(new URLSearchParams({ address: query, benchmark: 'Public_AR_Current', vintage: 'Current_Current', format: 'json' }))
  const { result } = await readAnswer(http, url, timeout_ms, answer)
  return result.addressMatches.map(({ matchedAddress, coordinates, addressComponents, geographies }) => ({
    // The components lack the house number; only the whole line has it.
    street: matchedAddress.split(',')[0]?.trim() || null,
    city: addressComponents.city,
    state: addressComponents.state,
    postal_code: addressComponents.zip,
    county_fips: geographies?.Counties?.[0]?.GEOID ?? null,
    latitude: coordinates.y,
    longitude: coordinates.x,
    precision: 'range',
    in_us: true,
  }))
}
