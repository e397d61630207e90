import lookupZone from '@photostructure/tz-lookup'
import { wrapLongitude } from '#domain/geo/measure.ts'

/** The zone of a point by the package's table of zone borders alone; near coasts and borders it may be a neighbour's zone. */
export function zoneInTable(latitude: number, longitude: number): string {
  const zone = lookupZone(Math.min(90, Math.max(-90, latitude)), wrapLongitude(longitude))
  return zone === 'Pacific/Apia' && wrapLongitude(longitude) > AMERICAN_SAMOA_WEST ? 'Pacific/Pago_Pago' : zone
}

/** The table assigns American Samoa the zone of Samoa, a day ahead; this longitude, in degrees, is in the strait between them. */
const AMERICAN_SAMOA_WEST = -171.2

/** Whether a zone belongs to the United States or its territories (IANA's zone.tab: US, PR, VI, GU, MP, AS). */
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
/** Zones of single counties in these states. */
const AMERICAN_COUNTIES = /^America\/(?:Indiana|Kentucky|North_Dakota)\//
