import lookupZone from '@photostructure/tz-lookup'
import { wrapLongitude } from '#domain/geo/measure.ts'

/** IANA zone of a point, from a table of zone borders in the package: no network. */
export function timezoneAt(latitude: number, longitude: number): string {
  const zone = lookupZone(Math.min(90, Math.max(-90, latitude)), wrapLongitude(longitude))
  return zone === 'Pacific/Apia' && wrapLongitude(longitude) > AMERICAN_SAMOA_WEST ? 'Pacific/Pago_Pago' : zone
}

/** The table gives American Samoa the clock of Samoa, a day ahead; the strait between them lies here. Degrees. */
const AMERICAN_SAMOA_WEST = -171.2

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
