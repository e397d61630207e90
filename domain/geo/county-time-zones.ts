import type { County } from '#domain/geo/counties.ts'
import { stateByCode } from '#domain/geo/states.ts'

/** States with more than one time zone, or with Indiana's and Arizona's own clocks. By 49 CFR part 71 all others have one. */
const SPLIT = new Set(['AK', 'AZ', 'FL', 'ID', 'IN', 'KS', 'KY', 'MI', 'NE', 'NV', 'ND', 'OR', 'SD', 'TN', 'TX'])

/**
 * Counties of those states that are wholly in one zone, by 49 CFR part 71 and IANA's list of zones, and where the table of zone borders, whose squares
 * are up to a degree wide in places, has another.
 */
const counties: Record<string, string[]> = {
  // Divide, McLean and Williams, ND; Cheyenne, Grant, Kearny, Stanton and Wichita, KS; Adair, KY; Calhoun, FL
  'America/Chicago': ['38023', '38055', '38105', '20023', '20067', '20093', '20187', '20203', '21001', '12013'],
  // Oliver, ND
  'America/North_Dakota/Center': ['38065'],
  // Mercer, ND
  'America/North_Dakota/Beulah': ['38057'],
  // Hooker, NE
  'America/Denver': ['31091'],
  // Shoshone, ID
  'America/Los_Angeles': ['16079'],
  // Dickinson, Gogebic, Iron and Menominee, MI
  'America/Menominee': ['26043', '26053', '26071', '26109'],
  // DeKalb, Steuben and Vermillion, IN
  'America/Indiana/Indianapolis': ['18033', '18151', '18165'],
  // Perry, IN
  'America/Indiana/Tell_City': ['18123'],
  // Switzerland, IN
  'America/Indiana/Vevay': ['18155'],
  // Trimble, KY
  'America/New_York': ['21223'],
}

const zoneByCounty = new Map(Object.entries(counties).flatMap(([zone, codes]) => codes.map((fips) => [fips, zone] as const)))

/** Returns the zone of a whole county; null if only the table of zone borders has it. */
export function countyTimezone({ fips, state }: County): string | null {
  const zone = zoneByCounty.get(fips)
  if (zone || SPLIT.has(state)) return zone ?? null
  return stateByCode(state)?.timezone ?? null
}
