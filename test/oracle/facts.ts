import tzLookup from '@photostructure/tz-lookup'
import type { Row } from './csv.ts'
import { countyCentre, type Spot } from './ground.ts'

/** One row of a details file, read by the published rules and by nothing of the service. */
export interface Fact {
  event_id: string
  type: string
  family: string
  severity: string
  /** Local date, daylight saving included, in the zone of the record's own place. */
  occurred_on: string
  /** The date that the source files it under. */
  filed_on: string
  begins_at: string
  hail_size_in: number | null
  wind_gust_mph: number | null
  wind_speed_mph: number | null
  tornado_ef_scale: number | null
  lies: Lying
}

export type Lying =
  | { as: 'point'; ends: readonly Spot[] }
  | { as: 'path' | 'area'; spots: readonly Spot[] }
  | { as: 'county'; fips: string }
  | { as: 'zone' }

/** Reads the rows of details files, with the corners of the locations files beside them. */
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
  const lies = lyingOf(row, type, corners)
  const begins = beginningOf(row)
  const zone = zoneOf(row, lies)
  const size = magnitudesOf(row, type)
  return {
    event_id: row.EVENT_ID as string,
    type,
    family: familyOf(type),
    severity: severityOf(type, size),
    occurred_on: new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(begins),
    filed_on: `${row.BEGIN_YEARMONTH?.slice(0, 4)}-${row.BEGIN_YEARMONTH?.slice(4)}-${row.BEGIN_DAY?.padStart(2, '0')}`,
    begins_at: begins.toISOString().replace('.000Z', 'Z'),
    ...size,
    lies,
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

/** The first that stands in a composite name of the 1990s decides. */
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
  if (Object.values(families).flat().includes(spelled)) return spelled
  return composite.find(([part]) => text.toUpperCase().includes(part))?.[1] ?? 'other'
}

function familyOf(type: string): string {
  return Object.entries(families).find(([, types]) => types.includes(type))?.[0] ?? 'other'
}

const MILES_AN_HOUR_A_KNOT = 1.15078

type Magnitudes = Pick<Fact, 'hail_size_in' | 'wind_gust_mph' | 'wind_speed_mph' | 'tornado_ef_scale'>

/** Hail in inches, wind in knots; 0 says nothing; what is not marked as a sustained speed is a gust. */
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

// Where it lies -----------------------------------------------------------------------------------

/** Of two points the nearer counts for these; every other type but a tornado lies at its beginning. */
const nearerEnd = ['hail', 'thunderstorm_wind', 'heavy_rain']

function lyingOf(row: Row, type: string, corners: readonly Spot[]): Lying {
  const begin = spotOf(row, 'BEGIN')
  const end = spotOf(row, 'END')
  if (!begin) return row.CZ_TYPE === 'C' ? { as: 'county', fips: fipsOf(row) } : { as: 'zone' }
  if (type === 'tornado' && end) return { as: 'path', spots: [begin, end] }
  if ((type === 'flood' || type === 'flash_flood') && corners.length > 0) return { as: 'area', spots: corners }
  return { as: 'point', ends: end && nearerEnd.includes(type) ? [begin, end] : [begin] }
}

function spotOf(row: Row, which: 'BEGIN' | 'END'): Spot | null {
  const [lat, lon] = [row[`${which}_LAT`], row[`${which}_LON`]]
  return lat && lon ? [Number(lon), Number(lat)] : null
}

const fipsOf = (row: Row) => `${row.STATE_FIPS?.padStart(2, '0')}${row.CZ_FIPS?.padStart(3, '0')}`

// When it was -------------------------------------------------------------------------------------

/** Hours behind UTC; the older files leave them out. */
const hoursBehind: Record<string, number> = {
  AST: 4,
  EST: 5,
  CST: 6,
  MST: 7,
  PST: 8,
  AKST: 9,
  HST: 10,
  SST: 11,
  ADT: 3,
  EDT: 4,
  CDT: 5,
  MDT: 6,
  PDT: 7,
}

function beginningOf(row: Row): Date {
  const zone = /^([A-Z]+)/.exec((row.CZ_TIMEZONE as string).toUpperCase())?.[1] as string
  const hours = hoursBehind[zone]
  if (hours === undefined) throw new Error(`row ${row.EVENT_ID}: no zone is called ${row.CZ_TIMEZONE}`)
  const clock = (row.BEGIN_TIME as string).padStart(4, '0')
  const [year, month] = [Number(row.BEGIN_YEARMONTH?.slice(0, 4)), Number(row.BEGIN_YEARMONTH?.slice(4))]
  return new Date(Date.UTC(year, month - 1, Number(row.BEGIN_DAY), Number(clock.slice(0, 2)) + hours, Number(clock.slice(2))))
}

/** The zone of the record's own point, or of its county's centre; without either the date stays the source's own. */
function zoneOf(row: Row, lies: Lying): string {
  const spot = spotOf(row, 'BEGIN') ?? (lies.as === 'county' ? countyCentre(lies.fips) : null)
  if (spot) return tzLookup(spot[1], spot[0])
  const zone = /^([A-Z]+)/.exec((row.CZ_TIMEZONE as string).toUpperCase())?.[1] as string
  return `Etc/GMT+${hoursBehind[zone]}`
}
