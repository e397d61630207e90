import type { NearbyRecord } from '#domain/archive/record.ts'
import { sourceOf } from '#domain/archive/sources/index.ts'
import { isRadar } from '#domain/evidence/episodes.ts'
import { countyCentre } from '#domain/geo/counties.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import { joinList } from '#domain/kernel/text.ts'
import type { Viewpoint } from '#domain/reports/wording/viewpoint.ts'

/** Names every source, and whether its records are final. Radar is neither final nor preliminary: it is not reviewed. */
export function sourcesSentence(records: NearbyRecord[]): string {
  const names = new Set(records.map((record) => nameOfSource(record)))
  return `Source${names.size === 1 ? '' : 's'}: ${joinList([...names])}.`
}

function nameOfSource(record: NearbyRecord): string {
  const { label } = sourceOf(record)
  if (record.source === 'sample') return label.toLowerCase()
  return isRadar(record) ? label : `${label} (${record.preliminary ? 'preliminary' : 'final'})`
}

/** Names the time zones of the records' own places, to which the dates belong: "Dates are local (Central Time)." */
export function zonesSentence(records: NearbyRecord[], { place }: Viewpoint): string {
  const names = new Set(records.map((record) => zoneName(zoneOf(record) ?? place.timezone, record.begins_at)))
  return `Dates are local (${joinList([...names].sort())}).`
}

/** Returns the zone of its point, else of its county's centre, by which its date was found; null for a forecast zone. */
function zoneOf({ shown_latitude, shown_longitude, precision, county_fips }: NearbyRecord): string | null {
  if (shown_latitude !== null && shown_longitude !== null) return timezoneAt(shown_latitude, shown_longitude)
  const centre = precision === 'county' && county_fips !== null ? countyCentre(county_fips) : null
  return centre && timezoneAt(centre.latitude, centre.longitude)
}

/**
 * "Central Time": the zone's name at that moment, whatever the season. Juneau was on Pacific Time until 1983, and Alaska Time since.
 * Names are known since 1970: before, a zone has that year's name instead of its city's.
 */
function zoneName(timezone: string, at: Date): string {
  const moment = at < NAMED_SINCE ? NAMED_SINCE : at
  const key = `${timezone} ${moment.toISOString().slice(0, 'YYYY-MM'.length)}`
  let name = zoneNames.get(key)
  if (name === undefined) {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longGeneric' }).formatToParts(moment)
    name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? timezone
    zoneNames.set(key, name)
  }
  return name
}

const NAMED_SINCE = new Date('1970-01-02T00:00:00Z')

/** Finding a name costs a thousand times what storing it does; there are at most some 40 zones of a thousand months each. */
const zoneNames = new Map<string, string>()
