import type { AddressMatch, Ask } from '#domain/engines/geocoders/answer.ts'
import { askCensus } from '#domain/engines/geocoders/census.ts'
import { askNominatim } from '#domain/engines/geocoders/nominatim.ts'
import { askPelias } from '#domain/engines/geocoders/pelias.ts'
import type { Http } from '#domain/engines/http.ts'
import { BadSettings, type Config } from '#domain/kernel/config.ts'

/** The online geocoder that the operator configured. */
export interface Geocode {
  /** Null if none is configured; `find` is then never called. */
  provider: 'census' | 'nominatim' | 'pelias' | null
  /** True if the provider knows only street addresses, neither ZIP codes nor towns. */
  streets_only: boolean
  /**
   * Returns the provider's matches, best first.
   * @throws if it cannot be reached, or its response cannot be read.
   */
  find(query: string, timeout_ms: number): Promise<AddressMatch[]>
}

const CENSUS = 'https://geocoding.geo.census.gov/geocoder'
const ask: Record<NonNullable<Geocode['provider']>, Ask> = { census: askCensus, nominatim: askNominatim, pelias: askPelias }

/** @throws BadSettings if the provider needs a URL and none is set: the public servers forbid use by a service. */
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
