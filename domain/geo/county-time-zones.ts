import { type County, countyCentre } from '#domain/geo/counties.ts'
import { stateByCode } from '#domain/geo/states.ts'
import { isAmericanZone, zoneInTable } from '#domain/geo/zone-table.ts'
import { present } from '#domain/kernel/present.ts'

/** States with more than one time zone, or with Indiana's and Arizona's own clocks. By 49 CFR part 71 all others have one. */
const SPLIT = new Set(['AK', 'AZ', 'FL', 'ID', 'IN', 'KS', 'KY', 'MI', 'NE', 'NV', 'ND', 'OR', 'SD', 'TN', 'TX'])

/**
 * Counties of those states with more than one zone, by law or by the clocks that are kept there: Apache, Coconino and Navajo, AZ; Gulf, FL; Idaho, ID;
 * Cherry, NE; Elko, NV; Dunn, McKenzie, Morton and Sioux, ND; Malheur, OR; Stanley, SD; Culberson, TX.
 */
const DIVIDED = new Set('04001 04005 04017 12045 16049 31031 32007 38025 38053 38059 38085 41045 46117 48109'.split(' '))

/**
 * Counties of those states that are wholly in one zone, by 49 CFR part 71 and IANA's list of zones, and where the table of zone borders, whose squares
 * are up to a degree wide in places, has another at the centre.
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
  // Boundary and Shoshone, ID
  'America/Los_Angeles': ['16021', '16079'],
  // Dickinson, Gogebic, Iron and Menominee, MI
  'America/Menominee': ['26043', '26053', '26071', '26109'],
  // DeKalb, Steuben and Vermillion, IN
  'America/Indiana/Indianapolis': ['18033', '18151', '18165'],
  // Perry, IN
  'America/Indiana/Tell_City': ['18123'],
  // Switzerland, IN
  'America/Indiana/Vevay': ['18155'],
  // Clark, IN
  'America/Kentucky/Louisville': ['18019'],
  // Trimble, KY; Dearborn and Ohio, IN
  'America/New_York': ['21223', '18029', '18115'],
}

const zoneByCounty = new Map(Object.entries(counties).flatMap(([zone, codes]) => codes.map((fips) => [fips, zone] as const)))

/** Returns the zone of a whole county; null if only the table of zone borders has it. */
export function countyTimezone({ fips, state }: County): string | null {
  const known = zoneByCounty.get(fips)
  if (known) return known
  if (!SPLIT.has(state)) return stateByCode(state)?.timezone ?? null
  if (state === 'AK' || DIVIDED.has(fips)) return null
  const { latitude, longitude } = present(countyCentre(fips))
  const zone = zoneInTable(latitude, longitude)
  if (!isAmericanZone(zone)) return null
  zoneByCounty.set(fips, zone)
  return zone
}
