import type { Polygon } from 'geojson'
import { findVtec, type VtecAction } from '#domain/archive/warnings/vtec.ts'
import { readThreats, type StoredMessage } from '#domain/archive/warnings/warning.ts'

const day = '2026-05-28T'

/** A closed square of 0.2 degrees around a point of north Texas. */
export function square(longitude: number, latitude = 33): Polygon {
  const [west, east, south, north] = [longitude - 0.1, longitude + 0.1, latitude - 0.1, latitude + 0.1]
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  }
}

/**
 * A stored message of a warning from 23:10 to 23:45 UTC.
 * @param sent hh:mm on 28 May 2026
 */
export function aMessage(action: VtecAction, sent: string, overrides: Partial<StoredMessage> = {}): StoredMessage {
  const sent_at = new Date(`${day}${sent}:00Z`)
  const begins = action === 'NEW' ? `260528T${sent.replace(':', '')}Z` : '000000T0000Z'
  const vtec = `/O.${action}.KFWD.SV.W.0142.${begins}-260528T2345Z/`
  const [code] = findVtec(vtec)
  return {
    message_key: `${sent} ${action} ${overrides.county_fips ?? ''}${overrides.zones ?? ''}`,
    action,
    identifier: `urn:${sent}`,
    event: 'Severe Thunderstorm Warning',
    headline: sent,
    message_type: 'alert',
    severity: 'severe',
    certainty: 'observed',
    urgency: 'immediate',
    sent_at,
    correction: null,
    begins_at: code?.begins_at ?? null,
    onset_at: null,
    expires_at: new Date(`${day}23:45:00Z`),
    ends_at: new Date(`${day}23:45:00Z`),
    office_name: 'NWS Fort Worth TX',
    vtec,
    threats: readThreats({}),
    area: null,
    instruction: null,
    geometry: null,
    polygon_fault: null,
    county_fips: [],
    zones: [],
    citation_url: 'https://example.com',
    digest: '',
    made: false,
    ...overrides,
  }
}
