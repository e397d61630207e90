import { clockAt } from './clock.ts'
import type { Row } from './csv.ts'
import { type Doubt, doubtsOf, saysPstOfWind } from './doubts.ts'
import { countyCentre, countyName, type Spot, stateCode, stateNumber } from './geography.ts'
import { zoneOf } from './zone-table.ts'

/** One row of a details file, read by the published rules without any code of the service. */
export interface Fact {
  event_id: string
  type: string
  family: string
  severity: string
  /** Local date, with daylight saving time, in the time zone of the record's own place. */
  occurred_on: string
  /** The date under which the source files it. */
  filed_on: string
  begins_at: string
  hail_size_in: number | null
  wind_gust_mph: number | null
  wind_speed_mph: number | null
  tornado_ef_scale: number | null
  /** Postal code of the state that the row names; null for seas and lakes. */
  state: string | null
  /** The kind of source: a person who saw it, an instrument that measured it, or radar. */
  channel: 'ground' | 'instrument' | 'radar'
  /** Where it began; null for a county or a zone row. */
  start_point: Spot | null
  location: FactLocation
  /** The parts of the row that cannot be trusted. */
  doubts: Doubt[]
}

export type FactLocation =
  | { as: 'point'; ends: readonly Spot[] }
  | { as: 'path' | 'area'; spots: readonly Spot[] }
  | { as: 'county'; fips: string }
  | { as: 'zone'; zone: string | null }

/** Reads the rows of details files, with the corners from the locations files. */
export function factsOf(details: readonly Row[], locations: readonly Row[]): Fact[] {
  const corners = groupById(locations)
  return details.map((row) => factOf(row, cornersOf(corners.get(row.EVENT_ID as string) ?? [])))
}

function groupById(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const id = row.EVENT_ID as string
    const group = groups.get(id)
    if (group) group.push(row)
    else groups.set(id, [row])
  }
  return groups
}

function cornersOf(rows: readonly Row[]): Spot[] {
  return [...rows]
    .sort((a, b) => Number(a.LOCATION_INDEX) - Number(b.LOCATION_INDEX))
    .map((row) => [Number(row.LONGITUDE), Number(row.LATITUDE)])
}

function factOf(row: Row, corners: readonly Spot[]): Fact {
  const type = typeOf(row.EVENT_TYPE as string)
  const size = magnitudesOf(row, type)
  const begins = momentOf(row, 'BEGIN') as Date
  const ends = momentOf(row, 'END')
  const doubts = doubtsOf({
    row,
    type,
    fips: row.CZ_TYPE === 'C' && !namesZone(row) ? fipsOf(row) : null,
    begin: spotOf(row, 'BEGIN'),
    end: spotOf(row, 'END'),
    corners,
    hours: ends && (ends.getTime() - begins.getTime()) / 3_600_000,
    inches: size.hail_size_in,
    mph: size.wind_gust_mph ?? size.wind_speed_mph,
  })
  const location = locationOf(row, type, corners, doubts)
  const clock = clockOf(row, location)
  return {
    event_id: row.EVENT_ID as string,
    type,
    family: familyOfType.get(type) ?? 'other',
    severity: severityOf(type, size),
    occurred_on: dateBy(clock).format(begins),
    filed_on: `${row.BEGIN_YEARMONTH?.slice(0, 4)}-${row.BEGIN_YEARMONTH?.slice(4)}-${row.BEGIN_DAY?.padStart(2, '0')}`,
    begins_at: begins.toISOString().replace('.000Z', 'Z'),
    ...size,
    state: stateCode(row),
    channel: row.MAGNITUDE_TYPE?.startsWith('M') && instruments.includes((row.SOURCE as string).toLowerCase()) ? 'instrument' : 'ground',
    start_point: spotOf(row, 'BEGIN'),
    location,
    doubts,
  }
}

// What it is --------------------------------------------------------------------------------------

const families: Record<string, string[]> = {
  thunderstorm: [
    'hail',
    'thunderstorm_wind',
    'tornado',
    'funnel_cloud',
    'lightning',
    'waterspout',
    'marine_hail',
    'marine_thunderstorm_wind',
    'marine_lightning',
  ],
  flash_flood: ['flash_flood', 'heavy_rain', 'debris_flow'],
  flood: ['flood', 'lakeshore_flood', 'seiche'],
  coastal: ['coastal_flood', 'storm_surge', 'high_surf', 'rip_current', 'sneaker_wave', 'astronomical_low_tide', 'tsunami'],
  wind: ['high_wind', 'strong_wind', 'marine_high_wind', 'marine_strong_wind', 'dust_devil'],
  tropical: [
    'hurricane',
    'tropical_storm',
    'tropical_depression',
    'marine_hurricane',
    'marine_tropical_storm',
    'marine_tropical_depression',
  ],
  winter: [
    'blizzard',
    'heavy_snow',
    'ice_storm',
    'lake_effect_snow',
    'sleet',
    'winter_storm',
    'winter_weather',
    'avalanche',
    'marine_heavy_freezing_spray',
  ],
  cold: ['cold_wind_chill', 'extreme_cold', 'frost_freeze'],
  heat: ['heat', 'excessive_heat'],
  fire: ['wildfire', 'dense_smoke'],
  visibility: ['dense_fog', 'freezing_fog', 'dust_storm', 'marine_dense_fog'],
  drought: ['drought'],
  other: ['volcanic_ash', 'other'],
}

const familyOfType = new Map(Object.entries(families).flatMap(([family, types]) => types.map((type) => [type, family])))

const renamed: Record<string, string> = {
  Landslide: 'debris_flow',
  'Storm Surge/Tide': 'storm_surge',
  Sneakerwave: 'sneaker_wave',
  'Heavy Wind': 'high_wind',
  Hurricane: 'hurricane',
  'Hurricane (Typhoon)': 'hurricane',
  'Marine Hurricane/Typhoon': 'marine_hurricane',
  'High Snow': 'heavy_snow',
  'Extreme Cold/Wind Chill': 'extreme_cold',
  'Volcanic Ashfall': 'volcanic_ash',
}

/** The first name that appears in a composite name of the 1990s decides. */
const composite: [string, string][] = [
  ['TORNADO', 'tornado'],
  ['HAIL', 'hail'],
  ['THUNDERSTORM WIND', 'thunderstorm_wind'],
  ['TSTM WIND', 'thunderstorm_wind'],
  ['FLASH FLOOD', 'flash_flood'],
  ['FLOOD', 'flood'],
]

function typeOf(text: string): string {
  if (renamed[text]) return renamed[text]
  const spelled = text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('_')
  if (familyOfType.has(spelled)) return spelled
  return composite.find(([part]) => text.toUpperCase().includes(part))?.[1] ?? 'other'
}

const MILES_AN_HOUR_A_KNOT = 1.15078

type Magnitudes = Pick<Fact, 'hail_size_in' | 'wind_gust_mph' | 'wind_speed_mph' | 'tornado_ef_scale'>

/** Hail in inches, wind in knots. 0 means unknown; a wind that is not marked as sustained is a gust. */
function magnitudesOf(row: Row, type: string): Magnitudes {
  const stated = Number(row.MAGNITUDE || 0) || null
  const hail = type === 'hail' || type === 'marine_hail'
  const wind = /wind$/.test(type) && type !== 'cold_wind_chill'
  const mph = wind && stated !== null ? Math.round(stated * MILES_AN_HOUR_A_KNOT) : null
  const sustained = row.MAGNITUDE_TYPE === 'ES' || row.MAGNITUDE_TYPE === 'MS'
  return {
    hail_size_in: hail ? stated : null,
    wind_gust_mph: sustained ? null : mph,
    wind_speed_mph: sustained ? mph : null,
    tornado_ef_scale: type === 'tornado' && /^E?F[0-5]$/.test(row.TOR_F_SCALE ?? '') ? Number(row.TOR_F_SCALE?.at(-1)) : null,
  }
}

const RANKS = ['unknown', 'minor', 'moderate', 'severe', 'extreme']

function severityOf(type: string, size: Magnitudes): string {
  const wind = size.wind_gust_mph ?? size.wind_speed_mph
  const ranks = [rankOfType(type, size)]
  if (size.hail_size_in !== null) ranks.push(size.hail_size_in >= 2.75 ? 4 : size.hail_size_in >= 1.75 ? 3 : size.hail_size_in >= 1 ? 2 : 1)
  if (wind !== null) ranks.push(wind >= 80 ? 4 : wind >= 70 ? 3 : wind >= 58 ? 2 : 1)
  return RANKS[Math.max(...ranks)] as string
}

function rankOfType(type: string, { wind_gust_mph, tornado_ef_scale }: Magnitudes): number {
  if (type === 'tornado') return (tornado_ef_scale ?? 0) >= 2 ? 4 : 3
  if (['hail', 'marine_hail', 'thunderstorm_wind', 'marine_thunderstorm_wind'].includes(type)) return 0
  if (['hurricane', 'marine_hurricane'].includes(type)) return 4
  if (['tropical_storm', 'marine_tropical_storm', 'storm_surge'].includes(type)) return 3
  if (['waterspout', 'flash_flood', 'flood', 'winter_storm', 'blizzard', 'ice_storm', 'dust_storm'].includes(type)) return 2
  return type === 'high_wind' && wind_gust_mph === null ? 2 : 1
}

/** The files' names for stations: networks, buoys, and those of the weather service itself. */
const instruments = [
  'asos',
  'awos',
  'buoy',
  'c-man',
  'c-man station',
  'coop',
  'coop observer',
  'coop station',
  'mesonet',
  'official nws obs.',
  'official nws observations',
]

// Where it lies -----------------------------------------------------------------------------------

/** For these types the nearer of two points counts; every other type but a tornado is located at its beginning. */
const nearerEnd = ['hail', 'marine_hail', 'thunderstorm_wind', 'marine_thunderstorm_wind', 'heavy_rain']

/** Of a doubted path or area only the undoubted part is used: where a path or a flood began, the first of two points. */
function locationOf(row: Row, type: string, corners: readonly Spot[], doubts: readonly Doubt[]): FactLocation {
  const begin = spotOf(row, 'BEGIN')
  const end = spotOf(row, 'END')
  const isSuspect = (about: Doubt['about']) => doubts.some((doubt) => doubt.about === about)
  // A county that no map has cannot be searched any better than a zone without a table.
  const onMap = row.CZ_TYPE === 'C' && !namesZone(row) && countyName(fipsOf(row)) !== null
  if (!begin) return onMap ? { as: 'county', fips: fipsOf(row) } : { as: 'zone', zone: zoneIn(row) }
  const moved = end !== null && (end[0] !== begin[0] || end[1] !== begin[1])
  if (type === 'tornado' && moved && !isSuspect('path')) return { as: 'path', spots: [begin, end] }
  if ((type === 'flood' || type === 'flash_flood') && corners.length > 0 && !isSuspect('corner')) return { as: 'area', spots: corners }
  return { as: 'point', ends: end && nearerEnd.includes(type) && !isSuspect('second point') ? [begin, end] : [begin] }
}

/** Rows of the 1990s write forecast zones as a county of number 0: "FLZ001 - 023". */
const namesZone = (row: Row) => Number(row.CZ_FIPS) === 0 && /^[A-Z]{2}Z\d{3}\b/.test(row.CZ_NAME as string)

const zoneIn = (row: Row) =>
  row.CZ_TYPE === 'Z' ? zoneOf(row) : /^[A-Z]{2}Z\d{3}$/.test(row.CZ_NAME as string) ? (row.CZ_NAME as string) : null

function spotOf(row: Row, which: 'BEGIN' | 'END'): Spot | null {
  const [lat, lon] = [row[`${which}_LAT`], row[`${which}_LON`]]
  return lat && lon ? [Number(lon), Number(lat)] : null
}

const fipsOf = (row: Row) => `${stateNumber(row) ?? '00'}${row.CZ_FIPS?.padStart(3, '0')}`

// When it was -------------------------------------------------------------------------------------

/** Hours behind UTC; the older files leave them out. */
const hoursBehind: Record<string, number> = {
  AST: 4,
  EST: 5,
  CST: 6,
  CSC: 6,
  SCT: 6,
  MST: 7,
  PST: 8,
  AKST: 9,
  HST: 10,
  SST: 11,
  GST: -10,
  ADT: 3,
  EDT: 4,
  CDT: 5,
  MDT: 6,
  PDT: 7,
}

/** The time zone, with daylight saving time, for each abbreviation. */
const clocks: Record<string, string> = {
  AST: 'America/Puerto_Rico',
  EST: 'America/New_York',
  EDT: 'America/New_York',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  AKST: 'America/Anchorage',
  HST: 'Pacific/Honolulu',
  SST: 'Pacific/Pago_Pago',
  GST: 'Pacific/Guam',
}

/** Creating a formatter takes longer than everything else that is done for a row. */
const dates = new Map<string, Intl.DateTimeFormat>()

function dateBy(clock: string): Intl.DateTimeFormat {
  const format = dates.get(clock) ?? new Intl.DateTimeFormat('en-CA', { timeZone: clock, dateStyle: 'short' })
  dates.set(clock, format)
  return format
}

const american =
  /^America\/(New_York|Detroit|Chicago|Menominee|Denver|Boise|Phoenix|Los_Angeles|Anchorage|Juneau|Sitka|Nome|Adak|Puerto_Rico|St_Thomas|(Indiana|Kentucky|North_Dakota)\/\w+)$|^Pacific\/(Honolulu|Guam|Saipan|Pago_Pago)$/

const zoneText = (row: Row) => /^([A-Z]+)/.exec((row.CZ_TIMEZONE as string).toUpperCase())?.[1] as string

function behindUtc(row: Row): number {
  // All wind of 1992 says PST wherever it is: Central time is meant, as in the years before.
  if (saysPstOfWind(row)) return 6
  const hours = hoursBehind[zoneText(row)]
  if (hours === undefined) throw new Error(`row ${row.EVENT_ID}: no zone is called ${row.CZ_TIMEZONE}`)
  return hours
}

function momentOf(row: Row, which: 'BEGIN' | 'END'): Date | null {
  const [month, day, time] = [row[`${which}_YEARMONTH`], row[`${which}_DAY`], row[`${which}_TIME`]]
  if (!month || !day || !time) return null
  const clock = time.padStart(4, '0')
  const hours = Number(clock.slice(0, 2)) + behindUtc(row)
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(4)) - 1, Number(day), hours, Number(clock.slice(2))))
}

/** The time zone of the record's own point, or of its county's centre; without either, that of the row's standard time. */
function clockOf(row: Row, location: FactLocation): string {
  const spot = spotOf(row, 'BEGIN') ?? (location.as === 'county' ? countyCentre(location.fips) : null)
  const found = spot && clockAt(spot)
  // The look-up is coarse: a point inside a state never gets a neighbour's time zone.
  if (found && american.test(found)) return found
  const state = stateCode(row)
  if (state === null) return `Etc/GMT${behindUtc(row) < 0 ? '' : '+'}${behindUtc(row)}`
  return state === 'AZ' ? 'America/Phoenix' : (clocks[zoneText(row)] as string)
}
