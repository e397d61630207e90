import { extentCaveat, magnitudeCaveat, pathCaveat, reportTimeCaveat } from '#domain/archive/plausibility.ts'
import { recordOfDayCell } from '#domain/archive/radar/cell-records.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { bearingDegrees, distanceMiles } from '#domain/geo/measure.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/kernel/durations.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { type Composition, compose } from '#domain/reports/compose.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { fingerprint } from '#domain/reports/fingerprint.ts'
import { type LayoutElement, type LayoutSection, layoutElements, layoutSections, mapLayers } from '#domain/reports/layout.ts'
import { type CompleteReport, verificationOf } from '#domain/reports/verification.ts'
import type { WarningOver } from '#domain/reports/warnings-over.ts'
import { nothingFound } from '#domain/reports/wording/statement.ts'
import { severityOf } from '#domain/weather/severity-of.ts'
import { familyOf, hailTypes, type RecordType, recordTypes, windTypes } from '#domain/weather/types.ts'
import { aCoverage, frisco } from '#test/domain/reports/record-factories.ts'
import { seededRandom } from '#test/support/random.ts'

/** The facts of a document as the service composes them from records that are made up at random. */
export function aGenuineReport(seed: number): DocumentFacts {
  const draw = drawFrom(seed)
  const place = draw.pick(places)
  const window = aWindow(draw)
  const loss = draw.chance(0.6) ? aLoss(draw, window) : null
  const count = draw.pick([0, 1, 2, 3, 5, 8, 12, 20, 30, 90])
  const days = daysIn(draw, window, loss)
  const records = Array.from({ length: count }, (_, id) => aStormRecord(draw, place, window.radius_miles, draw.pick(days), id + 1))
    .filter(({ occurred_on }) => occurred_on >= window.start && occurred_on <= window.end)
    .sort((one, other) =>
      one.occurred_on === other.occurred_on ? +other.begins_at - +one.begins_at : one.occurred_on < other.occurred_on ? 1 : -1,
    )
  const warnings = draw.chance(0.4) ? [aWarning(draw, draw.pick(days))] : []
  const over = records.filter(({ precision, distance_miles }) => precision === 'grid' && distance_miles === 0)
  const composition = compose(
    place,
    window,
    {
      records,
      observations: { count: draw.pick([0, 26_280]), gusts: [] },
      coverage: aRandomCoverage(draw, window, place),
      radar_over: over.map((record) => ({
        day: record.occurred_on,
        source: record.source,
        tenths: Math.round((record.hail_size_in ?? 0) * 254),
      })),
    },
    { as_of: draw.chance(0.2) ? new Date('2026-02-03T04:05:06Z') : null, loss: loss === null ? null : { date: loss, warnings } },
  )
  return factsOf(draw, composition, loss, warnings)
}

// ---------------------------------------------------------------- what is drawn

interface Draw {
  below(limit: number): number
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

function drawFrom(seed: number): Draw {
  const random = seededRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  return { below, chance: (share) => random() < share, pick: (items) => items[below(items.length)] as (typeof items)[number] }
}

const places = (
  [
    { ...frisco, street: '100 Main St', precision: 'point' },
    { ...frisco, street: '1200 F2 Rd', precision: 'range' },
    { ...frisco, street: null, city: null, postal_code: null, precision: 'point' as const },
    { ...frisco, street: null, city: null, precision: 'zip' as const },
    aPlace('St. Louis', 'MO', 'St. Louis', '29510', 38.63, -90.2, 'city'),
    aPlace('Mesa', 'CO', 'Mesa', '08077', 39.11, -108.58, 'point', '2.5 in F Road'),
    aPlace('Tamuning', 'GU', 'Guam', '66010', 13.49, 144.78, 'point', '60 Mph Ln'),
    aPlace('Pago Pago', 'AS', 'Eastern', '60010', -14.28, -170.7, 'city'),
    aPlace('Honolulu', 'HI', 'Honolulu', '15003', 21.31, -157.86, 'range', '9 EF5 Way'),
    aPlace('Anchorage', 'AK', 'Anchorage', '02020', 61.22, -149.9, 'city'),
    aPlace('New York', 'NY', 'New York', '36061', 40.71, -74.01, 'zip'),
  ] satisfies Omit<LocatedPlace, 'timezone'>[]
).map((place): LocatedPlace => ({ ...place, timezone: timezoneAt(place.latitude, place.longitude) }))

function aPlace(
  city: string,
  state: string,
  county: string,
  county_fips: string,
  latitude: number,
  longitude: number,
  precision: LocatedPlace['precision'],
  street: string | null = null,
) {
  return { street, city, state, postal_code: precision === 'city' ? null : '10001', county, county_fips, latitude, longitude, precision }
}

function aWindow(draw: Draw) {
  const end = draw.pick(['2025-12-31', '2007-03-10', '1996-06-30', '2024-02-29'])
  return { start: dateAfter(end, -draw.pick([1, 20, 365, 900])), end, radius_miles: draw.pick([1, 2.25, 3, 5, 10, 25]) }
}

const dateAfter = (date: string, days: number) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

/** A day of the window, or the day after it, which had not begun at the place when the report was made. */
function aLoss(draw: Draw, { start, end }: { start: string; end: string }): string {
  const days = Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS)
  return draw.chance(0.15) ? dateAfter(end, 1) : dateAfter(start, draw.below(days + 1))
}

/** The days of the records: few, so that several fall on one of them, and some of them around a date of loss. */
function daysIn(draw: Draw, { start, end }: { start: string; end: string }, loss: string | null): string[] {
  const length = Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS) + 1
  const days = Array.from({ length: 1 + draw.below(6) }, () => dateAfter(start, draw.below(length)))
  const near = loss === null ? [] : Array.from({ length: 3 }, () => dateAfter(loss, draw.below(5) - 2))
  return [...days, ...near]
}

const usualTypes: RecordType[] = [
  'hail',
  'hail',
  'hail',
  'thunderstorm_wind',
  'thunderstorm_wind',
  'tornado',
  'tornado',
  'flash_flood',
  'high_wind',
  'heavy_rain',
  'marine_hail',
]
const texts = [
  '',
  'Hail 9.99 in on a car, gust 123 mph, EF4 damage at 7.77 mi NW on 1999-09-09.',
  '.',
  '5',
  'Trees, "big" ones; down.\nSecond line, 60 mph.',
  '=SUM(1) Roofs (all) lost',
  '\u202e1.75 in',
  '2',
]

/** Doubts as the service writes them about such a record. */
function caveatsOf(draw: Draw, record: Pick<NearbyRecord, 'type' | 'precision' | 'state' | 'evidence_kind' | 'begins_at'> & Measured) {
  const { type, precision, state, evidence_kind } = record
  const magnitude = evidence_kind === 'radar' ? null : magnitudeCaveat(record)
  const others = [
    state && `The point lies 31.4 mi outside the county that the source names (St. Louis, ${state}).`,
    type === 'tornado' && precision !== 'path' && pathCaveat(58.43, 12.25),
    type === 'flash_flood' && precision !== 'area' && extentCaveat(null, []),
    evidence_kind === 'radar' && 'Its hours reach 5 h beyond the local day that it counts for: it may be of the day beside it.',
    evidence_kind !== 'radar' && reportTimeCaveat(record.begins_at, new Date(+record.begins_at + 20 * DAY_MS), false),
  ].filter((text) => typeof text === 'string')
  return [...(others.length > 0 && draw.chance(0.15) ? [draw.pick(others)] : []), ...(magnitude === null ? [] : [magnitude])]
}
type Measured = Pick<NearbyRecord, 'hail_size_in' | 'wind_gust_mph' | 'wind_speed_mph'>

function aStormRecord(draw: Draw, place: LocatedPlace, radius_miles: number, day: string, id: number): NearbyRecord {
  const kind = draw.pick(['ground', 'ground', 'ground', 'instrument', 'scan', 'day', 'list', 'county', 'zone'] as const)
  const is_radar = kind === 'scan' || kind === 'day' || kind === 'list'
  const is_areal = kind === 'county' || kind === 'zone'
  const type = is_radar ? 'hail' : draw.chance(0.8) ? draw.pick(usualTypes) : draw.pick(recordTypes)
  // Far beyond the circle, or so near that no direction is stated.
  const miles = draw.pick([0, 0.03, 0.049, 0.06, 0.5, 1, 2.96, radius_miles]) * draw.pick([1, 0.9999, 0.31])
  const angle = draw.below(628) / 100
  const latitude = place.latitude + (miles * Math.cos(angle)) / 69.1
  const longitude = place.longitude + (miles * Math.sin(angle)) / (69.1 * Math.cos((place.latitude * Math.PI) / 180))
  const timezone = timezoneAt(latitude, longitude)
  const begins_at = new Date(Date.parse(day) + draw.below(48) * HOUR_MS + draw.below(60) * MINUTE_MS)
  const occurred_on = localDate(begins_at, timezone)
  const is_over = kind === 'scan' || kind === 'day' ? draw.chance(0.5) : false
  const measured = is_radar ? { ...unmeasured, hail_size_in: draw.pick(sizes) } : aMeasurement(draw, type)
  const preliminary = !is_radar && draw.chance(0.4)
  const evidence_kind = is_radar ? 'radar' : kind === 'instrument' ? 'instrument' : 'ground'
  const state = draw.chance(0.9) ? place.state : null
  const precision: NearbyRecord['precision'] = is_areal
    ? kind
    : is_radar && kind !== 'list'
      ? 'grid'
      : type === 'tornado'
        ? draw.pick(['point', 'path'])
        : type === 'flash_flood'
          ? draw.pick(['point', 'area'])
          : 'point'
  const common = {
    ...measured,
    id,
    source: is_radar
      ? kind === 'list'
        ? 'nexrad_hail'
        : 'noaa_mesh'
      : preliminary
        ? draw.pick(['nws_lsr', 'noaa_spc_reports'])
        : 'noaa_storm_events',
    source_key: kind === 'scan' ? `mesh/${id}` : `${day}/${id}`,
    type,
    family: familyOf(type),
    severity: severityOf({ type, ...measured }),
    occurred_on,
    begins_at,
    ends_at: is_radar || draw.chance(0.5) ? null : new Date(+begins_at + draw.pick([0, 20 * MINUTE_MS, 30 * HOUR_MS])),
    time_unsure: false,
    latitude,
    longitude,
    end_latitude: null,
    end_longitude: null,
    corners: null,
    county: place.county,
    county_fips: place.county_fips,
    zone: kind === 'zone' ? `${place.state}Z010` : null,
    zone_name: kind === 'zone' && draw.chance(0.7) ? 'Northern Erie' : null,
    state,
    precision,
    evidence_kind,
    is_observed: !is_radar,
    qualifier: is_radar ? 'radar_estimated' : draw.pick(['measured', 'estimated', 'unknown', null]),
    preliminary,
    reporter: null,
    file_name: null,
    citation_url: `https://example.test/record/${id}?id=${draw.below(1e9)}`,
    description: is_radar
      ? `Largest estimate in the grid cell ${id}.`
      : [draw.pick(texts), type === 'tornado' && measured.tornado_ef_scale === null ? 'Rated EFU by the source.' : '']
          .filter(Boolean)
          .join(' '),
    caveats: caveatsOf(draw, { type, precision, state, evidence_kind, begins_at, ...measured }),
    compiled_on: preliminary ? null : '2026-05-01',
    ...(kind === 'day' && ofDay(draw, place, day)),
  } as const
  const distance_miles = is_areal
    ? null
    : is_over || (precision === 'area' && draw.chance(0.5))
      ? 0
      : distanceMiles(place.latitude, place.longitude, latitude, longitude)
  return {
    ...common,
    ...(kind === 'zone' && { county: null, county_fips: null }),
    latitude: is_areal ? null : latitude,
    longitude: is_areal ? null : longitude,
    shown_latitude: is_areal ? null : latitude,
    shown_longitude: is_areal ? null : longitude,
    distance_miles,
    bearing_degrees: is_areal ? null : bearingDegrees(place.latitude, place.longitude, latitude, longitude),
  } as NearbyRecord
}

const unmeasured = { wind_speed_mph: null, wind_gust_mph: null, hail_size_in: null, tornado_ef_scale: null }
const sizes = [0.15, 0.5, 0.75, 1, 1.25, 1.275, 1.5, 1.75, 2, 2.75, 4.5, 9]
const speeds = [12.5, 40, 57.5, 58, 60, 60.75, 70, 92, 105, 160]

function aMeasurement(draw: Draw, type: RecordType) {
  if (draw.chance(0.2)) return unmeasured
  if (type === 'tornado') return { ...unmeasured, tornado_ef_scale: draw.below(6) }
  if (hailTypes.includes(type)) return { ...unmeasured, hail_size_in: draw.pick(sizes) }
  if (!windTypes.includes(type)) return unmeasured
  return draw.chance(0.7) ? { ...unmeasured, wind_gust_mph: draw.pick(speeds) } : { ...unmeasured, wind_speed_mph: draw.pick(speeds) }
}

/** A cell of a day's largest values, from a grid of 24 hours that may begin an hour off the local day. */
function ofDay(draw: Draw, { latitude, longitude }: LocatedPlace, day: string) {
  const from_at = new Date(Date.parse(day) + draw.pick([5, 6, 7]) * HOUR_MS)
  const until_at = new Date(+from_at + draw.pick([24, 23]) * HOUR_MS)
  const [row, column] = [Math.round((55 - latitude) * 100), Math.round((longitude + 130) * 100)]
  const hours = { from_at, until_at, of_moments: draw.chance(0.2), revision: 1, file_id: null }
  const { source_key, begins_at, ends_at, description, citation_url } = recordOfDayCell({
    hours,
    day,
    source: 'noaa_mesh',
    row,
    column,
    size_mm: 30,
  })
  return { source_key, begins_at, ends_at, description, citation_url, occurred_on: day }
}

function aWarning(draw: Draw, day: string): WarningOver {
  const period = { from: new Date(Date.parse(day) + 22 * HOUR_MS), until: new Date(Date.parse(day) + 23 * HOUR_MS) }
  const threats = {
    max_hail_in: 3.33,
    hail_basis: 'observed',
    max_gust_mph: 77,
    wind_basis: null,
    tornado: 'possible',
    flash_flood: null,
    damage: null,
  }
  const message = {
    ...period,
    sent_at: period.from,
    threats,
    area: { codes: ['TXC085'] },
    area_name: draw.pick([null, 'Collin, TX']),
    citation_url: 'https://example.test/warning',
  }
  return {
    event: 'Severe Thunderstorm Warning',
    office_name: 'NWS Fort Worth',
    issued_at: period.from,
    periods: [period],
    messages: [message],
    citation_url: 'https://example.test/warning',
  } as unknown as WarningOver
}

function aRandomCoverage(draw: Draw, { start, end }: { start: string; end: string }, { state }: LocatedPlace) {
  const complete = draw.chance(0.6)
  return aCoverage({
    complete,
    provisional: draw.chance(0.4),
    horizons: { [state ?? 'TX']: draw.pick([start, end, null]) },
    final_through: draw.pick([end, null]),
    preliminary: draw.chance(0.4) ? { from: start, to: end } : null,
    missing: complete ? [] : [{ from: start.slice(0, 7), to: end.slice(0, 7) }],
    unplaced_zones: draw.chance(0.2) ? [{ state: 'NY', records: 11, types: [{ type: 'high_wind', records: 11 }], table_held: false }] : [],
    running_into: draw.chance(0.2)
      ? [{ id: 1, source: 'noaa_storm_events', type: 'drought', occurred_on: dateAfter(start, -3), ends_at: new Date(start) }]
      : [],
    radar: {
      of: 365,
      days: draw.pick([0, 3, 365]),
      moments: draw.pick([0, 1, 12_345]),
      largest_only: draw.below(3),
      reaches: null,
      maxima: draw.below(2),
    },
  })
}

// ---------------------------------------------------------------- the facts of its document

/** Texts of customers that look like figures of the evidence. */
const customerTexts = [
  null,
  'EF5 Restoration',
  'F5 Roofing & 60 mph Gutters',
  '2.5 in Hail Pros, 9.99 mi NW',
  'DOL 2019-05-01, roof 1.50 in; County 7.77 in',
]

function factsOf(draw: Draw, composed: Composition, date_of_loss: string | null, warnings: WarningOver[]): DocumentFacts {
  const { place, window, citations, coverage, findings, headline, days, day_of_loss, observation_count, unplaced_zones, sample } = composed
  const records = citations.map(({ view, record: { end_latitude, end_longitude, corners } }) => ({
    ...view,
    path_end: end_latitude === null || end_longitude === null ? null : ([end_longitude, end_latitude] as [number, number]),
    corners,
  }))
  const address = { ...place, query: draw.pick(['100 Main St, Frisco', 'EF5 Rd 60 mph, 2.50 in']) }
  const views = citations.map(({ view }) => view)
  const sources = coverage.sources_searched
  const report = {
    id: '019a0000-0000-7000-8000-000000000000',
    address,
    window: { ...window, narrowed_by_plan: draw.chance(0.2) },
    as_of: null,
    date_of_loss,
    day_of_loss,
    days,
    reference: draw.pick(customerTexts),
    recipient: draw.pick(customerTexts),
    event_count: citations.length,
    observation_count,
    coverage,
    headline,
    nothing_found:
      citations.length === 0 ? nothingFound({ place, window, sources, provisional: coverage.provisional, unplaced_zones }) : null,
    findings,
    fingerprint: fingerprint({ address, window: { ...window }, coverage }, views),
    methodology_version: '1',
    layout: aLayout(draw),
    generated_at: '2026-03-04T05:06:07Z',
    links: { self: '', events: null, pdf: null },
  } as unknown as CompleteReport
  return {
    report,
    records,
    verification: verificationOf(report, [...new Set(views.map(({ provenance }) => provenance.source))], null, 'https://weather.example'),
    signature: null,
    signer: { key_id: '0123456789abcdef', name: 'Weather', keys_url: 'https://weather.example/keys' },
    vintages: composed.vintages,
    unplaced_zones,
    warnings,
    towns: [],
    swaths: null,
    team: { name: 'Team', paper: 'letter', brand_name: draw.pick(customerTexts), brand_logo: null },
    timezone: place.timezone,
    coordinates_sent: draw.chance(0.3),
    sample,
  }
}

function aLayout(draw: Draw) {
  const some = <Item>(items: readonly Item[]) => items.filter(() => draw.chance(0.7))
  const sections: LayoutSection[] = some(layoutSections)
  const elements: LayoutElement[] = some(layoutElements)
  return { sections, imagery: [], elements, map: draw.chance(0.7) ? { base: 'plain' as const, layers: [...mapLayers] } : null }
}
