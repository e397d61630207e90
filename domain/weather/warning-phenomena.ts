/**
 * The phenomena of official warnings by their code in a VTEC, with the name that the warning of each has. Those over land make
 * exposures: severe thunderstorm to lake effect snow.
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

interface WarningPhenomenon {
  warning: string
  over_land: boolean
}

/** What is known of a phenomenon by its code in a VTEC; undefined of one that the service does not watch. */
export function warningPhenomenon(code: string): WarningPhenomenon | undefined {
  return Object.hasOwn(warningPhenomena, code) ? warningPhenomena[code] : undefined
}
