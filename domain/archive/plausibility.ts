import type { ArchiveRecord } from '#domain/archive/record.ts'
import { type County, countiesOf, countyAt, milesOutside } from '#domain/geo/counties.ts'
import type { Point, Position } from '#domain/geo/measure.ts'
import { DAY_MS, MINUTE_MS } from '#domain/kernel/durations.ts'
import { hailTypes, type RecordType, windTypes } from '#domain/weather/types.ts'

/*
 * What a source says of one record is compared with what else it says of it, and with what weather can be. Facts pass through unchanged;
 * a doubt becomes a sentence beside the record; what is impossible is rejected by name.
 */

/**
 * Whether anything about a record is doubted. Such a record is cited and counted with its caveats beside it, and is never the only
 * support of a headline, a peak or a confidence above low.
 */
export function isDoubted({ caveats }: Pick<ArchiveRecord, 'caveats'>): boolean {
  return caveats.length > 0
}

/** Whether more is doubted of a record than how far a flood reached: its place, its time or its size. */
export function isDoubtedBeyondExtent({ caveats }: Pick<ArchiveRecord, 'caveats'>): boolean {
  return caveats.some((caveat) => !isOfExtent(caveat))
}

// ---------------------------------------------------------------- where

/** Miles: boundaries are drawn coarsely, and places are given by direction and distance from a town that may lie in the next county. */
const OUTSIDE_MILES_MAX = 20

/**
 * A point that lies far outside the counties that its source names.
 * @param counties none where the source names none that is known: then nothing is judged
 * @param subject what lies there, as the sentence begins
 * @param outcome what is made of it, as the sentence ends
 */
export function doubtOfPoint(point: Point, counties: County[], subject = 'The point', outcome = ''): string | null {
  const miles = milesBeyond(point, counties)
  return miles === null ? null : outside(miles, counties, subject, outcome)
}

/** Miles: no slip in a place is as far; the sign of a coordinate is lost, or the two are changed round. */
const ELSEWHERE_MILES = 1_000

/** Whether a point lies so far from the counties that its source names that it shows nothing of where in them. */
export function isElsewhere(point: Point, counties: County[]): boolean {
  return (milesBeyond(point, counties) ?? 0) > ELSEWHERE_MILES
}

/**
 * A point that lies far outside the counties that a report names, or the state where it names none that is known.
 * @param state two-letter code; null where it names none
 */
export function doubtOfPlace(point: Point, counties: County[], state: string | null): string | null {
  return counties.length > 0 ? doubtOfPoint(point, counties) : state && doubtOfState(point, state.toUpperCase())
}

/** On land of another state, or a long way off: at sea a point may be of the state, however far. */
function doubtOfState(point: Point, state: string): string | null {
  const counties = countiesOf(state)
  const over = countyAt(point.latitude, point.longitude)
  const miles = over?.state === state ? null : milesBeyond(point, counties)
  if (miles === null || (over === null && miles <= ELSEWHERE_MILES)) return null
  return `The point lies ${plainMiles(miles)} mi outside the state that the source names (${state}).`
}

/** Miles outside the counties where that is too far; null where it is not, or cannot be judged. */
function milesBeyond(point: Point, counties: County[]): number | null {
  const miles = milesOutside(
    point,
    counties.map(({ fips }) => fips),
  )
  return miles !== null && miles > OUTSIDE_MILES_MAX ? miles : null
}

function outside(miles: number, counties: County[], subject: string, outcome: string): string {
  const named = `${counties.length === 1 ? 'county' : 'counties'} that the source names (${namesOf(counties)})`
  return `${subject} lies ${plainMiles(miles)} mi outside the ${named}${outcome && `; ${outcome}`}.`
}

/** "Blount and Loudon, TN" */
function namesOf(counties: County[]): string {
  const names = counties.map(({ name }) => name)
  const listed = names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return `${listed}, ${counties[0]?.state}`
}

/** Below a hundred miles a tenth shows what lies just beyond a bound. */
const plainMiles = (miles: number) => (miles < 99.95 ? miles.toFixed(1) : String(Math.round(miles)))

/** A county that its source numbers as one and names as another of the state. @param named those that bear the name */
export function doubtOfCounty(numbered: County, named: County[]): string | null {
  if (named.length === 0 || named.some(({ fips }) => fips === numbered.fips)) return null
  return `The source gives the number of one county (${namesOf([numbered])}) and the name of another (${namesOf(named)}): either may be meant.`
}

/** The line between a path's ends may be longer than its stated length by this share and so many miles: both are rounded. */
const PATH_SHARE = 1.5
const PATH_MILES = 3
/** Miles of the longest tornado path on record: Missouri, Illinois and Indiana, 18 March 1925. */
const LONGEST_PATH_MILES = 219

/**
 * Two ends of a path that lie further apart than its source says that it is long: one of the ends is wrong.
 * @param drawn miles between them
 * @param stated miles; null where the source gives no length
 */
export function doubtOfPath(drawn: number, stated: number | null): string | null {
  const apart = `The two ends of the path lie ${plainMiles(drawn)} mi apart`
  if (stated === null)
    return drawn > LONGEST_PATH_MILES ? `${apart}, farther than any tornado on record went; only where it began is used.` : null
  return drawn > stated * PATH_SHARE + PATH_MILES
    ? `${apart}, but the source gives a length of ${stated} mi; only where it began is used.`
    : null
}

const CORNERS_NOT_HELD = 'The corners of the flooded area are not held; only where the flood began is used.'
const FAR_CORNER = 'A corner of the flooded area'

/** What is doubted of how far a flood reached: only without a doubt is its area used. @param corners null where none is held */
export function doubtOfExtent(corners: Position[] | null, counties: County[]): string | null {
  if (corners === null) return CORNERS_NOT_HELD
  const miles = Math.max(...corners.map(([longitude, latitude]) => milesBeyond({ latitude, longitude }, counties) ?? 0))
  return miles > 0 ? outside(miles, counties, FAR_CORNER, 'only where the flood began is used') : null
}

/** Whether a caveat is about how far a flood reached: it is judged anew when corners come or go. */
export function isOfExtent(caveat: string): boolean {
  return caveat === CORNERS_NOT_HELD || caveat.startsWith(FAR_CORNER)
}

// ---------------------------------------------------------------- when

/** A report may be a few minutes ahead of its product, by the reporter's clock. */
const AHEAD_MINUTES_MAX = 10
/** Days within which late reports come: a date that is further back may be of the wrong month. Surveys of damage take weeks. */
const LATE_DAYS_MAX = 14

/** A report whose product was sent before it happened, or long after. */
export function doubtOfReportTime(at: Date, sent_at: Date, is_survey: boolean): string | null {
  const late = sent_at.getTime() - at.getTime()
  if (-late > AHEAD_MINUTES_MAX * MINUTE_MS)
    return `The report is dated ${Math.round(-late / MINUTE_MS)} minutes after its product was sent: its time may be mistaken.`
  return late > LATE_DAYS_MAX * DAY_MS && !is_survey
    ? `The report is dated ${Math.round(late / DAY_MS)} days before its product was sent: its date may be mistaken.`
    : null
}

// ---------------------------------------------------------------- how much

/** Inches of the largest hailstone measured in the United States: Vivian, South Dakota, 23 July 2010. */
const LARGEST_HAIL_IN = 8
/** Inches: ice of under 5 mm is no hail. */
const SMALLEST_HAIL_IN = 0.2
/** Inches: no stone of this size is known from anywhere. */
const IMPOSSIBLE_HAIL_IN = 10
/** Miles an hour of the strongest thunderstorm gust measured in the United States: Andrews Air Force Base, 1 August 1983. */
const STRONGEST_STORM_GUST_MPH = 150
/** Miles an hour of the strongest gust measured in the United States: Mount Washington, 12 April 1934. */
const STRONGEST_GUST_MPH = 231
/** Miles an hour of the strongest gust measured anywhere outside tornadoes: Barrow Island, 10 April 1996. */
const IMPOSSIBLE_GUST_MPH = 253

/** Miles an hour at which a fresh breeze begins, in which small trees sway (Beaufort 5). */
const WEAKEST_WIND_MPH = 19

/** Yards: wider than any tornado on record, which was 4,576 (El Reno, Oklahoma, 31 May 2013). */
export const TORNADO_WIDTH_MAX_YD = 5280

type Sized = Pick<ArchiveRecord, 'type' | 'hail_size_in' | 'wind_gust_mph' | 'wind_speed_mph'>

/** Why a magnitude cannot be; null where it can. */
export function impossibleIn({ hail_size_in, wind_gust_mph, wind_speed_mph }: Sized): string | null {
  if (isImpossibleHail(hail_size_in)) return `hail of ${hail_size_in} in is larger than any on record`
  const mph = wind_gust_mph ?? wind_speed_mph
  return isImpossibleWind(mph) ? `a wind of ${mph} mph is stronger than any on record` : null
}

export function isImpossibleHail(inches: number | null): boolean {
  return inches !== null && inches > IMPOSSIBLE_HAIL_IN
}

export function isImpossibleWind(mph: number | null): boolean {
  return mph !== null && mph > IMPOSSIBLE_GUST_MPH
}

/** A magnitude that is possible, and beyond what was ever measured in the United States, or too small for anybody to report it. */
export function doubtOfMagnitude({ type, hail_size_in, wind_gust_mph, wind_speed_mph }: Sized): string | null {
  if (hail_size_in !== null) return doubtOfHail(type, hail_size_in)
  const mph = wind_gust_mph ?? wind_speed_mph
  if (mph === null) return null
  if (windTypes.includes(type) && mph < WEAKEST_WIND_MPH)
    return `A wind of ${mph} mph is weaker than a fresh breeze (Beaufort 5, ${WEAKEST_WIND_MPH} mph at least): the figure may be mistaken.`
  const isStorm = type === 'thunderstorm_wind' || type === 'marine_thunderstorm_wind'
  if (isStorm && mph > STRONGEST_STORM_GUST_MPH)
    return `A thunderstorm wind of ${mph} mph is stronger than any measured in the United States (${STRONGEST_STORM_GUST_MPH} mph, Andrews Air Force Base, 1983).`
  return mph > STRONGEST_GUST_MPH
    ? `A wind of ${mph} mph is stronger than any measured in the United States (${STRONGEST_GUST_MPH} mph, Mount Washington, 1934).`
    : null
}

function doubtOfHail(type: RecordType, inches: number): string | null {
  if (!hailTypes.includes(type)) return null
  if (inches > LARGEST_HAIL_IN)
    return `Hail of ${inches.toFixed(2)} in is larger than any measured in the United States (${LARGEST_HAIL_IN.toFixed(2)} in, Vivian, South Dakota, 2010).`
  return inches < SMALLEST_HAIL_IN ? `Hail of ${inches.toFixed(2)} in is too small to be hail (5 mm, 0.20 in, at least).` : null
}
