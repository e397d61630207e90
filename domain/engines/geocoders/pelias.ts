import { z } from 'zod'
import type { AddressMatch, Ask } from '#domain/engines/geocoders/answer.ts'
import { latitude, longitude, readAnswer, textOrNull } from '#domain/engines/geocoders/answer.ts'
import { stateByCode, stateByName } from '#domain/geo/states.ts'

const answer = z.object({
  features: z.array(
    z.object({
      geometry: z.object({ coordinates: z.tuple([longitude, latitude]).rest(z.number()) }),
      properties: z.object({
        layer: z.string(),
        accuracy: textOrNull,
        housenumber: textOrNull,
        street: textOrNull,
        locality: textOrNull,
        localadmin: textOrNull,
        region: textOrNull,
        region_a: textOrNull,
        dependency_a: textOrNull,
        postalcode: textOrNull,
        country_a: textOrNull,
      }),
    }),
  ),
})
type Found = z.infer<typeof answer>['features'][number]

/** In Pelias's gazetteer, territories are dependencies of the USA with three-letter codes. */
const TERRITORIES: Record<string, string> = { PRI: 'PR', GUM: 'GU', VIR: 'VI', ASM: 'AS', MNP: 'MP' }
const TOWN_LAYERS = new Set(['locality', 'localadmin', 'borough', 'neighbourhood'])
const MATCHES_MAX = 5

/** A Pelias server's search. */
export const askPelias: Ask = async (http, base, query, timeout_ms) => {
  const url = new URL(`${base}/v1/search`)
  url.search = String(new URLSearchParams({ text: query, size: String(MATCHES_MAX) }))
  const { features } = await readAnswer(http, url, timeout_ms, answer)
  return features.flatMap((one) => {
    const precision = precisionOf(one.properties)
    return precision ? [matchOf(one, precision)] : []
  })
}

function precisionOf({ layer, accuracy, housenumber }: Found['properties']): AddressMatch['precision'] | null {
  if (layer === 'postalcode') return 'zip'
  if (TOWN_LAYERS.has(layer)) return 'city'
  if (layer === 'address' && housenumber) return accuracy === 'point' ? 'point' : 'range'
  return layer === 'address' || layer === 'street' ? 'range' : null
}

function matchOf({ geometry, properties }: Found, precision: AddressMatch['precision']): AddressMatch {
  const [lon, lat] = geometry.coordinates
  const territory = TERRITORIES[properties.dependency_a ?? ''] ?? TERRITORIES[properties.country_a ?? '']
  const code = territory ?? properties.region_a ?? ''
  return {
    street: [properties.housenumber, properties.street].filter(Boolean).join(' ') || null,
    city: properties.locality ?? properties.localadmin,
    state: (stateByCode(code) ?? stateByName(properties.region ?? ''))?.code ?? null,
    postal_code: properties.postalcode?.slice(0, 5) ?? null,
    county_fips: null,
    latitude: lat,
    longitude: lon,
    precision,
    in_us: Boolean(territory) || properties.country_a === 'USA',
  }
}
