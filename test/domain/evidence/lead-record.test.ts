import { expect, it } from 'vitest'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { leadRecord } from '#domain/evidence/lead-record.ts'
import { aCell, aCounty, after, aRecord } from '../reports/record-factories.ts'

/** The first record leads, in any order. */
function leads(first: NearbyRecord, ...others: NearbyRecord[]) {
  for (const other of others) {
    expect(leadRecord([first, other])).toBe(first)
    expect(leadRecord([other, first])).toBe(first)
  }
}

it('is null if there are no records', () => {
  expect(leadRecord([])).toBeNull()
})

it('prefers observations to radar estimates, and those to county records, whatever the severity', () => {
  const seen = aRecord({ hail_size_in: 0.5 })
  const estimated = aCell({ hail_size_in: 4 })
  const county = aCounty({ type: 'tornado', tornado_ef_scale: 5 })
  leads(seen, estimated, county)
  leads(estimated, county)
  leads(aRecord({ evidence_kind: 'instrument', hail_size_in: 0.5 }), estimated)
})

it('prefers the most severe to family, size and distance', () => {
  leads(aRecord({ hail_size_in: 4, miles_north: 4 }), aRecord({ type: 'tornado', tornado_ef_scale: 0, severity: 'minor', miles_north: 1 }))
})

it('at equal severity, prefers a tornado to hail, hail to wind, and wind to the rest', () => {
  const severity = 'severe'
  const tornado = aRecord({ type: 'tornado', tornado_ef_scale: 1, severity })
  const hail = aRecord({ hail_size_in: 1.75, severity })
  const wind = aRecord({ type: 'thunderstorm_wind', wind_gust_mph: 70, severity })
  const rest = aRecord({ type: 'lightning', severity, miles_north: 0.1 })
  leads(tornado, hail, wind, rest)
  leads(hail, wind, rest)
  leads(wind, rest)
})

it('prefers the strongest of a family, by the measure of that family', () => {
  const severity = 'severe'
  leads(aRecord({ hail_size_in: 2, severity, miles_north: 3 }), aRecord({ hail_size_in: 1.75, severity, miles_north: 1 }))
  const tornado = (tornado_ef_scale: number | null, miles_north: number) =>
    aRecord({ type: 'tornado', tornado_ef_scale, severity, miles_north })
  leads(tornado(2, 3), tornado(1, 1))
  leads(tornado(1, 3), tornado(null, 1))
  const wind = (overrides: Partial<NearbyRecord>, miles_north: number) =>
    aRecord({ type: 'thunderstorm_wind', severity, miles_north, ...overrides })
  leads(wind({ wind_gust_mph: 80 }, 3), wind({ wind_gust_mph: 70 }, 1))
  leads(wind({ wind_speed_mph: 80 }, 3), wind({ wind_gust_mph: 70 }, 1))
  leads(wind({ wind_gust_mph: 60, wind_speed_mph: 50 }, 3), wind({ wind_gust_mph: 55, wind_speed_mph: 70 }, 1))
})

it('prefers the nearest of equally strong records, then the newest', () => {
  leads(aRecord({ hail_size_in: 2, miles_north: 1 }), aRecord({ hail_size_in: 2, miles_north: 1.1, begins_at: after(30) }))
  leads(aRecord({ hail_size_in: 2, begins_at: after(30) }), aRecord({ hail_size_in: 2, begins_at: after(29) }))
})

it('breaks a tie in the same way on every install: the first by source and key', () => {
  const alike = { hail_size_in: 2 }
  leads(
    aRecord({ ...alike, source: 'noaa_spc_reports', source_key: 'a' }),
    aRecord({ ...alike, source: 'noaa_spc_reports', source_key: 'b' }),
    aRecord({ ...alike, source: 'nws_lsr', source_key: '0' }),
  )
})
