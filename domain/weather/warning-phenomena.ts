import { valueAt } from '#domain/kernel/keys-of.ts'
import type { LayerColour } from '#domain/weather/layers.ts'

/**
 * The phenomena of official warnings by VTEC code, with the name of the warning. Those over land create exposures: severe
 * thunderstorm to lake effect snow.
 */
const warningPhenomena: Readonly<Record<string, WarningPhenomenon>> = {
  SV: { warning: 'Severe Thunderstorm Warning', over_land: true },
  TO: { warning: 'Tornado Warning', over_land: true },
  FF: { warning: 'Flash Flood Warning', over_land: true },
  FA: { warning: 'Flood Warning', over_land: true },
  FL: { warning: 'Flood Warning', over_land: true },
  EW: { warning: 'Extreme Wind Warning', over_land: true },
  SQ: { warning: 'Snow Squall Warning', over_land: true },
  DS: { warning: 'Dust Storm Warning', over_land: true },
  HU: { warning: 'Hurricane Warning', over_land: true },
  TR: { warning: 'Tropical Storm Warning', over_land: true },
  TY: { warning: 'Typhoon Warning', over_land: true },
  SS: { warning: 'Storm Surge Warning', over_land: true },
  HW: { warning: 'High Wind Warning', over_land: true },
  WS: { warning: 'Winter Storm Warning', over_land: true },
  BZ: { warning: 'Blizzard Warning', over_land: true },
  IS: { warning: 'Ice Storm Warning', over_land: true },
  LE: { warning: 'Lake Effect Snow Warning', over_land: true },
  MA: { warning: 'Special Marine Warning', over_land: false },
}

/**
 * Colours of warning outlines on maps, by VTEC code: separate colours for the most frequent warnings, one for all others.
 * Each has a contrast of at least 3 to 1 with its background, as marks do.
 */
export const warningColours = [
  { codes: ['TO', 'EW'], label: 'Tornado, extreme wind', colour: { light: '#c2185b', dark: '#ff8fb8' } },
  { codes: ['SV'], label: 'Severe thunderstorm', colour: { light: '#9a6a00', dark: '#ffc94d' } },
  { codes: ['FF', 'FA', 'FL'], label: 'Flood, flash flood', colour: { light: '#1d7a32', dark: '#74d989' } },
  { codes: [], label: 'Other', colour: { light: '#3f5f8a', dark: '#9fc0ea' } },
] as const satisfies { codes: string[]; label: string; colour: LayerColour }[]

interface WarningPhenomenon {
  warning: string
  over_land: boolean
}

/** Returns the phenomenon of a VTEC code; undefined for one that the service does not watch. */
export function warningPhenomenon(code: string): WarningPhenomenon | undefined {
  return valueAt(warningPhenomena, code)
}
