import { valueAt } from '#domain/kernel/keys-of.ts'
import { isRecordType, type RecordType } from '#domain/weather/types.ts'

/** The type of a source's text; `mapped` if the text differs from the type's own name. */
export interface NamedType {
  type: RecordType
  mapped: boolean
  /** False if the text is in no table and became `other`. */
  known: boolean
}

/** Names in Storm Events that differ from the type's own name, keyed by `ruleName`. */
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

/** Patterns for the composite names of the 1990s; the first match wins: "TORNADOES, TSTM WIND, HAIL" is a tornado. */
const composites: [RegExp, RecordType][] = [
  [/tornado/, 'tornado'],
  [/hail/, 'hail'],
  [/thunderstorm_wind|tstm_wind/, 'thunderstorm_wind'],
  [/flash_flood/, 'flash_flood'],
  [/flood/, 'flood'],
]

/** The type for a Storm Events EVENT_TYPE. */
export function typeOfStormEvent(text: string): NamedType {
  const name = ruleName(text)
  if (isRecordType(name)) return { type: name, mapped: false, known: true }
  const type = valueAt(stormEventNames, name) ?? composites.find(([pattern]) => pattern.test(name))?.[1]
  return { type: type ?? 'other', mapped: true, known: type !== undefined }
}

/** Type texts of local storm reports that differ from the type's own name, keyed by `ruleName`: current, older and shortened ones. */
const localReportNames: Record<string, RecordType> = {
  mrn_hail: 'marine_hail',
  tstm_wind: 'thunderstorm_wind',
  tstm_wind_dmg: 'thunderstorm_wind',
  tstm_wind_gst: 'thunderstorm_wind',
  tstm_wnd_gst: 'thunderstorm_wind',
  tstm_wnd_dmg: 'thunderstorm_wind',
  downburst: 'thunderstorm_wind',
  marine_tstm_wind: 'marine_thunderstorm_wind',
  marine_tstm_wnd: 'marine_thunderstorm_wind',
  mrn_tstm_wind: 'marine_thunderstorm_wind',
  mrn_tstmwind: 'marine_thunderstorm_wind',
  non_tstm_dmg: 'high_wind',
  non_tstm_dmg_gst: 'high_wind',
  non_tstm_wnd: 'high_wind',
  non_tstm_wnd_gst: 'high_wind',
  non_tstm_wnd_dmg: 'high_wind',
  high_sust_winds: 'high_wind',
  high_winds: 'high_wind',
  mrn_high_wind: 'marine_high_wind',
  strong_wind_gust: 'strong_wind',
  mrn_strong_wind: 'marine_strong_wind',
  funnel: 'funnel_cloud',
  water_spout: 'waterspout',
  landspout: 'tornado',
  lightning_strike: 'lightning',
  mrn_lightning: 'marine_lightning',
  maj_flash_fld: 'flash_flood',
  flooding: 'flood',
  ice_jam_flooding: 'flood',
  landslide: 'debris_flow',
  rain: 'heavy_rain',
  hurcn_typhoon: 'hurricane',
  mrn_hurcn_typh: 'marine_hurricane',
  snow: 'winter_weather',
  storm_total_snow: 'winter_weather',
  blowing_snow: 'winter_weather',
  drifting_snow: 'winter_weather',
  freezing_drizzle: 'winter_weather',
  icing_on_roads: 'winter_weather',
  snow_squall: 'heavy_snow',
  heavy_sleet: 'sleet',
  moderate_sleet: 'sleet',
  freezing_rain: 'ice_storm',
  mrn_hvy_fzg_spry: 'marine_heavy_freezing_spray',
  fog: 'dense_fog',
  mrn_dense_fog: 'marine_dense_fog',
  blowing_dust: 'dust_storm',
  ext_cold_wnd_chl: 'extreme_cold',
  extr_wind_chill: 'extreme_cold',
  wind_chill: 'cold_wind_chill',
  wnd_chill: 'cold_wind_chill',
  freeze: 'frost_freeze',
  extreme_heat: 'excessive_heat',
  fire: 'wildfire',
  rip_currents: 'rip_current',
  storm_surge_tide: 'storm_surge',
  astron_low_tide: 'astronomical_low_tide',
  low_astr_tides: 'astronomical_low_tide',
  volcanic_ashfall: 'volcanic_ash',
}

/** The type for a local storm report's type text, in any case. */
export function typeOfLocalReport(text: string): NamedType {
  const name = ruleName(text)
  if (isRecordType(name)) return { type: name, mapped: false, known: true }
  const type = valueAt(localReportNames, name)
  return { type: type ?? 'other', mapped: true, known: type !== undefined }
}

/** Converts to lower case, with one underscore for every run of characters other than a-z and 0-9. */
function ruleName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}
