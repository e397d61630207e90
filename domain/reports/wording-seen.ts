import { hailTypes, type RecordType, windTypes } from '#domain/archive/families.ts'
import type { NearbyRecord, Qualifier } from '#domain/archive/record.ts'
import { away, counted, inches, nearestOf, plain, sizeName, typeName } from '#domain/reports/phrases.ts'

/** How many records of one type people or instruments made, the strongest and by whose word, the nearest and its day. */
export function seenSentence(type: RecordType, records: NearbyRecord[], radius_miles: number): string {
  const within = `within ${plain(radius_miles)} mi`
  const nearest = nearestOf(records)
  const near = `${away(nearest)} on ${nearest.occurred_on}`
  if (type === 'tornado') {
    const path = nearest.precision === 'path' ? ' path' : ''
    return `${counted(records.length, 'tornado record')} ${within}, ${strongestRating(records)}; nearest${path} ${near}.`
  }
  if (hailTypes.includes(type))
    return `${counted(records.length, 'ground report')} of ${typeName(type)} ${hailSize(records)} ${within}; nearest ${near}.`
  // Wind is told by its speed wherever a report states one.
  if (type === 'thunderstorm_wind' || (windTypes.includes(type) && speedsOf(records).length > 0)) {
    return `${counted(records.length, 'report')} of ${typeName(type)} ${windSpeed(records)} ${within}; nearest ${near}.`
  }
  return `${counted(records.length, `${typeName(type)} record`)} ${within}; nearest ${near}.`
}

function strongestRating(records: NearbyRecord[]): string {
  const peak = peakOf(records, (record) => record.tornado_ef_scale)
  if (!peak) return 'strength not rated'
  const by = peak.some(({ qualifier }) => qualifier === 'surveyed') ? 'NWS survey' : 'estimated by the source'
  return `strongest EF${peak[0]?.tornado_ef_scale} (${by})`
}

function hailSize(records: NearbyRecord[]): string {
  const peak = peakOf(records, (record) => record.hail_size_in)
  const size = peak?.[0]?.hail_size_in
  if (!peak || size == null) return '(size not stated)'
  return `up to ${inches(size)} in (${[sizeName(size), saidBy(peak)].filter(Boolean).join('; ')})`
}

function windSpeed(records: NearbyRecord[]): string {
  const peak = peakOf(records, speedOf)
  return peak?.[0] ? `up to ${plain(speedOf(peak[0]) ?? 0)} mph (${saidBy(peak)})` : '(speed not stated)'
}

function speedsOf(records: NearbyRecord[]): number[] {
  return records.map(speedOf).filter((speed) => speed !== null)
}

function speedOf({ wind_gust_mph, wind_speed_mph }: NearbyRecord): number | null {
  return wind_gust_mph ?? wind_speed_mph
}

/** By whose word the strongest value stands: the best of those that state it. */
function saidBy(peak: NearbyRecord[]): string {
  const said = (qualifier: Qualifier) => peak.some((record) => record.qualifier === qualifier)
  return said('measured') ? 'measured' : said('estimated') ? 'estimated by the source' : 'measured or estimated: not stated'
}

/** Every record that states the largest value; null where none states any. */
function peakOf(records: NearbyRecord[], valueIn: (record: NearbyRecord) => number | null): NearbyRecord[] | null {
  const peak = records.reduce<number | null>((most, record) => {
    const value = valueIn(record)
    return value !== null && (most === null || value > most) ? value : most
  }, null)
  return peak === null ? null : records.filter((record) => valueIn(record) === peak)
}
