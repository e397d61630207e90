/**
 * The vocabulary of weather: every record type, the family whose members can corroborate one another,
 * and how severe a record is. One table; what the sources write is brought to it here.
 */
const vocabulary = {
  thunderstorm: {
    label: 'Thunderstorm: hail, wind, tornado',
    types: [
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
  },
  flash_flood: { label: 'Flash flooding and heavy rain', types: ['flash_flood', 'heavy_rain', 'debris_flow'] },
  flood: { label: 'River and areal flooding', types: ['flood', 'lakeshore_flood', 'seiche'] },
  coastal: {
    label: 'Coastal flooding and surf',
    types: ['coastal_flood', 'storm_surge', 'high_surf', 'rip_current', 'sneaker_wave', 'astronomical_low_tide', 'tsunami'],
  },
  wind: {
    label: 'Wind outside thunderstorms',
    types: ['high_wind', 'strong_wind', 'marine_high_wind', 'marine_strong_wind', 'dust_devil'],
  },
  tropical: {
    label: 'Tropical cyclone',
    types: [
      'hurricane',
      'tropical_storm',
      'tropical_depression',
      'marine_hurricane',
      'marine_tropical_storm',
      'marine_tropical_depression',
    ],
  },
  winter: {
    label: 'Winter storm, snow and ice',
    types: [
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
  },
  cold: { label: 'Cold', types: ['cold_wind_chill', 'extreme_cold', 'frost_freeze'] },
  heat: { label: 'Heat', types: ['heat', 'excessive_heat'] },
  fire: { label: 'Wildfire and smoke', types: ['wildfire', 'dense_smoke'] },
  visibility: { label: 'Fog and dust', types: ['dense_fog', 'freezing_fog', 'dust_storm', 'marine_dense_fog'] },
  drought: { label: 'Drought', types: ['drought'] },
  other: { label: 'Other', types: ['volcanic_ash', 'other'] },
} as const

export type Family = keyof typeof vocabulary
export const families = Object.keys(vocabulary) as Family[]

export type RecordType = (typeof vocabulary)[Family]['types'][number]
export const recordTypes = families.flatMap((family) => [...vocabulary[family].types]) as RecordType[]

/** The types whose magnitude is a size, in inches. */
export const hailTypes: readonly RecordType[] = ['hail', 'marine_hail']
/** The types whose magnitude is a speed, in miles an hour. */
export const windTypes: readonly RecordType[] = [
  'thunderstorm_wind',
  'marine_thunderstorm_wind',
  'high_wind',
  'strong_wind',
  'marine_high_wind',
  'marine_strong_wind',
]

/** From least to most severe; `unknown` is a record whose kind has a magnitude, but which states none. */
export const severities = ['unknown', 'minor', 'moderate', 'severe', 'extreme'] as const
export type Severity = (typeof severities)[number]

const familyByType = new Map<string, Family>(families.flatMap((family) => vocabulary[family].types.map((type) => [type, family] as const)))

export function familyOf(type: RecordType): Family {
  return familyByType.get(type) ?? 'other'
}

export function familyLabel(family: Family): string {
  return vocabulary[family].label
}

/** 0 for unknown up to 4 for extreme: for ordering. */
export function severityRank(severity: Severity): number {
  return severities.indexOf(severity)
}

export interface Magnitudes {
  type: RecordType
  hail_size_in: number | null
  wind_gust_mph: number | null
  wind_speed_mph: number | null
  tornado_ef_scale: number | null
}

/**
 * How severe a record is: the highest of what its hail, wind, rating and type say. The lines are those of the
 * damage-threat tags of severe thunderstorm warnings (since August 2021) and of the severe criteria below them.
 */
export function severityOf(record: Magnitudes): Severity {
  const said = [bySize(record.hail_size_in), byWind(record.wind_gust_mph ?? record.wind_speed_mph), byType(record)]
  return said.reduce((highest, next) => (severityRank(next) > severityRank(highest) ? next : highest))
}

/** Inches: the severe line of 1.00, then the tag CONSIDERABLE at 1.75 and DESTRUCTIVE at 2.75. */
function bySize(inches: number | null): Severity {
  if (inches === null) return 'unknown'
  return inches >= 2.75 ? 'extreme' : inches >= 1.75 ? 'severe' : inches >= 1 ? 'moderate' : 'minor'
}

/** Miles an hour: the severe line of 58, then the tag CONSIDERABLE at 70 and DESTRUCTIVE at 80. */
function byWind(mph: number | null): Severity {
  if (mph === null) return 'unknown'
  return mph >= 80 ? 'extreme' : mph >= 70 ? 'severe' : mph >= 58 ? 'moderate' : 'minor'
}

const severityByType: Partial<Record<RecordType, Severity>> = {
  hail: 'unknown',
  marine_hail: 'unknown',
  thunderstorm_wind: 'unknown',
  marine_thunderstorm_wind: 'unknown',
  waterspout: 'moderate',
  flash_flood: 'moderate',
  flood: 'moderate',
  winter_storm: 'moderate',
  blizzard: 'moderate',
  ice_storm: 'moderate',
  dust_storm: 'moderate',
  tropical_storm: 'severe',
  marine_tropical_storm: 'severe',
  storm_surge: 'severe',
  hurricane: 'extreme',
  marine_hurricane: 'extreme',
}

function byType({ type, tornado_ef_scale, wind_gust_mph }: Magnitudes): Severity {
  if (type === 'tornado') return tornado_ef_scale !== null && tornado_ef_scale >= 2 ? 'extreme' : 'severe'
  if (type === 'high_wind') return wind_gust_mph === null ? 'moderate' : 'minor'
  return severityByType[type] ?? 'minor'
}

/** A type as a source's text states it; `mapped` where the text is not simply the type's own name. */
export interface NamedType {
  type: RecordType
  mapped: boolean
  /** False where the text is in no table and became `other`. */
  known: boolean
}

/** Names of Storm Events that are not their type's own, keyed by the rule's spelling of them. */
const stormEventNames: Record<string, RecordType> = {
  landslide: 'debris_flow',
  storm_surge_tide: 'storm_surge',
  sneakerwave: 'sneaker_wave',
  heavy_wind: 'high_wind',
  hurricane_typhoon: 'hurricane',
  marine_hurricane_typhoon: 'marine_hurricane',
  high_snow: 'heavy_snow',
  extreme_cold_wind_chill: 'extreme_cold',
  volcanic_ashfall: 'volcanic_ash',
}

/** What the composite names of the 1990s are judged by, in this order: "TORNADOES, TSTM WIND, HAIL" is a tornado. */
const composites: [RegExp, RecordType][] = [
  [/tornado/, 'tornado'],
  [/hail/, 'hail'],
  [/thunderstorm_wind|tstm_wind/, 'thunderstorm_wind'],
  [/flash_flood/, 'flash_flood'],
  [/flood/, 'flood'],
]

/** The type of a Storm Events EVENT_TYPE. */
export function typeOfStormEvent(text: string): NamedType {
  const name = ruleName(text)
  if (isRecordType(name)) return { type: name, mapped: false, known: true }
  const type = stormEventNames[name] ?? composites.find(([pattern]) => pattern.test(name))?.[1]
  return { type: type ?? 'other', mapped: true, known: type !== undefined }
}

/** Type texts of local storm reports that are not their type's own name, in the rule's spelling. */
const localReportNames: Record<string, RecordType> = {
  tstm_wnd_gst: 'thunderstorm_wind',
  tstm_wnd_dmg: 'thunderstorm_wind',
  downburst: 'thunderstorm_wind',
  non_tstm_wnd_gst: 'high_wind',
  non_tstm_wnd_dmg: 'high_wind',
  high_sust_winds: 'high_wind',
  water_spout: 'waterspout',
  landspout: 'tornado',
  landslide: 'debris_flow',
  rain: 'heavy_rain',
  snow: 'winter_weather',
  snow_squall: 'heavy_snow',
  heavy_sleet: 'sleet',
  freezing_rain: 'ice_storm',
  fog: 'dense_fog',
  blowing_dust: 'dust_storm',
  extr_wind_chill: 'extreme_cold',
  wnd_chill: 'cold_wind_chill',
  freeze: 'frost_freeze',
  marine_tstm_wind: 'marine_thunderstorm_wind',
  rip_currents: 'rip_current',
  low_astr_tides: 'astronomical_low_tide',
  volcanic_ashfall: 'volcanic_ash',
}

/** The type of a local storm report's type text, in any case. */
export function typeOfLocalReport(text: string): NamedType {
  const name = ruleName(text)
  if (isRecordType(name)) return { type: name, mapped: false, known: true }
  const type = localReportNames[name]
  return { type: type ?? 'other', mapped: true, known: type !== undefined }
}

/** Lower case, and every run of other characters one underscore. */
function ruleName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

function isRecordType(name: string): name is RecordType {
  return familyByType.has(name)
}
