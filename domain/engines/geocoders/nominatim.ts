import { z } from 'zod'
import type { AddressMatch, Ask } from '#domain/engines/geocoders/answer.ts'
import { latitude, longitude, readAnswer, textOrNull } from '#domain/engines/geocoders/answer.ts'
import { stateByCode, stateByName } from '#domain/geo/states.ts'

const answer = z.array(
  z.object({
    lat: latitude,
    lon: longitude,
    place_rank: z.coerce.number(),
    osm_type: textOrNull,
    category: textOrNull,
    addresstype: textOrNull,
    type: textOrNull,
    address: z.object({
      house_number: textOrNull,
      road: textOrNull,
      city: textOrNull,
      town: textOrNull,
      village: textOrNull,
      hamlet: textOrNull,
      municipality: textOrNull,
      state: textOrNull,
      'ISO3166-2-lvl4': textOrNull,
      postcode: textOrNull,
      country_code: textOrNull,
    }),
  }),
)
type Found = z.infer<typeof answer>[number]

/** OpenStreetMap gives some territories a country code of their own. */
const US_COUNTRIES = new Set(['us', 'pr', 'gu', 'vi', 'as', 'mp'])
/** Nominatim's ranks: 30 a building, 26 a street, 13 a town; lower ranks are counties, states and countries. */
const BUILDING = 30
const STREET = 26
const TOWN = 13
const MATCHES_MAX = 5

/** A Nominatim server's free-form search. */
export const askNominatim: Ask = async (http, base, query, timeout_ms) => {
  const url = new URL(`${base}/search`)
  url.search = String(new URLSearchParams({ q: query, format: 'jsonv2', addressdetails: '1', limit: String(MATCHES_MAX) }))
  const found = await readAnswer(http, url, timeout_ms, answer)
  return found.flatMap((one) => {
    const precision = precisionOf(one)
    return precision ? [matchOf(one, precision)] : []
  })
}

function precisionOf(found: Found): AddressMatch['precision'] | null {
  const { addresstype, type, place_rank, address } = found
  if (addresstype === 'postcode' || type === 'postcode') return 'zip'
  if (place_rank >= BUILDING && address.house_number) return isInterpolated(found) ? 'range' : 'point'
  if (place_rank >= STREET) return 'range'
  return place_rank >= TOWN ? 'city' : null
}

/** A house number on a way that is not a building is interpolated along a street: from TIGER ranges or OpenStreetMap interpolations. */
function isInterpolated({ osm_type, category, type }: Found): boolean {
  return osm_type === 'way' && category === 'place' && type === 'house'
}

function matchOf({ lat, lon, address }: Found, precision: AddressMatch['precision']): AddressMatch {
  const country = address.country_code?.toLowerCase() ?? ''
  const code = address['ISO3166-2-lvl4']?.replace(/^US-/, '') ?? country
  return {
    street: [address.house_number, address.road].filter(Boolean).join(' ') || null,
    city: address.city ?? address.town ?? address.village ?? address.hamlet ?? address.municipality,
    state: (stateByCode(code) ?? stateByName(address.state ?? ''))?.code ?? null,
    postal_code: address.postcode?.slice(0, 5) ?? null,
    county_fips: null,
    latitude: lat,
    longitude: lon,
    precision,
    in_us: US_COUNTRIES.has(country),
  }
}
