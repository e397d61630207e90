import lookupZone from '@photostructure/tz-lookup'
import { countyAt, countyNear } from '#domain/geo/counties.ts'
import { wrapLongitude } from '#domain/geo/measure.ts'
import { stateByCode } from '#domain/geo/states.ts'

/**
 * IANA zone of a point, from a table of zone borders in the package: no network. The table is coarse along borders; a point in a county of
 * the United States, or just off it, never has a neighbour's clock.
 */
export function timezoneAt(latitude: number, longitude: number): string {
  const zone = zoneInTable(latitude, longitude)
  if (isAmericanZone(zone)) return zone
  const county = countyNear(latitude, longitude, OFFSHORE_MILES)
  if (!county) return zone
  const borderZone = UNLIKE_THEIR_BORDER.includes(county.state) ? zoneNearby(latitude, longitude, county.state) : null
  return borderZone ?? stateByCode(county.state)?.timezone ?? zone
}

/** States of which a border on another country does not keep the clock of most of the state. */
const UNLIKE_THEIR_BORDER = ['AK', 'ID', 'TX']

/** Miles: the boundaries of counties are drawn coarsely too, and inlets cut into them. */
const OFFSHORE_MILES = 5

/** The zone that the table alone gives a point, a neighbour's off the coasts and across the borders. */
export function zoneInTable(latitude: number, longitude: number): string {
  const zone = lookupZone(Math.min(90, Math.max(-90, latitude)), wrapLongitude(longitude))
  return zone === 'Pacific/Apia' && wrapLongitude(longitude) > AMERICAN_SAMOA_WEST ? 'Pacific/Pago_Pago' : zone
}

/** The table gives American Samoa the clock of Samoa, a day ahead; the strait between them lies here. Degrees. */
const AMERICAN_SAMOA_WEST = -171.2

/** Whether a zone is of the United States or its territories (IANA's zone.tab: US, PR, VI, GU, MP, AS). */
export function isAmericanZone(timezone: string): boolean {
  return AMERICAN.has(timezone) || AMERICAN_COUNTIES.test(timezone)
}

const AMERICAN = new Set([
  ...['New_York', 'Detroit', 'Chicago', 'Menominee', 'Denver', 'Boise', 'Phoenix', 'Los_Angeles', 'Anchorage', 'Juneau', 'Sitka'].map(
    (city) => `America/${city}`,
  ),
  ...['Metlakatla', 'Yakutat', 'Nome', 'Adak', 'Puerto_Rico', 'St_Thomas'].map((city) => `America/${city}`),
  ...['Honolulu', 'Guam', 'Saipan', 'Pago_Pago'].map((city) => `Pacific/${city}`),
])
/** States whose counties keep clocks of their own. */
const AMERICAN_COUNTIES = /^America\/(?:Indiana|Kentucky|North_Dakota)\//

/** Degrees: the table's squares are of about a twentieth, and no county on a border is wider than one and a half. */
const STEP = 0.05
const STEPS = 30
const DIRECTIONS = Array.from({ length: 16 }, (_, turn) => [Math.sin((turn * Math.PI) / 8), Math.cos((turn * Math.PI) / 8)] as const)

/** The nearest American zone of a state. */
function zoneNearby(latitude: number, longitude: number, state: string): string | null {
  for (let step = 1; step <= STEPS; step++) {
    for (const [east, north] of DIRECTIONS) {
      const at = [latitude + north * step * STEP, longitude + east * step * STEP] as const
      const zone = zoneInTable(...at)
      if (isAmericanZone(zone) && countyAt(...at)?.state === state) return zone
    }
  }
  return null
}

/**
 * Calendar date of a moment in a zone, daylight saving included: YYYY-MM-DD.
 * @throws RangeError for a zone that is not known.
 */
export function localDate(instant: Date, timezone: string): string {
  let format = formats.get(timezone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timezone, format)
  }
  return format.format(instant)
}

/** A format costs a hundred times what its use does. Keys are zone names that were accepted: some 600 at most. */
const formats = new Map<string, Intl.DateTimeFormat>()
