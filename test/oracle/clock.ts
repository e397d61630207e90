import tzLookup from '@photostructure/tz-lookup'
import { countyCentre, countyHolding, type Spot } from './geography.ts'

/** Numbers of the states that are wholly in one time zone (49 CFR 71). */
const states: Record<string, string> = {
  'America/New_York': '09 10 11 13 23 24 25 33 34 36 37 39 42 44 45 50 51 54',
  'America/Chicago': '01 05 17 19 22 27 28 29 40 55',
  'America/Denver': '08 30 35 49 56',
  'America/Los_Angeles': '06 53',
}

/** Numbers of counties in the other states that are wholly in one, and for whose centre the look-up, which is coarse, has a neighbour's. */
const counties: Record<string, string> = {
  'America/Chicago': '38023 38055 38105 20023 20067 20093 20187 20203 21001 12013',
  'America/North_Dakota/Center': '38065',
  'America/North_Dakota/Beulah': '38057',
  'America/Denver': '31091',
  'America/Los_Angeles': '16021 16079',
  'America/Menominee': '26043 26053 26071 26109',
  'America/Indiana/Indianapolis': '18033 18151 18165',
  'America/Indiana/Tell_City': '18123',
  'America/Indiana/Vevay': '18155',
  'America/Kentucky/Louisville': '18019',
  'America/New_York': '21223 18029 18115',
}

/** Numbers of counties in the other states that keep two clocks; of Alaska all are taken to. */
const divided = new Set('04001 04005 04017 12045 16049 31031 32007 38025 38053 38059 38085 41045 46117 48109'.split(' '))

const whole = new Map(
  [states, counties].flatMap((table) =>
    Object.entries(table).flatMap(([clock, numbers]) => numbers.split(' ').map((number) => [number, clock] as const)),
  ),
)
const known = new Map<string, string>()

/** The time zone of a place: that of its county or state, if all of it has one. */
export function clockAt(place: Spot): string {
  const key = place.join()
  const fips = known.has(key) ? null : countyHolding(place)
  const clock =
    known.get(key) ?? whole.get(fips ?? '') ?? whole.get(fips?.slice(0, 2) ?? '') ?? clockOfCentre(fips) ?? tzLookup(place[1], place[0])
  known.set(key, clock)
  return clock
}

/** What the look-up, which is coarse, has at the centres of counties along the Canadian border. */
const abroad = new Set(['America/Regina', 'America/Winnipeg', 'America/Toronto'])

/** The clock at the centre of a county that keeps one clock; null if it keeps two, or for a centre that the look-up has abroad. */
function clockOfCentre(fips: string | null): string | null {
  if (fips === null || fips.startsWith('02') || divided.has(fips)) return null
  const centre = countyCentre(fips)
  const clock = centre && tzLookup(centre[1], centre[0])
  return clock && !abroad.has(clock) ? clock : null
}
