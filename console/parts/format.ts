// Creating a formatter takes longer than using it a hundred times.
const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const createMomentFormat = (timeZone?: string) =>
  new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })
const momentFormat = createMomentFormat()
const momentFormatsByZone = new Map<string, Intl.DateTimeFormat>()

/** 2026-06-03 -> Jun 3, 2026. A calendar date has no time zone. */
export function day(date: string): string {
  return dayFormat.format(new Date(`${date}T00:00:00Z`))
}

/** Jun 3, 2026 to Jun 9, 2026; one day of itself. */
export const days = (first: string, last: string) => (first === last ? day(first) : `${day(first)} to ${day(last)}`)

/** The reader's local date of a moment, in the format of date fields. */
export const localDate = (at: number) => new Date(at).toLocaleDateString('sv')
/** The same of now. */
export const today = () => localDate(Date.now())

/** When a date begins in the reader's own time zone, in which `moment` shows what happened on it. */
export const startOfDay = (date: string) => new Date(`${date}T00:00:00`).toISOString()

/** 2026-06 -> Jun 2026. */
export function month(text: string): string {
  return monthFormat.format(new Date(`${text}-01T00:00:00Z`))
}

/** A moment in the reader's own time zone, named. */
export function moment(at: string | null | undefined): string {
  if (!at) return 'never'
  return momentFormat.format(new Date(at))
}

/**
 * A moment of the weather at a place, in the place's time zone, named: a storm day is a local day there, and reports state the
 * same time. Without a zone, in the reader's own.
 */
export function localMoment(at: string, timezone: string | null): string {
  if (!timezone) return moment(at)
  const format = momentFormatsByZone.get(timezone) ?? createMomentFormat(timezone)
  momentFormatsByZone.set(timezone, format)
  return format.format(new Date(at))
}

/** 1.50 in: a hail size as reports, mails and posts write it. */
export const inches = (value: number | null | undefined) => (value == null ? '–' : `${value.toFixed(2)} in`)

/** A speed with its unit; a dash for none. */
export const milesPerHour = (value: number | null | undefined) => (value == null ? '–' : `${value} mph`)

/** The wind of a record: its gust, else its sustained speed, which is called so; a dash for neither. */
export const windOfRecord = ({ wind_gust_mph, wind_speed_mph }: { wind_gust_mph: number | null; wind_speed_mph: number | null }) =>
  wind_gust_mph === null && wind_speed_mph !== null ? `${milesPerHour(wind_speed_mph)} sustained` : milesPerHour(wind_gust_mph)

/** A distance with its unit; a dash for none. */
export const miles = (value: number | null | undefined) => (value == null ? '–' : `${value} mi`)

/** A record's distance as reports write it: 0.80 mi from a building or street, 0.8 mi from the centre of a ZIP code or city. */
export const distance = (value: number | null, precision: string | null | undefined) =>
  value === null ? '–' : `${value.toFixed(precision === 'zip' || precision === 'city' ? 1 : 2)} mi`

interface Nearest {
  nearest_miles: number | null
  subject: { object: string; precision: string | null }
}

/**
 * The name of `nearestOf`, of any record: the headline may have another distance, because it prefers a report to radar. At most two lines as a
 * heading.
 */
export const NEAREST = 'Nearest record'

/** How far the nearest record of an exposure is: 0 if a radar cell or a tornado path is over the place. All records of a territory are inside it. */
export const nearestOf = ({ nearest_miles, subject: { object, precision } }: Nearest) =>
  object === 'territory' && nearest_miles !== null ? 'inside' : distance(nearest_miles, precision)

/** Whether radar alone saw the storm of an exposure. One without records, such as a warning, was seen by nobody. */
export const isRadarOnly = ({ observed, largest_detected_in }: { observed: boolean; largest_detected_in: number | null }) =>
  !observed && largest_detected_in !== null

/** 34.16 sq mi: a territory's area with the digits that the API has. */
export const squareMiles = (area: number) => `${area.toLocaleString('en-US', { maximumFractionDigits: 2 })} sq mi`

/** 1 row, 1,000 rows. @param many the plural, if it is not formed with an s */
export const counted = (count: number, one: string, many = `${one}s`) => `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** The bands of a hazard's sizes or speeds, each followed by its word, joined by commas. */
export function bands(figure: 'size' | 'speed', ...seen: [word: string, band: { range: string | null } | null][]): string {
  const textOf = (word: string, range: string | null) => {
    if (range !== null) return `${range} ${word}`.trimEnd()
    return word ? `${word} (${figure} not stated)` : `${figure} not stated`
  }
  return seen.flatMap(([word, band]) => (band ? [textOf(word, band.range)] : [])).join(', ')
}

/** How a figure was obtained, as the source states it. */
export const qualifierWords = {
  measured: 'measured',
  estimated: 'estimated',
  surveyed: 'surveyed',
  radar_estimated: 'estimated by radar',
  unknown: 'measured or estimated: not stated',
} as const

interface Figures {
  hail_size_in: number | null
  wind_gust_mph: number | null
  wind_speed_mph: number | null
  tornado_rating: string | null
}

/** How a record's figure was obtained; null if the record states no figure. */
export function qualifierOf(
  qualifier: keyof typeof qualifierWords | null,
  { hail_size_in, wind_gust_mph, wind_speed_mph, tornado_rating }: Figures,
): string | null {
  const hasFigure = [hail_size_in, wind_gust_mph, wind_speed_mph, tornado_rating].some((figure) => figure !== null)
  return qualifier && hasFigure ? qualifierWords[qualifier] : null
}

interface TypeCount {
  label: string
  event_count: number
  evidence_kinds: string[]
}

/** hail 14 (some estimated by radar): how many records of a type there are, and whether radar estimates are among them. */
export function countedType({ label, event_count, evidence_kinds }: TypeCount): string {
  const count = `${label} ${event_count.toLocaleString('en-US')}`
  if (!evidence_kinds.includes('radar')) return count
  return `${count} (${evidence_kinds.length > 1 ? 'some ' : ''}${qualifierWords.radar_estimated})`
}

interface Stated extends Figures {
  type: string
  is_radar: boolean
}

/** What a record states, on maps and in citations: "Hail, 1.25 in, estimated by radar". A radar estimate is never without its word. */
export function recordInWords({ type, hail_size_in, tornado_rating, is_radar, ...winds }: Stated): string {
  const hasWind = winds.wind_gust_mph !== null || winds.wind_speed_mph !== null
  return [
    typeInWords(type),
    hail_size_in !== null && inches(hail_size_in),
    hasWind && windOfRecord(winds),
    tornado_rating,
    is_radar && qualifierWords.radar_estimated,
  ]
    .filter(Boolean)
    .join(', ')
}

/** The name of a record type, as reports state it: flash_flood -> Flash flood. */
export const typeInWords = (type: string) =>
  (typeNames.get(type) ?? type.replaceAll('_', ' ')).replace(/^./, (first) => first.toUpperCase())

/** The names of types that differ from their keys by more than underscores. */
const typeNames = new Map([
  ['cold_wind_chill', 'cold or wind chill'],
  ['frost_freeze', 'frost or freeze'],
  ['other', 'other weather'],
])
