import type { WindowCoverage } from '#domain/archive/coverage/window-coverage.ts'
import { NO_OBSERVATIONS, type StationGust } from '#domain/archive/observations/nearby.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import type { Evidence } from '#domain/archive/search/search.ts'
import { bearingDegrees, distanceMiles } from '#domain/geo/measure.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { compose, type ReportWindow } from '#domain/reports/compose.ts'
import type { Loss } from '#domain/reports/day-of-loss/read-loss.ts'
import { severityOf } from '#domain/weather/severity-of.ts'
import { familyOf, type RecordType } from '#domain/weather/types.ts'

/** A made-up address in Frisco, TX. */
export const frisco: LocatedPlace = {
  street: '1 Made Up Way',
  city: 'Frisco',
  state: 'TX',
  postal_code: '75034',
  county: 'Collin',
  county_fips: '48085',
  latitude: 33.15,
  longitude: -96.82,
  precision: 'range',
  timezone: 'America/Chicago',
}

export const year2025: ReportWindow = { start: '2025-01-01', end: '2025-12-31', radius_miles: 5 }

let ids = 0
/** Miles in a degree of latitude. */
const MILES_A_DEGREE = 69.0934

/** A made-up hail report by a person, the given miles north of the address. Other values as given. */
export function aRecord({
  miles_north = 1,
  type = 'hail',
  ...overrides
}: Partial<NearbyRecord> & { miles_north?: number; type?: RecordType } = {}): NearbyRecord {
  const id = overrides.id ?? ++ids
  const latitude = overrides.latitude ?? frisco.latitude + miles_north / MILES_A_DEGREE
  const longitude = overrides.longitude ?? frisco.longitude
  const placed = overrides.precision !== 'county' && overrides.precision !== 'zone'
  const magnitudes = {
    wind_speed_mph: overrides.wind_speed_mph ?? null,
    wind_gust_mph: overrides.wind_gust_mph ?? null,
    hail_size_in: overrides.hail_size_in ?? null,
    tornado_ef_scale: overrides.tornado_ef_scale ?? null,
  }
  const evidence_kind = overrides.evidence_kind ?? 'ground'
  return {
    id,
    source: 'noaa_storm_events',
    source_key: `2025/${id}`,
    type,
    family: familyOf(type),
    severity: severityOf({ type, ...magnitudes }),
    occurred_on: '2025-05-28',
    begins_at: new Date('2025-05-28T23:10:00Z'),
    ends_at: null,
    time_unsure: false,
    ...magnitudes,
    end_latitude: null,
    end_longitude: null,
    corners: null,
    county: 'Collin',
    county_fips: '48085',
    zone: null,
    state: 'TX',
    precision: 'point',
    evidence_kind,
    is_observed: evidence_kind !== 'radar',
    qualifier: type === 'hail' ? 'unknown' : null,
    preliminary: false,
    reporter: null,
    file_name: null,
    citation_url: `https://example.test/record/${id}`,
    description: '',
    caveats: [],
    compiled_on: '2026-05-01',
    ...overrides,
    latitude: placed ? latitude : null,
    longitude: placed ? longitude : null,
    shown_latitude: placed ? latitude : null,
    shown_longitude: placed ? longitude : null,
    distance_miles:
      overrides.distance_miles !== undefined
        ? overrides.distance_miles
        : placed
          ? distanceMiles(frisco.latitude, frisco.longitude, latitude, longitude)
          : null,
    bearing_degrees: placed ? bearingDegrees(frisco.latitude, frisco.longitude, latitude, longitude) : null,
  }
}

/** A made-up radar cell. It is over the address if its distance is 0. */
export function aCell(overrides: Parameters<typeof aRecord>[0] = {}): NearbyRecord {
  return aRecord({
    source: 'noaa_mesh',
    evidence_kind: 'radar',
    precision: 'grid',
    qualifier: 'radar_estimated',
    hail_size_in: 1,
    miles_north: 0,
    ...(!overrides.miles_north && { distance_miles: 0 }),
    ...overrides,
  })
}

/** A daily maximum from a grid of the 24 hours of the made-up storm's local day, over the address by default. */
export function aDayCell(overrides: Parameters<typeof aRecord>[0] = {}): NearbyRecord {
  const [begins_at, ends_at] = [new Date('2025-05-28T05:00:00Z'), new Date('2025-05-29T05:00:00Z')]
  return aCell({ source_key: 'mesh_max_1440min/2025-05-29T05:00:00Z/2184/3317', begins_at, ends_at, ...overrides })
}

export function aCounty(overrides: Parameters<typeof aRecord>[0] = {}): NearbyRecord {
  return aRecord({ type: 'high_wind', precision: 'county', ...overrides })
}

export function aGust(overrides: Partial<StationGust> = {}): StationGust {
  return {
    station_id: 'KXXX',
    observed_at: new Date('2025-05-28T23:30:00Z'),
    wind_gust_mph: 61,
    latitude: 33.2,
    longitude: -96.82,
    distance_miles: 3.5,
    ...overrides,
  }
}

/** Coverage by final Storm Events records for the whole window. */
export function aCoverage(overrides: Partial<WindowCoverage> = {}): WindowCoverage {
  return {
    complete: true,
    provisional: false,
    sources: [{ source: 'noaa_storm_events', label: 'NOAA Storm Events Database', compiled_on: '2026-05-01', preliminary: false }],
    horizons: { TX: '2025-12-31' },
    final_through: '2025-12-31',
    preliminary: null,
    missing: [],
    in_part: [],
    final_in_part: false,
    early: null,
    unplaced_zones: [],
    unplaced_running: 0,
    radar: { of: 365, days: 365, moments: 0, largest_only: 0, reaches: null, maxima: 0 },
    sample: false,
    running_into: [],
    ...overrides,
  }
}

export function evidenceOf(records: NearbyRecord[], overrides: Partial<Evidence> = {}): Evidence {
  return { records, observations: NO_OBSERVATIONS, coverage: aCoverage(), radar_over: [], ...overrides }
}

/** The report of the given records, at the made-up address by default. */
export function reportOf(
  records: NearbyRecord[],
  {
    place = frisco,
    window = year2025,
    loss = null,
    ...evidence
  }: Partial<Evidence> & { place?: LocatedPlace; window?: ReportWindow; loss?: Loss | null } = {},
) {
  return compose(place, window, evidenceOf(records, evidence), { loss })
}

/** The time that many minutes after the storm of the made-up records. */
export function after(minutes: number): Date {
  return new Date(Date.parse('2025-05-28T23:10:00Z') + minutes * 60_000)
}
