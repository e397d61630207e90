import { type RecordType, recordTypes } from '#domain/archive/families.ts'
import type { NearbyRecord, Qualifier } from '#domain/archive/record.ts'
import type { WindowCoverage } from '#domain/archive/coverage.ts'
import { sourceOf } from '#domain/archive/sources/index.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { isOverAddress, isRadar } from '#domain/reports/episodes.ts'
import { groupBy } from '#domain/reports/group.ts'
import { away, counted, countyName, inches, listed, plain, sizeName, typeName } from '#domain/reports/phrases.ts'

/** From where a report looks: what its sentences need to know beside the records. */
export interface Viewpoint {
  place: LocatedPlace
  window: { start: string; end: string; radius_miles: number }
  /** False where the place is a centre of a ZIP or city. */
  precise: boolean
  /** True where made-up records answer: every text says so. */
  sample: boolean
}

/** Miles: beyond it the absence of a ground report says nothing about a place. */
const ABSENCE_MILES = 10

/** What a finding says first: the phenomena people ask about, then the rest in the vocabulary's order. */
const foremost: RecordType[] = ['tornado', 'hail', 'marine_hail', 'thunderstorm_wind', 'marine_thunderstorm_wind']
const telling: RecordType[] = [...foremost, ...recordTypes.filter((type) => !foremost.includes(type))]

/** Wind is told by its speed wherever a report states one. */
const windTypes: RecordType[] = ['thunderstorm_wind', 'marine_thunderstorm_wind', 'high_wind', 'strong_wind', 'marine_high_wind', 'marine_strong_wind']
const hailTypes: RecordType[] = ['hail', 'marine_hail']

/** What the records of one family say, as sentences: how many, how strong and by whose word, how near, on which day, from which source. */
export function statementOf(records: NearbyRecord[], view: Viewpoint): string {
  const byType = groupBy(records, (record) => record.type)
  const told = telling.flatMap((type) => {
    const ofType = byType.get(type)
    return ofType ? sentencesOf(type, ofType, view) : []
  })
  return marked([...told, sourcesSentence(records), zonesSentence(records, view), placeNote(view)], view)
}

/** What a report says where it cites nothing of hail, wind or tornado, nor anything else. */
export function nothingFound(coverage: WindowCoverage, view: Viewpoint): string {
  const { start, end, radius_miles } = view.window
  const searched = coverage.sources.length === 0 ? ': no source holds records of that time' : ` in the ${counted(coverage.sources.length, 'source')} searched`
  const nothing = `No hail, wind or tornado records were found within ${plain(radius_miles)} mi from ${start} to ${end}${searched}.`
  return marked([nothing, 'Absence of a record does not show that none occurred.', placeNote(view)], view)
}

/** The strongest finding's statement, or that nothing was found; then the months of which nothing is held. */
export function headlineOf(strongest: string | undefined, coverage: WindowCoverage, view: Viewpoint): string {
  const headline = strongest ?? nothingFound(coverage, view)
  return coverage.missing.length === 0 ? headline : `${headline} No records are held for ${spansOf(coverage)}.`
}

/** "2018-01 to 2018-12 and 2020-03" */
export function spansOf({ missing }: Pick<WindowCoverage, 'missing'>): string {
  return listed(missing.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)))
}

/** Where distances are measured from, unless it is the building or its street. */
export function placeNote({ place, precise }: Pick<Viewpoint, 'place' | 'precise'>): string | null {
  if (precise) return null
  const centre = place.precision === 'zip' && place.postal_code ? `ZIP ${place.postal_code}` : [place.city, place.state].filter(Boolean).join(', ')
  return `Distances are from the centre of ${centre}, not from the building.`
}

/** Joins the sentences, and says of made-up evidence that it is. */
export function marked(sentences: (string | null)[], { sample }: Pick<Viewpoint, 'sample'>): string {
  const text = sentences.filter((sentence) => sentence !== null).join(' ')
  return sample ? `${sourceOf({ source: 'sample' }).label}: ${text}` : text
}

function sentencesOf(type: RecordType, records: NearbyRecord[], view: Viewpoint): string[] {
  const placed = records.filter((record) => record.distance_miles !== null)
  const seen = placed.filter((record) => !isRadar(record))
  const scanned = placed.filter(isRadar)
  const areal = records.filter((record) => record.distance_miles === null)
  return [
    ...(seen.length > 0 ? [seenSentence(type, seen, view)] : []),
    ...(scanned.length > 0 ? radarSentences(scanned, seen, view) : []),
    ...arealSentences(type, areal),
  ]
}

function seenSentence(type: RecordType, records: NearbyRecord[], view: Viewpoint): string {
  const within = `within ${plain(view.window.radius_miles)} mi`
  const nearest = nearestOf(records)
  const near = `${away(nearest)} on ${nearest.occurred_on}`
  if (type === 'tornado') {
    const path = nearest.precision === 'path' ? ' path' : ''
    return `${counted(records.length, 'tornado record')} ${within}, ${strongestRating(records)}; nearest${path} ${near}.`
  }
  if (hailTypes.includes(type)) return `${counted(records.length, 'ground report')} of ${typeName(type)} ${hailSize(records)} ${within}; nearest ${near}.`
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
function peakOf(records: NearbyRecord[], valueOf: (record: NearbyRecord) => number | null): NearbyRecord[] | null {
  const peak = records.reduce<number | null>((most, record) => {
    const value = valueOf(record)
    return value !== null && (most === null || value > most) ? value : most
  }, null)
  return peak === null ? null : records.filter((record) => valueOf(record) === peak)
}

/** Radar beside ground reports, or alone; a larger estimate elsewhere is told too, with its distance. */
function radarSentences(scanned: NearbyRecord[], seen: NearbyRecord[], view: Viewpoint): string[] {
  const bySize = [...scanned].sort((a, b) => (b.hail_size_in ?? 0) - (a.hail_size_in ?? 0) || (a.distance_miles ?? 0) - (b.distance_miles ?? 0))
  const thatDay = seen.length > 0 ? nearestOf(seen).occurred_on : null
  const over = bySize.filter((record) => isOverAddress(record, view.precise))
  const first = over.find((record) => record.occurred_on === thatDay) ?? over[0] ?? bySize.find((record) => record.occurred_on === thatDay) ?? bySize[0]
  if (!first) return []
  const larger = bySize[0] && (bySize[0].hail_size_in ?? 0) > (first.hail_size_in ?? 0) ? [bySize[0]] : []
  const estimates = [first, ...larger].map((record) => `Radar estimated hail up to ${inches(record.hail_size_in ?? 0)} in ${radarPlace(record, seen, view)} ${onDay(record, thatDay)}.`)
  return seen.length > 0 ? estimates : [...estimates, ...radarAlone(view)]
}

function radarPlace(record: NearbyRecord, seen: NearbyRecord[], view: Viewpoint): string {
  if (!view.precise) return `within ${plain(view.window.radius_miles)} mi`
  if (isOverAddress(record, view.precise)) return seen.length > 0 ? 'over the address' : 'over this location'
  return away(record)
}

function onDay({ occurred_on }: NearbyRecord, thatDay: string | null): string {
  return occurred_on === thatDay ? 'that day' : `on ${occurred_on}`
}

function radarAlone({ window }: Viewpoint): string[] {
  return [
    `No ground report within ${plain(Math.min(ABSENCE_MILES, window.radius_miles))} mi was found.`,
    'Radar size is an estimate of hail aloft, not a measurement at the ground.',
  ]
}

function arealSentences(type: RecordType, records: NearbyRecord[]): string[] {
  const [counties, zones] = [records.filter(({ precision }) => precision === 'county'), records.filter(({ precision }) => precision === 'zone')]
  return [
    ...(counties.length > 0 ? [arealSentence(type, counties, 'county record', counties.map(countyName), 'the county')] : []),
    ...(zones.length > 0 ? [arealSentence(type, zones, 'zone record', zones.map(({ county, zone }) => county ?? zone ?? 'a forecast zone'), 'a forecast zone')] : []),
  ]
}

function arealSentence(type: RecordType, records: NearbyRecord[], kind: string, names: string[], area: string): string {
  const records_name = records.length === 1 ? 'the record names' : 'the records name'
  const latest = records.map(({ occurred_on }) => occurred_on).sort().at(-1)
  return `${counted(records.length, kind)} of ${typeName(type)} for ${listed([...new Set(names)].sort())}; ${records_name} ${area}, not a point. Most recent on ${latest}.`
}

function nearestOf(records: NearbyRecord[]): NearbyRecord {
  return records.reduce((nearest, record) => ((record.distance_miles ?? Number.POSITIVE_INFINITY) < (nearest.distance_miles ?? Number.POSITIVE_INFINITY) ? record : nearest))
}

/** Every source, and whether its records are final: radar is neither, it is not gone over again. */
function sourcesSentence(records: NearbyRecord[]): string {
  const names = new Set(records.map((record) => nameOfSource(record)))
  return `Source${names.size === 1 ? '' : 's'}: ${listed([...names])}.`
}

function nameOfSource(record: NearbyRecord): string {
  const { label } = sourceOf(record)
  if (record.source === 'sample') return label.toLowerCase()
  return isRadar(record) ? label : `${label} (${record.preliminary ? 'preliminary' : 'final'})`
}

/** The dates are those of the records' own places: "Dates are local (Central Time)." */
function zonesSentence(records: NearbyRecord[], { place }: Viewpoint): string {
  const zones = new Set(records.map(({ shown_latitude, shown_longitude }) =>
    shown_latitude === null || shown_longitude === null ? place.timezone : timezoneAt(shown_latitude, shown_longitude)))
  return `Dates are local (${listed([...new Set([...zones].map(zoneName))].sort())}).`
}

/** "Central Time": the zone's name whatever the season, for a finding spans both. */
function zoneName(timezone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longGeneric' }).formatToParts(0)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timezone
}
