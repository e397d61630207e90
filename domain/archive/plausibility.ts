import type { ArchiveRecord } from '#domain/archive/record.ts'
import { type County, countiesOf, countyAt, milesOutside } from '#domain/geo/counties.ts'
import type { Point, Position } from '#domain/geo/measure.ts'
import { DAY_MS, MINUTE_MS } from '#domain/kernel/durations.ts'
import { joinList } from '#domain/kernel/text.ts'
import { hailTypes, type RecordType, windTypes } from '#domain/weather/types.ts'

/*
 * Each statement of a source about a record is compared with its other statements about it, and with what is possible in
 * weather. Facts pass through unchanged, a doubtful one gets a caveat, a sentence next to the record, and impossible values are rejected by name.
 */

/**
 * Whether anything about a record is suspect. Such a record is cited and counted with its caveats, and is never the only
 * support for a headline, a peak or a confidence above low.
 */
export function isSuspect({ caveats }: Pick<ArchiveRecord, 'caveats'>): boolean {
  return caveats.length > 0
}

/** Whether a record is suspect in more than the extent of a flood: in its place, its time or its size. */
export function isSuspectBeyondExtent({ caveats }: Pick<ArchiveRecord, 'caveats'>): boolean {
  return caveats.some((caveat) => !isExtentCaveat(caveat))
}

// ---------------------------------------------------------------- where

/** Miles: boundaries are coarse, and places are given by direction and distance from a town that may be in the next county. */
const OUTSIDE_MILES_MAX = 20

/**
 * Returns a caveat for a point far outside the counties that its source names.
 * @param counties empty if the source names no known county; the point is then not checked
 * @param subject the thing at the point, as the beginning of the sentence
 * @param outcome the consequence, as the end of the sentence
 */
export function pointCaveat(point: Point, counties: County[], subject = 'The point', outcome = ''): string | null {
  const miles = milesBeyond(point, counties)
  return miles === null ? null : outsideCaveat(miles, counties, subject, outcome)
}

/** Miles: no error in a place is this far. The sign of a coordinate is lost, or the two are swapped. */
const FAR_MILES = 1_000

/** Whether a point is so far from the counties its source names that it says nothing about where in them the event was. */
export function isFarFromCounties(point: Point, counties: County[]): boolean {
  return (milesBeyond(point, counties) ?? 0) > FAR_MILES
}

/**
 * Returns a caveat for a point far outside the counties that a report names, or outside the state if it names no known
 * county.
 * @param state two-letter code; null if the report names none
 */
export function placeCaveat(point: Point, counties: County[], state: string | null): string | null {
  return counties.length > 0 ? pointCaveat(point, counties) : state && stateCaveat(point, state.toUpperCase())
}

/** A point on land of another state, or very far away. A point at sea may belong to the state at any shorter distance. */
function stateCaveat(point: Point, state: string): string | null {
  const counties = countiesOf(state)
  const county = countyAt(point.latitude, point.longitude)
  const miles = county?.state === state ? null : milesBeyond(point, counties)
  if (miles === null || (county === null && miles <= FAR_MILES)) return null
  return `The point lies ${plainMiles(miles)} mi outside the state that the source names (${state}).`
}

/** Returns the miles outside the counties if they are too many; null if they are not, or cannot be checked. */
function milesBeyond(point: Point, counties: County[]): number | null {
  const miles = milesOutside(
    point,
    counties.map(({ fips }) => fips),
  )
  return miles !== null && miles > OUTSIDE_MILES_MAX ? miles : null
}

function outsideCaveat(miles: number, counties: County[], subject: string, outcome: string): string {
  const named = `${counties.length === 1 ? 'county' : 'counties'} that the source names (${namesOf(counties)})`
  return `${subject} lies ${plainMiles(miles)} mi outside the ${named}${outcome && `; ${outcome}`}.`
}

/** "Blount and Loudon, TN" */
function namesOf(counties: County[]): string {
  return `${joinList(counties.map(({ name }) => name))}, ${counties[0]?.state}`
}

/** Below a hundred miles one decimal shows a point just beyond a limit. */
const plainMiles = (miles: number) => (miles < 99.95 ? miles.toFixed(1) : String(Math.round(miles)))

/**
 * Returns a caveat for a county whose number and name in the source belong to two counties of the state. @param named the
 * counties with that name
 */
export function countyCaveat(numbered: County, named: County[]): string | null {
  if (named.length === 0 || named.some(({ fips }) => fips === numbered.fips)) return null
  return `The source gives the number of one county (${namesOf([numbered])}) and the name of another (${namesOf(named)}): either may be meant.`
}

/** The line between a path's ends may be up to this factor times its stated length plus so many miles, because both are rounded. */
const PATH_SHARE = 1.5
const PATH_MILES = 3
/** Length in miles of the longest tornado path on record: Missouri, Illinois and Indiana, 18 March 1925. */
const LONGEST_PATH_MILES = 219

/**
 * Returns a caveat for a path whose ends are further apart than its stated length: one of the ends is wrong.
 * @param drawn miles between the ends
 * @param stated miles; null if the source gives no length
 */
export function pathCaveat(drawn: number, stated: number | null): string | null {
  const apart = `The two ends of the path lie ${plainMiles(drawn)} mi apart`
  if (stated === null)
    return drawn > LONGEST_PATH_MILES ? `${apart}, farther than any tornado on record went; only where it began is used.` : null
  return drawn > stated * PATH_SHARE + PATH_MILES
    ? `${apart}, but the source gives a length of ${stated} mi; only where it began is used.`
    : null
}

const CORNERS_MISSING = 'The corners of the flooded area are not held; only where the flood began is used.'
const FAR_CORNER = 'A corner of the flooded area'

/** Returns a caveat for the extent of a flood, if any. The area is used only without one. @param corners null if none are stored */
export function extentCaveat(corners: Position[] | null, counties: County[]): string | null {
  if (corners === null) return CORNERS_MISSING
  const miles = Math.max(...corners.map(([longitude, latitude]) => milesBeyond({ latitude, longitude }, counties) ?? 0))
  return miles > 0 ? outsideCaveat(miles, counties, FAR_CORNER, 'only where the flood began is used') : null
}

/** Whether a caveat is about the extent of a flood. It is determined again when corners are added or removed. */
export function isExtentCaveat(caveat: string): boolean {
  return caveat === CORNERS_MISSING || caveat.startsWith(FAR_CORNER)
}

// ---------------------------------------------------------------- when

/** A report may be a few minutes ahead of its product, by the reporter's clock. */
const AHEAD_MINUTES_MAX = 10
/** Days within which late reports arrive: an older date may have the wrong month. Damage surveys take weeks. */
const LATE_DAYS_MAX = 14

/** Returns a caveat for a report whose product was sent before the event, or long after it. */
export function reportTimeCaveat(at: Date, sent_at: Date, is_survey: boolean): string | null {
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
/** Inches: ice under 5 mm is not hail. */
const SMALLEST_HAIL_IN = 0.2
/** Inches: no hailstone of this size is known anywhere. */
const IMPOSSIBLE_HAIL_IN = 10
/** Strongest thunderstorm gust measured in the United States, mph: Andrews Air Force Base, 1 August 1983. */
const STRONGEST_STORM_GUST_MPH = 150
/** Strongest gust measured in the United States, mph: Mount Washington, 12 April 1934. */
const STRONGEST_GUST_MPH = 231
/** Strongest gust measured anywhere outside tornadoes, mph: Barrow Island, 10 April 1996. */
const IMPOSSIBLE_GUST_MPH = 253

/** Mph at which a fresh breeze begins, in which small trees sway (Beaufort 5). */
const WEAKEST_WIND_MPH = 19

/** Yards: wider than any tornado on record, which was 4,576 (El Reno, Oklahoma, 31 May 2013). */
export const TORNADO_WIDTH_MAX_YD = 5280

type SizedRecord = Pick<ArchiveRecord, 'type' | 'hail_size_in' | 'wind_gust_mph' | 'wind_speed_mph'>

/** Returns why a magnitude is impossible; null if it is possible. */
export function impossibleMagnitude({ hail_size_in, wind_gust_mph, wind_speed_mph }: SizedRecord): string | null {
  if (isImpossibleHail(hail_size_in)) return `hail of ${hail_size_in} in is larger than any on record`
  const mph = wind_gust_mph ?? wind_speed_mph
  return isImpossibleWind(mph) ? `a wind of ${mph} mph is stronger than any on record` : null
}

/** Whether a size in inches is larger than hail can be: a slip of the pen, not a measurement. */
export function isImpossibleHail(inches: number | null): boolean {
  return inches !== null && inches > IMPOSSIBLE_HAIL_IN
}

/** Whether a speed in miles an hour is higher than wind can be at the ground. */
export function isImpossibleWind(mph: number | null): boolean {
  return mph !== null && mph > IMPOSSIBLE_GUST_MPH
}

/** Returns a caveat for a possible magnitude that exceeds every measurement in the United States, or is too small for anyone to report. */
export function magnitudeCaveat({ type, hail_size_in, wind_gust_mph, wind_speed_mph }: SizedRecord): string | null {
  if (hail_size_in !== null) return hailCaveat(type, hail_size_in)
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

function hailCaveat(type: RecordType, inches: number): string | null {
  if (!hailTypes.includes(type)) return null
  if (inches > LARGEST_HAIL_IN)
    return `Hail of ${inches.toFixed(2)} in is larger than any measured in the United States (${LARGEST_HAIL_IN.toFixed(2)} in, Vivian, South Dakota, 2010).`
  return inches < SMALLEST_HAIL_IN ? `Hail of ${inches.toFixed(2)} in is too small to be hail (5 mm, 0.20 in, at least).` : null
}
