import { keysOf } from '#domain/kernel/keys-of.ts'
import type { ExposureFamily } from '#domain/weather/exposure-families.ts'
import type { Family } from '#domain/weather/families.ts'
import type { PointLayer } from '#domain/weather/layers.ts'
import type { Severity } from '#domain/weather/severities.ts'

/** The phenomenon of a record, whatever its type: its magnitude is a size (hail, inches), a speed (wind, mph) or a rating (tornado). */
export type Phenomenon = 'hail' | 'wind' | 'tornado' | 'flooding'

/**
 * When a record at a watched place makes a storm day there: `always`, or by its size in inches (`hail_size`), its speed in miles an
 * hour (`gust`), or its speed or a report of damage without a speed (`gust_or_damage`).
 */
export type ExposureRule = 'always' | 'hail_size' | 'gust' | 'gust_or_damage'

export interface WeatherType {
  /** What packed lists store. It never changes and is never reused for another type. */
  code: number
  /** Used in sentences: "2 reports of thunderstorm wind". */
  label: string
  family: Family
  /** The layer that shows it in tiles and documents. */
  layer: PointLayer
  /** Records of the same phenomenon can corroborate one another; null: only records of the same type can. */
  phenomenon: Phenomenon | null
  /** The group in which an exposure counts it. */
  exposure: ExposureFamily
  enters: ExposureRule
  /**
   * Meaning of two or more positions of a record. path: a line from begin to end. area: corners. ends: two points, of which the
   * nearer counts. point: only the first position counts.
   */
  extent: 'point' | 'ends' | 'path' | 'area'
  /** Severity of a record without a magnitude; see `severityOf`. */
  severity: Severity
}

type Traits = Omit<WeatherType, 'code' | 'label' | 'family'>

const usual: Traits = { layer: 'other', phenomenon: null, exposure: 'other', enters: 'gust', extent: 'point', severity: 'minor' }
const always: Traits = { ...usual, enters: 'always' }
const hail: Traits = { layer: 'hail', phenomenon: 'hail', exposure: 'hail', enters: 'hail_size', extent: 'ends', severity: 'unknown' }
const wind: Traits = { ...usual, layer: 'wind', phenomenon: 'wind', exposure: 'wind' }
const windDamage: Traits = { ...wind, enters: 'gust_or_damage' }
const thunderstormWind: Traits = { ...windDamage, extent: 'ends', severity: 'unknown' }
const tornado: Traits = { ...always, layer: 'tornado', phenomenon: 'tornado', exposure: 'tornado' }
const flooding: Traits = { ...always, layer: 'flood', phenomenon: 'flooding', extent: 'area', severity: 'moderate' }
const coastalFlood: Traits = { ...usual, layer: 'flood' }
const moderate: Traits = { ...usual, severity: 'moderate' }
const severe: Traits = { ...usual, severity: 'severe' }
const extreme: Traits = { ...usual, severity: 'extreme' }

/**
 * The weather vocabulary, by family: every record type and its properties. Add a type to its family, with the next free code: the
 * contract uses the order of the table, and codes are independent of it.
 */
export const weatherTypes = {
  hail: { code: 0, label: 'hail', family: 'thunderstorm', ...hail },
  thunderstorm_wind: { code: 1, label: 'thunderstorm wind', family: 'thunderstorm', ...thunderstormWind },
  tornado: { code: 2, label: 'tornado', family: 'thunderstorm', ...tornado, extent: 'path', severity: 'severe' },
  funnel_cloud: { code: 3, label: 'funnel cloud', family: 'thunderstorm', ...tornado },
  lightning: { code: 4, label: 'lightning', family: 'thunderstorm', ...always },
  waterspout: { code: 5, label: 'waterspout', family: 'thunderstorm', ...tornado, severity: 'moderate' },
  marine_hail: { code: 6, label: 'marine hail', family: 'thunderstorm', ...hail },
  marine_thunderstorm_wind: { code: 7, label: 'marine thunderstorm wind', family: 'thunderstorm', ...thunderstormWind },
  marine_lightning: { code: 8, label: 'marine lightning', family: 'thunderstorm', ...usual },

  flash_flood: { code: 9, label: 'flash flood', family: 'flash_flood', ...flooding },
  heavy_rain: { code: 10, label: 'heavy rain', family: 'flash_flood', ...usual, extent: 'ends' },
  debris_flow: { code: 11, label: 'debris flow', family: 'flash_flood', ...usual },

  flood: { code: 12, label: 'flood', family: 'flood', ...flooding },
  lakeshore_flood: { code: 13, label: 'lakeshore flood', family: 'flood', ...coastalFlood },
  seiche: { code: 14, label: 'seiche', family: 'flood', ...usual },

  coastal_flood: { code: 15, label: 'coastal flood', family: 'coastal', ...coastalFlood },
  storm_surge: { code: 16, label: 'storm surge', family: 'coastal', ...coastalFlood, severity: 'severe' },
  high_surf: { code: 17, label: 'high surf', family: 'coastal', ...usual },
  rip_current: { code: 18, label: 'rip current', family: 'coastal', ...usual },
  sneaker_wave: { code: 19, label: 'sneaker wave', family: 'coastal', ...usual },
  astronomical_low_tide: { code: 20, label: 'astronomical low tide', family: 'coastal', ...usual },
  tsunami: { code: 21, label: 'tsunami', family: 'coastal', ...usual },

  high_wind: { code: 22, label: 'high wind', family: 'wind', ...windDamage, severity: 'moderate' },
  strong_wind: { code: 23, label: 'strong wind', family: 'wind', ...windDamage },
  marine_high_wind: { code: 24, label: 'marine high wind', family: 'wind', ...wind },
  marine_strong_wind: { code: 25, label: 'marine strong wind', family: 'wind', ...wind },
  dust_devil: { code: 26, label: 'dust devil', family: 'wind', ...usual, exposure: 'wind' },

  hurricane: { code: 27, label: 'hurricane', family: 'tropical', ...extreme },
  tropical_storm: { code: 28, label: 'tropical storm', family: 'tropical', ...severe },
  tropical_depression: { code: 29, label: 'tropical depression', family: 'tropical', ...usual },
  marine_hurricane: { code: 30, label: 'marine hurricane', family: 'tropical', ...extreme },
  marine_tropical_storm: { code: 31, label: 'marine tropical storm', family: 'tropical', ...severe },
  marine_tropical_depression: { code: 32, label: 'marine tropical depression', family: 'tropical', ...usual },

  blizzard: { code: 33, label: 'blizzard', family: 'winter', ...moderate },
  heavy_snow: { code: 34, label: 'heavy snow', family: 'winter', ...usual },
  ice_storm: { code: 35, label: 'ice storm', family: 'winter', ...moderate },
  lake_effect_snow: { code: 36, label: 'lake effect snow', family: 'winter', ...usual },
  sleet: { code: 37, label: 'sleet', family: 'winter', ...usual },
  winter_storm: { code: 38, label: 'winter storm', family: 'winter', ...moderate },
  winter_weather: { code: 39, label: 'winter weather', family: 'winter', ...usual },
  avalanche: { code: 40, label: 'avalanche', family: 'winter', ...usual },
  marine_heavy_freezing_spray: { code: 41, label: 'marine heavy freezing spray', family: 'winter', ...usual },

  cold_wind_chill: { code: 42, label: 'cold or wind chill', family: 'cold', ...usual },
  extreme_cold: { code: 43, label: 'extreme cold', family: 'cold', ...usual },
  frost_freeze: { code: 44, label: 'frost or freeze', family: 'cold', ...usual },

  heat: { code: 45, label: 'heat', family: 'heat', ...usual },
  excessive_heat: { code: 46, label: 'excessive heat', family: 'heat', ...usual },

  wildfire: { code: 47, label: 'wildfire', family: 'fire', ...usual },
  dense_smoke: { code: 48, label: 'dense smoke', family: 'fire', ...usual },

  dense_fog: { code: 49, label: 'dense fog', family: 'visibility', ...usual },
  freezing_fog: { code: 50, label: 'freezing fog', family: 'visibility', ...usual },
  dust_storm: { code: 51, label: 'dust storm', family: 'visibility', ...moderate },
  marine_dense_fog: { code: 52, label: 'marine dense fog', family: 'visibility', ...usual },

  drought: { code: 53, label: 'drought', family: 'drought', ...usual },

  volcanic_ash: { code: 54, label: 'volcanic ash', family: 'other', ...usual },
  other: { code: 55, label: 'other weather', family: 'other', ...usual },
} as const satisfies Record<string, WeatherType>

export type RecordType = keyof typeof weatherTypes
export const recordTypes = keysOf(weatherTypes)

/** Whether a text names a type of record. */
export function isRecordType(name: string): name is RecordType {
  return Object.hasOwn(weatherTypes, name)
}

/** The table row of a type. */
export function weatherType(type: RecordType): WeatherType {
  return weatherTypes[type]
}

/** The family under which reports state a type. */
export function familyOf(type: RecordType): Family {
  return weatherTypes[type].family
}

const typesOf = (phenomenon: Phenomenon) => recordTypes.filter((type) => weatherTypes[type].phenomenon === phenomenon)

/** The types whose magnitude is a size, in inches. */
export const hailTypes: readonly RecordType[] = typesOf('hail')
/** The types whose magnitude is a speed, in miles an hour. */
export const windTypes: readonly RecordType[] = typesOf('wind')

/** The layer of the map in which points of a type are drawn. */
export function layerOf(type: RecordType): PointLayer {
  return weatherTypes[type].layer
}

/** The family under which exposures to a type are listed. */
export function exposureFamilyOf(type: RecordType): ExposureFamily {
  return weatherTypes[type].exposure
}

/** The phenomenon of a record, or its type if it has none: only records of the same phenomenon can corroborate one another. */
export function phenomenonOf({ type }: { type: RecordType }): Phenomenon | RecordType {
  return weatherTypes[type].phenomenon ?? type
}
