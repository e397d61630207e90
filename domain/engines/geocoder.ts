import type { AddressMatch, Ask } from '#domain/engines/geocoders/answer.ts'
import { askCensus } from '#domain/engines/geocoders/census.ts'
import { askNominatim } from '#domain/engines/geocoders/nominatim.ts'
import { askPelias } from '#domain/engines/geocoders/pelias.ts'
import type { Http } from '#domain/engines/http.ts'
import { BadSettings, type Config } from '#domain/kernel/config.ts'

/** The online geocoder that the operator configured. */
export interface Geocode {
  /** Null: none is configured, and find is never called. */
  provider: 'census' | 'nominatim' | 'pelias' | null
  /** True where the provider knows street addresses alone, neither a ZIP nor a town. */
  streets_only: boolean
  /**
   * What the provider finds, best first; empty where it finds nothing.
   * @throws where it cannot be reached, or answers what cannot be read.
   */
  find(query: string, timeout_ms: number): Promise<AddressMatch[]>
}

const CENSUS = 'https://geocoding.geo.census.gov/geocoder'
const ask: Record<NonNullable<Geocode['provider']>, Ask> = { census: askCensus, nominatim: askNominatim, pelias: askPelias }

/** @throws BadSettings where the provider needs an address and none is set: the public ones forbid the use by a service. */
export function openGeocoder({ geocoder, geocoder_url }: Pick<Config, 'geocoder' | 'geocoder_url'>, http: Http): Geocode {
  if (geocoder === 'embedded') return { provider: null, streets_only: false, find: async () => [] }
  const base = (geocoder_url ?? (geocoder === 'census' ? CENSUS : null))?.replace(/\/+$/, '')
  if (!base) throw new BadSettings([`GEOCODER_URL is required with GEOCODER=${geocoder}`])
  return {
    provider: geocoder,
    streets_only: geocoder === 'census',
    find: (query, timeout_ms) => ask[geocoder](http, base, query, timeout_ms),
  }
}
