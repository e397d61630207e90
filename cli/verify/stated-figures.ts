import { DAY_MS } from '../durations.ts'
import { documentNames } from '../type-name.ts'
import type { Evidence, EvidenceRecord } from './evidence-shape.ts'
import { oneLine } from './sections.ts'

/**
 * Returns every figure and date of a text that is not in the evidence, as the text states it.
 * @param has_times whether the text has times, whose date in UTC or at the place may be the day before or after the record's own
 */
export function unknownFigures(text: string, evidence: Evidence, has_times = false): string[] {
  const line = oneLine(text).replace(SEVERE_LINE, '').replace(BAND, '')
  const known = knownIn(evidence)
  const dates = has_times ? known.dates_of_times : known.dates
  return [
    ...unknownMatches(line, HAIL, ([figure]) => known.hail.has(figure as string)),
    ...unknownMatches(line, SPEED, ([figure]) => known.speeds.has(Number(figure))),
    ...unknownMatches(line, RATING, ([, figure]) => known.ratings.has(figure as string)),
    ...unknownMatches(line, BEARING, ([figure, bearing]) => known.places.some((place) => isAt(place, figure as string, bearing as string))),
    ...unknownMatches(line, DISTANCE, ([figure]) => known.distances.has(figure as string)),
    ...unknownMatches(line, DATE, ([date]) => dates.has(date as string)),
  ]
}

/** Returns the figures and directions of a text about one record that are not the record's own, as the text states them. */
export function otherFigures(text: string, record: EvidenceRecord): string[] {
  return [
    ...unknownMatches(text, HAIL, ([size]) => record.measurements.hail_size_in === size),
    ...unknownMatches(text, SPEED, ([speed]) => speedsOf(record).includes(Number(speed))),
    ...unknownMatches(text, RATING, ([, rating]) => ratingOf(record) === rating),
    ...unknownMatches(text, BEARING, ([miles, bearing]) => isAt(record, miles as string, bearing as string)),
  ]
}

/** Returns the bands in which a text puts the place, but no radar estimate over it on that day does, as the text states them. */
export function misplacedBands(text: string, { records }: Evidence): string[] {
  const line = oneLine(text)
  const stated = [...line.matchAll(STATED_BAND)].filter(([, size, date, from]) => {
    const place = BANDS.indexOf(from as string)
    const [least, next = Infinity] = BANDS.slice(place).map(Number)
    const is_in = place >= 0 && Number(size) >= (least as number) - ROUNDING_IN && Number(size) < Number(next) + ROUNDING_IN
    return is_in && records.some((record) => record.occurred_on === date && record.measurements.hail_size_in === size && isOver(record))
  })
  const bandPhrases = [...line.matchAll(BAND)].map(([words]) => words.replace(/^, /, ''))
  return bandPhrases.length === stated.length ? [] : bandPhrases
}

const isOver = ({ provenance, location, relevance }: EvidenceRecord) =>
  provenance.evidence_kind === 'radar' && location.precision === 'grid' && relevance.distance_miles === '0.00'

/**
 * Returns the clauses that combine a figure, a distance and a date that no single record has. A clause about one day may list several
 * figures, each with its own place: each must be that of a record of the day.
 */
export function mismatchedClauses(text: string, { records }: Evidence): string[] {
  return clausesOf(text).filter((clause) => {
    const [[date] = [], ...others] = all(clause, DATE)
    if (date === undefined || others.length > 0) return false
    const dayRecords = records.filter(({ occurred_on }) => occurred_on === date)
    return clause.split(NEXT_FIGURE).some((figure) => isPlacedFigure(figure) && !dayRecords.some((record) => hasFigure(record, figure)))
  })
}

/** Whether a part of a clause states something about one record: what was found, or where. */
function isPlacedFigure(text: string): boolean {
  const distances = all(text, BEARING).length + all(text, OWN_DISTANCE).length
  return distances === 1 || (distances === 0 && STRONGEST.test(text))
}

/** Several figures of one kind are not compared: they are of several records. */
function hasFigure(record: EvidenceRecord, text: string): boolean {
  const stated = (pattern: RegExp) => {
    const [first, ...others] = all(text, pattern)
    return others.length === 0 ? first : undefined
  }
  const [place, distance, size, speed, rating] = [BEARING, OWN_DISTANCE, HAIL, SPEED, RATING].map(stated)
  return (
    (!place || isAt(record, place[0] as string, place[1] as string)) &&
    (!distance || statedDistances(record).includes(distance[0] as string)) &&
    (!OVER_PLACE.test(text) || record.relevance.distance_miles === '0.00') &&
    (!size || record.measurements.hail_size_in === size[0]) &&
    (!speed || speedsOf(record).includes(Number(speed[0]))) &&
    (!rating || ratingOf(record) === rating[1])
  )
}

/** Returns the rows of a table of days whose count or figure does not match the records of the day. */
export function mismatchedRows(text: string, { records }: Evidence): string[] {
  return oneLine(text)
    .split(/(?=\b\d{4}-\d\d-\d\d \d+ )/)
    .slice(1)
    .filter((row) => {
      const [, day, count] = /^(\S+) (\d+) /.exec(row) as unknown as [string, string, string]
      const dayRecords = records.filter(({ occurred_on }) => occurred_on === day)
      return (
        dayRecords.length !== Number(count) ||
        all(row, HAIL).some(([size]) => !dayRecords.some(({ measurements }) => measurements.hail_size_in === size)) ||
        all(row, SPEED).some(([speed]) => !dayRecords.some((record) => speedsOf(record).includes(Number(speed))))
      )
    })
}

/** Returns the rows of the table of days around a date of loss with a figure that no record of the day has. */
export function mismatchedDayRows(text: string, { records }: Evidence): string[] {
  return oneLine(text)
    .split(DAY_ROW)
    .slice(1)
    .filter((row) => {
      const dayRecords = records.filter(({ occurred_on }) => row.startsWith(occurred_on))
      return (
        all(row, HAIL).some(([size]) => !dayRecords.some(({ measurements }) => measurements.hail_size_in === size)) ||
        all(row, SPEED).some(([speed]) => !dayRecords.some((record) => speedsOf(record).includes(Number(speed)))) ||
        all(row, OWN_DISTANCE).some(([miles]) => !dayRecords.some((record) => statedDistances(record).includes(miles as string)))
      )
    })
}

/** The start of a row: a day, its relation to the date of loss, and the first figure, or words or a dash for none. */
const DAY_ROW = /(?=\b\d{4}-\d\d-\d\d(?:, (?:date of loss|within two days))? (?:\u2013|size not stated|\d+\.\d\d in) )/

/**
 * Returns the days named with types, "2025-06-10 (hail (radar), lightning)", that lack a record of one of these types. Earlier documents do
 * not mark a type that only radar saw.
 */
export function mismatchedDays(text: string, { records }: Evidence): string[] {
  return [...oneLine(text).matchAll(/\b(\d{4}-\d\d-\d\d) \(([a-z](?:[a-z ,]|\(radar\))*)\)/g)]
    .filter(([, day, types]) =>
      (types as string).split(', ').some((name) => !records.some((record) => isOfDay(record, day as string, name))),
    )
    .map(([words]) => words)
}

function isOfDay({ occurred_on, type, provenance }: EvidenceRecord, day: string, name: string): boolean {
  const [, stated, radar] = /^(.*?)( \(radar\))?$/.exec(name) as RegExpExecArray
  return occurred_on === day && documentNames(type).includes(stated as string) && (!radar || provenance.evidence_kind === 'radar')
}

/** Sizes, with any decimal separator. A whole number before "in" is a size if no other word follows. */
const HAIL = /(?<![\d.,/])(\d+[.,/]\d+|\d+(?= in(?:[.,;)]| hail\b| \()))\s?in\b/g
const SPEED = /(?<![\d.,])(\d+(?:[.,]\d+)?)\s?mph\b/g
const RATING = /\b(E?F)([0-9U])\b/g
const BEARING = /\b(\d+(?:\.\d+)?) mi ([NESW]{1,3})\b/g
/** A distance without a direction. From the centre of a ZIP code or city it has one decimal. */
const DISTANCE = /(?<![\d.])(\d+\.\d\d?) mi\b(?! [NESW]{1,3}\b)/g
/** The same of one record, not the radius of a search. */
const OWN_DISTANCE = new RegExp(`(?<!\\bwithin )${DISTANCE.source}`, 'g')
const DATE = /\b(\d{4}-\d\d-\d\d)\b/g
/** The lower bound of each band of a swath in inches. The exact millimetres decide; hundredths of an inch are rounded from them. */
const BANDS = ['0.75', '1.00', '1.25', '1.50', '1.75', '2.00', '2.50', '2.75']
const ROUNDING_IN = 0.005
const BAND = /, inside the \d+\.\d\d in band\b/g
const STATED_BAND = /\b(\d+\.\d\d) in over this location on (\d{4}-\d\d-\d\d)(?: \([^()]*\))?, inside the (\d+\.\d\d) in band\b/g
/** The strongest of a hazard by a channel, as the answer about a date of loss lists it: "wind reported 60 mph, 2.00 mi N". */
const STRONGEST = /\b(?:hail|wind|tornado) (?:reported|measured|estimated by radar)\b/
const NEXT_FIGURE = new RegExp(`, (?=${STRONGEST.source})`)
/** A day and its list of such figures, some of which have the hours that they cover in parentheses. */
const DAY_LIST = new RegExp(String.raw`\b(\d{4}-\d\d-\d\d) \((${STRONGEST.source}(?:[^()]|\([^()]*\))*)\)`, 'g')
const OVER_PLACE = /, (?:(?:area|path) )?over (?:this location|the centre of)\b/
/** The rule about the size of severe hail, whose figures belong to no record. */
const SEVERE_LINE = /The severe line for hail is 1\.00 in since 5 January 2010 and was 0\.75 in before\./g

const all = (text: string, pattern: RegExp): string[][] => [...text.matchAll(pattern)].map((found) => found.slice(1))

/** Returns the matches of a pattern that are not known, as they are in the text. */
function unknownMatches(text: string, pattern: RegExp, is_known: (parts: string[]) => boolean): string[] {
  return [...text.matchAll(pattern)].filter((found) => !is_known(found.slice(1))).map(([words]) => words)
}

/** Splits a text into clauses. Parentheses, which describe how a value was obtained and may contain any character, are removed. */
const clausesOf = (text: string) =>
  oneLine(text)
    .replace(DAY_LIST, '. on $1 $2. ')
    .replace(/\([^()]*\)/g, '')
    .replace(BAND, '')
    .split(/; |\. |: /)

function knownIn({ records, window }: Evidence) {
  return {
    hail: new Set(records.flatMap(({ measurements }) => measurements.hail_size_in ?? [])),
    speeds: new Set(records.flatMap(speedsOf)),
    ratings: new Set(records.map(ratingOf)),
    places: records,
    distances: new Set([window.radius_miles, String(Number(window.radius_miles)), ...records.flatMap(statedDistances)]),
    dates: new Set([window.start, window.end, ...records.map(({ occurred_on }) => occurred_on)]),
    dates_of_times: new Set(records.flatMap(datesOf)),
  }
}

export const speedsOf = ({ measurements: { wind_gust_mph, wind_speed_mph } }: EvidenceRecord) =>
  [wind_gust_mph, wind_speed_mph].filter((speed) => speed !== null).map(Number)

/** "2", or "U" for none. */
const ratingOf = ({ measurements: { tornado_ef_scale } }: EvidenceRecord) =>
  tornado_ef_scale === null ? 'U' : String(Number(tornado_ef_scale))

/** Whether a record has this distance and bearing. */
const isAt = (record: EvidenceRecord, miles: string, bearing: string) =>
  record.relevance.bearing === bearing && statedDistances(record).includes(miles)

/** The forms in which documents state a record's distance: from the centre of a ZIP code or city it has one decimal. Empty if it has none. */
function statedDistances({ relevance: { distance_miles } }: EvidenceRecord): string[] {
  return distance_miles === null ? [] : [distance_miles, Number(distance_miles).toFixed(1)]
}

/** Returns a record's own date, the dates of its times, and the days before and after those. */
function datesOf({ occurred_on, begins_at, ends_at }: EvidenceRecord): string[] {
  const moments = [begins_at, ends_at].filter((moment) => moment !== null).map((moment) => Date.parse(moment))
  return [occurred_on, ...moments.flatMap((at) => [-1, 0, 1].map((days) => new Date(at + days * DAY_MS).toISOString().slice(0, 10)))]
}
