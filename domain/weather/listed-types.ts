import type { RecordSource } from '#domain/weather/sources.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** A source, or a period of it, whose records are of some types only: other weather of that time is not in it. */
interface ListedTypes {
  source: RecordSource
  /** Years, the first included and the last not; left out where the period has no such end. */
  from?: number
  before?: number
  types: RecordType[]
}

const stormTypes: RecordType[] = ['tornado', 'thunderstorm_wind', 'hail']

/**
 * NCEI, "Storm Events Database: Event Types Available": tornadoes alone from 1950, thunderstorm wind and hail besides from 1955, all types of
 * NWS Directive 10-1605 from 1996. The Storm Prediction Center lists three types.
 */
export const listedTypes: readonly ListedTypes[] = [
  { source: 'noaa_storm_events', before: 1955, types: ['tornado'] },
  { source: 'noaa_storm_events', from: 1955, before: 1996, types: stormTypes },
  { source: 'noaa_spc_reports', types: stormTypes },
]
