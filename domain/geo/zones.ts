import type { Bounds } from '#domain/geo/area.ts'
import { countiesNearBox, countyAt, countyNear } from '#domain/geo/counties.ts'
import { countyTimezone } from '#domain/geo/county-time-zones.ts'
import { stateByCode } from '#domain/geo/states.ts'
import { isAmericanZone, zoneInTable } from '#domain/geo/zone-table.ts'

/**
 * Returns the IANA zone of a point: that of its county or state, if all of it has one, otherwise from the package's table of zone borders,
 * without network access. The table is coarse along borders; a point in or just off a county of the United States never gets the zone
 * of a neighbouring country.
 */
export function timezoneAt(latitude: number, longitude: number): string {
  const zone = zoneInTable(latitude, longitude)
  // To find the county of each record would take a tenth of the time of an import.
  if (isAmericanZone(zone) && zonesNearSquare(Math.floor(latitude), Math.floor(longitude)).every((own) => own === null || own === zone))
    return zone
  const over = countyAt(latitude, longitude)
  return (over && countyTimezone(over)) ?? borderZoneAt(latitude, longitude, zone)
}

const squares = new Map<number, (string | null)[]>()
/** More than the degrees of longitude. */
const SQUARES_IN_ROW = 1000

/** The zones of the counties near a square of a degree; null for those that only the table has. */
function zonesNearSquare(south: number, west: number): (string | null)[] {
  const key = south * SQUARES_IN_ROW + west
  const known = squares.get(key)
  if (known) return known
  const zones = [...new Set(countiesNearBox({ west, south, east: west + 1, north: south + 1 }).map(countyTimezone))]
  squares.set(key, zones)
  return zones
}

/** The zone of a point by the table, corrected along the country's borders. @param zone by the table */
function borderZoneAt(latitude: number, longitude: number, zone: string): string {
  if (isAmericanZone(zone)) return zone
  const county = countyNear(latitude, longitude, OFFSHORE_MILES)
  if (!county) return zone
  const borderZone = UNLIKE_THEIR_BORDER.includes(county.state) ? zoneNearby(latitude, longitude, county.state) : null
  return borderZone ?? stateByCode(county.state)?.timezone ?? zone
}

/** The zone of a point; null if the point is unknown. */
export function timezoneOf({ latitude, longitude }: { latitude: number | null; longitude: number | null }): string | null {
  return latitude === null || longitude === null ? null : timezoneAt(latitude, longitude)
}

/**
 * The zone of an area: that of the middle of its bounds, in degrees. Bounds of more than half the globe are those of parts on both sides of
 * the antimeridian, whose middle is there, and not in Europe.
 */
export function timezoneOfArea({ south, north, west, east }: Bounds): string {
  const middle = (west + east) / 2
  const beside = middle > 0 ? middle - 180 : middle + 180
  return timezoneAt((south + north) / 2, east - west > 180 ? beside : middle)
}

/** States where a region on the border with another country has a different zone from most of the state. */
const UNLIKE_THEIR_BORDER = ['AK', 'ID', 'TX']

/** Miles: county boundaries are coarse too, and inlets cut into them. */
const OFFSHORE_MILES = 5

/** Degrees: the table's squares are about a twentieth wide, and no county on a border is wider than one and a half. */
const STEP = 0.05
const STEPS = 30
const DIRECTIONS = Array.from({ length: 16 }, (_, turn) => [Math.sin((turn * Math.PI) / 8), Math.cos((turn * Math.PI) / 8)] as const)

/** The nearest zone within a state. */
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
 * Returns the calendar date of a moment in a zone, with daylight saving: YYYY-MM-DD.
 * @throws RangeError for an unknown zone.
 */
export function localDate(instant: Date, timezone: string): string {
  let format = formats.get(timezone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timezone, format)
  }
  return format.format(instant)
}

/** Creating a format costs a hundred times as much as using it. Keys are valid zone names: some 600 at most. */
const formats = new Map<string, Intl.DateTimeFormat>()
